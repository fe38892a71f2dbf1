"""Count the cities of a table that kept none, for the scores after the last round.

Everybody is asked in turn (`turns.begin_round`); a city may be named in any number of moves, until
`counted`. After the last city the game is over and scored like any other.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules import turns
from engine.rules.answers import pop_question
from engine.rules.base import Action, Menu, Words
from engine.table import Built, Question, Seat, Table

MOST_BEYOND = 4  # districts that a city may have beyond a complete one after the last round
MOST_COUNTED = 20  # cards under a district, or in the hand
_NEEDS_NUMBER = ("points_per_card_under", "points_per_hand_card")


def _find_asked(table: Table) -> Seat:
    return table.seats[table.questions[-1].seat]


def _list_uncounted(table: Table) -> list[str]:
    """The players whose cities are not counted yet, starting with the one being asked."""
    return table.rules.names(question.seat for question in reversed(table.questions))


def wrong_district(table: Table, name: str, *districts: str) -> tuple[str, str] | None:
    """The rule against one of these districts in that player's city, and that district; None if all
    are possible."""
    rules = table.rules
    others = [card.id for s in table.seats if s.name != name for card in s.city.cards]
    city = [card.id for card in table.seats[table.seat_named(name)].city.cards]
    for district in districts:
        if district not in rules.districts:
            return "city.not_in_game", district
        if district in rules.cards_with("never_built"):
            return "city.never", district
        if district in city and not rules.doubling:
            return "city.duplicate", district
        if (others + city).count(district) >= rules.districts[district].copies:
            return "city.copies", district
        if len(city) >= table.city_size + MOST_BEYOND:
            return "city.too_many", district
        city.append(district)
    return None


class NameCity(Action):
    """`city P D...`: these districts are also in P's city."""

    verb = "city"
    players = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        if words[0] not in _list_uncounted(table):
            return "city.counted"
        wrong = wrong_district(table, *words)
        return wrong[0] if wrong else None

    def options(self, table: Table) -> Iterable[Words]:
        """One district at a time: a line with several combines several moves."""
        return [
            (name, district)
            for name in _list_uncounted(table)
            for district in table.rules.districts
        ]

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_seat(table.seat_named(words[0]))
        table.set_city(seat, (*seat.city.cards, *(Built(district) for district in words[1:])))


class NameDecorated(Action):
    """`decorate D...`: these districts of the city have the Artist's gold."""

    verb = "decorate"

    def closed(self, table: Table) -> str | None:
        return None if "artist" in table.rules.characters else "city.no_artist"

    def objection(self, table: Table, *words: str) -> str | None:
        plain = [card.id for card in _find_asked(table).city.cards if not card.decorated]
        for district in words:
            if district not in plain:
                return "city.decorated"
            plain.remove(district)
        return None

    def options(self, table: Table) -> Iterable[Words]:
        return dict.fromkeys((c.id,) for c in _find_asked(table).city.cards if not c.decorated)

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_seat(table.questions[-1].seat)
        for district in words:
            cards = list(seat.city.cards)
            place = next(i for i, c in enumerate(cards) if c.id == district and not c.decorated)
            cards[place] = cards[place]._replace(decorated=True)
            table.set_city(seat, cards)


class CountCards(Action):
    """`count D N`: the cards under the Museum, or in the hand of the Map Room's owner."""

    verb = "count"

    def closed(self, table: Table) -> str | None:
        return None if any(needs_number(table)) else "city.no_number"

    def objection(self, table: Table, *words: str) -> str | None:
        if words[0] not in needs_number(table):
            return "city.no_number"
        return None if int(words[1]) <= MOST_COUNTED else "city.number"

    def options(self, table: Table) -> Iterable[Words]:
        numbers = range(MOST_COUNTED + 1)
        return [(district, str(number)) for district in needs_number(table) for number in numbers]

    def apply(self, table: Table, *words: str) -> None:
        district, number = words[0], int(words[1])
        seat = table.own_seat(table.questions[-1].seat)
        if "points_per_hand_card" in table.rules.districts[district].effects:
            seat.hand = number
        else:
            cards = (c._replace(under=number) if c.id == district else c for c in seat.city.cards)
            table.set_city(seat, cards)


def needs_number(table: Table) -> list[str]:
    """The districts of the city that score by cards that must be counted."""
    cards = frozenset().union(*map(table.rules.cards_with, _NEEDS_NUMBER))
    return [
        id_ for id_ in dict.fromkeys(c.id for c in _find_asked(table).city.cards) if id_ in cards
    ]


class Counted(Action):
    """`counted`: the list is complete; ask the next player, or end the game."""

    verb = "counted"

    def apply(self, table: Table, *words: str) -> None:
        seat = table.questions[-1].seat
        if seat in table.first_complete and not table.is_complete(table.seats[seat]):
            table.questions += (Question("completion", seat),)
        else:
            _finish_city(table)


class Confirm(Action):
    """`confirm`: the city was complete first, and has lost districts since."""

    verb = "confirm"

    def apply(self, table: Table, *words: str) -> None:
        pop_question(table)
        _finish_city(table)


class Recount(Action):
    """`recount`: it was not; districts are missing from the list."""

    verb = "recount"

    def apply(self, table: Table, *words: str) -> None:
        pop_question(table)


def _finish_city(table: Table) -> None:
    """Ask what the score of the counted city still depends on, then go on."""
    seat = pop_question(table).seat
    table.questions += tuple(reversed(list_dated(table, seat)))
    _go_on(table)


def list_dated(table: Table, index: int) -> list[Question]:
    """The questions about districts of that city whose score depends on when they were built."""
    if table.rules.answers["haunted_quarter_last_round"]:
        return []
    cards = table.rules.cards_with("scores_as_any_type")
    return [
        Question("built_last_round", index, card.id, place)
        for place, card in enumerate(table.seats[index].city.cards)
        if card.id in cards
    ]


def _go_on(table: Table) -> None:
    if not table.questions:
        turns.end_game(table)


class Late(Action):
    """`late`: the district was built in the last round, so that it keeps its type."""

    verb = "late"

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        seat = table.own_seat(question.seat)
        cards = list(seat.city.cards)
        cards[question.amount] = cards[question.amount]._replace(built_in_round=table.round)
        table.set_city(seat, cards)
        _go_on(table)


class Early(Action):
    """`early`: the district was built before the last round."""

    verb = "early"

    def apply(self, table: Table, *words: str) -> None:
        pop_question(table)
        _go_on(table)


COUNTING: dict[str, Menu] = {
    "city": Menu((NameCity(), NameDecorated(), CountCards(), Counted())),
    "completion": Menu((Confirm(), Recount())),
    "built_last_round": Menu((Late(), Early())),
}
"""The answers to each question about a city after the last round."""
