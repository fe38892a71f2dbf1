"""A turn at a table that keeps no cities (option `cities: untracked`): gold is entered as amounts.

The table sees which district is built, destroyed or used; costs and income are entered in gold.
Calls, kills, robberies and everything else that needs no city work as usual.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from engine.rules.base import UNTRACKED, Action, Words
from engine.rules.building import construct_unnamed, find_bar_before_gathering, is_limit_reached

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.ruleset import Ruleset
    from engine.table import Table


class AnyIncome(Action):
    """`income`: for a character with a type of districts, once a turn; a subclass defines how
    much."""

    verb = "income"

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].income is not None

    def closed(self, table: Table) -> str | None:
        turn = table.playing
        if table.rules.characters[turn.character].income is None:
            return "income.none"
        return "income.done" if turn.income else None


MOST = 9  # gold in one move; more is probably a typing mistake, and can be entered in two


AMOUNTS = tuple(str(number) for number in range(1, MOST + 1))
"""The amounts that a move may name."""


def object_to_amount(number: str) -> str | None:
    """The rule that forbids an amount, if any."""
    return None if 1 <= int(number) <= MOST else "amount.range"


class UntrackedIncome(AnyIncome):
    """`income N`: the gold that the districts of the character's type bring, once a turn."""

    options_are_legal = True
    under = UNTRACKED

    def closed(self, table: Table) -> str | None:
        if table.rules.income_in.get(table.playing.character) == "cards":
            return "income.cards"
        return super().closed(table)

    def objection(self, table: Table, *words: str) -> str | None:
        return object_to_amount(words[0]) if len(words) == 1 else "income.amount"

    def options(self, table: Table) -> Iterable[Words]:
        return [(number,) for number in AMOUNTS]

    def apply(self, table: Table, *words: str) -> None:
        turn = table.own_turn()
        turn.income = True
        table.own_seat(turn.seat).gold += int(words[0])


class UntrackedBuild(Action):
    """`build N`: a district is built for N gold; 0 only where there are other ways to pay."""

    verb = "build"
    under = UNTRACKED

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].build_limit > 0

    def closed(self, table: Table) -> str | None:
        return find_bar_before_gathering(table) or (
            "build.limit" if is_limit_reached(table) else None
        )

    def objection(self, table: Table, *words: str) -> str | None:
        return object_to_cost(table, *words)

    def options(self, table: Table) -> Iterable[Words]:
        return [(str(gold),) for gold in list_costs(table.rules)]

    def apply(self, table: Table, *words: str) -> None:
        construct_unnamed(table, int(words[0]))


def object_to_cost(table: Table, *words: str) -> str | None:
    """The rule that forbids the acting player to build a district for that cost, if one does."""
    if len(words) != 1 or not words[0].isdecimal():
        return "build.amount"
    gold = int(words[0])
    if gold not in list_costs(table.rules):
        return "build.no_such_price"
    return "pay.gold" if gold > table.acting.gold else None


def list_costs(rules: Ruleset) -> range:
    """The possible costs of a district in this game, in gold, for any way of paying."""
    prices = [district.cost for district in rules.districts.values()]
    other_ways = ("pays_for_another", "built_over_another", "paid_with_cards", "unique_discount")
    cheapest = 0 if any(map(rules.cards_with, other_ways)) else min(prices)
    return range(cheapest, max(prices) + 1)


class GoldTransfer(Action):
    """A move of gold between a player, oneself or another, and the bank or another player."""

    under = UNTRACKED
    player_places = (0, 1)
    between: ClassVar[str] = ""  # the word before the other player

    def options(self, table: Table) -> Iterable[Words]:
        others = [seat.name for seat in table.seats if seat is not table.acting]
        whose: list[Words] = [(), *((self.between, name) for name in others)]
        whose += ((name,) for name in others)
        return [(*words, number) for words in whose for number in AMOUNTS]

    @abstractmethod
    def parties(self, table: Table, *words: str) -> tuple[int | None, int | None]:
        """The seats of who pays and of who is paid; None is the bank."""

    def objection(self, table: Table, *words: str) -> str | None:
        if table.acting.name in words[-2:-1]:
            return "amount.self"
        payer, _taker = self.parties(table, *words)
        short = payer is not None and int(words[-1]) > table.seats[payer].gold
        return object_to_amount(words[-1]) or ("pay.gold" if short else None)

    def apply(self, table: Table, *words: str) -> None:
        gold = int(words[-1])
        payer, taker = self.parties(table, *words)
        if payer is not None:
            table.own_seat(payer).gold -= gold
        if taker is not None:
            table.own_seat(taker).gold += gold


def _find_parties(table: Table, words: Words) -> tuple[int, int | None]:
    """Whose gold it is, the acting player's or another's; and the other side, None for the bank."""
    match words:
        case (_between, name, _number):
            return table.playing.seat, table.seat_named(name)
        case (name, _number):
            return table.seat_named(name), None
    return table.playing.seat, None


class Pay(GoldTransfer):
    """`pay N` to the bank, `pay to P N`, `pay P N`: another player pays the bank."""

    verb = "pay"
    between = "to"

    def parties(self, table: Table, *words: str) -> tuple[int | None, int | None]:
        return _find_parties(table, words)


class Gain(GoldTransfer):
    """`gain N` from the bank, `gain from P N`, `gain P N`: another player gets it from the bank."""

    verb = "gain"
    between = "from"

    def parties(self, table: Table, *words: str) -> tuple[int | None, int | None]:
        taker, payer = _find_parties(table, words)
        return payer, taker


class Complete(Action):
    """`complete P`: the table says that P's city is complete; this is the last round."""

    verb = "complete"
    under = UNTRACKED
    player_places = (0,)

    def closed(self, table: Table) -> str | None:
        return "complete.done" if table.first_complete else None

    def options(self, table: Table) -> Iterable[Words]:
        return [(name,) for name in table.rules.player_names]

    def apply(self, table: Table, *words: str) -> None:
        index = table.seat_named(words[0])
        table.first_complete = (index,)
        table.ending = True
        table.tell("completed_first", index)
