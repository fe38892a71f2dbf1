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

from companion.game.before_end import SEVERAL
from companion.log import records
from companion.phones.table import PhoneTable
from engine.moves import Move
from engine.record import Record
from engine.referee import Referee
from tests.bench.measuring import figure
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
        self.phones.attend(self.conversation)
        self.is_told = is_told
        self.turns = self.touches = 0
        self.builds: list[tuple[int, int, str]] = []

    def play(self, game: Record) -> None:
        """Play the whole game; moves outside turns are made without counting."""
        self.builds = list_builds(game)
        for place, text in enumerate(game.moves):
            move = self.session.referee.read(text)
            if move not in self.session.referee.list_legal_moves():
                continue  # a forced step has already made it
            turn = self.session.view.turn
            if turn is None or self.session.view.questions:
                self.conversation.play(move)
            else:
                self._tell(turn.seat, place)
                if not self._take_two(turn.seat, move, game.moves[place + 1 :]):
                    self._count(move)
            self.turns += turn is None and self.session.view.turn is not None

    def _tell(self, seat: int, place: int) -> None:
        """Tell what this player builds next in the record, if it is not told yet."""
        hand = self.session.notebook.of(seat)
        room = self.session.view.seats[seat].hand > len(hand.told)
        later = (district for at, who, district in self.builds if who == seat and at >= place)
        district = next(later, None)
        if self.is_told and room and district and district not in hand.told:
            self.session.tell_hand(seat, "add", district)

    def _take_two(self, seat: int, move: Move, later: Sequence[str]) -> bool:
        """Touch the one row for this move and the next one, if the player builds next or ends the
        turn; whether there was one."""
        if move.verb not in ("gold", "income", "bonus") or not later:
            return False
        following = self.session.referee.read(later[0])
        word = f"{SEVERAL} {move.text}; {following.text}"
        rows = self._talk(seat, False).asked.offer.rows
        for at, row in enumerate(rows):
            if row.word == word:
                self.phones.take(seat, at, self.phones.page(seat, "fr").moment, "fr")
                self.touches += 1
                return True
        return False

    def _count(self, move: Move) -> None:
        for seat, as_caller, row, moment in self.find_touches(move):
            self.phones.take(seat, row, moment, "fr", as_caller=as_caller)
            self.touches += 1


def list_builds(game: Record) -> list[tuple[int, int, str]]:
    """What is built in the record: the index of the move, the seat, the district."""
    referee = Referee(game.start)
    matches = []
    for place, text in enumerate(game.moves):
        table, move = referee.table, referee.play(text)
        if move.verb == "build":
            matches.append((place, table.playing.seat, move.args[0]))
    return matches


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
        goal = f"at most {GOAL}" if is_told else "as before"
        figure(f"a turn {what} a told hand", measure(is_told=is_told), "touches", goal)


if __name__ == "__main__":
    main()
