"""Lines at a terminal as brltty shows them on a display of 40 cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.rigs import unseen
from tests.rigs.desk import Desk
from tests.rigs.ports import find_port
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.needs("brltty")]

ROUND = (
    ("", "Kurt. Discard 2 characters face up."),
    ("faceup bishop merchant", "Has everybody chosen?"),
    ("call", "Rank 1. Who is the Assassin?"),
    ("reveal Anna", "Anna. Gold or cards?"),
    ("kill king", "Gold or cards?"),
    ("gold", "Anna. Build or end?"),
    ("build temple", "Rank 2. Who is the Thief?"),
)
"""What is typed, and what the display then shows by itself."""
BRLTTY = (
    *("brltty", "--no-daemon", "--environment-variables", "--no-api", "--quiet"),
    *("--braille-driver=vr", "--screen-driver=a2", "--speech-driver=no"),
    *("--text-table=en-nabcc", "--configuration-file=/dev/null"),
)


class Display:
    """The display, and the keyboard below it."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.seen = [""]
        self.desk = Desk(stack, folder)
        port = find_port()
        braille = (
            *BRLTTY,
            f"--pid-file={folder / 'brltty.pid'}",
            f"--braille-device=server:127.0.0.1:{port}",
        )
        closing = stack.enter_context(ExitStack())  # after the display has ended
        ready = self.desk.open_windows()
        self.desk.start(*braille)
        link = closing.enter_context(unseen.connect(port))
        link.settimeout(None)
        self.told = closing.enter_context(link.makefile("rw", encoding="utf-8"))
        self.press("cells 40")
        listener = Thread(target=self._read, daemon=True)
        listener.start()
        closing.callback(listener.join, PATIENCE)
        # a window that is opened earlier has no focus, or none that brltty has heard of
        wait_until(lambda: ready.exists() and "not an AT-SPI2 text widget" in self.seen)
        self.desk.play_in_lines()

    def _read(self) -> None:
        with suppress(ConnectionResetError):  # it ends with keys that it has not read
            for line in self.told:
                if match := re.match(r'Visual "(.*)"', line):
                    self.seen.append(match[1].rstrip())

    def press(self, key: str) -> None:
        """Press a key of the display."""
        self.told.write(f"{key}\n")
        self.told.flush()

    def shows(self, text: str) -> None:
        """Wait until that is all that the display shows."""
        wait_until(lambda: self.seen[-1] == text)

    def shows_above(self, text: str) -> None:
        """Wait until the line above the question is that, as far as the display reaches."""

        def was_seen() -> bool:
            self.press("HOME")
            self.press("LNUP")
            return text in self.seen

        wait_until(was_seen, every=0.5)


@pytest.fixture
def display(home: Path, tmp_path: Path) -> Iterator[Display]:
    with ExitStack() as stack:
        yield Display(stack, tmp_path)


def test_every_question_stands_where_the_display_looks(display: Display) -> None:
    for typed, question in ROUND:
        if typed:
            display.desk.type(typed)
        display.shows(question)
    display.desk.type("gold")
    display.shows_above("Rank 2 is being called: first say who is")
