"""The demonstration from the started command: lines, a terminal, any key, nothing left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import _time

from companion.app.demo_app import DemoApp
from companion.commands import load_settings
from companion.commands.demo import run
from companion.game.demonstration import Demonstration, open_demo_store, read_demo
from tests.app.driving import screen_text, send_key
from tests.companion.listening import companion, complaints
from tests.end_to_end.tmux import Terminal
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to read what is told."""
    monkeypatch.setattr(Demonstration, "pause", lambda self, lines: 0.001)


@pytest.mark.usefixtures("without_pauses")
def test_the_lines_tell_a_whole_game_and_leave_nothing_behind(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A demo: this game plays itself. Any key ends it."
    assert "The game is over. Ben wins with 23 points." in lines
    assert complaints(lines) == []
    assert not list(home.rglob("games*"))
    assert companion("record").returncode != 0  # no game was saved


def test_the_record_shows_what_the_game_is_about() -> None:
    verbs = {move.split()[0] for move in read_demo().moves}
    assert {"kill", "rob", "swap", "destroy", "income", "build", "bonus"} <= verbs


@pytest.mark.usefixtures("without_pauses")
@pytest.mark.parametrize(("busy", "moves"), [(0, 40), (0.004, 8)], ids=["idle", "busy"])
async def test_the_screen_plays_itself_and_any_key_ends_it(
    busy: float, moves: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a computer that is away for longer than the demonstration pauses, between any two
    looks at the clock."""
    seconds = _time.get_time

    def look_late() -> float:
        time.sleep(busy)
        return seconds()

    monkeypatch.setattr(_time, "get_time", look_late)
    with open_demo_store() as log:
        app = DemoApp(log, load_settings({"reader": "none"}))
        async with app.run_test(size=(80, 24)):

            async def until(action: Callable[[], bool], what: str) -> None:
                end = time.monotonic() + PATIENCE
                while not action():
                    assert app._exception is None
                    assert time.monotonic() < end, f"{what} never happened:\n{screen_text(app)}"
                    await asyncio.sleep(0.01)

            await until(
                lambda: len(app.demonstration.session.referee.moves) >= moves, "the last move"
            )
            await until(lambda: "Demo, any key ends it" in screen_text(app), "the title")
            send_key(app, "x")
            await until(lambda: app.return_value is not None, "the end after a key")
            assert app.return_value == 0


@pytest.mark.parametrize("lines", ["", "1"])
def test_a_key_in_a_real_terminal_ends_it(terminal: Terminal, lines: str) -> None:
    terminal.start(["demo"], {"COMPANION_PLAIN": lines} if lines else {})
    terminal.see("ny key ends it")
    terminal.see("Assassin")
    terminal.keys("x")
    assert terminal.wait() == 0
