"""Run every benchmark in sequence, and print their figures in one table at the end.

    python tests/bench/run.py [NAME ...]     # card, caller, first_screen, random_play, reader

A figure is a line that ends in its goal, `(goal ...)`; other lines give details. The exit code is
that of the first benchmark that failed or missed its minimum.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
_FIGURE = re.compile(r"(?P<what>.*?)\s+(?P<value>\d+\.\d+)\s*(?P<unit>\S*)\s*\((?P<goal>goal .*)\)")


def run_benchmark(path: Path) -> tuple[int, list[str]]:
    """Run one benchmark, showing its output live; returns its exit code and figures."""
    print(f"== {path.stem.removeprefix('bench_')}", flush=True)
    env = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "PYTHONUNBUFFERED": "1"}
    rows = []
    with subprocess.Popen(
        [sys.executable, str(path)], stdout=subprocess.PIPE, text=True, env=env, cwd=HERE.parents[1]
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if found := _FIGURE.fullmatch(line.strip()):
                what = found["what"]
                if what.startswith("ratio"):  # only the benchmark's name says of what
                    what = f"{path.stem.removeprefix('bench_')}, {what}"
                rows.append(f"{what:66} {found['value']:>8} {found['unit']:7} {found['goal']}")
    return process.returncode, rows


def main() -> int:
    """Run the chosen benchmarks and print the table."""
    known = {path.stem.removeprefix("bench_"): path for path in sorted(HERE.glob("bench_*.py"))}
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", metavar="NAME", nargs="*", help=", ".join(known))
    given = options.parse_args()
    if unknown := [name for name in given.names if name not in known]:
        options.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
    rows: list[str] = []
    codes = []
    for name in given.names or known:
        code, found = run_benchmark(known[name])
        codes.append(code)
        rows += found
        if code:
            rows.append(f"{name} ended with exit code {code}")
    print("\n== figures")
    print("\n".join(rows))
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main())
