"""Characters who act on built districts: rank 8 on others' cities, the Artist on his own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from engine.moves import MARKS
from engine.rules import turns
from engine.rules.answers import ask_graveyard
from engine.rules.base import TRACKED, Power, Words, find_district

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table

MARSHAL_LIMIT = 3  # gold: what a seized district may cost
MOST_DECORATIONS = 2  # districts a turn


def value(table: Table, card: Built) -> int:
    """What the district cost, in gold, with the Artist's gold on it."""
    return table.rules.districts[card.id].cost + card.decorated


def wall(table: Table, victim: Seat, card: Built) -> int:
    """The gold that a Great Wall adds to rank 8's price for the city's other districts, or for all
    of them (switch `great_wall`)."""
    walls: int = victim.city.effects.get("wall", 0)
    if not walls or table.rules.answers["great_wall"] == "all":
        return walls
    own_wall: int = table.rules.districts[card.id].effects.get("wall", 0)
    return walls - own_wall


def is_safe(table: Table, victim: Seat) -> bool:
    """Whether a living Bishop keeps rank 8 away from that city.

    A killed Bishop does not protect (every edition; official FAQ), nor does one shown by the
    Hospital; a bewitched one protects the Witch's city.
    """
    for bishop in table.rules.cards_with("safe_from_rank_8"):
        bearer = table.bearer(bishop)
        if bearer is not None and table.seats[bearer] is victim:
            return True
    return False


class Striker(Power):
    """A rank-8 power over one district of a city, named by player and district."""

    player_places: ClassVar[tuple[int, ...]] = (0,)
    options_are_legal: ClassVar[bool] = True
    under = TRACKED
    own_city: ClassVar[str | None] = None  # the rule that protects one's own city

    def objection(self, table: Table, *words: str) -> str | None:
        victim = table.seats[table.seat_named(words[0])]
        city = victim.city
        if words[1] not in city.ids:
            return f"{self.used_as}.no_such_district"
        rule = self._city_objection(table, victim) or city.check_words(*words[1:])
        return rule or self._card_objection(table, victim, find_district(table, *words))

    def _city_objection(self, table: Table, victim: Seat) -> str | None:
        if victim is table.acting and self._spares_own_city(table):
            return self.own_city
        if table.is_complete(victim):
            return f"{self.used_as}.complete_city"
        return f"{self.used_as}.bishop" if is_safe(table, victim) else None

    def _spares_own_city(self, table: Table) -> bool:
        return True

    def _card_objection(self, table: Table, victim: Seat, card: Built) -> str | None:
        proof = table.rules.cards_with("proof_against_rank_8")
        return f"{self.used_as}.proof" if card.id in proof else None

    def options(self, table: Table) -> Iterable[Words]:
        return [(victim.name, *victim.city.words(card)) for victim, card in self._targets(table)]

    def _targets(self, table: Table) -> list[tuple[Seat, Built]]:
        """Every district that the power can reach, with its owner."""
        return [
            (victim, card)
            for victim in table.seats
            if victim.city.cards and self._city_objection(table, victim) is None
            for card in victim.city.kinds
            if self._card_objection(table, victim, card) is None
        ]


def strike_price(table: Table, victim: Seat, card: Built) -> int:
    """What destroying the district costs the Warlord, in gold: one less than it cost, at least
    0."""
    return max(0, value(table, card) + wall(table, victim, card) - 1)


class Destroy(Striker):
    """`destroy P D`: the Warlord pays one less than the cost and the district is gone."""

    verb = "destroy"
    used_as = "warlord"
    own_city = "warlord.own_city"
    timing = "strike_timing"

    def _spares_own_city(self, table: Table) -> bool:
        return not table.rules.answers["strike_own_city"]

    def _card_objection(self, table: Table, victim: Seat, card: Built) -> str | None:
        rule = super()._card_objection(table, victim, card)
        too_dear = strike_price(table, victim, card) > table.acting.gold
        return rule or ("warlord.gold" if too_dear else None)

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        index, card = table.seat_named(words[0]), find_district(table, *words)
        table.own_acting().gold -= strike_price(table, table.seats[index], card)
        turns.raze(table, table.own_seat(index), card)
        table.deck -= 1  # the card goes under the deck only after the Graveyard's answer
        ask_graveyard(table, card.id)


def seizing_price(table: Table, victim: Seat, card: Built) -> int:
    """What seizing the district costs the Marshal, in gold, paid to its owner."""
    return value(table, card) + wall(table, victim, card)


