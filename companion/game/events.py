"""The moments of a game that a face may stage: called, murdered, crowned, won. A small vocabulary,
found from a viewer's tables before and after a move, so an event tells no more than these do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from companion.wording import story
from engine import scoring
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.session import Session
    from engine.moves import Move
    from engine.table import Built, Table

Kind = Literal[
    "won",
    "called",
    "murdered",
    "robbed",
    "bewitched",
    "destroyed",
    "crowned",
    "last_round",
    "built",
    "asked",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
"""Every kind; of several at once a face stages the first."""


class GameEvent(NamedTuple):
    """What happened: to the players in `seats`, or to nobody known, with the `card` it is about: a
    character or a district."""

    kind: Kind
    seats: tuple[int, ...] = ()
    card: str = ""


def list_events(before: Table, move: Move, after: Table) -> list[GameEvent]:
    """The events of a move, the most important first; both tables are the same viewer's."""
    return sorted(_find(before, move, after), key=lambda event: KINDS.index(event.kind))


STAGED: tuple[Kind, ...] = ("murdered", "robbed", "bewitched", "destroyed", "crowned", "last_round")
"""What a screen that everybody sees stages beside the call."""

_RECENT = 3
"""Moves for which it does."""


def tell_recent(session: Session) -> tuple[Kind, str] | None:
    """The last staged event, if it is recent, with what its move did in words."""
    for before, move, after in reversed(session.moments(_RECENT)):
        for event in list_events(before, move, after):
            if event.kind in STAGED:
                return event.kind, " ".join(story.tell(before, move, after))
    return None


def _find(before: Table, move: Move, after: Table) -> list[GameEvent]:
    events: list[GameEvent] = []
    if after.stage == "over" and before.stage != "over":
        events.append(GameEvent("won", tuple(scoring.standing(after).winners)))
    by_rank = after.rules.by_rank
    is_called = after.stage == "calling" and after.called in by_rank
    if is_called and (before.called, before.stage) != (after.called, "calling"):
        character = by_rank[after.called]
        events.append(GameEvent("called", _list_holders(after, character), character))
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
        complete = [seat for seat, one in enumerate(after.seats) if after.is_complete(one)]
        events.append(GameEvent("last_round", tuple(complete or after.first_complete)))
    for seat, one in enumerate(after.seats):
        new = _list_new(before.seats[seat].city.cards, one.city.cards)
        if new and move.verb not in ("exchange", "seize"):
            events.append(GameEvent("built", (seat,), new[-1]))
    waiting, was_waiting = find_awaited(after), find_awaited(before)
    if waiting is not None and waiting != was_waiting:
        events.append(GameEvent("asked", (waiting[0],)))
    return events


_MARKS: dict[Kind, str] = {"murdered": "killed", "robbed": "robbed", "bewitched": "bewitched"}
"""The mark of the round that names the character of the event."""


def _list_holders(table: Table, character: str) -> tuple[int, ...]:
    """The seats known to have the character: shown, or recorded by the viewer."""
    return tuple(
        seat
        for seat, one in enumerate(table.seats)
        if character in one.revealed or character in one.chosen
    )


def _list_new(before: Sequence[Built], after: Sequence[Built]) -> list[str]:
    had = [card.id for card in before]
    new: list[str] = []
    for card in after:
        if card.id in had:
            had.remove(card.id)
        else:
            new.append(card.id)
    return new


def find_standing(view: Table, seat: int) -> GameEvent | None:
    """The event that a player's round is under now, from that player's view: called and to show a
    character, murdered, bewitched or robbed in this round; None if none."""
    own = (*view.seats[seat].chosen, *view.seats[seat].revealed)
    if view.stage == "calling" and not view.questions and view.called in view.rules.by_rank:
        character = view.rules.by_rank[view.called]
        if character in view.seats[seat].chosen and character != view.marks.killed:
            return GameEvent("called", (seat,), character)
    for kind, mark in _MARKS.items():
        character = getattr(view.marks, mark)
        if character and character in own and _is_reached(view, kind, character):
            return GameEvent(kind, (seat,), character)
    return None


def _is_reached(view: Table, kind: Kind, character: str) -> bool:
    """A robbery is felt when its rank is called; everything else at once."""
    return kind != "robbed" or view.called >= view.rules.characters[character].rank
