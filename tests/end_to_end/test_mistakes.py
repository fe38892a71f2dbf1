"""Internal errors: one sentence, no traceback, no values; a crash report without secrets."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.files import locations
from tests.companion.listening import NEW, Listener, companion
from tests.end_to_end.tmux import Terminal

pytestmark = pytest.mark.outer

BROKEN = """
from companion.game.session import Session

def broken(self, text, *more, **named):
    move = f"whispered {text}"
    raise RuntimeError(move)

Session.play = broken
"""

IN_A_THREAD = """
import threading

def broken(secret="whispered"):
    raise RuntimeError(secret)

threading.Thread(target=broken).start()
threading.Thread(target=broken).start()
"""

TELLING = ("whispered", "merchant", "Traceback", "Anna")


@pytest.fixture
def settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that every Python started by the test runs first."""
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")
    return tmp_path / "sitecustomize.py"


def report() -> str:
    path = Path(locations.data_dir(), locations.CRASH_NAME)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return path.read_text(encoding="utf-8")


def assert_told(text: str) -> None:
    assert "The companion has crashed (RuntimeError)" in text
    assert locations.CRASH_NAME in text
    assert not [word for word in TELLING if word in text]


def test_the_line_caller_ends_with_one_sentence(settings_file: Path) -> None:
    settings_file.write_text(BROKEN)
    with Listener() as caller:
        caller.hear()
        caller.type("faceup bishop merchant")
        assert caller.process.wait(60) == 70
        errors = caller.read_errors()
    assert_told(errors)
    assert len(errors.splitlines()) == 1
    told = report()
    assert "RuntimeError" in told
    assert "sitecustomize, line " in told
    assert "companion.plain.caller, line " in told
    assert not [word for word in ("whispered faceup", "merchant", "Anna") if word in told]
    assert str(Path(__file__).parents[2]) not in told
    assert companion("record").returncode == 0  # the game is saved up to the last move


def test_the_full_screen_puts_the_terminal_back_and_says_the_same(
    settings_file: Path, terminal: Terminal
) -> None:
    settings_file.write_text(BROKEN)
    terminal.start(["play", *NEW, "--reader", "none"], size=(200, 50))
    terminal.see("Kurt. Discard")
    terminal.keys(":")
    terminal.see("Type a move")
    terminal.keys("faceup bishop merchant", "Enter")
    assert terminal.wait() == 70
    assert terminal.format("#{alternate_on}") == "0"
    text = terminal.read_scrollback().replace("\n", "")
    assert_told(text)
    assert "locals" not in text
    assert "merchant" not in report()


def test_a_thread_that_fails_is_told_of_once_and_the_game_goes_on(settings_file: Path) -> None:
    settings_file.write_text(
        "from companion.terminal.inbox import Inbox\n"
        "start = Inbox.start\n"
        "def both(self, **given):\n"
        "    start(self, **given)\n"
        + "".join(f"    {line}\n" for line in IN_A_THREAD.splitlines())
        + "Inbox.start = both\n"
    )
    with Listener() as caller:
        caller.hear()
        assert caller.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert caller.leave() == 0
        errors = caller.read_errors()
    assert_told(errors)
    assert errors.count("The companion has crashed") == 1


def test_a_report_that_cannot_be_saved_is_said(
    settings_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_file.write_text(
        "import companion.commands.editions as editions\n"
        "def run(words):\n    raise KeyError('whispered')\n"
        "editions.run = run\n"
    )
    monkeypatch.setenv("COMPANION_DATA", "/dev/null/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    result = companion("editions")
    assert result.returncode == 70
    assert result.stderr.splitlines() == [
        "The companion has crashed (KeyError), and no report could be saved. "
        "Every accepted move is saved."
    ]
