"""The moments of a game that a face may stage: called, murdered, crowned. A small vocabulary, found
from a viewer's tables before and after a move, so an event tells no more than these do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.wording import story

if TYPE_CHECKING:
    from companion.game.session import Session
    from engine.moves import Move
    from engine.table import Table

Kind = Literal["called", "murdered", "robbed", "bewitched", "destroyed", "crowned", "last_round"]


class GameEvent(NamedTuple):
    """What happened: to the players in `seats`, or to nobody known, with the `card` it is about: a
    character or a district."""

    kind: Kind
    seats: tuple[int, ...] = ()
    card: str = ""


STAGED: tuple[Kind, ...] = ("murdered", "robbed", "bewitched", "destroyed", "crowned", "last_round")
"""What a screen that everybody sees stages beside the call; of several at once the first."""

_RECENT = 3
"""Moves for which it does."""


def tell_recent(session: Session) -> tuple[Kind, str] | None:
    """The last staged event, if it is recent, with what its move did in words."""
    for before, move, after in reversed(session.moments(_RECENT)):
        if events := list_events(before, move, after):
            return events[0].kind, " ".join(story.tell(before, move, after))
    return None


def list_events(before: Table, move: Move, after: Table) -> list[GameEvent]:
    """What a move gives to stage, in the order of `STAGED`; both tables are the same viewer's."""
    events: list[GameEvent] = []
    for kind, mark in _MARKS.items():
        character = getattr(after.marks, mark)
        was = getattr(before.marks, mark) if before.round == after.round else None
        holders = _list_holders(after, character) if character else ()
        if character and (was != character or holders != _list_holders(before, character)):
            events.append(GameEvent(kind, holders, character))
    if move.verb in ("destroy", "seize"):
        events.append(GameEvent("destroyed", (before.seat_named(move.args[0]),), move.args[1]))
    if after.crown != before.crown:
        events.append(GameEvent("crowned", (after.crown,)))
    if after.is_last_round and not before.is_last_round and after.stage != "over":
        events.append(GameEvent("last_round"))
    return events


_MARKS: dict[Kind, str] = {"murdered": "killed", "robbed": "robbed", "bewitched": "bewitched"}
"""The mark of the round that names the character of the event."""


def _list_holders(table: Table, character: str) -> tuple[int, ...]:
    """The seats known to have the character: shown, or recorded by the viewer."""
    return tuple(
        index
        for index, seat in enumerate(table.seats)
        if character in seat.revealed or character in seat.chosen
    )


def find_current(view: Table, seat: int) -> GameEvent | None:
    """The event that a player's round is under now, from that player's view: called and to show a
    character, murdered, bewitched or robbed in this round; None if none."""
    characters = (*view.seats[seat].chosen, *view.seats[seat].revealed)
    if view.stage == "calling" and not view.questions and view.called in view.rules.by_rank:
        character = view.rules.by_rank[view.called]
        if character in view.seats[seat].chosen and character != view.marks.killed:
            return GameEvent("called", (seat,), character)
    for kind, mark in _MARKS.items():
        character = getattr(view.marks, mark)
        if character and character in characters and _is_reached(view, kind, character):
            return GameEvent(kind, (seat,), character)
    return None


def _is_reached(view: Table, kind: Kind, character: str) -> bool:
    """A robbery is felt when its rank is called; everything else at once."""
    return kind != "robbed" or view.called >= view.rules.characters[character].rank
