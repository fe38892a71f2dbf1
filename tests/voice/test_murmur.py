"""The murmur: generated once, quiet, silent during speech and after the game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.voice import murmur
from companion.voice.murmur import Murmur
from tests.voice.speaking import is_alive, wait_until
from tests.voice.test_espeak import sound

pytestmark = [pytest.mark.outer, pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")]


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The output of a player that plays for minutes: its process id and its file."""
    written = tmp_path / "played"
    player = ("sh", "-c", f'echo $$ "$0" >> {written}; exec sleep 600')
    monkeypatch.setattr(murmur, "_PLAYERS", (player,))
    return written


def last(pids: Path) -> int:
    """The id of the playing process."""
    return int(pids.read_text().split("\n")[-2].split()[0])


def test_the_sound_is_quiet_and_stays_in_the_cache(home: Path) -> None:
    subprocess.run([sys.executable, "-m", "companion.voice.murmur"], check=True)
    path = Path(murmur.sound_file())
    assert home in path.parents
    seconds, loudness = sound(path)
    assert seconds == pytest.approx(murmur.SECONDS)
    assert 0.03 < loudness < 0.07


def test_it_gives_way_to_words_and_ends_with_the_game(pids: Path) -> None:
    player = Murmur()
    player.go_on(True)
    wait_until(lambda: pids.exists() and pids.read_text().endswith("murmur.wav\n"))
    first = last(pids)
    player.give_way(True)
    wait_until(lambda: not is_alive(first))
    player.give_way(False)
    wait_until(lambda: last(pids) != first)
    second = last(pids)
    player.close()
    wait_until(lambda: not is_alive(second))


def test_a_machine_that_plays_nothing_has_no_murmur(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(murmur, "_PLAYERS", (("no-such-player",),))
    player = Murmur()
    player.go_on(True)
    assert player._thread is None
    player.close()
