"""The move `build`, and the ways to pay for a district other than with one's own gold alone.

A way to pay is a `Payment`, found by the word that follows the district in the move: `over` (a
district is destroyed instead), `cards` (of the hand), `from` (another player's gold).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import TRACKED, Action, Words, find_district
from engine.rules.building import (
    construct,
    find_all_barred,
    find_bar,
    find_payable,
    is_limit_reached,
    price,
    situation,
    timing,
)

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.rules.building import Situation
    from engine.ruleset import Ruleset
    from engine.table import Table


class Payment(ABC):
    """One way to pay. `legal` and `objection` agree, for all districts and for one."""

    @abstractmethod
    def is_possible(self, rules: Ruleset, character: str) -> bool:
        """Whether that character can ever pay in this way under these rules."""

    @abstractmethod
    def legal(self, table: Table, now: Situation) -> Iterable[Words]:
        """Every district that can be paid for in this way, with the words after the keyword.

        `now` is the current situation of the acting player's city.
        """

    @abstractmethod
    def objection(self, table: Table, district: str, *words: str) -> str | None:
        """The rule that forbids building the district in this way, if one does."""

    @abstractmethod
    def pay(self, table: Table, district: str, *words: str) -> None:
        """Pay and build."""


class Sacrifice(Payment):
    """`build D over D2`: a district is destroyed instead of paying gold (Framework, Necropolis)."""

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.cards_with("pays_for_another") or rules.cards_with("built_over_another"))

    def legal(self, table: Table, now: Situation) -> Iterable[Words]:
        rules, city = table.rules, table.acting.city
        built_over = _list_open(now, rules.cards_with("built_over_another"))
        payers = rules.cards_with("pays_for_another")
        if not built_over and city.ids.isdisjoint(payers):
            return
        for card in city.kinds:
            wanted = _list_open(now, rules.districts) if card.id in payers else built_over
            shut = find_all_barred(rules, now)
            # without doubles, removing a district bars nothing else
            if not (city.ids.isdisjoint(wanted) and shut.isdisjoint(wanted)):
                shut = find_all_barred(rules, situation(table, city.without(card, rules.districts)))
            for district in wanted:
                if district not in shut:
                    yield district, *city.words(card)

    def objection(self, table: Table, district: str, *words: str) -> str | None:
        leaving = words[0]
        if leaving not in table.acting.city.ids:
            return "build.over_missing"
        fits = district in table.rules.cards_with("built_over_another")
        if not fits and leaving not in table.rules.cards_with("pays_for_another"):
            return "build.form"
        rule = table.acting.city.check_words(*words)
        if rule is not None:
            return rule
        card = find_district(table, table.acting.name, *words)
        return find_bar(table, district, table.acting.city.without(card, table.rules.districts))

    def pay(self, table: Table, district: str, *words: str) -> None:
        card = find_district(table, table.acting.name, *words)
        turns.raze(table, table.own_seat(table.playing.seat), card)
        construct(table, district)


def _list_open(now: Situation, districts: Iterable[str]) -> list[str]:
    """The districts that are not barred, whichever district leaves the city."""
    left = [district for district in districts if district not in now.exhausted]
    return left if now.only is None else [district for district in left if district in now.only]


class WithCards(Payment):
    """`build thieves_den cards N`: N cards of the hand replace N gold of the cost."""

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.cards_with("paid_with_cards"))

    def legal(self, table: Table, now: Situation) -> Iterable[Words]:
        for district in table.rules.cards_with("paid_with_cards") - find_all_barred(
            table.rules, now
        ):
            cost = price(table, district)
            for cards in range(
                max(1, cost - table.acting.gold), min(cost, table.acting.hand - 1) + 1
            ):
                yield district, str(cards)

    def objection(self, table: Table, district: str, *words: str) -> str | None:
        cards = int(words[0])
        if district not in table.rules.cards_with("paid_with_cards") or not cards:
            return "build.form"
        rule = find_bar(table, district, table.acting.city)
        if rule is not None:
            return rule
        cost = price(table, district)
        if cards > min(cost, table.acting.hand - 1):
            return "thieves_den.cards"
        return "build.gold" if cost - cards > table.acting.gold else None

    def pay(self, table: Table, district: str, *words: str) -> None:
        cards = int(words[0])
        construct(table, district, gold=price(table, district) - cards, cards=cards)


BORROWED = "cardinal"  # marks the borrowing as used this turn


class Borrowing(Payment):
    """`build D from P`: once a turn the Cardinal takes the missing gold from P, a card for each."""

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.characters[character].effects.get("borrows"))

    def legal(self, table: Table, now: Situation) -> Iterable[Words]:
        acting = table.acting
        if BORROWED in table.playing.used:
            return
        shut = find_all_barred(table.rules, now)
        for district in table.rules.districts:
            missing = price(table, district) - acting.gold
            if 0 < missing < acting.hand and district not in shut:
                for lender in table.seats:
                    if lender.gold >= missing and lender is not acting:
                        yield district, lender.name

    def objection(self, table: Table, district: str, *words: str) -> str | None:
        if not self.is_possible(table.rules, table.playing.character):
            return "build.form"
        if BORROWED in table.playing.used:
            return "cardinal.once"
        lender = table.seats[table.seat_named(words[0])]
        missing = price(table, district) - table.acting.gold
        if missing <= 0:
            return "cardinal.no_need"
        if lender is table.acting:
            return "cardinal.self"
        if missing > lender.gold:
            return "cardinal.gold"
        if missing >= table.acting.hand:
            return "cardinal.cards"
        return find_bar(table, district, table.acting.city)

    def pay(self, table: Table, district: str, *words: str) -> None:
        lender, seat = (
            table.own_seat(table.seat_named(words[0])),
            table.own_seat(table.playing.seat),
        )
        missing = price(table, district) - seat.gold
        lender.gold -= missing
        lender.hand += missing
        seat.gold += missing
        seat.hand -= missing
        table.own_turn().used |= {BORROWED}
        construct(table, district, gold=seat.gold)


_PAYMENTS: dict[str, Payment] = {"over": Sacrifice(), "cards": WithCards(), "from": Borrowing()}


class Build(Action):
    """`build D ...`: pay for a district of the hand and put it into the city."""

    verb = "build"
    under = TRACKED
    players: ClassVar[tuple[int, ...]] = (2,)  # only `from` is followed by a name

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].build_limit > 0

    def closed(self, table: Table) -> str | None:
        rule = timing(table)
        if rule is None and is_limit_reached(table):
            rule = "build.limit"
        return rule or (None if table.acting.hand else "build.no_card")

    def objection(self, table: Table, *words: str) -> str | None:
        district, *payment = words
        if district.isdecimal():
            return "build.which"
        if district not in table.rules.districts:
            return "build.not_in_game"
        if payment:
            return _PAYMENTS[payment[0]].objection(table, district, *payment[1:])
        rule = find_bar(table, district, table.acting.city)
        return rule or ("build.gold" if price(table, district) > table.acting.gold else None)

    def moves(self, table: Table) -> Sequence[Move]:
        made, now = self.made, situation(table, table.acting.city)
        return [
            *(made[(district,)] for district in find_payable(table, now)),
            *(
                made[(district, word, *words)]
                for word, payment in self._payments(table)
                for district, *words in payment.legal(table, now)
            ),
        ]

    def _payments(self, table: Table) -> list[tuple[str, Payment]]:
        """The other ways to pay that this character may have in this game."""
        rules, character = table.rules, table.playing.character
        payments = rules.payments.get(character)
        if payments is None:
            payments = rules.payments[character] = [
                (word, way) for word, way in _PAYMENTS.items() if way.is_possible(rules, character)
            ]
        return payments

    def apply(self, table: Table, *words: str) -> None:
        district, *payment = words
        if payment:
            _PAYMENTS[payment[0]].pay(table, district, *payment[1:])
        else:
            construct(table, district, gold=price(table, district))
