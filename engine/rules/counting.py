"""The cities of a table that kept none, counted for the scores after the last round.

Everybody is asked in turn (`turns.next_round`); a city is named in as many moves as one likes, and
`counted` ends it. After the last one the game is over and scored like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.answers import answered
from engine.rules.base import Action, Menu, Words
from engine.table import Built

if TYPE_CHECKING:
    from engine.table import Seat, Table

MOST_BEYOND = 4  # districts that a city may grow beyond a complete one in the last round
MOST_COUNTED = 20  # cards under a district, or in the hand
_NEEDS_NUMBER = ("points_per_card_under", "points_per_hand_card")


def _asked(t: Table) -> Seat:
    return t.seats[t.questions[-1].seat]


def _uncounted(t: Table) -> list[str]:
    """The players whose city is not counted yet, the one who is asked first."""
    return t.rules.names(question.seat for question in reversed(t.questions))


def wrong_district(t: Table, name: str, *districts: str) -> tuple[str, str] | None:
    """The first of the districts that cannot stand in that player's city too, after the rule that
    says so; None if all can."""
    rules = t.rules
    others = [card.id for s in t.seats if s.name != name for card in s.city.cards]
    city = [card.id for card in t.seats[t.seat_named(name)].city.cards]
    for district in districts:
        if district not in rules.districts:
            return "city.not_in_game", district
        if district in rules.having("never_built"):
            return "city.never", district
        if district in city and not rules.doubling:
            return "city.duplicate", district
        if (others + city).count(district) >= rules.districts[district].copies:
            return "city.copies", district
        if len(city) >= t.city_size + MOST_BEYOND:
            return "city.too_many", district
        city.append(district)
    return None


class NameCity(Action):
    """`city P D...`: these districts stand in P's city too."""

    verb = "city"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        if words[0] not in _uncounted(t):
            return "city.counted"
        wrong = wrong_district(t, *words)
        return wrong[0] if wrong else None

    def options(self, t: Table) -> Iterable[Words]:
        """One district at a time: a line of several is as many moves in one."""
        return [(name, district) for name in _uncounted(t) for district in t.rules.districts]

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(t.seat_named(words[0]))
        t.set_city(seat, (*seat.city.cards, *(Built(district) for district in words[1:])))


class NameDecorated(Action):
    """`decorate D...`: on these districts of the city lies the Artist's gold."""

    verb = "decorate"

    def closed(self, t: Table) -> str | None:
        return None if "artist" in t.rules.characters else "city.no_artist"

    def objection(self, t: Table, *words: str) -> str | None:
        plain = [card.id for card in _asked(t).city.cards if not card.decorated]
        for district in words:
            if district not in plain:
                return "city.decorated"
            plain.remove(district)
        return None

    def options(self, t: Table) -> Iterable[Words]:
        return dict.fromkeys((c.id,) for c in _asked(t).city.cards if not c.decorated)

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(t.questions[-1].seat)
        for district in words:
            cards = list(seat.city.cards)
            place = next(i for i, c in enumerate(cards) if c.id == district and not c.decorated)
            cards[place] = cards[place]._replace(decorated=True)
            t.set_city(seat, cards)


class CountCards(Action):
    """`count D N`: the cards under the Museum, or in the hand of the Map Room's owner."""

    verb = "count"

    def closed(self, t: Table) -> str | None:
        return None if any(needs_number(t)) else "city.no_number"

    def objection(self, t: Table, *words: str) -> str | None:
        if words[0] not in needs_number(t):
            return "city.no_number"
        return None if int(words[1]) <= MOST_COUNTED else "city.number"

    def options(self, t: Table) -> Iterable[Words]:
        numbers = range(MOST_COUNTED + 1)
        return [(district, str(number)) for district in needs_number(t) for number in numbers]

    def apply(self, t: Table, *words: str) -> None:
        district, number = words[0], int(words[1])
        seat = t.own_seat(t.questions[-1].seat)
        if "points_per_hand_card" in t.rules.districts[district].effects:
            seat.hand = number
        else:
            cards = (c._replace(under=number) if c.id == district else c for c in seat.city.cards)
            t.set_city(seat, cards)


def needs_number(t: Table) -> list[str]:
    """The districts of the city that score by cards that must be counted."""
    wanted = frozenset().union(*map(t.rules.having, _NEEDS_NUMBER))
    return [id_ for id_ in dict.fromkeys(c.id for c in _asked(t).city.cards) if id_ in wanted]


class Counted(Action):
    """`counted`: the city is whole; the next player is asked, or the game is over."""

    verb = "counted"

    def apply(self, t: Table, *words: str) -> None:
        answered(t)
        if not t.questions:
            turns.end_game(t)


COUNTING = Menu((NameCity(), NameDecorated(), CountCards(), Counted()))
