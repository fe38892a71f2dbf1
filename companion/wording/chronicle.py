"""The chronicle: what happened, in order, by round and by the character called.

Kills, robberies and destructions are marked by a word, so that they are easy to find by eye and by
ear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.named_tuples import NamedTuple
from companion.language import _, card
from companion.wording import story

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.moves import Move
    from engine.table import Table

    Moment = tuple[Table, Move, Table]  # views of the table before and after the move

ROUND, CALL, EVENT = "round", "call", "told"
MURDER, ROBBERY, DESTRUCTION = "murder", "robbery", "destruction"

_KINDS = {
    "kill": MURDER,
    "murdered": MURDER,
    "unmask": MURDER,
    "rob": ROBBERY,
    "robbed": ROBBERY,
    "destroy": DESTRUCTION,
    "seize": DESTRUCTION,
}
"""The marks of hostile deeds, by what a telling is about."""

_ROUND_BEGINS = "round_begins"  # told by a heading
_OF_THE_NEXT = "murdered"  # told under the rank called next


class ChronicleLine(NamedTuple):
    """A heading (ROUND, CALL), a sentence (EVENT), or one marked by its kind of deed."""

    kind: str
    text: str
    move: int = 0  # the index of its move


def word(kind: str) -> str:
    """The word that marks such a line; "" for other kinds."""
    return {
        MURDER: _("Murder"),
        ROBBERY: _("Robbery"),
        DESTRUCTION: _("Destruction"),
    }.get(kind, "")


def lines(moments: Sequence[Moment], now: Table) -> list[ChronicleLine]:
    """The moves with their headings, oldest first; the last heading is that of `now`."""
    result: list[ChronicleLine] = []
    last: tuple[int, int] = (0, 0)
    for number, (before, move, after) in enumerate(moments):
        for telling in story.tellings(before, move, after):
            if telling.about == _ROUND_BEGINS:
                continue
            t = after if telling.about == _OF_THE_NEXT else before
            result += _headings(t, last, number)
            last = _place(t)
            if telling.about == "nobody" and result[-1].kind == CALL:
                result[-1] = ChronicleLine(CALL, f"{t.called} · {telling.text}", number)
            else:
                result.append(ChronicleLine(_KINDS.get(telling.about, EVENT), telling.text, number))
    return [*result, *_headings(now, last, len(moments) - 1)]


def _place(table: Table) -> tuple[int, int]:
    """The round and the rank called in it; 0 during the selection."""
    return table.round, table.called if table.stage in ("calling", "turn") else 0


def _headings(table: Table, last: tuple[int, int], move: int) -> Iterable[ChronicleLine]:
    """The headings since the last line."""
    place = _place(table)
    if place[0] != last[0]:
        yield ChronicleLine(ROUND, _("Round {round}").format(round=table.round), move)
    if place != last and place[1] in table.rules.by_rank:
        name = card(table.rules.by_rank[place[1]])
        yield ChronicleLine(CALL, f"{place[1]} {name}", move)
