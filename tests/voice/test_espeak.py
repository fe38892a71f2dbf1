"""The real espeak-ng: output to files, every language, hostile text, loudness."""

from __future__ import annotations

import array
import math
import wave
from pathlib import Path

import pytest

from companion.voice import backends
from companion.voice.channel import Child, Command
from companion.voice.script import Manner, Utterance, make_speakable

pytestmark = [
    pytest.mark.outer,
    pytest.mark.needs("espeak-ng"),
]

HOSTILE = ("[[h@'loU]]", "-w /tmp/owned", "--version", "\x1b]0;title\x07", "a" * 300, "’; rm -rf ~")


def sound(path: Path) -> tuple[float, float]:
    """Length in seconds and loudness from 0 to 1 (root of the mean square) of a wav file."""
    with wave.open(str(path)) as file:
        frames = file.readframes(file.getnframes())
        seconds = file.getnframes() / file.getframerate()
    samples = array.array("h", frames)
    return seconds, math.sqrt(sum(s * s for s in samples) / len(samples)) / 32768


def recorded(folder: Path, text: str, language: str = "en", manner: Manner | None = None) -> Path:
    """The sound file of that text, made by a child process as in a game."""
    folder.mkdir(exist_ok=True)
    utterance = Utterance(make_speakable(text), language)
    words = backends.build_arguments(utterance, manner or Manner())
    path = folder / "words.wav"
    Child(Command((*words, "-w", str(path)), utterance.text)).wait(60)
    return path


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Rank 4. The King."),
        ("fr", "Le joueur couronné appelle l'Assassin."),
        ("ru", "Четвёртый ранг. Король."),
    ],
)
def test_every_language_is_heard(language: str, text: str, tmp_path: Path) -> None:
    seconds, loudness = sound(recorded(tmp_path, text, language))
    assert seconds > 0.5
    assert loudness > 0.01


def test_faster_is_shorter(tmp_path: Path) -> None:
    text = "The crown goes to Ashley."
    usual, _loud = sound(recorded(tmp_path / "usual", text))
    fast, _loud = sound(recorded(tmp_path / "fast", text, manner=Manner(speed=200)))
    assert fast < usual


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_words(name: str, tmp_path: Path) -> None:
    text = make_speakable(f"{name} takes 2 gold.")
    assert not set(text) & set("[]\x1b\x07")
    command = backends.build_arguments(Utterance(text, "en"), Manner())
    assert text not in command  # the text is on stdin, so never read as an option
    seconds, loudness = sound(recorded(tmp_path, f"{name} takes 2 gold."))
    assert seconds > 0.5
    assert loudness > 0.01
    assert not Path("/tmp/owned").exists()


def test_a_machine_without_sound_is_told_from_one_that_spoke(tmp_path: Path) -> None:
    """espeak-ng exits with 0 without a sound card; its error output counts."""
    (backend,) = backends.choose("espeak-ng@no-such-device")
    command = backend.command(Utterance("Hello.", "en"), Manner())
    assert isinstance(command, Command)
    assert command.complaint == "error:"
    assert command.words[-2:] == ("-d", "no-such-device")
