"""Count the line caller's output: lines and words per turn over whole games, for a player using
only the keypad and for one typing moves.

Golden games of 2, 4 and 7 players go through the line caller as at a terminal, with one number or
one typed line for each move; forced moves are played automatically. All output counts, including
questions. Each figure is shown beside that of commit d3d7b4b for the same moves.

    python tests/bench/bench_lines.py [GAME ...]
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.game import Row
from companion.game.conversation import Conversation
from companion.game.modes import MODES
from companion.game.picks import find_type_number, number_districts
from companion.game.session import Session
from companion.log import records
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from engine.moves import Move
from tests.bench.bench_inputs import GAMES, _leads_to, find_run, is_same, list_played, sort_like

GOALS = {"keypad": (12, 70), "typed": (5, 40)}
BEFORE = {
    ("two_players", "keypad"): (40.4, 226.0),
    ("two_players", "typed"): (13.2, 80.4),
    ("whole_game", "keypad"): (71.8, 421.2),
    ("whole_game", "typed"): (16.9, 110.8),
    ("seven_players", "keypad"): (48.9, 293.7),
    ("seven_players", "typed"): (12.1, 80.8),
}
"""Lines and words per turn in commit d3d7b4b, whose keypad listed the choices of each move
first."""


class Heard(NamedTuple):
    """The output of a game."""

    lines: list[str]
    turns: int

    @property
    def lines_a_turn(self) -> float:
        return len(self.lines) / self.turns

    @property
    def words_a_turn(self) -> float:
        return sum(len(line.split()) for line in self.lines) / self.turns


def play(path: Path, how: str) -> Heard:
    """Play that record by `keypad` or `words_typed`; returns the output from the first move on."""
    record = records.read(str(path)).record
    moves = list_played(record)
    with tempfile.TemporaryDirectory() as folder:
        config = settings.load({**os.environ, "COMPANION_DATA": folder, "COMPANION_READER": "none"})
        with Store(config.games) as store:
            session = Session.begin(store, record.setup)
            caller = Caller(session, store, config, Inbox())
            caller.talk = Conversation(session, caller, MODES)  # as at a terminal
            string_io = io.StringIO()
            with contextlib.redirect_stdout(string_io):
                while (place := len(session.referee.moves)) < len(moves):
                    _make(caller, moves[place:], by_numbers=how == "keypad")
                    games = session.referee.moves
                    moves[place : len(games)] = sort_like(games[place:], moves[place : len(games)])
                    if not all(map(is_same, moves, games)):
                        raise AssertionError(f"{path.name}: {session.referee.moves[-1]}")
            session.close()
    return Heard(string_io.getvalue().splitlines(), sum(move.verb == "reveal" for move in moves))


def _make(caller: Caller, following: Sequence[Move], *, by_numbers: bool) -> None:
    """Make the first of these moves, or as many as one row makes, with the fewest lines."""
    before = len(caller.session.referee.moves)
    row, count = find_run(caller.talk, following)
    move = following[0]
    if row is not None and count > 1:
        if _must_be_heard(caller, row):
            caller.answer(str(find_type_number(caller.talk.view.rules.districts[row.card].type)))
        caller.answer(str(row.number))
    elif not by_numbers:
        caller.answer(move.text)
    while len(caller.session.referee.moves) == before:
        rows = caller.talk.asked.offer.rows
        row = next(row for row in rows if _leads_to(caller.talk, row, move))
        if _must_be_heard(caller, row):
            caller.answer(str(find_type_number(caller.talk.view.rules.districts[row.card].type)))
        else:
            caller.answer(str(row.number))


def _must_be_heard(caller: Caller, row: Row) -> bool:
    """Whether nobody can know the number before a list is heard: a district of the box, whose type
    is on the card. Seats, ranks, amounts and verbs have numbers that do not change; the districts
    of a city are listed unasked."""
    view, offer = caller.talk.view, caller.talk.asked.offer
    is_of_box = row.number == number_districts(view.rules).get(row.card)
    return is_of_box and not offer.type_digit


def main() -> int:
    """Print the figures of each game; 1 if one exceeds its limit."""
    most = 0.0
    for name in sys.argv[1:] or ["two_players", "whole_game", "seven_players"]:
        for how, (lines, words) in GOALS.items():
            answer = play(GAMES / f"{name}.yaml", how)
            before = BEFORE.get((name, how), (0, 0))
            match = (answer.lines_a_turn, answer.words_a_turn)
            for what, value, goal, was in zip(
                ("lines", "words"), match, (lines, words), before, strict=True
            ):
                most = max(most, value / goal)
                print(f"{name}, {how}: {value:.2f} {what} a turn (goal {goal}, before {was})")
    return int(most > 1)


if __name__ == "__main__":
    sys.exit(main())