class Seize(Striker):
    """`seize P D`: the Marshal takes a district of cost 3 or less, and pays its owner for it."""

    verb = "seize"
    used_as = "marshal"
    own_city = "marshal.own_city"

    def _card_objection(self, table: Table, victim: Seat, card: Built) -> str | None:
        rule = super()._card_objection(table, victim, card)
        if rule is not None:
            return rule
        if value(table, card) > MARSHAL_LIMIT:
            return "marshal.too_dear"
        if card.id in table.acting.city.ids:
            return "marshal.duplicate"
        return "marshal.gold" if seizing_price(table, victim, card) > table.acting.gold else None

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        victim, seat = table.own_seat(table.seat_named(words[0])), table.own_acting()
        card = find_district(table, *words)
        price = seizing_price(table, victim, card)
        seat.gold -= price
        victim.gold += price
        table.set_city(victim, victim.city.cards_without(card))
        table.set_city(seat, (*seat.city.cards, card))
        turns.note_completion(table, table.playing.seat)


def exchange_price(table: Table, own: Built, victim: Seat, card: Built) -> int:
    """What the Diplomat pays the other player, in gold: the difference, never less than 0."""
    return max(0, value(table, card) + wall(table, victim, card) - value(table, own))


def split_exchange(words: Words) -> tuple[Words, Words]:
    """Split the words of an exchange: one's own district; the other player and district."""
    own = 2 if len(words) - (words[-1] in MARKS) == 4 else 1
    return words[:own], words[own:]


class Exchange(Striker):
    """`exchange D P D`: the Diplomat gives a district for another player's, and the difference."""

    verb = "exchange"
    used_as = "diplomat"
    player_places = (1, 2)  # after one's own district, or after its mark
    own_city = "diplomat.own_city"
    timing = "exchange_timing"

    def objection(self, table: Table, *words: str) -> str | None:
        gives, takes = split_exchange(words)
        if gives[0] not in table.acting.city.ids:
            return "diplomat.not_yours"
        rule = table.acting.city.check_words(*gives) or super().objection(table, *takes)
        if rule is not None:
            return rule
        victim, card = table.seats[table.seat_named(takes[0])], find_district(table, *takes)
        return self._exchange_objection(
            table, find_district(table, table.acting.name, *gives), victim, card
        )

    def _exchange_objection(
        self, table: Table, own: Built, victim: Seat, card: Built
    ) -> str | None:
        if card.id in table.acting.city.ids or own.id in victim.city.ids:
            return "diplomat.duplicate"  # exchanging two of the same name is refused too
        return (
            "diplomat.gold"
            if exchange_price(table, own, victim, card) > table.acting.gold
            else None
        )

    def options(self, table: Table) -> Iterable[Words]:
        targets, city = self._targets(table), table.acting.city
        return [
            (*city.words(own), victim.name, *victim.city.words(card))
            for own in city.kinds
            for victim, card in targets
            if self._exchange_objection(table, own, victim, card) is None
        ]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        gives, takes = split_exchange(words)
        index = table.seat_named(takes[0])
        own, card = find_district(table, table.acting.name, *gives), find_district(table, *takes)
        price = exchange_price(table, own, table.seats[index], card)
        seat, victim = table.own_acting(), table.own_seat(index)
        seat.gold -= price
        victim.gold += price
        table.set_city(seat, (*seat.city.cards_without(own), card))
        table.set_city(victim, (*victim.city.cards_without(card), own))
        turns.note_completion(table, table.playing.seat)
        turns.note_completion(table, index)


class Decorate(Power):
    """`decorate D...`: the Artist puts a gold on one or two districts of his own, once on each."""

    verb = "decorate"
    used_as = "artist"
    under = TRACKED

    def objection(self, table: Table, *words: str) -> str | None:
        if len(words) > MOST_DECORATIONS:
            return "artist.too_many"
        plain = [card.id for card in table.acting.city.cards if not card.decorated]
        for district in words:
            if district not in plain:
                standing = district in table.acting.city.ids
                return "artist.decorated" if standing else "artist.not_yours"
            plain.remove(district)
        return "artist.gold" if len(words) > table.acting.gold else None

    def options(self, table: Table) -> Iterable[Words]:
        plain = [card.id for card in table.acting.city.cards if not card.decorated]
        pairs = combinations(plain, 2)
        return dict.fromkeys([*((district,) for district in plain), *pairs])

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        seat = table.own_acting()
        seat.gold -= len(words)
        targets = list(words)
        cards = []
        for card in seat.city.cards:
            if card.id in targets and not card.decorated:
                targets.remove(card.id)
                cards.append(card._replace(decorated=True))
            else:
                cards.append(card)
        table.set_city(seat, cards)


POWERS: dict[str, tuple[Power, ...]] = {
    "warlord": (Destroy(),),
    "diplomat": (Exchange(),),
    "marshal": (Seize(),),
    "artist": (Decorate(),),
}
