"""Characters who act on districts that stand: rank 8 on others' cities, the Artist on his own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from engine.moves import MARKS
from engine.rules import turns
from engine.rules.answers import ask_graveyard
from engine.rules.base import TRACKED, Power, Words, taken

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table

MARSHAL_LIMIT = 3  # gold: what a seized district may cost
MOST_DECORATIONS = 2  # districts a turn


def value(t: Table, card: Built) -> int:
    """What the district cost, in gold, with the Artist's gold on it."""
    return t.rules.districts[card.id].cost + card.decorated


def wall(t: Table, victim: Seat, card: Built) -> int:
    """What a Great Wall adds to the price of rank 8: for the other districts of its city."""
    walls: int = victim.city.effects.get("wall", 0)
    own_wall: int = t.rules.districts[card.id].effects.get("wall", 0)
    return walls - own_wall


def is_safe(t: Table, victim: Seat) -> bool:
    """Whether a living Bishop keeps rank 8 away from that city.

    A killed Bishop does not protect (every edition; official FAQ), nor does one shown by the
    Hospital; a bewitched one protects the Witch's city.
    """
    for bishop in t.rules.having("safe_from_rank_8"):
        bearer = t.bearer(bishop)
        if bishop != t.killed and bearer is not None and t.seats[bearer] is victim:
            return True
    return False


class Striker(Power):
    """A rank-8 power over one district of a city, named by player and district."""

    players: ClassVar[tuple[int, ...]] = (0,)
    exact: ClassVar[bool] = True
    under = TRACKED
    own_city: ClassVar[str | None] = None  # the rule that keeps it off the own city

    def objection(self, t: Table, *words: str) -> str | None:
        victim = t.seats[t.seat_named(words[0])]
        city = victim.city
        if words[1] not in city.ids:
            return f"{self.used_as}.no_such_district"
        rule = self._city_objection(t, victim) or city.misnamed(*words[1:])
        return rule or self._card_objection(t, victim, taken(t, *words))

    def _city_objection(self, t: Table, victim: Seat) -> str | None:
        if victim is t.acting and self._spares_own_city(t):
            return self.own_city
        if t.is_complete(victim):
            return f"{self.used_as}.complete_city"
        return f"{self.used_as}.bishop" if is_safe(t, victim) else None

    def _spares_own_city(self, t: Table) -> bool:
        return True

    def _card_objection(self, t: Table, victim: Seat, card: Built) -> str | None:
        proof = t.rules.having("proof_against_rank_8")
        return f"{self.used_as}.proof" if card.id in proof else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(victim.name, *victim.city.words(card)) for victim, card in self._targets(t)]

    def _targets(self, t: Table) -> list[tuple[Seat, Built]]:
        """Every district that the power can reach, with its owner."""
        return [
            (victim, card)
            for victim in t.seats
            if victim.city.cards and self._city_objection(t, victim) is None
            for card in victim.city.kinds
            if self._card_objection(t, victim, card) is None
        ]


def strike_price(t: Table, victim: Seat, card: Built) -> int:
    """What destroying the district costs the Warlord, in gold: one less than it cost."""
    return value(t, card) + wall(t, victim, card) - 1


class Destroy(Striker):
    """`destroy P D`: the Warlord pays one less than the cost and the district is gone."""

    verb = "destroy"
    used_as = "warlord"
    own_city = "warlord.own_city"
    timing = "strike_timing"

    def _spares_own_city(self, t: Table) -> bool:
        return not t.rules.answers["strike_own_city"]

    def _card_objection(self, t: Table, victim: Seat, card: Built) -> str | None:
        rule = super()._card_objection(t, victim, card)
        too_dear = strike_price(t, victim, card) > t.acting.gold
        return rule or ("warlord.gold" if too_dear else None)

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        index, card = t.seat_named(words[0]), taken(t, *words)
        t.own_seat(t.playing.seat).gold -= strike_price(t, t.seats[index], card)
        turns.raze(t, t.own_seat(index), card)
        t.deck -= 1  # the card itself is not under the deck before the Graveyard has answered
        ask_graveyard(t, card.id)


def seizing_price(t: Table, victim: Seat, card: Built) -> int:
    """What seizing the district costs the Marshal, in gold, paid to its owner."""
    return value(t, card) + wall(t, victim, card)


