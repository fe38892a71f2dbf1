"""Measure keys late in the evening, with seven players and a log of 2,000 moves, against a key of
the smallest Textual app: thirty texts, of which a key changes one, or hides ten for a key that lays
the screen out again, as the large call does.

Both run in pseudo terminals, and their keys are pressed in turn. A key costs the CPU time until the
program is at rest again.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.game.session import Session
from companion.language import list_offered
from companion.log.store import Store
from engine import record
from tests.bench.measuring import BIN, SHORT, Terminal, compile_ours, figure, ratio, show_spread

NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoe", "Li", "Max"]
BIGGEST_CITY = 4  # nobody builds more, so that the game continues

SMALLEST = """
from textual.app import App
from textual.widgets import Static
class Smallest(App):
    BINDINGS = [("a", "show('first')"), ("b", "show('second')"), ("c", "hide")]
    CSS = ".hiding .optional { display: none; }"
    def compose(self):
        for number in range(30):
            kind = "optional" if number >= 20 else ""
            yield Static(f"line {number}", id=f"line{number}", classes=kind)
    def action_show(self, text):
        self.query_one("#line5", Static).update(f"the {text}")
    def action_hide(self):
        self.screen.toggle_class("hiding")
Smallest().run()
"""
ONE_TEXT = [("a", "the first"), ("b", "the second")]
TEN_TEXTS = [("c", "line 19"), ("c", "line 20")]


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


PICKER = "\x1b[21~"  # F10
RUSSIAN = str(list_offered().index("ru") + 1)
STEPS = {
    "undo and redo": [("u", "Undone"), ("r", "Redone")],
    "the scores, and back": [("s", "The scores so far"), ("q", "Choose")],
    "Russian, and back": [
        *((PICKER, "English"), (RUSSIAN, "Ассасин")),
        *((PICKER, "English"), ("1", "Assassin")),
    ],
    "the large call, and back": [("z", "██"), ("z", "Choose")],
}
"""Keys with the words that they paint."""
LAYS_OUT = {"the large call, and back"}
"""What changes which parts there are and how large; the other keys change texts."""
FLOOR = 5.0
REST = 0.12  # seconds until the work after a key is over


class Presser:
    """Presses keys in one terminal; `costs` in milliseconds."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.costs: list[float] = []

    def press(self, key: str, words: str) -> None:
        """Press the key and wait for its words, and until the program is at rest."""
        before = self.terminal.spent()
        self.terminal.press(key, words)
        self.terminal.let_run(REST)
        self.costs.append(self.terminal.spent() - before)


def press_in_turn(
    ours: Terminal, smallest: Terminal, what: str, times: int
) -> tuple[Presser, Presser]:
    """Press its steps `times` times, each followed by one of the yardstick's keys of its kind."""
    pressers = (Presser(ours), Presser(smallest))
    steps = STEPS[what]
    others = itertools.cycle(TEN_TEXTS if what in LAYS_OUT else ONE_TEXT)
    for step in steps * times:
        pressers[0].press(*step)
        pressers[1].press(*next(others))
    return pressers


def compare(own: Presser, other: Presser, keys: int) -> float:
    """The mean of the median ratios of that many keys pressed in turn. What opens costs more than
    what closes: a median of both together would be now the one, now the other."""
    return statistics.mean(
        ratio(own.costs[key::keys], other.costs[key::keys]) for key in range(keys)
    )


def main() -> None:
    """Play the game, press keys and print the figures."""
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        evening(folder, 300 if SHORT else 2000)
        words = [str(BIN / "companion"), "play", "--resume", "--reader", "none"]
        env = {"COMPANION_DATA": folder}
        with Terminal(words, env) as ours, Terminal([sys.executable, "-c", SMALLEST]) as smallest:
            ours.wait_for("Gold or cards?", patience=60)
            ours.let_run(2.0)
            smallest.let_run(0.5)
            for what, steps in STEPS.items():
                press_in_turn(ours, smallest, what, 1)
                own, other = press_in_turn(ours, smallest, what, 6 if SHORT else 15)
                print(f"{what}: CPU {show_spread(own.costs)} ms")
                figure(f"key: {what}, CPU", compare(own, other, len(steps)), FLOOR)


if __name__ == "__main__":
    main()
