"""The move `build`, and the ways to pay for a district, also for the one that the Wizard takes.

A way to pay is a `Payment`. Other than with one's own gold alone, it is found by the word that
follows the district in the move: `over` (a district is destroyed instead), `cards` (of the hand),
`from` (another player's gold). `is_taken` is, everywhere, whether the Wizard builds the card that
he takes from another hand: it may be a double, and is outside the limit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import TRACKED, Action, Words, find_district
from engine.rules.building import (
    Situation,
    construct,
    find_all_barred,
    find_bar,
    find_bar_before_gathering,
    find_payable,
    is_limit_reached,
    price,
    situation,
)

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.ruleset import Ruleset
    from engine.table import Seat, Table


def count_spare(table: Table, *, is_taken: bool) -> int:
    """The cards of the acting player's hand without the district that is built."""
    return table.acting.hand - (not is_taken)


class Payment(ABC):
    """One way to pay. `legal` and `objection` agree, for all districts and for one."""

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        """Whether that character can ever pay in this way under these rules."""
        return True

    @abstractmethod
    def legal(self, table: Table, now: Situation, *, is_taken: bool) -> Iterable[Words]:
        """Every district that can be paid for in this way, with the words after the keyword.

        `now` is the current situation of the acting player's city.
        """

    @abstractmethod
    def objection(self, table: Table, district: str, *words: str, is_taken: bool) -> str | None:
        """The rule that forbids building the district in this way, if one does."""

    @abstractmethod
    def pay(self, table: Table, district: str, *words: str, is_taken: bool) -> None:
        """Pay and build."""


class OwnGold(Payment):
    """`build D`: the player's own gold."""

    def legal(self, table: Table, now: Situation, *, is_taken: bool) -> Iterable[Words]:
        return [(district,) for district in find_payable(table, now)]

    def objection(self, table: Table, district: str, *words: str, is_taken: bool) -> str | None:
        rule = find_bar(table, district, table.acting.city, is_taken=is_taken)
        return rule or ("build.gold" if price(table, district) > table.acting.gold else None)

    def pay(self, table: Table, district: str, *words: str, is_taken: bool) -> None:
        construct(table, district, gold=price(table, district), is_taken=is_taken)


class Sacrifice(Payment):
    """`build D over D2`: a district is destroyed instead of paying gold (Framework, Necropolis)."""

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.cards_with("pays_for_another") or rules.cards_with("built_over_another"))

    def legal(self, table: Table, now: Situation, *, is_taken: bool) -> Iterable[Words]:
        rules, city = table.rules, table.acting.city
        built_over = _list_open(now, rules.cards_with("built_over_another"))
        payers = rules.cards_with("pays_for_another")
        if not built_over and city.ids.isdisjoint(payers):
            return
        for card in city.kinds:
            targets = _list_open(now, rules.districts) if card.id in payers else built_over
            barred = find_all_barred(rules, now)
            # without doubles, removing a district bars nothing else
            if not (city.ids.isdisjoint(targets) and barred.isdisjoint(targets)):
                left = situation(table, city.without(card, rules.districts), is_taken=is_taken)
                barred = find_all_barred(rules, left)
            for district in targets:
                if district not in barred:
                    yield district, *city.words(card)

    def objection(self, table: Table, district: str, *words: str, is_taken: bool) -> str | None:
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
        left = table.acting.city.without(card, table.rules.districts)
        return find_bar(table, district, left, is_taken=is_taken)

    def pay(self, table: Table, district: str, *words: str, is_taken: bool) -> None:
        card = find_district(table, table.acting.name, *words)
        turns.raze(table, table.own_acting(), card)
        construct(table, district, is_taken=is_taken)


def _list_open(now: Situation, districts: Iterable[str]) -> list[str]:
    """The districts that are not barred, whichever district leaves the city."""
    left = [district for district in districts if district not in now.exhausted]
    return (
        left if now.allowed is None else [district for district in left if district in now.allowed]
    )