class Seize(Striker):
    """`seize P D`: the Marshal takes a district of cost 3 or less, and pays its owner for it."""

    verb = "seize"
    used_as = "marshal"
    own_city = "marshal.own_city"

    def _card_objection(self, t: Table, victim: Seat, card: Built) -> str | None:
        rule = super()._card_objection(t, victim, card)
        if rule is not None:
            return rule
        if value(t, card) > MARSHAL_LIMIT:
            return "marshal.too_dear"
        if card.id in t.acting.city.ids:
            return "marshal.duplicate"
        return "marshal.gold" if seizing_price(t, victim, card) > t.acting.gold else None

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        victim, seat = t.own_seat(t.seat_named(words[0])), t.own_seat(t.playing.seat)
        card = taken(t, *words)
        price = seizing_price(t, victim, card)
        seat.gold -= price
        victim.gold += price
        t.set_city(victim, victim.city.without(card))
        t.set_city(seat, (*seat.city.cards, card))
        turns.note_completion(t, t.playing.seat)


def exchange_price(t: Table, own: Built, victim: Seat, card: Built) -> int:
    """What the Diplomat pays the other player, in gold: the difference, never less than nothing."""
    return max(0, value(t, card) + wall(t, victim, card) - value(t, own))


def exchanged(words: Words) -> tuple[Words, Words]:
    """The words of an exchange: the own district's, and the other's with its player first."""
    own = 2 if len(words) - (words[-1] in MARKS) == 4 else 1
    return words[:own], words[own:]


class Exchange(Striker):
    """`exchange D P D`: the Diplomat gives a district for another player's, and the difference."""

    verb = "exchange"
    used_as = "diplomat"
    players = (1, 2)  # behind the own district, or behind its mark
    own_city = "diplomat.own_city"

    def objection(self, t: Table, *words: str) -> str | None:
        gives, takes = exchanged(words)
        if gives[0] not in t.acting.city.ids:
            return "diplomat.not_yours"
        rule = t.acting.city.misnamed(*gives) or super().objection(t, *takes)
        if rule is not None:
            return rule
        victim, card = t.seats[t.seat_named(takes[0])], taken(t, *takes)
        return self._exchange_objection(t, taken(t, t.acting.name, *gives), victim, card)

    def _exchange_objection(self, t: Table, own: Built, victim: Seat, card: Built) -> str | None:
        if card.id in t.acting.city.ids or own.id in victim.city.ids:
            return "diplomat.duplicate"  # a name is not given for the same name either
        return "diplomat.gold" if exchange_price(t, own, victim, card) > t.acting.gold else None

    def options(self, t: Table) -> Iterable[Words]:
        targets, city = self._targets(t), t.acting.city
        return [
            (*city.words(own), victim.name, *victim.city.words(card))
            for own in city.kinds
            for victim, card in targets
            if self._exchange_objection(t, own, victim, card) is None
        ]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        gives, takes = exchanged(words)
        index = t.seat_named(takes[0])
        own, card = taken(t, t.acting.name, *gives), taken(t, *takes)
        price = exchange_price(t, own, t.seats[index], card)
        seat, victim = t.own_seat(t.playing.seat), t.own_seat(index)
        seat.gold -= price
        victim.gold += price
        t.set_city(seat, (*seat.city.without(own), card))
        t.set_city(victim, (*victim.city.without(card), own))
        turns.note_completion(t, t.playing.seat)
        turns.note_completion(t, index)


class Decorate(Power):
    """`decorate D...`: the Artist puts a gold on one or two districts of his own, once on each."""

    verb = "decorate"
    used_as = "artist"
    under = TRACKED

    def objection(self, t: Table, *words: str) -> str | None:
        if len(words) > MOST_DECORATIONS:
            return "artist.too_many"
        plain = [card.id for card in t.acting.city.cards if not card.decorated]
        for district in words:
            if district not in plain:
                standing = district in t.acting.city.ids
                return "artist.decorated" if standing else "artist.not_yours"
            plain.remove(district)
        return "artist.gold" if len(words) > t.acting.gold else None

    def options(self, t: Table) -> Iterable[Words]:
        plain = [card.id for card in t.acting.city.cards if not card.decorated]
        pairs = combinations(plain, 2)
        return dict.fromkeys([*((district,) for district in plain), *pairs])

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        seat = t.own_seat(t.playing.seat)
        seat.gold -= len(words)
        wanted = list(words)
        cards = []
        for card in seat.city.cards:
            if card.id in wanted and not card.decorated:
                wanted.remove(card.id)
                cards.append(card._replace(decorated=True))
            else:
                cards.append(card)
        t.set_city(seat, cards)
