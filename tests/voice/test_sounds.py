"""The sounds before great moments: only where asked for, before the words, at the usual output."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import pytest

from companion.voice import sounds
from companion.voice.script import Utterance
from tests.voice import test_game
from tests.voice.speaking import channel, wait_until, writer

pytestmark = pytest.mark.outer

MURDER = ["faceup bishop merchant", "call", "reveal Kurt", "kill king", "gold"]


@pytest.mark.parametrize("kind", sounds.TONES)
def test_a_sound_is_short_and_no_louder_than_asked(kind: str) -> None:
    loud, quiet = (sounds.make(kind, volume) for volume in (100, 0))  # type: ignore[arg-type]
    with wave.open(io.BytesIO(loud)) as match:
        seconds = match.getnframes() / match.getframerate()
        assert max(match.readframes(match.getnframes())) > 0
    assert 0.1 < seconds < 1.5
    with wave.open(io.BytesIO(quiet)) as match:
        assert not any(match.readframes(match.getnframes()))


@pytest.mark.parametrize("on", ["true", "false"])
def test_a_murder_is_heard_if_the_settings_ask_for_it(tmp_path: Path, on: str) -> None:
    folder = tmp_path / "said"
    test_game.play(folder, MURDER, COMPANION_VOICE_SOUNDS=on)
    matches = {path.name.split("-", 2)[2] for path in folder.glob("*.wav")}
    assert matches == ({"turn.wav", "murdered.wav", "gold.wav"} if on == "true" else set())


def test_a_sound_comes_before_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "heard"
    player = tmp_path / "bin" / "aplay"
    player.parent.mkdir()
    player.write_text(f'#!/bin/sh\nbasename "$2" >> {path}\n')
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{player.parent}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    speaks = channel(writer(path))
    speaks.say(Utterance("Kurt murders the King.", "en", sound="murdered"))
    wait_until(lambda: not speaks.busy)
    speaks.close()
    assert path.read_text().splitlines() == ["murdered-100.wav", "Kurt murders the King."]
