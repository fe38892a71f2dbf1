"""Count what the voice says in whole golden games: utterances and seconds per turn.

The games are played as at a table, with forced steps. Seconds are those of espeak-ng at its default
speed, measured from its audio, with the pauses of the settings; omitted without espeak-ng.

    python tests/bench/bench_voice.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import wave
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.game.playing import Playing
from companion.game.session import Session
from companion.log import records
from companion.log.store import Store
from companion.settings import config
from companion.voice import script
from companion.voice.script import make_speakable
from engine.moves import Move
from engine.table import Table
from tests.bench.bench_inputs import GAMES, list_played

UTTERANCES, SECONDS = 3.5, 8
RECORDS = (
    *("two_players", "whole_game", "secret_game", "seven_players"),
    *("editions/accessible_fr", "editions/classic_2016"),
    "editions/deluxe_2016.devious_dignitaries",
)


class Listener:
    """Records what the voice would say to the table."""

    def __init__(self) -> None:
        self.lines: list[script.ScriptLine] = []
        self._told: list[list[script.ScriptLine]] = []

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        self._told.append(script.tell(before, move, after))

    def tell_settled(self) -> None:
        self.lines += script.join(self._told)
        self._told.clear()

    def tell_undo(self, answer: Sequence[str], view: Table) -> None:
        raise AssertionError("nothing is undone here")

    def tell_refusal(self, view: Table, move: Move) -> None:
        raise AssertionError(f"{move} is refused")


@lru_cache(maxsize=4096)
def seconds(text: str) -> float:
    """How long espeak-ng takes to speak the text."""
    sound = subprocess.run(["espeak-ng", "--stdout", text], capture_output=True, check=True).stdout
    with wave.open(BytesIO(sound)) as result:
        # espeak-ng writes to a pipe before it knows the length, so it is not in the header
        return (len(sound) - 44) / (result.getframerate() * result.getsampwidth())


def play(path: Path) -> tuple[list[script.ScriptLine], int]:
    """What is said in that game, and its number of turns."""
    record = records.read(str(path)).record
    listener = Listener()
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.sqlite3") as store:
        session = Session.begin(store, record.setup)
        session.listeners.append(listener)
        playing = Playing(session, with_forced=True)
        # Without the incomes of nothing: a turn with no more than that left has ended.
        moves = list(list_played(record))
        while (place := len(session.referee.moves)) < len(moves):
            playing.play(moves[place])
        turns = sum(move.verb == "reveal" for move in session.referee.moves)
        session.close()
    return listener.lines, turns


def main() -> int:
    """Print the figures of each game."""
    pause = config.load(env={}).voice.pause
    for name in sys.argv[1:] or RECORDS:
        lines, turns = play(GAMES / f"{name}.yaml")
        print(f"{name}, utterances a turn  {len(lines) / turns:.2f}  (goal at most {UTTERANCES})")
        if shutil.which("espeak-ng"):
            answer = sum(seconds(make_speakable(line.text)) + line.pauses * pause for line in lines)
            print(f"{name}, seconds a turn  {answer / turns:.2f} s  (goal at most {SECONDS})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
