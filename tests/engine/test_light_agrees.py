"""A game whose cities are tracked and the same game in light mode agree on gold, crown and turns.

Each move of a random game is said again at a table that tracks no cities: a build by its cost, what
districts and powers bring or cost as gold paid or gained.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import record
from engine.moves import quote
from engine.referee import Referee
from engine.table import BEWITCHED, NAMING, THREATENED, Table
from tests.engine import boxes
from tests.engine.boxes import EDITIONS, random_setup

MOST_MOVES = 1200
_OF_CITIES = {"destroy", "exchange", "seize", "decorate", "rescue", "leave", "use",
              "swap", "redraw", "spy", "divine", "study"}  # fmt: skip
"""Verbs of cities and hands: light mode sees only the gold that they move."""
_UNSEEN = {"gold_mine", "poor_house", "throne_room", "ball_room", "hospital", "thieves_den"}
"""Districts that pay or take a turn without a move of their own, or are paid for with cards: they
stay out of these games."""


def say_again(before: Table, words: list[str], after: Table) -> list[str]:
    """The moves of light mode that say what the move did."""
    verb, *args = words
    me = before.playing.seat
    count = after.playing.spent - before.playing.spent
    if verb == "build":
        number = _lent(before, after, args)
        return [*([f"gain from {quote(args[-1])} {number}"] if number else []), f"build {count}"]
    if verb == "take":
        return [f"take {quote(args[0])} {count}"] if len(args) > 1 else []
    if verb == "income":
        gold = after.seats[me].gold - before.seats[me].gold
        return [f"income {gold}"] if gold else []
    if verb in _OF_CITIES or (verb == "bonus" and before.playing.character == "architect"):
        return []
    return [" ".join([verb, *map(quote, args)])]


def _lent(before: Table, after: Table, args: list[str]) -> int:
    if "from" not in args:
        return 0
    lender = before.seat_named(args[-1])
    return before.seats[lender].gold - after.seats[lender].gold


def settle(light: Referee, target: Table) -> None:
    """Say in amounts what a district or a power has done to the gold."""
    for seat, there in zip(light.table.seats, target.seats, strict=True):
        while light.table.phase == "turn" and (count := there.gold - seat.gold):
            amount = min(9, abs(count))
            verb = "gain" if count > 0 else "pay"
            name = "" if seat.name == light.table.acting.name else f"{quote(seat.name)} "
            light.play(f"{verb} {name}{amount}")
            seat = light.table.seats[light.table.seat_named(seat.name)]


def facts(table: Table) -> Any:
    """What both tables know: everybody's gold, the crown, the calls, the turn and its questions."""
    turn = table.playing
    first = turn.part if turn.part in (BEWITCHED, NAMING, THREATENED) else ""
    return (
        [seat.gold for seat in table.seats],
        table.crown,
        (table.round, table.called, table.phase, table.tax),
        (turn.seat, turn.character, turn.gathered, first, len(turn.built)),
        [(question.kind, question.seat) for question in table.questions],
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_without_cities_goes_like_one_with_them(edition: str, games: int) -> None:
    count = 0
    for seed in range(max(3, games // 8)):
        head = random_setup(edition, f"agree {seed}")
        choices = [id_ for id_ in head["districts"] if id_ not in _UNSEEN]
        if edition == "deluxe_2016":  # which plays exactly 14
            others = boxes.uniques(edition)
            choices += [id_ for id_ in others if id_ not in choices and id_ not in _UNSEEN]
            choices = choices[:14]
        head["districts"] = choices
        count += compare(head, f"{edition} {seed}")
    assert count > 100


def compare(head: dict[str, Any], seed: str) -> int:
    """Play a random game at both tables until its last round; the number of moments compared."""
    chance = random.Random(seed)
    full = Referee(record.read(head).start)
    light = Referee(record.read({**head, "options": {"cities": "untracked"}}).start)
    for count in range(MOST_MOVES):
        before = full.table
        moves = [move for move in full.list_legal_moves() if move.verb != "choose"]
        verb = chance.choice(sorted({move.verb for move in moves}))
        move = chance.choice([move for move in moves if move.verb == verb])
        full.play(move)
        if full.table.first_complete or full.table.phase == "over":
            return count
        for text in say_again(before, [move.verb, *move.args], full.table):
            light.play(text)
        if move.verb in _OF_CITIES:
            settle(light, full.table)
        if full.table.phase == "turn":
            assert facts(light.table) == facts(full.table), (head, move.text)
    return MOST_MOVES
