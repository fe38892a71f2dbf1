"""Random games as hashes: any change of the rules, wanted or not, shows as a changed line.

    python -m tests.engine.fingerprints          # compare with fingerprints.txt
    python -m tests.engine.fingerprints --write  # write it anew, after looking at what changed

A line is the table size, the secrecy, the seed, then the number of decisions, the sum of the
choices that each offered, the rounds, and a hash over every legal list, every view, the scores and
the winners. A changed sum of choices means other legal moves; an unchanged one with another hash,
other effects.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from engine import views
from tests.engine.playing import SECRECIES, SIZES, new_table, random_game

FILE = Path(__file__).with_name("fingerprints.txt")
SEEDS = range(4)


def fingerprint(players: int, secrecy: str, seed: int) -> str:
    """The line of one random game."""
    table = new_table(players, secret=secrecy == "secret")
    digest = hashlib.sha256()
    choices = 0
    for referee in random_game(table, f"fingerprint {players} {secrecy} {seed}"):
        legal = [move.text for move in referee.legal()]
        choices += len(legal)
        digest.update("\n".join(legal).encode())
        if len(referee.moves) % 5 == 0 or not legal:
            for viewer in (None, 0, players - 1):
                seen = views.table_json(referee.table, viewer=viewer)
                digest.update(json.dumps(seen, sort_keys=True).encode())
            full = views.table_json(referee.table, full=True)
            digest.update(json.dumps(full, sort_keys=True).encode())
    return (
        f"{players} {secrecy:9} {seed}  {len(referee.moves):4} {choices:6} "
        f"{referee.table.round:3}  {digest.hexdigest()[:20]}"
    )


def lines() -> Iterator[str]:
    """Every line of the file."""
    for players in SIZES:
        for secrecy in SECRECIES:
            for seed in SEEDS:
                yield fingerprint(players, secrecy, seed)


def main() -> int:
    """Compare with the file, or write it."""
    now = list(lines())
    if "--write" in sys.argv[1:]:
        FILE.write_text("\n".join(now) + "\n", encoding="utf-8")
        return 0
    kept = FILE.read_text(encoding="utf-8").splitlines()
    for before, after in zip(kept, now, strict=True):
        if before != after:
            print(f"- {before}\n+ {after}")
    return int(kept != now)


if __name__ == "__main__":
    sys.exit(main())
