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
from typing import TYPE_CHECKING, Literal

from common import own_files
from companion.files import locations
from companion.voice.channel import Command

if TYPE_CHECKING:
    from companion.game.events import Kind
    from engine.moves import Move
    from engine.table import Table

    Sound = Kind | Literal["turn", "gold"]

RATE = 22050  # samples a second
LOUDEST = 12000  # of 32767, so that a sound is no louder than the voice
FADE = 0.02  # seconds at both ends of a tone, without which it would click

Tones = tuple[tuple[float, float], ...]

TONES: dict[Sound, Tones] = {
    "turn": ((523.0, 0.1), (784.0, 0.15)),
    "gold": ((1568.0, 0.06), (2093.0, 0.12)),
    "murdered": ((196.0, 0.18), (147.0, 0.4)),
    "robbed": ((880.0, 0.08), (988.0, 0.08), (880.0, 0.08)),
    "bewitched": ((523.0, 0.12), (554.0, 0.12), (523.0, 0.12), (494.0, 0.2)),
    "destroyed": ((110.0, 0.15), (98.0, 0.15), (82.0, 0.35)),
    "crowned": ((523.0, 0.12), (659.0, 0.12), (784.0, 0.3)),
    "last_round": ((392.0, 0.2), (392.0, 0.2), (523.0, 0.4)),
    "won": ((523.0, 0.15), (659.0, 0.15), (784.0, 0.15), (1047.0, 0.5)),
}
"""The tones of each sound: a turn that begins, gold taken, and kinds of events; hertz (20 to 4000)
and seconds."""

_OF_MOVES: dict[str, Sound] = {"reveal": "turn", "gold": "gold"}

_PLAYERS = (("aplay", "-q"), ("paplay",), ("pw-play",), ("afplay",))
_ON_WINDOWS = "(New-Object Media.SoundPlayer '{path}').PlaySync()"


def find_sound(before: Table, move: Move, after: Table) -> Sound | None:
    """The sound of a move, that of its greatest event first; None if it has none."""
    from companion.game import events

    kinds = (event.kind for event in events.list_events(before, move, after))
    of_event = next((kind for kind in kinds if kind in TONES), None)
    return of_event or _OF_MOVES.get(move.verb)


def make(kind: Sound, volume: int = 100) -> bytes:
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
    with wave.open(file, "wb") as wave_write:
        wave_write.setnchannels(1)
        wave_write.setsampwidth(2)
        wave_write.setframerate(RATE)
        wave_write.writeframes(samples.tobytes())
    return file.getvalue()


def find_command(kind: Sound, volume: int) -> Command | None:
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
