"""Damage a log of games at random: every use ends in a sentence.

python tests/soak/damage.py [--times 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.companion.damage import damage, write_log  # noqa: E402

GAMES = 12


def run(times: int, seed: int) -> str:
    """Test `times` damaged copies; returns the figures. Raises any uncaught exception."""
    count = 0
    with tempfile.TemporaryDirectory(prefix="companion-damage-") as folder:
        log = write_log(Path(folder), GAMES)
        for number in range(times):
            copy = Path(folder) / f"copy-{number}.sqlite3"
            count += damage(log, copy, random.Random(seed * 1_000_000 + number)).hold()
            for left in Path(folder).glob(f"{copy.name}*"):
                if left.is_file():
                    left.unlink()
    games = times * GAMES
    return (
        f"{times} damaged logs of {GAMES} games: {count} of {games} games can be played on, "
        "0 tracebacks"
    )


def main() -> int:
    """Run as often as requested; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    print(run(args.times, args.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
