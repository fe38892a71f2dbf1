"""What every character may do in a turn: gather, take income, use a district, end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import TRACKED, Action, Power, Words
from engine.rules.characters import POWERS
from engine.rules.districts import USES
from engine.rules.payments import Build
from engine.rules.untracked import AnyIncome, Complete, Gain, Pay, UntrackedBuild, UntrackedIncome
from engine.table import BEWITCHED, HOSPITAL, LAST, NAMING, THREATENED, WHOLE, Question, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.moves import Move
    from engine.ruleset import Ruleset

GATHERED_GOLD = 2  # every edition, Player turns
DRAWN_CARDS = 2
KEPT_CARDS = 1


def gold_to_gather(table: Table) -> int:
    extra: int = table.acting.city.effects.get("gathers_gold", 0)
    return GATHERED_GOLD + extra


def cards_to_gather(table: Table) -> tuple[int, int]:
    """How many cards the acting player draws, and how many of them to keep."""
    effects = table.acting.city.effects
    drawn: int = effects.get("draws", DRAWN_CARDS)
    if "keeps_all" not in effects:
        return drawn, KEPT_CARDS
    return drawn, min(drawn, table.rules.answers["library_with_observatory"])


def finish_gathering(table: Table) -> None:
    """Ask a threatened player for an answer; pass a bewitched player's turn to the Witch."""
    turn = table.playing
    if turn.part == BEWITCHED:
        turns.resume_witch(table)
    elif turn.part == THREATENED:
        table.questions += (Question("threat", turn.seat, turn.character),)


class GatherGold(Action):
    """`gold`: two gold from the bank."""

    verb = "gold"

    def closed(self, table: Table) -> str | None:
        return "gather.done" if table.playing.gathered else None

    def apply(self, table: Table, *words: str) -> None:
        gold = gold_to_gather(table)
        turn = table.own_turn()
        turn.gathered = True
        table.own_seat(turn.seat).gold += gold
        finish_gathering(table)


class GatherCards(Action):
    """`cards`: draw two and keep one, more with the Observatory and the Library."""

    verb = "cards"

    def closed(self, table: Table) -> str | None:
        if table.playing.gathered:
            return "gather.done"
        return None if table.deck else "gather.deck_empty"

    def apply(self, table: Table, *words: str) -> None:
        _cards, keeps = cards_to_gather(table)
        turn = table.own_turn()
        turn.gathered = True
        table.draw(table.own_seat(turn.seat), keeps)
        finish_gathering(table)


class Income(AnyIncome):
    """`income`: one gold (or card) for each district of the character's type, once a turn.

    Characters who may mix both give the amounts: `income gold N cards M`.
    """

    options_are_legal = True
    under = TRACKED

    def objection(self, table: Table, *words: str) -> str | None:
        is_mixed = table.rules.income_in[table.playing.character] == "mix"
        if is_mixed != bool(words) or len(words) == 1:
            return "income.form"
        if not words:
            return None
        gold, cards = int(words[1]), int(words[3])
        if gold + cards != count_paying_districts(
            table, table.playing.seat, table.playing.character
        ):
            return "income.split"
        return "income.deck_empty" if cards > table.deck else None

    def options(self, table: Table) -> Iterable[Words]:
        if table.rules.income_in[table.playing.character] != "mix":
            return ((),)
        total = count_paying_districts(table, table.playing.seat, table.playing.character)
        most = min(total, table.deck)
        return [("gold", str(total - cards), "cards", str(cards)) for cards in range(most + 1)]

    def apply(self, table: Table, *words: str) -> None:
        turn = table.own_turn()
        turn.income = True
        total = count_paying_districts(table, turn.seat, turn.character)
        kind = table.rules.income_in[turn.character]
        cards = int(words[3]) if words else total if kind == "cards" else 0
        seat = table.own_seat(turn.seat)
        seat.gold += total - cards
        table.draw(seat, cards)


def count_paying_districts(table: Table, index: int, character: str) -> int:
    """How many districts of that city pay the character: its type, and the School of Magic."""
    income = table.rules.characters[character].income
    if income is None:
        return 0
    paying = table.rules.types[income] | table.rules.cards_with("income_as_any_type")
    return sum(card.id in paying for card in table.seats[index].city.cards)


