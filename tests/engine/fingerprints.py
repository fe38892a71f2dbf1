"""Random games as hashes: any change of the rules, wanted or not, shows as a changed line.

    python -m tests.engine.fingerprints          # compare with fingerprints.txt
    python -m tests.engine.fingerprints --write  # write it anew, after looking at what changed

A line is the edition, the table size, the secrecy, the seed, then the number of decisions, the sum
of the choices that each offered, the rounds, and a hash over every legal list, every view, the
scores and the winners. The classic box plays its ordinary game at every size; every edition plays
random legal tables (`boxes.random_setup`). A changed sum of choices means other legal moves; an
unchanged one with another hash, other effects.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from engine import record, views
from engine.table import Table
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import SECRECIES, SIZES, new_table, random_game

FILE = Path(__file__).with_name("fingerprints.txt")
SEEDS = range(2)  # of the classic box, for each size and secrecy
RANDOM_TABLES = range(12)  # of each edition


def fingerprint(table: Table, seed: str) -> str:
    """The random game of that table as the end of a line."""
    digest = hashlib.sha256()
    choices = 0
    for referee in random_game(table, f"fingerprint {seed}"):
        legal = [move.text for move in referee.list_legal_moves()]
        choices += len(legal)
        digest.update("\n".join(legal).encode())
        if len(referee.moves) % 5 == 0 or not legal:
            for viewer in (None, 0, len(table.seats) - 1):
                seen = views.table_json(referee.table, viewer=viewer)
                digest.update(json.dumps(seen, sort_keys=True).encode())
            full = views.table_json(referee.table, full=True)
            digest.update(json.dumps(full, sort_keys=True).encode())
    return f"{len(referee.moves):4} {choices:6} {referee.table.round:3}  {digest.hexdigest()[:20]}"


def lines() -> Iterator[str]:
    """Every line of the file."""
    for players in SIZES:
        for secrecy in SECRECIES:
            for seed in SEEDS:
                table = new_table(players, secret=secrecy == "secret")
                name = f"{players} {secrecy:9} {seed:2}"
                yield f"classic_2016     {name}  {fingerprint(table, name)}"
    for edition in EDITIONS:
        for seed in RANDOM_TABLES:
            head = random_setup(edition, f"fingerprint {seed}")
            name = f"{len(head['players'])} {head['secrecy']:9} {seed:2}"
            table = record.read(head).start
            yield f"{edition:16} {name}  {fingerprint(table, name)}"


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
