"""Questions that one player must answer at once, and the moves that answer them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import building, choices, turns
from engine.rules.base import Action, Menu, Words
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
        if words[0] == "nobody":
            return None
        seat = t.seats[t.seat_named(words[0])]
        return "unmask.shown" if len(seat.revealed) >= t.rules.picks else None

    def options(self, t: Table) -> Iterable[Words]:
        return [*((name,) for name in t.rules.player_names), ("nobody",)]

    def apply(self, t: Table, *words: str) -> None:
        killed = answered(t).about
        if words[0] == "nobody":
            choices.nobody_has(t, killed)
            turns.next_round(t)
            return
        index = t.seat_named(words[0])
        choices.has(t, index, killed)
        t.tell("unmasked", index, card=killed)
        turns.settle_killed(t, killed, index)


class GiveCrownAfterDeath(Action):
    """`crown Q nothing`: the killed Emperor's player gives the crown away, without payment."""

    verb = "crown"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        name, payment = words
        index = t.seat_named(name)
        if index == t.questions[-1].seat:
            return "emperor.self"
        if index == t.crown:
            return "emperor.holder"
        return None if payment == "nothing" else "emperor.after_death"

    def options(self, t: Table) -> Iterable[Words]:
        return [(name, "nothing") for name in t.rules.player_names]

    def apply(self, t: Table, *words: str) -> None:
        answered(t)
        turns.give_crown(t, t.seat_named(words[0]))
        turns.next_round(t)


class Confiscate(Action):
    """`confiscate`: the Magistrate shows the signed warrant and takes the district just built.

    The builder gets the gold back; the building still counts as built.
    """

    verb = "confiscate"

    def closed(self, t: Table) -> str | None:
        question = t.questions[-1]
        city = t.seats[question.seat].city
        bar = building.barred_from_taking(t, question.about, city)  # what all can see comes first
        if bar is not None:
            return _CANNOT_TAKE[bar]
        unsigned = t.signed is not None and t.signed != t.playing.character
        return "magistrate.unsigned" if unsigned else None

    def apply(self, t: Table, *words: str) -> None:
        question = answered(t)
        turn = t.own_turn()
        t.answered_warrants |= set(t.warrants)  # only one warrant is signed: the others are void
        t.own_seat(turn.seat).gold += question.amount
        turn.spent -= question.amount
        t.tell("confiscated", question.seat, turn.seat, card=question.about)
        building.completed_by(t, question.seat, question.about, 0)


_CANNOT_TAKE = {
    "build.duplicate": "magistrate.duplicate",
    "build.city_full": "magistrate.city_full",
}
"""What bars a district from the Magistrate's own city bars him from confiscating it."""


class SpareWarrant(Action):
    """`spare`: the Magistrate lets the district stand."""

    verb = "spare"

    def apply(self, t: Table, *words: str) -> None:
        question = answered(t)
        turn = t.playing
        t.answered_warrants |= {turn.character}
        building.completed_by(t, turn.seat, question.about, question.amount)


class Bribe(Action):
    """`bribe`: the threatened player pays half of his gold, rounded down, and is left alone."""

    verb = "bribe"

    def apply(self, t: Table, *words: str) -> None:
        question = answered(t)
        t.answered_threats |= {question.about}
        _pay_blackmailer(t, question.seat, t.seats[question.seat].gold // 2)
        turns.after_threat(t)


class Refuse(Action):
    """`refuse`: the threatened player does not pay; the Blackmailer may show the threat."""

    verb = "refuse"

    def apply(self, t: Table, *words: str) -> None:
        question = answered(t)
        blackmailer = t.bearer("blackmailer")
        if blackmailer is None:
            raise LookupError("a threat was answered, but nobody has shown the Blackmailer")
        t.questions += (Question("expose", blackmailer, question.about),)


class Expose(Action):
    """`expose`: the Blackmailer shows the threat; a real one takes all the gold.

    `expose real` or `expose fake` where the record does not know which it is.
    """

    verb = "expose"

    def objection(self, t: Table, *words: str) -> str | None:
        if not t.real_recorded:
            return None if words else "blackmailer.say_which"
        return "blackmailer.recorded" if words else None

    def options(self, t: Table) -> Iterable[Words]:
        return [()] if t.real_recorded else [("real",), ("fake",)]

    def apply(self, t: Table, *words: str) -> None:
        question = answered(t)
        real = words[0] == "real" if words else t.real == question.about
        other = next(target for target in t.threats if target != question.about)
        # one of the two is: now the table knows
        t.real, t.real_recorded = question.about if real else other, True
        t.answered_threats |= {question.about, other} if real else {question.about}
        t.tell("exposed", question.seat, card="real" if real else "fake")
        if real:
            victim = t.playing.seat
            _pay_blackmailer(t, victim, t.seats[victim].gold)
        turns.after_threat(t)


class SpareThreat(Action):
    """`spare`: the Blackmailer leaves the threat unshown."""

    verb = "spare"

    def apply(self, t: Table, *words: str) -> None:
        t.answered_threats |= {answered(t).about}
        turns.after_threat(t)


def _pay_blackmailer(t: Table, victim: int, gold: int) -> None:
    blackmailer = t.bearer("blackmailer")
    if blackmailer is not None:
        t.own_seat(victim).gold -= gold
        t.own_seat(blackmailer).gold += gold
        t.tell("blackmail_paid", victim, blackmailer, amount=gold)


ANSWERS: dict[str, Menu] = {
    "graveyard": Menu((Rescue(), Leave())),
    "unmask": Menu((Unmask(),)),
    "emperor": Menu((GiveCrownAfterDeath(),)),
    "warrant": Menu((Confiscate(), SpareWarrant())),
    "threat": Menu((Bribe(), Refuse())),
    "expose": Menu((Expose(), SpareThreat())),
}
