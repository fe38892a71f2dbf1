"""Count the cities of a table that kept none, for the scores after the last round; or of one that
only counts the points (option `cities: counted`), which begins here.

Everybody is asked in turn (`turns.begin_round`); a city may be named in any number of moves, until
`counted`. After the last city the game is over and scored like any other. A table that only counts
is also asked for whatever else the scores depend on: numbers of cards, gold, who was first, and
what breaks a tie of those who lead.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import scoring
from engine.rules import turns
from engine.rules.answers import pop_question
from engine.rules.base import Action, Menu, Words
from engine.table import Built, Question, Seat, Table

MOST_BEYOND = 4  # districts that a city may have beyond a complete one after the last round
MOST_COUNTED = 20  # cards under a district, or in the hand
MOST_GOLD = 40  # left at the end of a game
_NEEDS_NUMBER = ("points_per_card_under", "points_per_hand_card")
_GOLD = ("points_per_gold",)


def _find_asked(table: Table) -> Seat:
    return table.seats[table.questions[-1].seat]


def _list_uncounted(table: Table) -> list[str]:
    """The players whose cities are not counted yet, starting with the one being asked."""
    return table.rules.names(question.seat for question in reversed(table.questions))


def find_wrong_district(table: Table, name: str, *districts: str) -> tuple[str, str] | None:
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
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        if words[0] not in _list_uncounted(table):
            return "city.counted"
        wrong = find_wrong_district(table, *words)
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


def begin(table: Table) -> None:
    """Ask a new table that only counts the points for the cities."""
    table.stage, table.faceup, table.ending = "calling", (), True
    order = turns.list_clockwise(table)
    table.questions = tuple(Question("city", index) for index in reversed(order))


class CountCards(Action):
    """`count D N`: the cards under the Museum, or in the hand of the Map Room's owner."""

    verb = "count"

    def closed(self, table: Table) -> str | None:
        return None if self._find_districts(table) else "city.no_number"

    def objection(self, table: Table, *words: str) -> str | None:
        if len(words) < 2 or words[0] not in self._find_districts(table):
            return "city.no_number"
        return None if int(words[1]) <= MOST_COUNTED else "city.number"

    def options(self, table: Table) -> Iterable[Words]:
        numbers = [str(number) for number in range(MOST_COUNTED + 1)]
        return [(id_, number) for id_ in self._find_districts(table) for number in numbers]

    def _find_districts(self, table: Table) -> list[str]:
        return [] if table.rules.only_scores else list_scoring_by_cards(table)

    def apply(self, table: Table, *words: str) -> None:
        district, number = words[0], int(words[1])
        seat = table.own_seat(table.questions[-1].seat)
        if "points_per_hand_card" in table.rules.districts[district].effects:
            seat.hand = number
        else:
            cards = (c._replace(under=number) if c.id == district else c for c in seat.city.cards)
            table.set_city(seat, cards)


def list_scoring_by_cards(table: Table) -> list[str]:
    """The districts of the city that score by cards that must be counted."""
    return _list_scoring(table, table.questions[-1].seat, _NEEDS_NUMBER)


def _list_scoring(table: Table, index: int, effects: Iterable[str]) -> list[str]:
    """The districts of that city that score by any of these effects."""
    cards = frozenset().union(*map(table.rules.cards_with, effects))
    city = table.seats[index].city.cards
    return [id_ for id_ in dict.fromkeys(card.id for card in city) if id_ in cards]


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
    table.questions += (
        *list_number_questions(table, seat),
        *reversed(list_dating_questions(table, seat)),
    )
    _go_on(table)


def list_number_questions(table: Table, index: int) -> list[Question]:
    """The questions about cards and gold that score in that city, where nobody kept count."""
    if not table.rules.only_scores:
        return []
    questions = [
        Question("number", index, district)
        for district in _list_scoring(table, index, _NEEDS_NUMBER)
    ]
    if _list_scoring(table, index, _GOLD):
        questions.append(Question("gold", index))
    return questions


