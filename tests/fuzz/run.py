"""Fuzz external input with atheris, guided by code coverage.

    python tests/fuzz/run.py [--seconds 60] [NAME ...]     # message, memory, mapping, ...

Prints how many inputs each target survived; exits with 1, and saves the input to a file, if an
assertion failed or an input took over ten seconds.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

CHILD = "--child"
HANG = 10
_RUNS = re.compile(r"Done (\d+) runs in (\d+) second")


def child(name: str, arguments: list[str]) -> None:
    """Fuzz one target in this process, which libFuzzer terminates."""
    import atheris

    with atheris.instrument_imports(
        include=["tags", "companion", "common", "engine", "ndef", "yaml"]
    ):
        from tests.fuzz.targets import TARGETS

    atheris.Setup([sys.argv[0], *arguments], TARGETS[name].check)
    atheris.Fuzz()


def fuzz(name: str, seconds: int, record: Path) -> tuple[bool, str]:
    """Fuzz a target for `seconds` seconds; whether it held, and a line about it."""
    from tests.fuzz.targets import TARGETS, TOKENS

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for number, seed in enumerate(TARGETS[name].seeds):
            (corpus / str(number)).write_bytes(seed)
        words = Path(folder, "words")
        names = ("".join(f"\\x{byte:02X}" for byte in token) for token in TOKENS)
        words.write_text("".join(f'"{word}"\n' for word in names))
        result = subprocess.run(
            [sys.executable, __file__, CHILD, name, f"-max_total_time={seconds}",
             f"-timeout={HANG}", "-max_len=2048", f"-dict={words}", "-print_final_stats=0",
             f"-artifact_prefix={record}/{name}-", str(corpus)],
            cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
    runs = _RUNS.search(result.stderr)
    if result.returncode == 0 and runs:
        return True, f"{name:10} {int(runs[1]):>10,} inputs in {runs[2]} s, all promises held"
    return False, f"{name:10} failed; the input is in {record}\n{result.stderr[-4000:]}"


def main() -> int:
    """Fuzz the chosen targets, as many at once as there are cores; returns the exit code."""
    if sys.argv[1:2] == [CHILD]:
        child(sys.argv[2], sys.argv[3:])
    from tests.fuzz.targets import TARGETS

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", metavar="NAME", nargs="*", help=", ".join(TARGETS))
    options.add_argument("--seconds", type=int, default=60, help="for each target")
    args = options.parse_args()
    if unknown := [name for name in args.names if name not in TARGETS]:
        options.error(f"there is no target {', '.join(unknown)}; there are {', '.join(TARGETS)}")
    if find_spec("atheris") is None:
        print("atheris is not installed here: make extras ARGS=fuzz", file=sys.stderr)
        return 2
    record = Path(tempfile.mkdtemp(prefix="companion-findings-"))
    is_held = True
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # a target is a process of its own
        for fine, line in pool.map(
            lambda name: fuzz(name, args.seconds, record), args.names or TARGETS
        ):
            print(line, flush=True)
            is_held = is_held and fine
    if is_held:
        record.rmdir()
    return 0 if is_held else 1


if __name__ == "__main__":
    sys.exit(main())
