"""Building a district: what bars it, how it may be paid for, and what follows.

`construct` is the one door through which a district gets built, whoever builds it and however it
is paid; `Build` is the ordinary move with its other ways to pay. A way to pay is a `Payment`,
found by the word that follows the district in the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import Action, Words
from engine.table import RESUMED, Built, Question

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.ruleset import Ruleset
    from engine.table import City, Seat, Table

Bars = Iterable[tuple[str, frozenset[str]]]
_NONE: frozenset[str] = frozenset()


# -- what bars a district, whatever the payment ---------------------------------------------


def timing(t: Table) -> str | None:
    """The rule that forbids building anything at all now, if one does."""
    turn = t.playing
    if not turn.gathered and not t.rules.answers["build_before_gathering"]:
        return "build.not_gathered"
    if turn.character == "witch" and turn.part != RESUMED:
        return "witch.before_resuming"
    return None


def bars(t: Table, city: City) -> Bars:
    """The districts that cannot be put into that city now, by the rule that bars them."""
    turn, rules = t.playing, t.rules
    yield "build.never", rules.having("never_built")
    if not _may_double(t, city):
        yield "build.duplicate", city.ids
    yield "build.copies", t.exhausted
    yield "build.city_full", _too_late(t, city)
    if _counted(t) >= rules.characters[turn.character].build_limit:
        yield "build.limit", frozenset(rules.districts) - outside_limit(rules, turn.character)


def _may_double(t: Table, city: City) -> bool:
    character = t.rules.characters[t.playing.character]
    if character.effects.get("builds_doubles") and t.rules.answers["wizard_doubles"] == "turn":
        return True
    if "doubles" not in city.effects:
        return False
    return t.rules.answers["quarry_doubles"] == "any" or len(city.ids) == len(city.cards)


def _too_late(t: Table, city: City) -> frozenset[str]:
    """Districts that cannot be built into a city with so many (Monument)."""
    limited = t.rules.having("most_in_city")
    if not limited:
        return _NONE
    districts = t.rules.districts
    return frozenset(
        id_ for id_ in limited if len(city.cards) > districts[id_].effects["most_in_city"]
    )


def outside_limit(rules: Ruleset, character: str) -> frozenset[str]:
    """The districts that do not use up the building limit of that character's turn."""
    free = rules.having("outside_limit")
    unlimited = rules.characters[character].effects.get("unlimited")
    return free | rules.types[unlimited] if unlimited else free


def _counted(t: Table) -> int:
    """How much of the building limit has been used."""
    turn = t.playing
    if not turn.built:
        return 0
    free = outside_limit(t.rules, t.playing.character)
    return sum(district not in free for district in turn.built) - turn.extra


def limit_reached(t: Table) -> bool:
    """Whether nothing at all can be built any more this turn."""
    turn = t.playing
    limit = t.rules.characters[turn.character].build_limit
    if len(turn.built) < limit:
        return False
    if limit == 0:
        return True  # the Navigator builds nothing, not even what is outside a limit
    return _counted(t) >= limit and not outside_limit(t.rules, t.playing.character)


# -- what follows ---------------------------------------------------------------------------


def construct(
    t: Table,
    district: str,
    *,
    gold: int = 0,
    cards: int = 0,
    from_hand: bool = True,
    counts: bool = True,
) -> None:
    """The acting player builds: pays so much gold and cards, and the district stands.

    `counts` is whether it uses the building limit.

    If the Magistrate may answer, what follows the building waits for the answer.
    """
    turn = t.own_turn()
    seat = t.own_seat(turn.seat)
    seat.gold -= gold
    seat.hand -= cards + from_hand
    t.deck += cards
    turn.spent += gold
    turn.built += (district,)
    if not counts:
        turn.extra += 1
    t.set_city(seat, (*seat.city.cards, Built(district, built_in_round=t.round)))
    paid = gold + cards > 0
    magistrate = t.bearer("magistrate")
    warranted = turn.character in t.warrants and turn.character not in t.settled
    if paid and warranted and magistrate is not None and magistrate != turn.seat:
        t.questions += (Question("warrant", magistrate, district, gold),)
    else:
        completed_by(t, turn.seat, district, gold)


