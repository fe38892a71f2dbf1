"""Count the touches of a turn on phones over the recorded games: with a told hand, and without one.

    python tests/bench/bench_touches.py

A turn is what its player touches after they have shown the character, up to the end of the turn;
steps that are forced are played without a touch.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.log import records
from companion.phones.phone_table import PhoneTable
from engine.moves import Move
from engine.record import Record
from engine.referee import Referee
from tests.bench.bench_inputs import find_run, is_same, list_played, sort_like
from tests.companion.phoning import Touching
from tests.companion.talking import Talk

FOLDER = Path(__file__).parents[1] / "games"
GAMES = ("whole_game", "secret_game", "seven_players", "three_players", "two_players")
GOAL = 2.5  # touches a turn with a told hand


class Counted(Touching, Talk):
    """A game of which every move in a turn is made by touches, which are counted."""

    def __init__(self, folder: Path, game: Record, *, is_told: bool) -> None:
        super().__init__(folder, game.setup)
        self.phones = PhoneTable(lambda: None)
        self.phones.follow(self.conversation)
        self.is_told = is_told
        self.turns = self.touches = 0
        self.builds: list[tuple[int, int, str]] = []

    def play(self, game: Record) -> None:
        """Play the whole game; moves outside turns are made without counting. What a turn gives may
        be taken in another order than recorded."""
        moves, place = list_played(game), 0
        self.builds = list_builds(game, moves)
        while place < len(moves):
            move, turn = moves[place], self.session.view.turn
            if turn is None or self.session.view.questions:
                self.conversation.play(move)
            else:
                self._tell(turn.seat, place)
                if not self._take_several(turn.seat, moves[place:]):
                    self._count(move)
            games = self.session.referee.moves
            assert len(games) > place, f"{move} is not played"
            moves[place : len(games)] = sort_like(games[place:], moves[place : len(games)])
            assert all(map(is_same, moves, games)), f"another game after {move}"
            place = len(games)
        self.turns = sum(move.verb == "reveal" for move in self.session.referee.moves)

    def _tell(self, seat: int, place: int) -> None:
        """Tell what this player builds next in the record, if it is not told yet."""
        hand = self.session.notebook.of(seat)
        room = self.session.view.seats[seat].hand > len(hand.told)
        later = (district for at, who, district in self.builds if who == seat and at >= place)
        district = next(later, None)
        if self.is_told and room and district and district not in hand.told:
            self.session.tell_hand(seat, "add", district)

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


def list_builds(game: Record, moves: Sequence[Move]) -> list[tuple[int, int, str]]:
    """What these moves of the game build: the index of the move, the seat, the district."""
    referee = Referee(game.start)
    builds = []
    for place, move in enumerate(moves):
        table = referee.table
        referee.play(move)
        if move.verb == "build":
            builds.append((place, table.playing.seat, move.args[0]))
    return builds


def measure(games: Sequence[str] = GAMES, *, is_told: bool) -> float:
    """The touches a turn over these games."""
    touches = turns = 0
    for name in games:
        game = records.read(str(FOLDER / f"{name}.yaml")).record
        with tempfile.TemporaryDirectory() as folder:
            tally = Counted(Path(folder), game, is_told=is_told)
            tally.play(game)
            touches, turns = touches + tally.touches, turns + tally.turns
    return touches / turns


def main() -> None:
    """Print both figures."""
    for is_told in (False, True):
        what = "with" if is_told else "without"
        print(f"a turn {what} a told hand: {measure(is_told=is_told):.2f} touches")


if __name__ == "__main__":
    main()
