"""After the caller ends in any way, nothing keeps speaking; a hanging voice delays no answer."""

from __future__ import annotations

import os
import signal
import time
from itertools import count
from pathlib import Path

import pytest

from tests.companion.listening import Listener
from tests.voice.speaking import add_speaker, is_alive
from tests.waiting import wait_until

pytestmark = pytest.mark.outer


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file where a voice that never ends writes its process id; the settings use that voice."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPANION_VOICE_TABLE", "espeak-ng")
    return add_speaker(tmp_path, monkeypatch, "exec sleep 600")


def speaker(pids: Path) -> int:
    """The process that is speaking."""
    wait_until(lambda: pids.exists() and pids.read_text().endswith("\n"))
    return int(pids.read_text().split()[-1])


def test_leaving_ends_the_voice(pids: Path) -> None:
    with Listener() as caller:
        caller.hear()
        child = speaker(pids)
        assert is_alive(child)
        assert caller.leave() == 0
    wait_until(lambda: not is_alive(child))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGHUP])
@pytest.mark.needs("util-linux")
def test_a_killed_caller_takes_its_voice_along(how: signal.Signals, pids: Path) -> None:
    with Listener() as caller:
        caller.hear()
        child = speaker(pids)
        os.kill(caller.process.pid, how)
        caller.process.wait(60)
        wait_until(lambda: not is_alive(child))


def test_a_line_silences_and_a_voice_that_hangs_delays_no_answer(pids: Path) -> None:
    with Listener() as caller:
        caller.hear()
        first = speaker(pids)
        assert caller.tell("faceup bishop merchant")[-1] == "Has everybody chosen?"
        wait_until(lambda: not is_alive(first))
        assert caller.tell("hush")[-1] == "Has everybody chosen?"
        assert caller.leave() == 0


def test_without_any_voice_it_is_said_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    with Listener("--voice") as caller:
        caller.hear()
        caller.tell("faceup bishop merchant")
        caller.tell("voice on")
        assert caller.leave() == 0
        assert caller.read_errors().count("No voice was found on this machine") == 1


def test_a_voice_that_was_given_up_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    (tmp_path / "tools").mkdir()
    for name in ("sh", "cat"):
        (tmp_path / "tools" / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(tmp_path / "tools"))  # without other voices
    monkeypatch.setenv("COMPANION_VOICE_TABLE", "espeak-ng")
    add_speaker(tmp_path, monkeypatch, "cat; exit 3")
    with Listener() as caller:
        caller.hear()
        assert caller.tell("voice")[0] == "The voice is on."
        pauses = (0.2 * 2**turn for turn in count())
        wait_until(lambda: _is_off(caller, next(pauses)))
        assert "The voice is off" in caller.tell("faster")[0]
        assert caller.leave() == 0
        assert caller.read_errors().count("The voice has stopped: espeak-ng: ") == 1


def _is_off(caller: Listener, pause: float) -> bool:
    """Whether the voice is off a pause, in seconds, after one more sentence; the next typed line
    hushes it, so on a busy computer the pause must be longer."""
    caller.tell("repeat")
    time.sleep(pause)
    return caller.tell("voice")[0] == "The voice is off."
