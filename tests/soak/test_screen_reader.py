"""What Orca says of a round, in lines at a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.rigs.desk import Desk
from tests.rigs.voice import Voice
from tests.waiting import wait_until

pytestmark = [pytest.mark.soak, pytest.mark.needs("Orca"), pytest.mark.timeout(1200)]

SETTINGS = """import orca.settings
orca.settings.enableKeyEcho = False
"""


class Orca:
    """A desk with Orca, and what it says."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.voice = Voice(stack)
        self.desk = Desk(stack, folder)
        programs = folder / "bin"
        preferences = folder / "orca"
        for one in (programs, preferences):
            one.mkdir()
        (programs / "pgrep").write_text("#!/bin/sh\nexit 1\n")  # it would not start beside another
        (programs / "pgrep").chmod(0o755)
        (preferences / "orca-customizations.py").write_text(SETTINGS)
        self.desk.variables |= {
            "SPEECHD_ADDRESS": self.voice.address,
            "GNOME_ACCESSIBILITY": "1",
            "PATH": f"{programs}:{os.environ['PATH']}",
        }
        ready = self.desk.open_windows()
        wait_until(ready.exists)
        self.desk.start("orca", f"--user-prefs={preferences}")
        self.says("Screen reader on.")

    def says(self, text: str) -> None:
        """Wait until that is the last that it has said."""
        wait_until(lambda: self.voice.tell().endswith(text), seen=self.voice.tell)


@pytest.fixture
def orca(home: Path, tmp_path: Path) -> Iterator[Orca]:
    with ExitStack() as stack:
        yield Orca(stack, tmp_path)


LINES = (
    ("faceup bishop merchant", "Has everybody chosen?"),
    ("call", "Rank 1. Who is the Assassin?"),
    ("reveal Anna", "Anna. Gold or cards?"),
    ("kill king", "Anna murders the King. Gold or cards?"),
    ("gold", "Anna. Build or end?"),
    ("build temple", "Anna builds the Temple. Rank 2. Who is the Thief?"),
    (
        "cards",
        "Rank 2 is being called: first say who is the Thief, or that nobody is."
        " Rank 2. Who is the Thief?",
    ),
    ("moves", "2: Kurt 3: Ashley 4: Ben 9: Nobody answers Rank 2. Who is the Thief?"),
)
"""What is typed, and all that is then said, after the echo of what is typed."""


def test_a_round_in_lines(orca: Orca) -> None:
    orca.desk.play_in_lines()
    orca.says("Discard 2 characters face up.")
    for typed, said in LINES:
        orca.voice.said.clear()
        orca.desk.type(typed)
        orca.says(said)
        assert orca.voice.tell().count(said) == 1
