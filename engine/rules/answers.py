"""Questions that a player must answer at once, and the moves that answer them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules import building, selection, turns
from engine.rules.base import Action, Menu, Words
from engine.table import Question, Table


def ask_graveyard(table: Table, district: str, *, after: int | None = None) -> None:
    """Ask the next possible rescuer of a destroyed district, or put the card under the deck.

    A table's own cards may give several players a Graveyard: they are asked clockwise.
    """
    rescuers = list_rescuers(table)
    if after is not None:
        rescuers = rescuers[rescuers.index(after) + 1 :]
    if rescuers:
        table.questions += (Question("graveyard", rescuers[0], district),)
    else:
        table.deck += 1


def list_rescuers(table: Table) -> list[int]:
    """The seats that can pay the Graveyard, clockwise from the striker, who cannot."""
    striker, seats = table.playing.seat, table.seats
    others = [(striker + place) % len(seats) for place in range(1, len(seats))]
    prices = [(index, seats[index].city.effects.get("rescues_for_gold")) for index in others]
    return [index for index, price in prices if price is not None and seats[index].gold >= price]


def pop_question(table: Table) -> Question:
    """Take the question that was asked last off the stack."""
    question = table.questions[-1]
    table.questions = table.questions[:-1]
    return question


class Rescue(Action):
    """`rescue P`: the owner of the Graveyard pays and takes the destroyed card into hand."""

    verb = "rescue"
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        seat = table.questions[-1].seat
        return None if table.seat_named(words[0]) == seat else "graveyard.not_asked"

    def options(self, table: Table) -> Iterable[Words]:
        return [(table.seats[table.questions[-1].seat].name,)]

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_seat(pop_question(table).seat)
        seat.gold -= seat.city.effects["rescues_for_gold"]
        seat.hand += 1


class Leave(Action):
    """`leave`: the destroyed card goes under the deck, unless another Graveyard may take it."""

    verb = "leave"

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        ask_graveyard(table, question.about, after=question.seat)


class Unmask(Action):
    """`unmask P`, `unmask nobody`: who had the killed character."""

    verb = "unmask"
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        if words[0] == "nobody":
            return None
        seat = table.seats[table.seat_named(words[0])]
        return "unmask.shown" if len(seat.revealed) >= table.rules.picks else None

    def options(self, table: Table) -> Iterable[Words]:
        return [*((name,) for name in table.rules.player_names), ("nobody",)]

    def apply(self, table: Table, *words: str) -> None:
        about = pop_question(table).about
        if words[0] == "nobody":
            selection.rule_out(table, about)
            turns.begin_round(table)
            return
        index = table.seat_named(words[0])
        selection.note_shown(table, index, about)
        table.tell("unmasked", index, card=about)
        turns.settle_killed(table, about, index)


class GiveCrownAfterDeath(Action):
    """`crown Q nothing`: the killed Emperor's player gives the crown away, without payment."""

    verb = "crown"
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        name, payment = words
        index = table.seat_named(name)
        if index == table.questions[-1].seat:
            return "emperor.self"
        if index == table.crown:
            return "emperor.holder"
        return None if payment == "nothing" else "emperor.after_death"

    def options(self, table: Table) -> Iterable[Words]:
        return [(name, "nothing") for name in table.rules.player_names]

    def apply(self, table: Table, *words: str) -> None:
        pop_question(table)
        turns.give_crown(table, table.seat_named(words[0]))
        turns.begin_round(table)


class Confiscate(Action):
    """`confiscate`: the Magistrate shows the signed warrant and takes the district just built.

    The builder gets the gold back; the building still counts as built.
    """

    verb = "confiscate"

    def closed(self, table: Table) -> str | None:
        question = table.questions[-1]
        city = table.seats[question.seat].city
        bar = building.find_bar_to_taking(table, question.about, city)  # check public facts first
        if bar is not None:
            return _CANNOT_TAKE[bar]
        signed = table.marks.signed
        is_unsigned = signed is not None and signed != table.playing.character
        return "magistrate.unsigned" if is_unsigned else None

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        turn = table.own_turn()
        # only one warrant is signed, so the others are void
        table.answer_warrants(*table.marks.warrants)
        table.own_seat(turn.seat).gold += question.amount
        turn.spent -= question.amount
        building.complete_building(table, question.seat, question.about, 0)


_CANNOT_TAKE = {
    "build.duplicate": "magistrate.duplicate",
    "build.city_full": "magistrate.city_full",
}
"""The Magistrate cannot confiscate a district that is barred from his own city."""


class SpareWarrant(Action):
    """`spare`: the Magistrate does not confiscate the district."""

    verb = "spare"

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        turn = table.playing
        table.answer_warrants(turn.character)
        building.complete_building(table, turn.seat, question.about, question.amount)


class Bribe(Action):
    """`bribe`: the threatened player pays half of their gold, rounded down, to settle the
    threat."""

    verb = "bribe"

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        table.answer_threats(question.about)
        _pay_blackmailer(table, question.seat, table.seats[question.seat].gold // 2)
        turns.finish_threat(table)


class Refuse(Action):
    """`refuse`: the threatened player does not pay; the Blackmailer may show the threat."""

    verb = "refuse"

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        blackmailer = table.bearer("blackmailer")
        if blackmailer is None:
            raise LookupError("a threat was answered, but nobody has shown the Blackmailer")
        table.questions += (Question("expose", blackmailer, question.about),)


class Expose(Action):
    """`expose`: the Blackmailer shows the threat; a real one takes all the gold.

    `expose real` or `expose fake` where the record does not know which it is.
    """

    verb = "expose"

    def objection(self, table: Table, *words: str) -> str | None:
        if not table.marks.real_recorded:
            return None if words else "blackmailer.say_which"
        return "blackmailer.recorded" if words else None

    def options(self, table: Table) -> Iterable[Words]:
        return [()] if table.marks.real_recorded else [("real",), ("fake",)]

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        is_real = words[0] == "real" if words else table.marks.real == question.about
        other = next(
            threatened for threatened in table.marks.threats if threatened != question.about
        )
        # one of the two is real: now the table knows which
        real = question.about if is_real else other
        table.marks = table.marks._replace(real=real, real_recorded=True)
        table.answer_threats(*((real, other) if is_real else (question.about,)))
        table.tell("exposed", question.seat, card="real" if is_real else "fake")
        if is_real:
            victim = table.playing.seat
            _pay_blackmailer(table, victim, table.seats[victim].gold)
        turns.finish_threat(table)


class SpareThreat(Action):
    """`spare`: the Blackmailer does not show the threat."""

    verb = "spare"

    def apply(self, table: Table, *words: str) -> None:
        table.answer_threats(pop_question(table).about)
        turns.finish_threat(table)


def _pay_blackmailer(table: Table, victim: int, gold: int) -> None:
    blackmailer = table.bearer("blackmailer")
    if blackmailer is not None:
        table.own_seat(victim).gold -= gold
        table.own_seat(blackmailer).gold += gold
        table.tell("blackmail_paid", victim, blackmailer, amount=gold)


ANSWERS: dict[str, Menu] = {
    "graveyard": Menu((Rescue(), Leave())),
    "unmask": Menu((Unmask(),)),
    "emperor": Menu((GiveCrownAfterDeath(),)),
    "warrant": Menu((Confiscate(), SpareWarrant())),
    "threat": Menu((Bribe(), Refuse())),
    "expose": Menu((Expose(), SpareThreat())),
}
