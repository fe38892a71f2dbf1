"""Run the inner ring of tests with every installed Python from 3.11 on.

python scripts/pythons.py [--into .venv/pythons] [--oldest] [PYTEST WORDS ...]

With `--oldest`, run it instead with this Python and the oldest versions that pyproject.toml allows,
with the extras that the inner ring uses.

Looks for `python3.11` and later on the path and among uv's and pyenv's installations. Each gets its
own environment, which is kept. Lists missing versions; exits with 1 if a test fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
INNER = (
    "-q",
    "-m",
    "not outer and not soak",
    "--dist",
    "worksteal",
    "-n",
    str(os.cpu_count() or 2),
)


def find(version: str) -> str | None:
    """The path of a working interpreter of that version."""
    return next((path for path in _candidates(version) if _is(path, version)), None)


def _candidates(version: str) -> Iterator[str]:
    if path := shutil.which(f"python{version}"):
        yield path
    if uv := shutil.which("uv"):
        words = [uv, "python", "find", "--no-python-downloads", version]
        yield subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    installation = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from map(str, sorted(installation.glob(f"{version}.*/bin/python")))


def _is(path: str, version: str) -> bool:
    """Whether it starts (a shim may point to nothing) and is of that version."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        result = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return result.stdout.strip() == version


def run(place: Path, interpreter: str, install: list[str], words: list[str]) -> bool:
    """Whether the inner ring passes with that interpreter in the environment at `place`; `install`
    are the words for scripts/install.py."""
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", "--without-pip", str(place)], check=True)
    if subprocess.run([str(python), "scripts/install.py", *install], cwd=ROOT).returncode:
        return False
    return (
        subprocess.run(
            [str(python), "-m", "pytest", *INNER, *words], cwd=ROOT, check=False
        ).returncode
        == 0
    )


def main() -> int:
    """Try every version; the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--into", type=Path, default=ROOT / ".venv" / "pythons")
    options.add_argument("--oldest", action="store_true")
    given, words = options.parse_known_args()
    if given.oldest:
        extras = ["dev", "labels", "scan"]  # no inner test needs one that is compiled
        return not run(given.into / "oldest", sys.executable, ["--oldest", *extras], words)
    told = []
    for version in VERSIONS:
        interpreter = find(version)
        if interpreter is None:
            told.append(f"Python {version}: not found here")
            continue
        print(f"Python {version}: {interpreter}", flush=True)
        passed = run(given.into / version, interpreter, ["dev"], words)
        told.append(f"Python {version}: {'the inner ring passes' if passed else 'FAILED'}")
    print(*told, sep="\n")
    return 1 if any("FAILED" in line for line in told) else 0


if __name__ == "__main__":
    sys.exit(main())
