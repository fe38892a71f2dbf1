"""The command line of espeak-ng."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.voice.utterance import Manner, Utterance


def build_arguments(
    said: Utterance, manner: Manner, device: str = "", file: str = ""
) -> tuple[str, ...]:
    """espeak-ng with its options; the text goes to its standard input. Its default is 175 words a
    minute; with `file` the sound goes there instead of to the loudspeaker."""
    words = ["espeak-ng", "--stdin", "-b", "1", "-v", manner.voice or said.language]
    words += ["-s", str(round(175 * manner.speed / 100)), "-a", str(manner.volume)]
    words += ["-d", device] if device else []
    words += ["-w", file] if file else []
    return tuple(words)