def completed_by(t: Table, index: int, district: str, gold: int) -> None:
    """The district stands for good in the city of that seat: what it brings with it.

    `gold` is what the acting player paid for it in the end.
    """
    rules = t.rules
    seat = t.own_seat(index)
    refunds = rules.characters[t.playing.character].effects.get("refunds_builds")
    if refunds and rules.answers["alchemist_refund"] == "at_once":
        seat.gold += gold
    t.draw(seat, rules.districts[district].effects.get("card_when_built", 0))
    if rules.having("taxes_builds"):
        turns.tax_build(t, index)
    turns.note_completion(t, index)


# -- the ways to pay ------------------------------------------------------------------------


class Payment:
    """A way to pay for a district other than with one's own gold alone."""

    def open(self, t: Table) -> bool:
        """Whether anything could be paid for in this way now."""
        raise NotImplementedError

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        """The rule that forbids building the district in this way, if one does."""
        raise NotImplementedError

    def options(self, t: Table) -> Iterable[Words]:
        """The words worth trying: the district, then what follows the payment's word."""
        raise NotImplementedError

    def pay(self, t: Table, district: str, *words: str) -> None:
        """Pay and build."""
        raise NotImplementedError


def barred(t: Table, district: str, city: City | None = None) -> str | None:
    """The rule that bars the district from the (acting player's) city, if one does."""
    city = city or t.acting.city
    return next((rule for rule, ids in bars(t, city) if district in ids), None)


def price(t: Table, district: str) -> int:
    """What the district costs the acting player, in gold."""
    return t.rules.price(district, t.acting.city.effects.get("unique_discount", 0))


class Sacrifice(Payment):
    """`build D over D2`: a district leaves first, instead of gold (Framework, Necropolis)."""

    def open(self, t: Table) -> bool:
        return "pays_for_another" in t.acting.city.effects or bool(
            t.rules.having("built_over_another")
        )

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        leaving = t.acting.city.find(words[0])
        if leaving is None:
            return "build.over_missing"
        districts = t.rules.districts
        fits = (
            "built_over_another" in districts[district].effects
            or "pays_for_another" in districts[leaving.id].effects
        )
        return barred(t, district, _city_without(t, words[0])) if fits else "build.form"

    def options(self, t: Table) -> Iterable[Words]:
        city = t.acting.city.ids
        payers = city & t.rules.having("pays_for_another")
        for district in t.rules.districts:
            anything = district in t.rules.having("built_over_another")
            for leaving in sorted(city if anything else payers):
                yield district, leaving

    def pay(self, t: Table, district: str, *words: str) -> None:
        seat = t.own_seat(t.playing.seat)
        turns.raze(t, seat, words[0])
        construct(t, district)


def _city_without(t: Table, district: str) -> City:
    city = t.acting.city
    leaving = city.find(district)
    return type(city)(city.without(leaving), t.rules.districts) if leaving else city


class WithCards(Payment):
    """`build thieves_den cards N`: N cards of the hand stand for N gold of the cost."""

    def open(self, t: Table) -> bool:
        return bool(t.rules.having("paid_with_cards"))

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        cards = int(words[0])
        if district not in t.rules.having("paid_with_cards") or not cards:
            return "build.form"
        rule = barred(t, district)
        if rule is not None:
            return rule
        cost = price(t, district)
        if cards > min(cost, t.acting.hand - 1):
            return "thieves_den.cards"
        return "build.gold" if cost - cards > t.acting.gold else None

    def options(self, t: Table) -> Iterable[Words]:
        for district in t.rules.having("paid_with_cards"):
            for cards in range(1, min(price(t, district), t.acting.hand - 1) + 1):
                yield district, str(cards)

    def pay(self, t: Table, district: str, *words: str) -> None:
        cards = int(words[0])
        construct(t, district, gold=price(t, district) - cards, cards=cards)