class WithCards(Payment):
    """`build thieves_den cards N`: N cards of the hand replace N gold of the cost.

    The Cardinal may borrow what is missing of the rest: `build thieves_den cards N from P`.
    """

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.cards_with("paid_with_cards"))

    def legal(self, table: Table, now: Situation, *, is_taken: bool) -> Iterable[Words]:
        districts = table.rules.cards_with("paid_with_cards")
        districts -= find_all_barred(table.rules, now)
        spare = count_spare(table, is_taken=is_taken)
        for district in districts:
            cost = price(table, district)
            for cards in range(1, min(cost, spare) + 1):
                if cost - cards <= table.acting.gold:
                    yield district, str(cards)
                else:
                    for lender in list_lenders(table, cost - cards, spare - cards):
                        yield district, str(cards), "from", lender.name

    def objection(self, table: Table, district: str, *words: str, is_taken: bool) -> str | None:
        cards, lender = int(words[0]), words[2:]
        if district not in table.rules.cards_with("paid_with_cards") or not cards:
            return "build.form"
        rule = find_bar(table, district, table.acting.city, is_taken=is_taken)
        if rule is not None:
            return rule
        cost, spare = price(table, district), count_spare(table, is_taken=is_taken)
        if cards > min(cost, spare):
            return "thieves_den.cards"
        if lender:
            return object_to_lender(table, lender[0], cost - cards, spare - cards)
        return "build.gold" if cost - cards > table.acting.gold else None

    def pay(self, table: Table, district: str, *words: str, is_taken: bool) -> None:
        cards, lender = int(words[0]), words[2:]
        gold = price(table, district) - cards
        if lender:
            borrow(table, lender[0], gold)
        construct(table, district, gold=gold, cards=cards, is_taken=is_taken)


BORROWED = "cardinal"  # marks the borrowing as used this turn


def _may_borrow(rules: Ruleset, character: str) -> bool:
    return bool(rules.characters[character].effects.get("borrows"))


def list_lenders(table: Table, cost: int, spare: int) -> list[Seat]:
    """Who can lend the Cardinal the gold missing from that cost, for `spare` cards at most."""
    missing = cost - table.acting.gold
    if BORROWED in table.playing.used or not 0 < missing <= spare:
        return []
    if not _may_borrow(table.rules, table.playing.character):
        return []
    return [seat for seat in table.seats if seat.gold >= missing and seat is not table.acting]


def object_to_lender(table: Table, name: str, cost: int, spare: int) -> str | None:
    """The rule that forbids borrowing from that player what is missing from that cost, if one
    does."""
    if not _may_borrow(table.rules, table.playing.character):
        return "build.form"
    if BORROWED in table.playing.used:
        return "cardinal.once"
    lender = table.seats[table.seat_named(name)]
    missing = cost - table.acting.gold
    if missing <= 0:
        return "cardinal.no_need"
    if lender is table.acting:
        return "cardinal.self"
    if missing > lender.gold:
        return "cardinal.gold"
    return "cardinal.cards" if missing > spare else None


def borrow(table: Table, name: str, cost: int) -> None:
    """Take the gold missing from that cost from that player, and give a card for each."""
    lender = table.own_seat(table.seat_named(name))
    seat = table.own_acting()
    missing = cost - seat.gold
    lender.gold -= missing
    lender.hand += missing
    seat.gold += missing
    seat.hand -= missing
    table.own_turn().used |= {BORROWED}


