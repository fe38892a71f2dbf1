"""Questions that one player must answer at once, and the moves that answer them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import Action, Menu, Words
from engine.rules.calling import contradicts_record
from engine.table import Question

if TYPE_CHECKING:
    from engine.table import Table


def ask_graveyard(t: Table, destroyed: str) -> None:
    """A district was destroyed: ask its rescuer, or put the card under the deck."""
    striker = t.playing.seat
    for index, seat in enumerate(t.seats):
        price = seat.city.effects.get("rescues_for_gold")
        if price is not None and index != striker and seat.gold >= price:
            t.questions += (Question("graveyard", index, destroyed),)
            return
    t.deck += 1


def answered(t: Table) -> Question:
    """Take the question that was asked last off the stack."""
    question = t.questions[-1]
    t.questions = t.questions[:-1]
    return question


class Rescue(Action):
    """`rescue P`: the owner of the Graveyard pays and takes the destroyed card into hand."""

    verb = "rescue"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        asked = t.questions[-1].seat
        return None if t.seat_named(words[0]) == asked else "graveyard.not_asked"

    def options(self, t: Table) -> Iterable[Words]:
        return [(t.seats[t.questions[-1].seat].name,)]

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(answered(t).seat)
        seat.gold -= seat.city.effects["rescues_for_gold"]
        seat.hand += 1


class Leave(Action):
    """`leave`: the destroyed card goes under the deck."""

    verb = "leave"

    def apply(self, t: Table, *words: str) -> None:
        answered(t)
        t.deck += 1


class Unmask(Action):
    """`unmask P`, `unmask nobody`: whose the killed character was."""

    verb = "unmask"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        killed = t.questions[-1].about
        if words[0] == "nobody":
            recorded = any(killed in seat.chosen for seat in t.seats)
            return "unmask.recorded" if recorded else None
        index = t.seat_named(words[0])
        if len(t.seats[index].revealed) >= t.rules.picks:
            return "unmask.shown"
        return "unmask.recorded" if contradicts_record(t, index, killed) else None

    def options(self, t: Table) -> Iterable[Words]:
        return [*((name,) for name in t.rules.player_names), ("nobody",)]

    def apply(self, t: Table, *words: str) -> None:
        killed = answered(t).about
        if words[0] != "nobody":
            index = t.seat_named(words[0])
            t.tell("unmasked", index, card=killed)
            if t.rules.characters[killed].takes_crown:
                turns.give_crown(t, index)
        turns.next_round(t)


ANSWERS: dict[str, Menu] = {
    "graveyard": Menu((Rescue(), Leave())),
    "unmask": Menu((Unmask(),)),
}
