"""How many keys, chips and touches a turn takes, counted over whole recorded games: that does not
depend on the machine."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.log import records
from companion.phones.phone_table import PhoneTable
from engine.moves import Move
from engine.record import Record
from tests.companion.counting_inputs import (
    GAMES,
    find_run,
    is_same,
    list_played,
    play,
    sort_like,
)
from tests.companion.phoning import Touching
from tests.companion.talking import Talk

MOST = {"keys": (4.17, 2.1), "touches": (3.38, 2.1)}
"""Keys and chips a turn, and around it: cards face up, calls, who answers. No change may make a
turn longer."""

TWO = ("whole_game", "secret_game")
MOST_IN_ALL = 6.27
"""Keys a turn with everything around it."""

MOST_UNTOLD = 3.79
"""Touches a turn on the phones over two games: what the player touches after showing the character,
up to the end of the turn; steps that are forced are played without a touch."""


class Counted(Touching, Talk):
    """A game of which every move in a turn is made by touches, which are counted."""

    def __init__(self, folder: Path, game: Record) -> None:
        super().__init__(folder, game.setup)
        self.phones = PhoneTable(lambda: None)
        self.phones.follow(self.conversation)
        self.turns = self.touches = 0

    def play(self, game: Record) -> None:
        """Play the whole game; moves outside turns are made without counting. What a turn gives may
        be taken in another order than recorded."""
        moves, place = list_played(game), 0
        while place < len(moves):
            move, turn = moves[place], self.session.view.turn
            if turn is None or self.session.view.questions:
                self.conversation.play(move)
            else:
                if not self._take_several(turn.seat, moves[place:]):
                    self._count(move)
            games = self.session.referee.moves
            assert len(games) > place, f"{move} is not played"
            moves[place : len(games)] = sort_like(games[place:], moves[place : len(games)])
            assert all(map(is_same, moves, games)), f"another game after {move}"
            place = len(games)
        self.turns = sum(move.verb == "reveal" for move in self.session.referee.moves)

    def _take_several(self, seat: int, moves: Sequence[Move]) -> bool:
        """Touch the row that makes the most of the next moves; whether there is one."""
        talk = self._talk(seat, False)
        row, _count = find_run(talk, moves)
        if row is None:
            return False
        place = talk.asked.offer.rows.index(row)
        self.phones.take(seat, place, self.phones.page(seat, "fr").moment, "fr")
        self.touches += 1
        return True

    def _count(self, move: Move) -> None:
        for seat, as_caller, row, moment in self.find_touches(move):
            self.phones.take(seat, row, moment, "fr", as_caller=as_caller)
            self.touches += 1


def count_touches(names: Sequence[str]) -> float:
    """The touches a turn over these games, without a told hand."""
    touches = turns = 0
    for name in names:
        game = records.read(str(GAMES / f"{name}.yaml")).record
        with tempfile.TemporaryDirectory() as folder:
            tally = Counted(Path(folder), game)
            tally.play(game)
            touches, turns = touches + tally.touches, turns + tally.turns
    return touches / turns


@pytest.mark.parametrize("how", MOST)
def test_a_turn_takes_no_more_keys_or_chips_than_it_did(how: str) -> None:
    cost, turns = play(GAMES / "whole_game.yaml", how)
    in_turn, around = MOST[how]
    assert cost["turns"] / turns <= in_turn
    assert cost["round"] / turns <= around
    assert how != "keys" or cost.total() / turns <= MOST_IN_ALL


def test_a_turn_without_a_told_hand_takes_no_more_touches_than_it_did() -> None:
    assert count_touches(TWO) <= MOST_UNTOLD
