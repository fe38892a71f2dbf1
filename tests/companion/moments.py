"""What faces stage and teach at each move of the recorded games, as a file to read.

    python -m tests.companion.moments          # compare with moments.txt
    python -m tests.companion.moments --write  # write it anew, after looking at what changed

A line has a move, its events with their seats and card, and the length and the subject of the
lesson that it gives; moves with neither are left out. All are computed from what the
public or a seat sees.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from companion.game import teaching
from companion.game.events import list_events
from companion.log import records
from engine import views
from engine.explain import Refused
from engine.referee import Referee
from tests.kept_lines import compare_or_write

FILE = Path(__file__).with_suffix(".txt")
GAMES = Path(__file__).parents[1] / "games"
NAMES = (
    *("short_game", "secret_game", "two_players", "light_game", "warlord_turn"),
    *("editions/deluxe_2016.three_players", "editions/ffg_2005.two_players"),
    *("characters/witch", "characters/emperor", "characters/marshal", "characters/blackmailer"),
    *("districts/graveyard", "districts/theater", "districts/bell_tower"),
)
SEEN_BY_A_SEAT = {"secret_game": 0}
"""The games of which a seat's view is compared, too."""


def tell(name: str, viewer: int | None) -> Iterator[str]:
    """The moves of a game with the events of each and the length of its lesson."""
    record = records.read(str(GAMES / f"{name}.yaml")).record
    referee = Referee(record.start)
    tables = [referee.table]
    with suppress(Refused):  # some records end with a move that the rules forbid
        for text in record.moves:
            referee.play(text)
            tables.append(referee.table)
    seen = [views.redact(table, viewer) for table in tables]
    yield f"{name}, seen by {viewer}: {teaching.moment(seen[0])} {len(teaching.lesson(seen[0]))}"
    for move, (before, after) in zip(referee.moves, pairwise(seen), strict=True):
        told = [
            " ".join([event.kind, *map(str, event.seats), event.card]).strip()
            for event in list_events(before, move, after)
        ]
        topic = teaching.moment(after)
        if topic and topic != teaching.moment(before):
            told.append(f"lesson of {len(teaching.lesson(after))}: {topic}")
        if told:
            yield f"  {move.text}: {', '.join(told)}"


def lines() -> Iterator[str]:
    """Every line of the file."""
    for name in NAMES:
        yield from tell(name, views.PUBLIC)
    for name, seat in SEEN_BY_A_SEAT.items():
        yield from tell(name, seat)


if __name__ == "__main__":
    sys.exit(compare_or_write(FILE, lines()))
