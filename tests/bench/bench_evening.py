"""Measure the full screen late in the evening: seven players and a log of 2,000 moves.

The caller runs in a pseudo terminal on a game of that length. Keys are pressed at random moments;
times are from the key press until the terminal has the words of its effect: undo, redo, a sheet,
another language.

    python tests/bench/bench_evening.py [--presses 60] [--moves 2000]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.game.session import Session
from companion.log.store import Store
from engine import record
from tests.bench.measuring import BIN, Terminal, compile_ours, figure, percentile, show_spread

NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoe", "Li", "Max"]
BIGGEST_CITY = 4  # nobody builds more, so that the game continues


def gathers(session: Session) -> bool:
    """Whether a player is gathering now: then letters are keys, not a name search."""
    return any(move.verb == "gold" for move in session.legal())


def evening(folder: str, moves: int) -> None:
    """Play a game of `moves` moves into the store in that folder, up to the start of a turn."""
    chance = random.Random(1)
    with Store(str(Path(folder) / "games.sqlite3")) as store:
        setup = record.read_setup({"edition": "classic_2016", "players": NAMES, "crown": "Kurt"})
        session = Session.begin(store, setup)
        while len(session.referee.moves) < moves or not gathers(session):
            legal = [move for move in session.legal() if move.verb not in ("choose", "destroy")]
            turn = session.view.turn
            if turn is not None and session.view.seats[turn.seat].city.size >= BIGGEST_CITY:
                legal = [move for move in legal if move.verb != "build"]
            session.play(chance.choice(legal))
        session.close()


def measure_presses(terminal: Terminal, steps: list[tuple[str, str]], number: int) -> list[float]:
    """Milliseconds from each key press to its painted words, repeating the steps `number` times."""
    chance = random.Random(2)
    found = []
    for _ in range(number):
        for key, words in steps:
            terminal.let_run(chance.uniform(0.1, 0.2))
            found.append(1000 * terminal.press(key, words))
    return found


PICKER = "\x1b[21~"  # F10
STEPS = {
    "taking a move back and playing it again": [("u", "Undone"), ("r", "Redone")],
    "opening the scores and closing them": [("s", "The scores so far"), ("q", "You can")],
    "switching to Russian and back": [
        *((PICKER, "English"), ("4", "Ассасин")),
        *((PICKER, "English"), ("1", "Assassin")),
    ],
    "the large call and back": [("z", "██"), ("z", "You can")],
}


def main() -> None:
    """Play the game, press keys and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--presses", type=int, default=40, help="times that each step is done")
    options.add_argument("--moves", type=int, default=2000, help="moves in the log")
    given = options.parse_args()
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        evening(folder, given.moves)
        words = [str(BIN / "companion"), "play", "--resume", "--reader", "none"]
        with Terminal(
            words, {"COMPANION_DATA": folder, "COMPANION_ANIMATION": "false"}
        ) as terminal:
            terminal.wait_for("Gold or cards?", patience=60)
            terminal.let_run(2.0)
            for what, steps in STEPS.items():
                found = measure_presses(terminal, steps, given.presses)
                print(f"{what}: {show_spread(found)} ms")
                figure(f"{what}, 95 of 100 within", percentile(found, 95), "ms", "under 50")


if __name__ == "__main__":
    main()