class Borrowing(Payment):
    """`build D from P`: once a turn the Cardinal takes the missing gold from P, a card for each."""

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return _may_borrow(rules, character)

    def legal(self, table: Table, now: Situation, *, is_taken: bool) -> Iterable[Words]:
        spare, barred = count_spare(table, is_taken=is_taken), find_all_barred(table.rules, now)
        lenders: dict[int, list[Seat]] = {}  # by cost: a few costs, many districts
        for district in table.rules.districts:
            if district not in barred:
                cost = price(table, district)
                if cost not in lenders:
                    lenders[cost] = list_lenders(table, cost, spare)
                for lender in lenders[cost]:
                    yield district, lender.name

    def objection(self, table: Table, district: str, *words: str, is_taken: bool) -> str | None:
        spare = count_spare(table, is_taken=is_taken)
        rule = object_to_lender(table, words[0], price(table, district), spare)
        return rule or find_bar(table, district, table.acting.city, is_taken=is_taken)

    def pay(self, table: Table, district: str, *words: str, is_taken: bool) -> None:
        gold = price(table, district)
        borrow(table, words[0], gold)
        construct(table, district, gold=gold, is_taken=is_taken)


_PAYMENTS: dict[str, Payment] = {
    "": OwnGold(),
    "over": Sacrifice(),
    "cards": WithCards(),
    "from": Borrowing(),
}


def list_payable(table: Table, *, is_taken: bool = False) -> Iterable[Words]:
    """Every district that the acting player can build, with the words of each way to pay."""
    now = situation(table, table.acting.city, is_taken=is_taken)
    for word, payment in _list_payments(table):
        for district, *words in payment.legal(table, now, is_taken=is_taken):
            yield (district, word, *words) if word else (district,)


def _list_payments(table: Table) -> list[tuple[str, Payment]]:
    """The ways to pay that this character may have in this game."""
    rules, character = table.rules, table.playing.character
    payments = rules.payments.get(character)
    if payments is None:
        payments = rules.payments[character] = [
            (word, way) for word, way in _PAYMENTS.items() if way.is_possible(rules, character)
        ]
    return payments


def object_to_building(table: Table, *words: str, is_taken: bool = False) -> str | None:
    """The rule that forbids building that district and paying for it in that way, if one does."""
    district, *payment = words
    if district.isdecimal():
        return "build.which"
    if district not in table.rules.districts:
        return "build.not_in_game"
    word, *how = payment or [""]
    return _PAYMENTS[word].objection(table, district, *how, is_taken=is_taken)


def pay_and_build(table: Table, *words: str, is_taken: bool = False) -> None:
    district, *payment = words
    word, *how = payment or [""]
    _PAYMENTS[word].pay(table, district, *how, is_taken=is_taken)


class Build(Action):
    """`build D ...`: pay for a district of the hand and put it into the city."""

    verb = "build"
    under = TRACKED
    player_places: ClassVar[tuple[int, ...]] = (2, 4)  # where `from` is followed by a name

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].build_limit > 0

    def closed(self, table: Table) -> str | None:
        rule = find_bar_before_gathering(table)
        if rule is None and is_limit_reached(table):
            rule = "build.limit"
        return rule or (None if table.acting.hand else "build.no_card")

    def objection(self, table: Table, *words: str) -> str | None:
        return object_to_building(table, *words)

    def moves(self, table: Table) -> Sequence[Move]:
        rules, seat, moves_by_words = table.rules, table.acting, self.moves_by_words
        now = situation(table, seat.city)
        purse = (seat.gold, seat.city.effects.get("unique_discount", 0))
        affordable = rules.builds.get(purse)
        if affordable is None:
            affordable = rules.builds[purse] = [
                (district, moves_by_words[district,]) for district in rules.list_affordable(*purse)
            ]
        barred = find_all_barred(rules, now)
        builds = [move for district, move in affordable if district not in barred]
        others = _list_payments(table)[1:]
        if not others:
            return builds
        ways = ((word, way.legal(table, now, is_taken=False)) for word, way in others)
        return builds + [
            moves_by_words[district, word, *words]
            for word, legal in ways
            for district, *words in legal
        ]

    def apply(self, table: Table, *words: str) -> None:
        pay_and_build(table, *words)
