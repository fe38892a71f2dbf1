"""Every table of random games, written as a position, is read back as a table that plays on alike.

At each moment the true table and the one read back agree on what every viewer sees, on the legal
moves and on refusals. One that was read back also follows the game for a while. A damaged position
is refused in words, or it is a table that can be played on.
"""

from __future__ import annotations

import copy
import random
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from common import strict_yaml
from common.problems import Problems
from companion.log import records
from engine import own_cards, record, views
from engine.explain import Refused
from engine.position import KEYS
from engine.referee import Referee
from engine.rules.answers import ANSWERS
from engine.rules.counting import COUNTING
from tests.engine import boxes
from tests.engine.boxes import EDITIONS, NAMES, random_setup
from tests.engine.playing import table_state
from tests.sizes import pick_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.moves import Move
    from engine.record import Setup
    from engine.table import Table

GAMES_FOLDER = Path(__file__).parents[1] / "games"
GAMES = pick_size(1, 3, 300)  # per edition and kind of table
MOST_MOVES = 150
FOLLOWED = 12  # moves
EVERY = pick_size(4, 2, 1)  # moves of a record between two tables, except with a question
TRIED = 3  # moves that may be refused, at each moment

OWN_CARDS = {
    "quarry": {"copies": 2},
    "museum": {"copies": 2},
    "bell_tower": {"copies": 2},
    "tavern": {"cost": 0},
}
"""A table's own cards, as far as a box has them."""


def heads(edition: str, seed: int) -> list[dict[str, Any]]:
    """The heads of records: cities tracked, light mode, and a city that is soon complete; in
    `make test` one of them, another for each box."""
    head = random_setup(edition, f"position {seed}")
    ways = [
        head,
        {**head, "options": {"cities": "untracked"}},
        {**head, "options": {"city_size": 6}},
    ]
    first = [*EDITIONS].index(edition) % len(ways)
    return [ways[first]] if pick_size(1, 3, 3) == 1 else ways


@pytest.mark.sweep
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_table_of_random_games_survives_as_a_position(edition: str) -> None:
    for seed in range(GAMES):
        for place, head in enumerate(heads(edition, seed)):
            follow(head, f"{edition} {seed} {place}")


@pytest.mark.sweep
@pytest.mark.parametrize("edition", ["millennium_3e", "deluxe_2016", "ffg_2005"])
def test_own_cards_survive_as_a_position(edition: str) -> None:
    names = boxes.uniques(EDITIONS[edition].printing)
    cards = {id_: facts for id_, facts in OWN_CARDS.items() if id_ in (*names, "tavern")}
    own_cards.use({edition: cards})
    for seed in range(GAMES):
        for place, head in enumerate(heads(edition, seed)):
            follow(head, f"own {edition} {seed} {place}")


SHORT = [path for path in sorted(GAMES_FOLDER.glob("*/*.yaml")) if path.parent.name != "impossible"]


@pytest.mark.sweep
def test_every_table_of_the_short_records_survives_as_a_position() -> None:
    """They hold what is rare in random games: each question, each ruling."""
    questions = set()
    for path in SHORT:
        read = records.read(str(path)).record
        referee = Referee(read.start)
        for place, text in enumerate((None, *read.moves[:MOST_MOVES])):
            if text is not None:
                with suppress(Refused):  # the last of some
                    referee.play(text)
            if place % EVERY and not referee.table.questions:
                continue
            other = reread(read.setup, referee.table)
            compare(referee.table, other, path)
            compare_state(referee.table, other.table, path)
            questions |= {question.kind for question in referee.table.questions}
    assert questions == {*ANSWERS, *COUNTING}


def test_each_of_two_haunted_quarters_is_asked_about_on_its_own() -> None:
    """A table's own cards, counted after the last round of a game in light mode."""
    own_cards.use({"ffg_2005": {"haunted_quarter": {"copies": 2}}})
    position = {
        "players": {"Anna": {"city": ["haunted_quarter", "quarry", "haunted_quarter"]}},
        "first_complete": "Anna",
        "awaiting": {"question": "completion", "player": "Anna"},
    }
    head = {"edition": "ffg_2005", "players": list(NAMES), "options": {"cities": "untracked"}}
    read = record.read({**head, "position": position})
    referee = Referee(read.start)
    for text in ("confirm", "early"):
        referee.play(text)
        other = reread(read.setup, referee.table)
        compare_state(referee.table, other.table, text)
    assert referee.table.questions[-1].amount == 2


