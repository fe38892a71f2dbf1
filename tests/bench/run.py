"""Run every benchmark in sequence, and print their figures in one table at the end: the floor,
today's figure and that of the last run.

    python tests/bench/run.py [--short] [NAME ...]     # starts, first_screen, evening, ...

Each is a ratio to a yardstick in the same run; one worse than its floor fails the run. `--short`
takes few samples, as CI does. The figures of the last run are kept in `.venv`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAST = ROOT / ".venv" / "bench.json"
LONGEST = 1800.0
"""Seconds after which a benchmark has failed: the slowest takes minutes."""
NAMES = ("starts", "first_screen", "evening", "random_play", "reader")


def run_benchmark(path: Path, *, short: bool) -> tuple[int, list[dict[str, Any]]]:
    """Run one benchmark, showing its output; returns its exit code and figures."""
    print(f"== {path.stem.removeprefix('bench_')}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "figures")
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        env |= {"BENCH_FIGURES": str(notes), "BENCH_SHORT": "1" if short else ""}
        code = subprocess.run(
            [sys.executable, str(path)], env=env, cwd=ROOT, check=False, timeout=LONGEST
        ).returncode
        lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    return code, [json.loads(line) for line in lines]


def read_last() -> dict[str, float]:
    """The figures of the last run, by what they are of."""
    try:
        return dict(json.loads(LAST.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def show_row(row: Mapping[str, Any], last: Mapping[str, float]) -> str:
    """A figure as a line of the table."""
    before = f"{last[row['what']]:.2f}" if row["what"] in last else ""
    mark = "  FAILS" if row["failed"] else ""
    return f"{row['what']:62} {row['floor']:>6g} {row['value']:>8.2f} {before:>8}{mark}"


def main() -> int:
    """Run the chosen benchmarks and print the table; 1 if a figure is worse than its floor."""
    scripts = {name: HERE / f"bench_{name}.py" for name in NAMES}
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", metavar="NAME", nargs="*", help=", ".join(scripts))
    options.add_argument("--short", action="store_true", help="few samples")
    args = options.parse_args()
    if unknown := [name for name in args.names if name not in scripts]:
        options.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(scripts)}")
    rows: list[dict[str, Any]] = []
    names = []
    for name in args.names or scripts:
        code, figures = run_benchmark(scripts[name], short=args.short)
        rows += figures
        if code:
            names.append(f"{name} ended with exit code {code}")
    last = read_last()
    print(f"\n{'':62} {'floor':>6} {'today':>8} {'last':>8}")
    print("\n".join([*(show_row(row, last) for row in rows), *names]))
    LAST.write_text(json.dumps({**last, **{row["what"]: row["value"] for row in rows}}))
    return int(bool(names) or any(row["failed"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
