"""A quiet murmur while cards are handled, so that nobody hears who moves what.

Generated once, cached, and played by a child process until something is said.
"""

from __future__ import annotations

import array
import io
import math
import os
import random
import shutil
import sys
import threading
import wave

from common import own_files
from companion.files import locations
from companion.voice.child import Child, Command, Failed

RATE = 11025  # samples a second
SECONDS = 12
LOUDNESS = 0.05  # RMS, of full scale: well below a voice
_VOICES = 5
_PLAYERS = (
    ("aplay", "-q"),
    ("paplay",),
    ("pw-play",),
    ("afplay",),
    ("play", "-q"),
)


class Murmur:
    """Plays while wanted and nobody speaks; off for good if nothing can play it."""

    def __init__(self) -> None:
        found = (words for words in _PLAYERS if shutil.which(words[0]))
        self._player: tuple[str, ...] | None = next(found, None)
        self._changed = threading.Condition()
        self._wanted = self._spoken_over = self._closed = False
        self._child: Child | None = None
        self._thread: threading.Thread | None = None

    def go_on(self, wanted: bool) -> None:
        """Start or stop murmuring. Returns at once."""
        with self._changed:
            self._wanted = wanted
            self._change()

    def give_way(self, speaking: bool) -> None:
        """Pause while somebody speaks."""
        with self._changed:
            self._spoken_over = speaking
            self._change()

    def close(self) -> None:
        """Stop for good; no child is left."""
        with self._changed:
            self._closed = True
            self._change()

    @property
    def _plays(self) -> bool:
        return self._wanted and not (self._spoken_over or self._closed)

    def _change(self) -> None:
        if not self._plays and self._child is not None:
            self._child.kill()
        if self._plays and self._thread is None and self._player is not None:
            self._thread = threading.Thread(target=self._run, name="murmur", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _run(self) -> None:
        player = self._player
        while player is not None:
            with self._changed:
                self._changed.wait_for(lambda: self._plays or self._closed)
                if self._closed:
                    return
            try:
                if not os.path.exists(sound_file()):
                    # half a second of arithmetic, kept out of the caller's own process
                    self._play(Command((sys.executable, "-m", "companion.voice.murmur")))
                else:
                    self._play(Command((*player, sound_file())))
            except (Failed, OSError):
                self._player = player = None

    def _play(self, command: Command) -> None:
        child = Child(command)
        with self._changed:
            self._child = child
            if not self._plays:
                child.kill()
        try:
            child.wait(4 * SECONDS)
        finally:
            with self._changed:
                self._child = None


def sound_file() -> str:
    """The path of the murmur's WAV file, which need not exist."""
    return os.path.join(locations.cache_dir(), "murmur.wav")


def make_sound_file() -> None:
    """Generate the WAV file. Raises OSError."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples().tobytes())
    own_files.replace(sound_file(), made.getvalue(), durable=False)


def samples() -> array.array[int]:
    """Several low voices that rise and fall in syllables and say nothing: filtered noise, always
    the same, looping seamlessly."""
    chance = random.Random(1)
    mixed = [0.0] * (RATE * SECONDS)
    for _voice in range(_VOICES):
        low = chance.uniform(0.03, 0.09)  # low-pass coefficient: 100 to 330 Hz
        syllables = chance.randint(2 * SECONDS, 4 * SECONDS)
        phrases = chance.randint(SECONDS // 6, SECONDS // 3)
        start, value, slow = chance.random(), 0.0, 0.0
        for place in range(len(mixed)):
            turn = place / len(mixed) + start
            value += low * (chance.uniform(-1, 1) - value)
            slow += 0.01 * (value - slow)  # removes the rumble below
            talking = max(0.0, math.sin(math.tau * phrases * turn))
            mixed[place] += (value - slow) * talking * (1 + math.sin(math.tau * syllables * turn))
    mean = math.sqrt(sum(value * value for value in mixed) / len(mixed))
    scale = LOUDNESS * 32767 / mean
    return array.array("h", (max(-32767, min(32767, round(value * scale))) for value in mixed))


if __name__ == "__main__":
    make_sound_file()
