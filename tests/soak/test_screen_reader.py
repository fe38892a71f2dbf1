"""What Orca says of a round, in lines at a terminal and on a phone in Firefox."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.rigs.desk import Desk
from tests.rigs.voice import Voice
from tests.serving.engines import STILL, Firefox, WebDriverTab
from tests.serving.hosting import Hosting
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


OTHERS = (
    ("Kurt", "call", "Everybody has chosen. 1 Assassin."),
    ("Kurt", "reveal Anna", "Anna is the Assassin."),
    ("Anna", "kill king", "Anna murders the King."),
    ("Anna", "gold", "Anna takes 2 gold."),
    ("Anna", "build temple", "Anna builds the Temple for 1 gold."),
    ("Anna", "end", "Anna ends the turn. The Thief: that's you! Show your card."),
)
"""What others do, and all that Ben's phone then says."""
OWN = (
    ("Show yourself", "Gold or cards?"),
    ("Rob a character", "Who do you rob?"),
    ("Magician", "Gold or cards? Ben will rob the Magician."),
    ("Take 2 gold", "Build or end? Ben takes 2 gold. 4 gold."),
    (
        "Watchtower, 1",
        "Rank 3. Who is the Magician? Ben builds the Watchtower for 1 gold. 3 gold.",
    ),
)
"""The buttons that Ben presses, and all that is then said."""
SEND = """async (path, fields) => (await fetch(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(fields),
})).status"""
FOCUS = """(text) => {
  const button = [...document.querySelectorAll("main button")].find((one) =>
    one.textContent.includes(text) && one.checkVisibility());
  button?.focus();
  return !!button;
}"""


@pytest.mark.needs("Firefox")
def test_a_round_on_a_phone(orca: Orca, tmp_path: Path) -> None:
    def hear(do: Callable[[], object], said: str) -> None:
        orca.voice.said.clear()
        do()
        orca.says(said)
        assert orca.voice.tell().count(said) == 1

    def press(text: str) -> None:
        tab.wait(STILL)
        tab.wait(FOCUS, text)
        orca.says("push button.")
        orca.voice.said.clear()
        orca.desk.press("Return")

    with ExitStack() as stack:
        host = stack.enter_context(Hosting())
        keys = {name: host.join(seat) for seat, name in enumerate(("Anna", "Kurt", "Ashley"), 1)}

        def move(name: str, what: str) -> None:
            status, answer = host.ask("api/moves", keys[name], move=what)
            assert status == 200, answer

        tab = Firefox(stack, tmp_path, **orca.desk.variables).open()
        assert isinstance(tab, WebDriverTab)
        tab.driver.ask("SwitchToWindow", handle=tab.window, focus=True)
        tab.go(host.url)
        assert tab.run(SEND, "/api/join", {"code": host.code, "seat": 4}) == 200
        move("Kurt", "faceup bishop merchant")
        for name, card in (("Anna", "assassin"), ("Kurt", "king"), ("Ashley", "warlord")):
            move(name, f"choose {name} {card}")
        assert tab.run(SEND, "/api/moves", {"move": "choose Ben thief"}) == 200
        tab.go(f"{host.url}seat")
        wait_until(lambda: "Skip to the content" in orca.voice.tell(), seen=orca.voice.tell)
        orca.desk.press("Control_L")  # it would read the whole page
        for name, what, said in OTHERS:
            hear(partial(move, name, what), said)
        for text, said in OWN:
            hear(partial(press, text), said)
        undone = "The last move was undone. Your turn. End the turn?"
        hear(partial(move, "Kurt", "undo"), undone)