class Borrowing(Payment):
    """`build D from P`: the Cardinal takes the missing gold from P for a card a gold."""

    def open(self, t: Table) -> bool:
        return bool(t.rules.characters[t.playing.character].effects.get("borrows"))

    def objection(self, t: Table, district: str, *words: str) -> str | None:
        if not self.open(t):
            return "build.form"
        lender = t.seats[t.seat_named(words[0])]
        missing = price(t, district) - t.acting.gold
        if lender is t.acting or missing <= 0:
            return "cardinal.no_need" if missing <= 0 else "cardinal.self"
        if missing > lender.gold:
            return "cardinal.gold"
        if missing > t.acting.hand - 1:
            return "cardinal.cards"
        return barred(t, district)

    def options(self, t: Table) -> Iterable[Words]:
        for district in t.rules.districts:
            for name in t.rules.player_names:
                yield district, name

    def pay(self, t: Table, district: str, *words: str) -> None:
        lender, seat = t.own_seat(t.seat_named(words[0])), t.own_seat(t.playing.seat)
        missing = price(t, district) - seat.gold
        lender.gold -= missing
        lender.hand += missing
        seat.gold += missing
        seat.hand -= missing
        construct(t, district, gold=seat.gold)


_PAYMENTS: dict[str, Payment] = {"over": Sacrifice(), "cards": WithCards(), "from": Borrowing()}


class Build(Action):
    """`build D ...`: pay for a district of the hand and put it into the city."""

    verb = "build"
    players: ClassVar[tuple[int, ...]] = (2,)  # only `from` is followed by a name

    def closed(self, t: Table) -> str | None:
        if limit_reached(t):
            return "build.limit" if t.playing.gathered else timing(t) or "build.limit"
        return timing(t) or (None if t.acting.hand else "build.no_card")

    def objection(self, t: Table, *words: str) -> str | None:
        district = words[0]
        if district not in t.rules.districts:
            return "build.not_in_game"
        if len(words) > 1:
            return _PAYMENTS[words[1]].objection(t, district, *words[2:])
        return next((rule for rule, ids in self._bars(t) if district in ids), None)

    def moves(self, t: Table) -> Sequence[Move]:
        if self.closed(t) is not None:
            return ()
        builds = self._ordinary(t)
        others = [
            self.made[(words[0], word, *words[1:])]
            for word, payment in _PAYMENTS.items()
            if payment.open(t)
            for words in payment.options(t)
            if payment.objection(t, *words) is None
        ]
        return [*builds, *others] if others else builds

    def _ordinary(self, t: Table) -> Sequence[Move]:
        """The districts that the acting player's own gold can pay for."""
        seat, turn = t.acting, t.playing
        # what is barred depends on these alone, and they seldom change within a turn
        key = (
            seat.city.ids,
            len(seat.city.cards),
            t.exhausted,
            seat.gold,
            turn.character,
            turn.built,
            turn.extra,
        )
        builds = t.rules.builds.get(key)
        if builds is None:
            barred = _NONE.union(*(ids for _, ids in self._bars(t)))
            builds = tuple(self.made[(d,)] for d in t.rules.districts if d not in barred)
            t.rules.builds[key] = builds
        return builds

    def _bars(self, t: Table) -> Bars:
        seat: Seat = t.acting
        yield from bars(t, seat.city)
        yield (
            "build.gold",
            t.rules.dearer_than(seat.gold, seat.city.effects.get("unique_discount", 0)),
        )

    def apply(self, t: Table, *words: str) -> None:
        if len(words) > 1:
            _PAYMENTS[words[1]].pay(t, words[0], *words[2:])
        else:
            construct(t, words[0], gold=price(t, words[0]))
