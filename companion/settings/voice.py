"""Settings of the table's voice: where it speaks, how fast, in which voices.

An output is a word: `none`, `auto`, a backend (`espeak-ng`), optionally with a device
(`espeak-ng@front`), `files:FOLDER`; or a user-defined command as a list of words, the first
optionally `@DEVICE`, the device on which the command is heard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from common.named_tuples import NamedTuple
from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.settings import quote

OUTPUTS = ("none", "auto", "espeak-ng", "spd-say", "say", "windows", "screen-reader")
WITH_DEVICE = ("espeak-ng", "say")
FILES = "files:"
DEVICE = "@"
_PLACES = ", ".join((*OUTPUTS, f"{FILES}FOLDER"))

Level = Literal["calls", "all"]
Output = str | tuple[str, ...]


class VoiceSettings(NamedTuple):
    """The checked settings of the voice; `companion.settings.table` describes each of them."""

    table: Output
    ear: Output
    speed: int
    volume: int
    level: Level
    pause: float
    sounds: bool
    voices: Mapping[str, str]


def settings(values: Mapping[str, Any]) -> VoiceSettings:
    """The settings, from checked values by name."""
    return VoiceSettings(
        table=_output(values["table"]),
        ear=_output(values["ear"]),
        speed=round(float(values["speed"])),
        volume=round(float(values["volume"])),
        level=values["level"],
        pause=float(values["pause"]),
        sounds=bool(values["sounds"]),
        voices=dict(values["voices"] or {}),
    )


def _output(value: Any) -> Output:
    return tuple(value) if isinstance(value, list) else str(value)


def check_output(value: Any) -> str | None:
    """The problem with an output setting; None if there is none."""
    if isinstance(value, list):
        if value and all(isinstance(word, str) and word for word in value):
            if not value[0].startswith(DEVICE) or (value[0] != DEVICE and len(value) > 1):
                return None
            return Sentence("write a device as @ and its name, followed by a command")
        return Sentence("a command is a list of words; quote numbers")
    if not isinstance(value, str):
        return Sentence("it is neither one of {values} nor a list of words", values=_PLACES)
    if value in OUTPUTS or (value.startswith(FILES) and len(value) > len(FILES)):
        return None
    name, at, device = value.partition("@")
    if at and device and name in WITH_DEVICE:
        return None
    if at and name in OUTPUTS:
        from engine.words import listing

        return Sentence("a device can be given only for {values}", values=listing(WITH_DEVICE))
    problem = Sentence(
        "{value} is neither one of {values} nor a list of words",
        value=quote(value),
        values=_PLACES,
    )
    return suggest(problem, find_nearest(name, OUTPUTS))


def check_voices(value: Any, languages: Sequence[str]) -> str | None:
    """The problem with the voices chosen for languages; None if there is none."""
    if value is None:
        return None
    if not isinstance(value, dict):
        return Sentence(
            "it is not a list of voices; write {language}: NAME on each line below it",
            language=languages[0],
        )
    for language, name in value.items():
        if language not in languages:
            return Sentence(
                "{value} is not one of {values}",
                value=quote(language),
                values=", ".join(languages),
            )
        if not isinstance(name, str) or not name or name.startswith("-"):
            return Sentence(
                "the voice for {language} is not a name; companion voice lists what there is",
                language=language,
            )
    return None