def list_dating_questions(table: Table, index: int) -> list[Question]:
    """The questions about districts of that city whose score depends on when they were built."""
    if table.rules.answers["haunted_quarter_last_round"]:
        return []
    cards = table.rules.cards_with("scores_as_any_type")
    return [
        Question("built_last_round", index, card.id, place)
        for place, card in enumerate(table.seats[index].city.cards)
        if card.id in cards
    ]


def _go_on(table: Table, steps: int = 0) -> None:
    """Ask the next question, or end the game; so many steps of the tie-break are settled."""
    if not table.questions and table.rules.only_scores:
        table.questions = _list_final_questions(table, steps)
    if not table.questions:
        turns.end_game(table)


def _list_final_questions(table: Table, steps: int) -> tuple[Question, ...]:
    """What must be known beyond the cities: who was first, then what breaks a tie of the leaders;
    the last is asked first."""
    complete = [index for index in table.rules.seats if table.is_complete(table.seats[index])]
    if complete and not table.first_complete:
        if len(complete) > 1:
            return (Question("first", table.crown),)
        table.first_complete = (complete[0],)
    tie_break = table.rules.answers["tie_break"]
    questions = (list_tie_questions(table, place) for place in range(steps, len(tie_break)))
    return next(filter(None, questions), ())


def list_tie_questions(table: Table, place: int) -> tuple[Question, ...]:
    """The questions that the step at that place (from 0) of the tie-break asks those who are tied
    before it; none if the cities answer it."""
    tie_break = table.rules.answers["tie_break"]
    leaders, kind = scoring.find_leaders(table, tie_break[:place]), _OF_STEP.get(tie_break[place])
    if kind is None or len(leaders) < 2:
        return ()
    counted = [index for index in leaders if kind == "gold" and _list_scoring(table, index, _GOLD)]
    uncounted = [index for index in reversed(leaders) if index not in counted]
    return tuple(Question(kind, index, amount=place + 1) for index in uncounted)


_OF_STEP = {"highest_rank": "rank", "gold": "gold"}
"""The question of each step of the tie-break that the cities do not answer."""


class CountAsked(CountCards):
    """`count D N` as the answer to its own question."""

    def apply(self, table: Table, *words: str) -> None:
        super().apply(table, *words)
        pop_question(table)
        _go_on(table)

    def _find_districts(self, table: Table) -> list[str]:
        return [table.questions[-1].about]


class CountGold(Action):
    """`count N`: the gold that the player asked has left."""

    verb = "count"

    def objection(self, table: Table, *words: str) -> str | None:
        if len(words) > 1:
            return "city.no_number"
        return None if int(words[0]) <= MOST_GOLD else "city.number"

    def options(self, table: Table) -> Iterable[Words]:
        return [(str(number),) for number in range(MOST_GOLD + 1)]

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        table.own_seat(question.seat).gold = int(words[0])
        _go_on(table, question.amount)


class CountRank(Action):
    """`count N`: the rank of the last character of the player asked, 0 if none was shown."""

    verb = "count"

    def objection(self, table: Table, *words: str) -> str | None:
        if len(words) > 1:
            return "city.no_number"
        return None if int(words[0]) in (0, *table.rules.ranks_shown) else "city.rank"

    def options(self, table: Table) -> Iterable[Words]:
        return [(str(rank),) for rank in (*table.rules.ranks_shown, 0)]

    def apply(self, table: Table, *words: str) -> None:
        question = pop_question(table)
        table.own_seat(question.seat).last_rank = int(words[0])
        _go_on(table, question.amount)


class First(Action):
    """`complete P`: P's city was complete first."""

    verb = "complete"
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        seat = table.seats[table.seat_named(words[0])]
        return None if table.is_complete(seat) else "city.not_complete"

    def options(self, table: Table) -> Iterable[Words]:
        return [(seat.name,) for seat in table.seats]

    def apply(self, table: Table, *words: str) -> None:
        pop_question(table)
        table.first_complete = (table.seat_named(words[0]),)
        _go_on(table)


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
    "number": Menu((CountAsked(),)),
    "gold": Menu((CountGold(),)),
    "rank": Menu((CountRank(),)),
    "first": Menu((First(),)),
}
"""The answers to each question about a city after the last round."""
