"""A full screen ended by a signal restores the terminal."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from companion.files import locations
from companion.log.store import Store
from tests.companion.listening import NEW
from tests.end_to_end.typing import User
from tests.starting import ROOT

pytestmark = pytest.mark.outer

PUT_BACK = {
    "the screen from before": "\x1b[?1049l",
    "the cursor": "\x1b[?25h",
    "no mouse": "\x1b[?1003l",
    "no marks around what is pasted": "\x1b[?2004l",
    "lines that wrap": "\x1b[?7h",
}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_back(number: signal.Signals) -> None:
    user = User()
    before = user.modes()
    words = [sys.executable, "-m", "companion", "play", *NEW, "--reader", "none"]
    user.start(words, {**os.environ, "TERM": "xterm-256color"}, ROOT)
    user.see("Kurt. Discard")
    assert user.modes() != before
    user.process.send_signal(number)
    assert user.wait_for_end() == -number
    assert [what for what, content in PUT_BACK.items() if content not in user.screen] == []
    assert user.modes() == before
    user.close()
    with Store(locations.games_file(locations.data_dir())) as store, store.open_game(1):
        assert store.load(1).moves == []  # it has released the game