class Use(Action):
    """`use D ...`: the power of a district in one's own city, once a turn each."""

    verb = "use"
    player_places = (1,)
    options_are_legal = True
    under = TRACKED

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return not USES.keys().isdisjoint(rules.districts)

    def objection(self, table: Table, *words: str) -> str | None:
        district = words[0]
        use = USES.get(district)
        if use is None:
            return "use.no_power"
        if district not in table.acting.city.ids:
            return "use.not_in_city"
        if district in table.playing.used:
            return "use.done"
        if len(words) - 1 not in use.word_counts:
            return "use.form"
        return use.objection(table, *words[1:])

    def options(self, table: Table) -> Iterable[Words]:
        in_city, used = table.acting.city.ids, table.playing.used
        return [
            (district, *words)
            for district, use in USES.items()  # in a fixed order: a set has none
            if district in in_city and district not in used
            for words in use.options(table)
            if use.objection(table, *words) is None
        ]

    def moves(self, table: Table) -> Sequence[Move]:
        if table.acting.city.ids.isdisjoint(USES):
            return ()
        return super().moves(table)

    def apply(self, table: Table, *words: str) -> None:
        turn = table.own_turn()
        turn.used |= {words[0]}
        USES[words[0]].apply(table, *words[1:])


class Forfeit(Action):
    """`forfeit`: the table skips the turn before anything is done in it (Ball Room).

    A bewitched player loses only the gathering: the Witch plays the rest.
    """

    verb = "forfeit"
    under = TRACKED

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.cards_with("asks_courtesy"))

    def closed(self, table: Table) -> str | None:
        turn = table.playing
        caller = turn.called_by  # a King answers before he takes the crown
        if turn.seat == caller or "asks_courtesy" not in table.seats[caller].city.effects:
            return "ball_room.not_here"
        has_begun = turn.gathered or turn.income or turn.used or turn.built
        return "ball_room.begun" if has_begun else None

    def apply(self, table: Table, *words: str) -> None:
        if table.playing.part == BEWITCHED:
            turns.resume_witch(table)
        else:
            turns.break_off(table)


class End(Action):
    """`end`: the turn ends; the next rank is called."""

    verb = "end"

    def closed(self, table: Table) -> str | None:
        turn = table.playing
        is_whole = turn.part is WHOLE
        if not turn.gathered and (table.rules.answers["must_gather"] or not is_whole):
            return "end.not_gathered"
        power = _OBLIGATIONS.get(turn.character)
        # a killed player with the Hospital has no powers to use
        if power is None or power.used_as in turn.used or turn.part == HOSPITAL:
            return None
        return power.obligation

    def apply(self, table: Table, *words: str) -> None:
        turns.finish(table)


_OBLIGATIONS: dict[str, Power] = {
    character: power for character, powers in POWERS.items() for power in powers if power.obligation
}
"""The power that must be used before a character's turn can end."""


_GATHER = (GatherGold(), GatherCards())
_INCOME, _BUILD, _USE, _FORFEIT, _END = Income(), Build(), Use(), Forfeit(), End()
_UNTRACKED_INCOME, _UNTRACKED_BUILD = UntrackedIncome(), UntrackedBuild()
_MONEY = (Pay(), Gain(), Complete())

PARTS: dict[str, tuple[Action, ...]] = {
    BEWITCHED: (*_GATHER, _FORFEIT),
    HOSPITAL: (*_GATHER, _FORFEIT, _END),
    NAMING: (*_GATHER, *POWERS["witch"], _FORFEIT, *_MONEY, _END),
    THREATENED: (*_GATHER, _FORFEIT, *_MONEY, _END),
    LAST: (*_MONEY, _END),
}
"""The parts of a turn with fewer actions than a whole turn."""


def turn_actions(powers: Iterable[Action]) -> tuple[Action, ...]:
    """The actions of a turn played by a character with these powers."""
    actions, gold_moves = (_BUILD, _USE, _FORFEIT), (_UNTRACKED_BUILD, *_MONEY)
    return (*_GATHER, _INCOME, _UNTRACKED_INCOME, *powers, *actions, *gold_moves, _END)
