"""Count the touches of a turn on phones over the recorded games: with a told hand, and without one.

    python tests/bench/bench_touches.py

A turn is what its player touches after they have shown the character, up to the end of the turn;
steps that are forced are played without a touch.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from companion.log import records
from companion.phones.table import PhoneTable
from engine.moves import Move
from engine.record import Record
from tests.bench.measuring import figure
from tests.companion.phoning import Touching
from tests.companion.talking import Talk

GAMES = ("whole_game", "secret_game", "seven_players", "three_players", "two_players")
GOAL = 2.5  # touches a turn with a told hand


class Counted(Touching, Talk):
    """A game of which every move in a turn is made by touches, which are counted."""

    def __init__(self, folder: Path, game: Record, *, is_told: bool) -> None:
        super().__init__(folder, game.setup)
        self.phones = PhoneTable(lambda: None)
        self.phones.attend(self.conversation)
        self.is_told = is_told
        self.turns = self.touches = 0

    def play(self, game: Record) -> None:
        """Play the whole game; moves outside turns are made without counting."""
        for text in game.moves:
            move = self.session.referee.read(text)
            if move not in self.session.referee.list_legal_moves():
                continue  # a forced step has already made it
            turn = self.session.view.turn
            if turn is None or self.session.view.questions:
                self.conversation.play(move)
            else:
                self._tell(turn.seat, move)
                self._count(move)
            self.turns += turn is None and self.session.view.turn is not None

    def _tell(self, seat: int, move: Move) -> None:
        """What is built was told before, once for each card."""
        hand = self.session.notebook.of(seat)
        room = self.session.view.seats[seat].hand > len(hand.told)
        if self.is_told and move.verb == "build" and move.args[0] not in hand.told and room:
            self.session.tell_hand(seat, "add", move.args[0])

    def _count(self, move: Move) -> None:
        for seat, as_caller, row, moment in self.find_touches(move):
            self.phones.take(seat, row, moment, "fr", as_caller=as_caller)
            self.touches += 1


def measure(*, is_told: bool) -> float:
    """The touches a turn over all games."""
    touches = turns = 0
    for name in GAMES:
        game = records.read(str(ROOT / "tests" / "games" / f"{name}.yaml")).record
        with tempfile.TemporaryDirectory() as folder:
            counted = Counted(Path(folder), game, is_told=is_told)
            counted.play(game)
            touches, turns = touches + counted.touches, turns + counted.turns
    return touches / turns


def main() -> None:
    """Print both figures."""
    for is_told in (False, True):
        what = "with" if is_told else "without"
        print(f"touches a turn {what} a told hand: {measure(is_told=is_told):.2f}")


if __name__ == "__main__":
    main()
