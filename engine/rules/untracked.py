"""A turn at a table that keeps no cities (option `cities: untracked`): gold by its amount.

Which district is built, destroyed or used, the table sees for itself; what it costs and what it
brings is said in gold. Calls, kills, robberies and everything else that needs no city stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from engine.rules.base import UNTRACKED, Action, Words
from engine.rules.building import construct_unnamed, limit_reached, timing
from engine.rules.income import OncePerTurn

if TYPE_CHECKING:
    from engine.ruleset import Ruleset
    from engine.table import Seat, Table

MOST = 9  # gold in one move; more is rather a slip of the hand, and can be said in two


def amounts(most: int = MOST) -> list[str]:
    """The amounts that a move may name when at most so much gold is there."""
    return [str(number) for number in range(1, min(most, MOST) + 1)]


def amount_objection(number: str) -> str | None:
    """The rule that forbids an amount, whoever has it."""
    return None if 1 <= int(number) <= MOST else "amount.range"


class UntrackedIncome(OncePerTurn):
    """`income N`: the gold that the districts of the character's type bring, once a turn."""

    under = UNTRACKED

    def closed(self, t: Table) -> str | None:
        if t.rules.income_in.get(t.playing.character) == "cards":
            return "income.cards"
        return super().closed(t)

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


class Amount(Action):
    """A move that names gold: one's own with the bank, with another player, another's alone."""

    under = UNTRACKED
    players = (0, 1)
    between: ClassVar[str] = ""  # the word before the other player

    def options(self, t: Table) -> Iterable[Words]:
        acting, others = t.acting, [seat for seat in t.seats if seat is not t.acting]
        return [
            *((number,) for number in amounts(self.limit(acting))),
            *(
                (self.between, seat.name, number)
                for seat in others
                for number in amounts(self._limit_between(t, seat))
            ),
            *((seat.name, number) for seat in others for number in amounts(self.limit(seat))),
        ]

    def limit(self, seat: Seat) -> int:
        """How much gold the seat may exchange with the bank."""
        raise NotImplementedError

    def payer(self, t: Table, *words: str) -> Seat | None:
        """Whose gold it is; None for the bank's."""
        raise NotImplementedError

    def _limit_between(self, t: Table, other: Seat) -> int:
        payer = self.payer(t, self.between, other.name, "1")
        return payer.gold if payer is not None else MOST

    def objection(self, t: Table, *words: str) -> str | None:
        if t.acting.name in words[-2:-1]:
            return "amount.self"
        payer = self.payer(t, *words)
        short = payer is not None and int(words[-1]) > payer.gold
        return amount_objection(words[-1]) or ("pay.gold" if short else None)


def named(t: Table, words: Words) -> int:
    """The seat that such a move names, or else the acting player's."""
    return t.seat_named(words[-2]) if len(words) > 1 else t.playing.seat


class Pay(Amount):
    """`pay N` to the bank, `pay to P N`, `pay P N`: another player pays the bank."""

    verb = "pay"
    between = "to"

    def limit(self, seat: Seat) -> int:
        return seat.gold

    def payer(self, t: Table, *words: str) -> Seat | None:
        return t.acting if len(words) == 3 else t.seats[named(t, words)]

    def apply(self, t: Table, *words: str) -> None:
        gold = int(words[-1])
        t.own_seat(t.playing.seat if len(words) == 3 else named(t, words)).gold -= gold
        if len(words) == 3:
            t.own_seat(named(t, words)).gold += gold


class Gain(Amount):
    """`gain N` from the bank, `gain from P N`, `gain P N`: another player gets it of the bank."""

    verb = "gain"
    between = "from"

    def limit(self, seat: Seat) -> int:
        return MOST

    def payer(self, t: Table, *words: str) -> Seat | None:
        return t.seats[named(t, words)] if len(words) == 3 else None

    def apply(self, t: Table, *words: str) -> None:
        gold = int(words[-1])
        t.own_seat(t.playing.seat if len(words) == 3 else named(t, words)).gold += gold
        if len(words) == 3:
            t.own_seat(named(t, words)).gold -= gold


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
