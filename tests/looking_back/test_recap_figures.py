"""An independent count of a recap's figures from the record, using the bookkeeper of the engine's
tests, without the engine or the history code."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from companion.extensions.looking_back import recap
from companion.log import records
from engine import record
from engine.referee import Referee
from tests.bench.many_games import play_setup
from tests.engine.bookkeeping import Bookkeeper, scores
from tests.engine.bookkeeping.books import Books
from tests.engine.boxes import EDITIONS, random_setup
from tests.sizes import pick_size

STRIKES = ("destroy", "seize", "exchange")


def totals(b: Books) -> list[int]:
    """Everybody's points for the current cities."""
    return [sum(scores.points(b, seat).values()) for seat in range(len(b.players))]


class Recounted:
    """The expected recap of a finished game."""

    def __init__(self, head: dict[str, Any], moves: list[str]) -> None:
        keeper = Bookkeeper(head)
        self.books = b = keeper.books
        self.rounds: list[tuple[int, list[int], list[int]]] = []
        self.murders: list[tuple[int, str]] = []
        self.strikes: list[tuple[int, str, str, int]] = []
        for text in moves:
            number, before, name = b.round, totals(b), b.killed
            verb, *words = shlex.split(text)
            keeper.play(text)
            if b.killed and b.killed != name:
                self.murders.append((number, b.killed))
            if verb in STRIKES:
                victim, district = words[1:3] if verb == "exchange" else words[:2]
                if verb == "exchange" and victim in ("plain", "decorated", "under"):
                    victim, district = words[2:4]
                seat = b.seats[victim]
                count = before[seat] - totals(b)[seat]
                self.strikes.append((number, b.players[seat].name, district, count))
            if b.round > number:
                self._end(number)
        self._end(b.round)

    def _end(self, number: int) -> None:
        gold = [player.gold for player in self.books.players]
        self.rounds.append((number, totals(self.books), gold))


@pytest.mark.sweep
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_games_of_every_box_are_counted_as_by_the_bookkeeper(edition: str) -> None:
    for seed in range(pick_size(2, 4, 200)):
        game = play_setup(random_setup(edition, f"recap {seed}"), seed)
        target = Recounted(game.setup, game.moves)
        referee = records.play(record.read({**game.setup, "moves": game.moves})).referee
        results = recap.data(recap.look_back(referee))
        assert [
            (look["round"], [*look["points"].values()], [*look["gold"].values()])
            for look in results["rounds"]
        ] == target.rounds
        marks = results["marks"]
        assert [(m["round"], m["card"]) for m in marks if m["kind"] == "kill"] == target.murders
        strikes = [
            (m["round"], m["victim"], m["card"], m["points"])
            for m in marks
            if m["kind"] in ("destroy", "take") and m["as"] in game_cast(referee)
        ]
        assert strikes == target.strikes


def game_cast(referee: Referee) -> tuple[str, ...]:
    """The game's characters: for their actions, not those of districts."""
    return tuple(referee.table.rules.cast)