def follow(head: dict[str, Any], seed: str) -> None:
    """Play a random game, and compare every moment of it with its position."""
    chance = random.Random(seed)
    start = record.read(head)
    referee = Referee(start.start)
    follower, tried = referee, ["end", "gold", "nobody"]
    for count in range(MOST_MOVES):
        t = referee.table
        where = (seed, count, [move.text for move in referee.moves][-12:])
        other = reread(start.setup, t, words_typed=count % FOLLOWED == 0)
        compare(t, other, where)
        if count % FOLLOWED == 0:
            follower = other
        compare_state(t, follower.table, where)
        moves = referee.list_legal_moves()
        for typed in chance.sample(tried, min(TRIED, len(tried))):
            assert attempt(t, typed) == attempt(other.table, typed), (where, typed)
        if not moves or (t.phase == "over" and chance.random() < 0.5):
            return
        move = pick(moves, chance)
        tried.append(move.text)
        for each in (referee, follower):
            each.play(move.text)


JUNK: list[Any] = [
    None, -1, 3, True, 1.5, "x", "king", "Anna", "manor", "bell_tower", [], {}, [1], [[1]], [None],
    ["king", "king"], {"a": 1}, {"id": "manor", "taken": True}, "warrant", "graveyard", "expose",
    "unmask", "emperor", "city", "completion", {"question": "city", "player": "Anna"},
    {"question": "built_last_round", "player": "Ben", "district": "haunted_quarter"},
    {"question": "graveyard", "district": "manor"}, {"question": "warrant", "gold": 10**9},
]  # fmt: skip
DAMAGED = pick_size(20, 60, 6000)  # positions per edition
STEPS = 8  # moves played from each that is accepted


@pytest.mark.sweep
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_damaged_position_is_refused_or_plays_on(edition: str) -> None:
    chance = random.Random(f"damaged {edition}")
    for seed in range(DAMAGED):
        head = chance.choice([*heads(edition, seed // 10)])
        start = record.read(head)
        referee = play_on(Referee(start.start), chance, chance.randint(1, 80))
        data = record.begin_at(start.setup, referee.table)
        damage(data.setdefault("position", {}), chance)
        try:
            new_referee = Referee(record.read(data).start)
        except Problems:
            continue
        t = play_on(new_referee, chance, STEPS).table
        assert t.deck >= 0
        assert all(seat.gold >= 0 and seat.hand >= 0 for seat in t.seats)
        record.read(record.begin_at(start.setup, t))


def play_on(referee: Referee, chance: random.Random, moves: int) -> Referee:
    """Play up to so many random moves, while there is any."""
    for _ in range(moves):
        legal = referee.list_legal_moves()
        if not legal:
            break
        referee.play(pick(legal, chance))
    return referee


def damage(position: dict[str, Any], chance: random.Random) -> None:
    """Replace a value by another, add a key, or take one away."""
    places = [*find_places(position)]
    if not places or chance.random() < 0.5:
        position[chance.choice(KEYS)] = copy.deepcopy(chance.choice(JUNK))
        return
    holder, key = chance.choice(places)
    if isinstance(holder, dict) and chance.random() < 0.3:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(chance.choice(JUNK))


def find_places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place that holds a value: its list or mapping, and its index or key."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield data, key
        yield from find_places(data[key])


WEIGHTS = {
    "build": 6,
    "counted": 4,
    "choose": 0.5,
    "forfeit": 0.3,
    "complete": 0.2,
    "use": 4,
    "take": 4,
}
"""How much more often than others some verbs are played, so that a game goes on and ends."""


def pick(moves: list[Move], chance: random.Random) -> Move:
    """A random move, the verb first: some have hundreds of moves."""
    verbs = sorted({move.verb for move in moves})
    (verb,) = chance.choices(verbs, [WEIGHTS.get(verb, 1) for verb in verbs])
    return chance.choice([move for move in moves if move.verb == verb])


def reread(setup: Setup, t: Table, *, words_typed: bool = False) -> Referee:
    """The table written as a record and read back; `words_typed`: as the text of a file."""
    data = record.begin_at(setup, t)
    if words_typed:
        data = strict_yaml.parse(records.text_of(data), name="position").data
    return Referee(record.read(data).start)


def compare(t: Table, other: Referee, where: Any) -> None:
    """Compare what is seen without secrets left out, the legal moves included."""
    assert views.table_json(other.table, full=True) == views.table_json(t, full=True), where


def compare_state(t: Table, other: Table, where: Any) -> None:
    assert table_state(essence(other)) == table_state(essence(t)), where


def essence(t: Table) -> Table:
    """The table without facts that can't matter any more."""
    new = t.copy()
    names = t.rules.cards_with("scores_as_any_type")
    for index, seat in enumerate(t.seats):
        own = new.own_seat(index)
        new.set_city(own, [
            card._replace(built_in_round=card.built_in_round == t.round and card.id in names)
            for card in seat.city.cards
        ])  # fmt: skip
    if t.stage != "selection":
        new.marks = new.marks._replace(theater_used=False)
    if t.turn is not None and not t.rules.cards_with("asks_courtesy"):
        new.own_turn().called_by = 0
    if not t.rules.tracks_cities:
        new.deck = 0
    return new


def attempt(t: Table, text: str) -> Any:
    """What comes of a move: the refusal, or None."""
    try:
        Referee(t).play(text)
    except Refused as error:
        return error.refusal
    return None
