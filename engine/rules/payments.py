"""The move `build`, and the ways to pay for a district other than with one's own gold alone.

A way to pay is a `Payment`, found by the word that follows the district in the move: `over` (a
district is destroyed instead), `cards` (of the hand), `from` (another player's gold).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import TRACKED, Action, Words, taken
from engine.rules.building import (
    all_barred,
    barred,
    construct,
    limit_reached,
    payable,
    price,
    situation,
    timing,
)

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.rules.building import Situation
    from engine.ruleset import Ruleset
    from engine.table import Table


class Payment:
    """One way to pay. `legal` and `objection` say the same, for all districts and for one."""

    def possible(self, rules: Ruleset, character: str) -> bool:
        """Whether that character could ever pay in this way in a game by those rules."""
        raise NotImplementedError

    def legal(self, t: Table, now: Situation) -> Iterable[Words]:
        """Every district that can be paid for in this way, with the words after the payment's.

        `now` is the situation of the acting player's city as it is.
        """
        raise NotImplementedError

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        """The rule that forbids building the district in this way, if one does."""
        raise NotImplementedError

    def pay(self, t: Table, district: str, *words: str) -> None:
        """Pay and build."""
        raise NotImplementedError


class Sacrifice(Payment):
    """`build D over D2`: a district leaves first, instead of gold (Framework, Necropolis)."""

    def possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.having("pays_for_another") or rules.having("built_over_another"))

    def legal(self, t: Table, now: Situation) -> Iterable[Words]:
        rules, city = t.rules, t.acting.city
        built_over = _whoever_leaves(now, rules.having("built_over_another"))
        payers = rules.having("pays_for_another")
        if not built_over and city.ids.isdisjoint(payers):
            return
        for card in city.kinds:
            wanted = _whoever_leaves(now, rules.districts) if card.id in payers else built_over
            shut = all_barred(rules, now)
            # without doubles a district less in the city bars nothing more
            if not (city.ids.isdisjoint(wanted) and shut.isdisjoint(wanted)):
                shut = all_barred(rules, situation(t, city.less(card, rules.districts)))
            for district in wanted:
                if district not in shut:
                    yield district, *city.words(card)

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        leaving = words[0]
        if leaving not in t.acting.city.ids:
            return "build.over_missing"
        fits = district in t.rules.having("built_over_another")
        if not fits and leaving not in t.rules.having("pays_for_another"):
            return "build.form"
        rule = t.acting.city.misnamed(*words)
        if rule is not None:
            return rule
        card = taken(t, t.acting.name, *words)
        return barred(t, district, t.acting.city.less(card, t.rules.districts))

    def pay(self, t: Table, district: str, *words: str) -> None:
        card = taken(t, t.acting.name, *words)
        turns.raze(t, t.own_seat(t.playing.seat), card)
        construct(t, district)


def _whoever_leaves(now: Situation, districts: Iterable[str]) -> list[str]:
    """Those of the districts that are not barred for good, whichever district leaves the city."""
    left = [district for district in districts if district not in now.exhausted]
    return left if now.only is None else [district for district in left if district in now.only]


class WithCards(Payment):
    """`build thieves_den cards N`: N cards of the hand stand for N gold of the cost."""

    def possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.having("paid_with_cards"))

    def legal(self, t: Table, now: Situation) -> Iterable[Words]:
        for district in t.rules.having("paid_with_cards") - all_barred(t.rules, now):
            cost = price(t, district)
            for cards in range(max(1, cost - t.acting.gold), min(cost, t.acting.hand - 1) + 1):
                yield district, str(cards)

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        cards = int(words[0])
        if district not in t.rules.having("paid_with_cards") or not cards:
            return "build.form"
        rule = barred(t, district, t.acting.city)
        if rule is not None:
            return rule
        cost = price(t, district)
        if cards > min(cost, t.acting.hand - 1):
            return "thieves_den.cards"
        return "build.gold" if cost - cards > t.acting.gold else None

    def pay(self, t: Table, district: str, *words: str) -> None:
        cards = int(words[0])
        construct(t, district, gold=price(t, district) - cards, cards=cards)


BORROWED = "cardinal"  # marks in a turn that its borrowing has been done


class Borrowing(Payment):
    """`build D from P`: once a turn the Cardinal takes the missing gold from P, a card for each."""

    def possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.characters[character].effects.get("borrows"))

    def legal(self, t: Table, now: Situation) -> Iterable[Words]:
        acting = t.acting
        if BORROWED in t.playing.used:
            return
        shut = all_barred(t.rules, now)
        for district in t.rules.districts:
            missing = price(t, district) - acting.gold
            if 0 < missing < acting.hand and district not in shut:
                for lender in t.seats:
                    if lender.gold >= missing and lender is not acting:
                        yield district, lender.name

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        if not self.possible(t.rules, t.playing.character):
            return "build.form"
        if BORROWED in t.playing.used:
            return "cardinal.once"
        lender = t.seats[t.seat_named(words[0])]
        missing = price(t, district) - t.acting.gold
        if missing <= 0:
            return "cardinal.no_need"
        if lender is t.acting:
            return "cardinal.self"
        if missing > lender.gold:
            return "cardinal.gold"
        if missing >= t.acting.hand:
            return "cardinal.cards"
        return barred(t, district, t.acting.city)

    def pay(self, t: Table, district: str, *words: str) -> None:
        lender, seat = t.own_seat(t.seat_named(words[0])), t.own_seat(t.playing.seat)
        missing = price(t, district) - seat.gold
        lender.gold -= missing
        lender.hand += missing
        seat.gold += missing
        seat.hand -= missing
        t.own_turn().used |= {BORROWED}
        construct(t, district, gold=seat.gold)


_PAYMENTS: dict[str, Payment] = {"over": Sacrifice(), "cards": WithCards(), "from": Borrowing()}


class Build(Action):
    """`build D ...`: pay for a district of the hand and put it into the city."""

    verb = "build"
    under = TRACKED
    players: ClassVar[tuple[int, ...]] = (2,)  # only `from` is followed by a name

    def possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].build_limit > 0

    def closed(self, t: Table) -> str | None:
        rule = timing(t)
        if rule is None and limit_reached(t):
            rule = "build.limit"
        return rule or (None if t.acting.hand else "build.no_card")

    def objection(self, t: Table, *words: str) -> str | None:
        district = words[0]
        if district.isdecimal():
            return "build.which"
        if district not in t.rules.districts:
            return "build.not_in_game"
        if len(words) > 1:
            return _PAYMENTS[words[1]].objection(t, district, *words[2:])
        rule = barred(t, district, t.acting.city)
        return rule or ("build.gold" if price(t, district) > t.acting.gold else None)

    def moves(self, t: Table) -> Sequence[Move]:
        made, now = self.made, situation(t, t.acting.city)
        return [
            *(made[(district,)] for district in payable(t, now)),
            *(
                made[(district, word, *words)]
                for word, payment in self._payments(t)
                for district, *words in payment.legal(t, now)
            ),
        ]

    def _payments(self, t: Table) -> list[tuple[str, Payment]]:
        """The other ways to pay that this character may have in this game."""
        rules, character = t.rules, t.playing.character
        payments = rules.payments.get(character)
        if payments is None:
            payments = rules.payments[character] = [
                (word, way) for word, way in _PAYMENTS.items() if way.possible(rules, character)
            ]
        return payments

    def apply(self, t: Table, *words: str) -> None:
        if len(words) > 1:
            _PAYMENTS[words[1]].pay(t, words[0], *words[2:])
        else:
            construct(t, words[0], gold=price(t, words[0]))
