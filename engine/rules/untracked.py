"""A turn at a table that keeps no cities (option `cities: untracked`): gold by its amount.

Which district is built, destroyed or used, the table sees for itself; what it costs and what it
brings is said in gold. Calls, kills, robberies and everything else that needs no city stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules.base import UNTRACKED, Action, Words
from engine.rules.building import construct_unnamed, limit_reached, timing

if TYPE_CHECKING:
    from engine.ruleset import Ruleset
    from engine.table import Table

MOST = 9  # gold in one move; more is rather a slip of the hand, and can be said in two


def amounts(most: int = MOST) -> list[str]:
    """The amounts that a move may name when at most so much gold is there."""
    return [str(number) for number in range(1, min(most, MOST) + 1)]


def amount_objection(number: str) -> str | None:
    """The rule that forbids an amount, whoever has it."""
    return None if 1 <= int(number) <= MOST else "amount.range"


class UntrackedIncome(Action):
    """`income N`: the gold that the districts of the character's type bring, once a turn."""

    verb = "income"
    under = UNTRACKED

    def possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].income is not None

    def closed(self, t: Table) -> str | None:
        turn = t.playing
        if t.rules.characters[turn.character].income is None:
            return "income.none"
        if t.rules.income_in[turn.character] == "cards":
            return "income.cards"
        return "income.done" if turn.income else None

    def objection(self, t: Table, *words: str) -> str | None:
        return amount_objection(words[0]) if len(words) == 1 else "income.amount"

    def options(self, t: Table) -> Iterable[Words]:
        return [(number,) for number in amounts()]

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.income = True
        t.own_seat(turn.seat).gold += int(words[0])


class UntrackedBuild(Action):
    """`build N`: a district is built for N gold; 0 only where there are other ways to pay."""

    verb = "build"
    under = UNTRACKED

    def possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].build_limit > 0

    def closed(self, t: Table) -> str | None:
        return timing(t) or ("build.limit" if limit_reached(t) else None)

    def objection(self, t: Table, *words: str) -> str | None:
        if len(words) > 1 or not words[0].isdecimal():
            return "build.amount"
        gold = int(words[0])
        if gold not in payable(t.rules):
            return "build.no_such_price"
        return "pay.gold" if gold > t.acting.gold else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(str(gold),) for gold in payable(t.rules)]

    def apply(self, t: Table, *words: str) -> None:
        construct_unnamed(t, int(words[0]))


def payable(rules: Ruleset) -> range:
    """What a district of this game may cost, in gold, however it is paid."""
    prices = [district.cost for district in rules.districts.values()]
    other_ways = ("pays_for_another", "built_over_another", "paid_with_cards", "unique_discount")
    cheapest = 0 if any(map(rules.having, other_ways)) else min(prices)
    return range(cheapest, max(prices) + 1)


class Pay(Action):
    """`pay N` to the bank, `pay N to P`, `pay P N`: another player pays the bank."""

    verb = "pay"
    under = UNTRACKED
    players = (0, 2)

    def objection(self, t: Table, *words: str) -> str | None:
        number, *others = _split(words)
        if t.acting.name in others:
            return "amount.self"
        payer = t.acting if words[0].isdecimal() else t.seats[t.seat_named(words[0])]
        rule = amount_objection(number)
        return rule or ("pay.gold" if int(number) > payer.gold else None)

    def options(self, t: Table) -> Iterable[Words]:
        others = [seat for seat in t.seats if seat is not t.acting]
        own = amounts(t.acting.gold)
        return [
            *((number,) for number in own),
            *((number, "to", seat.name) for number in own for seat in others),
            *((seat.name, number) for seat in others for number in amounts(seat.gold)),
        ]

    def apply(self, t: Table, *words: str) -> None:
        gold = int(_split(words)[0])
        payer = t.playing.seat if words[0].isdecimal() else t.seat_named(words[0])
        t.own_seat(payer).gold -= gold
        if len(words) == 3:
            t.own_seat(t.seat_named(words[2])).gold += gold


class Gain(Action):
    """`gain N` from the bank, `gain N from P`, `gain P N`: another player gets it of the bank."""

    verb = "gain"
    under = UNTRACKED
    players = (0, 2)

    def objection(self, t: Table, *words: str) -> str | None:
        number, *others = _split(words)
        if t.acting.name in others:
            return "amount.self"
        short = len(words) == 3 and int(number) > t.seats[t.seat_named(words[2])].gold
        return amount_objection(number) or ("pay.gold" if short else None)

    def options(self, t: Table) -> Iterable[Words]:
        others = [seat for seat in t.seats if seat is not t.acting]
        return [
            *((number,) for number in amounts()),
            *((n, "from", seat.name) for seat in others for n in amounts(seat.gold)),
            *((seat.name, number) for seat in others for number in amounts()),
        ]

    def apply(self, t: Table, *words: str) -> None:
        gold = int(_split(words)[0])
        taker = t.playing.seat if words[0].isdecimal() else t.seat_named(words[0])
        t.own_seat(taker).gold += gold
        if len(words) == 3:
            t.own_seat(t.seat_named(words[2])).gold -= gold


def _split(words: Words) -> list[str]:
    """The amount, and the player named beside it if there is one."""
    if len(words) == 2:
        return [words[1], words[0]]
    return [words[0], *words[2:]]


class Complete(Action):
    """`complete P`: the table says that P's city is complete; this is the last round."""

    verb = "complete"
    under = UNTRACKED
    players = (0,)

    def closed(self, t: Table) -> str | None:
        return "complete.done" if t.first_complete else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(name,) for name in t.rules.player_names]

    def apply(self, t: Table, *words: str) -> None:
        index = t.seat_named(words[0])
        t.first_complete = (index,)
        t.tell("completed_first", index)
