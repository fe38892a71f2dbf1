"""Short sounds before great moments, if the settings ask for them: a few tones each, made here and
played by a program of the system."""

from __future__ import annotations

import array
import io
import math
import os
import shutil
import sys
import wave
from typing import TYPE_CHECKING

from common import own_files
from companion.files import locations
from companion.voice.child import Command

if TYPE_CHECKING:
    from companion.game.events import Kind

RATE = 22050  # samples a second
LOUDEST = 12000  # of 32767, so that a sound is no louder than the voice
FADE = 0.02  # seconds at both ends of a tone, without which it would click

Tones = tuple[tuple[float, float], ...]

TONES: dict[Kind, Tones] = {
    "murdered": ((196.0, 0.18), (147.0, 0.4)),
    "robbed": ((880.0, 0.08), (988.0, 0.08), (880.0, 0.08)),
    "bewitched": ((523.0, 0.12), (554.0, 0.12), (523.0, 0.12), (494.0, 0.2)),
    "destroyed": ((110.0, 0.15), (98.0, 0.15), (82.0, 0.35)),
    "crowned": ((523.0, 0.12), (659.0, 0.12), (784.0, 0.3)),
    "last_round": ((392.0, 0.2), (392.0, 0.2), (523.0, 0.4)),
    "won": ((523.0, 0.15), (659.0, 0.15), (784.0, 0.15), (1047.0, 0.5)),
}
"""The tones of each kind of event that has a sound: hertz (20 to 4000) and seconds."""

_PLAYERS = (("aplay", "-q"), ("paplay",), ("pw-play",), ("afplay",))
_ON_WINDOWS = "(New-Object Media.SoundPlayer '{path}').PlaySync()"


def make(kind: Kind, volume: int = 100) -> bytes:
    """The sound as a wav file; `volume` in percent, from 0 to 100."""
    samples = array.array("h")
    for hertz, seconds in TONES[kind]:
        count = int(RATE * seconds)
        for at in range(count):
            edge = min(at, count - at) / RATE
            loud = LOUDEST * volume / 100 * min(1.0, edge / FADE)
            samples.append(round(loud * math.sin(2 * math.pi * hertz * at / RATE)))
    if sys.byteorder == "big":
        samples.byteswap()
    file = io.BytesIO()
    with wave.open(file, "wb") as found:
        found.setnchannels(1)
        found.setsampwidth(2)
        found.setframerate(RATE)
        found.writeframes(samples.tobytes())
    return file.getvalue()


def find_command(kind: Kind, volume: int) -> Command | None:
    """The command that plays the sound at the system's usual output; None if no program does.
    Raises OSError if the file for it cannot be written."""
    player = next((words for words in _PLAYERS if shutil.which(words[0])), None)
    is_windows = sys.platform == "win32" and shutil.which("powershell") is not None
    if player is None and not is_windows:
        return None
    folder = os.path.join(locations.cache_dir(), "sounds")
    path = os.path.join(folder, f"{kind}-{volume}.wav")
    if not os.path.exists(path):
        own_files.replace(path, make(kind, volume), durable=False)
    if player is None:
        script = _ON_WINDOWS.format(path=path.replace("'", "''"))
        return Command(("powershell", "-NoProfile", "-Command", script))
    return Command((*player, path))
