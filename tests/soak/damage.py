"""Damage a log of games at random: every use ends in a sentence."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from tests.companion.damage import damage, write_log

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
