"""The demonstration from the started command: lines, a terminal, any key, nothing left behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual import _time

from companion.app.demo_app import DemoApp
from companion.commands import load_settings
from companion.commands.demo import run
from companion.game import playing
from tests import needs
from tests.app.driving import screen_text, send_key
from tests.companion.listening import companion, complaints
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to read what is told."""
    monkeypatch.setattr(playing.Demonstration, "pause", lambda self, lines: 0.001)


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
    verbs = {move.split()[0] for move in playing.record().moves}
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
    with playing.store() as log:
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


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[str]:
    """The name of this test's own tmux server."""
    needs.require("tmux")
    socket = str(tmp_path / "tmux")
    yield socket
    subprocess.run(["tmux", "-S", socket, "kill-server"], check=False, capture_output=True)


@pytest.mark.parametrize("lines", ["", "COMPANION_PLAIN=1"])
def test_a_key_in_a_real_terminal_ends_it(home: Path, terminal: str, lines: str) -> None:
    def tmux(*words: str) -> str:
        result = subprocess.run(["tmux", "-S", terminal, *words], capture_output=True, check=False)
        return result.stdout.decode()

    def until(text: str) -> None:
        wait_until(lambda: text in look(), 0.1, look)

    def look() -> str:
        return tmux("capture-pane", "-p", "-t", "demo")

    command = f"{lines} {sys.executable} -m companion demo"
    variables = [part for key in ("COMPANION_DATA", "PYTHONPATH") if key in os.environ
                 for part in ("-e", f"{key}={os.environ[key]}")]  # fmt: skip
    tmux("new-session", "-d", "-s", "demo", "-x", "80", "-y", "24", *variables,
         f"{command}; echo left with $?; cat")  # fmt: skip
    until("ny key ends it")
    until("Assassin")
    tmux("send-keys", "-t", "demo", "x")
    until("left with 0")
