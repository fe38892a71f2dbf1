"""How the table's voice is set: where it speaks, how fast, in which voices.

An output is a word: `none`, `auto`, a backend (`espeak-ng`), perhaps with a device
(`espeak-ng@front`), `files:FOLDER`; or a command of the user's own as a list of words, the first
perhaps `@DEVICE`, where the command is heard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from companion.setting_checks import nearest, quoted
from engine.sentences import Sentence, suggesting

OUTPUTS = ("none", "auto", "espeak-ng", "spd-say", "say", "windows", "screen-reader")
WITH_DEVICE = ("espeak-ng", "say")
FILES = "files:"
DEVICE = "@"
_PLACES = ", ".join((*OUTPUTS, f"{FILES}FOLDER"))

Level = Literal["calls", "all"]
Output = str | tuple[str, ...]


class VoiceSettings(NamedTuple):
    """The checked settings."""

    table: Output
    """Where the whole table hears what is said."""

    ear: Output
    """Where one person alone hears what is said to nobody else."""

    speed: int
    """How fast it speaks, in percent of what each voice calls usual."""

    volume: int
    """How loud it is, in percent of what the machine is set to."""

    level: Level
    """How much is said: `calls` only calls, answers and questions, `all` also what is done."""

    pause: float
    """The silence between two sentences in seconds; a call has twice as much before it."""

    voices: Mapping[str, str]
    """The name of the voice for each language that has one of its own."""

    murmur: bool
    """Whether a quiet murmur sounds while cards are handled."""


def settings(values: Mapping[str, Any]) -> VoiceSettings:
    """The settings of checked values by their names."""
    return VoiceSettings(
        table=_output(values["table"]),
        ear=_output(values["ear"]),
        speed=round(float(values["speed"])),
        volume=round(float(values["volume"])),
        level=values["level"],
        pause=float(values["pause"]),
        voices=dict(values["voices"] or {}),
        murmur=values["murmur"],
    )


def _output(value: Any) -> Output:
    return tuple(value) if isinstance(value, list) else str(value)


def wrong_output(value: Any) -> str | None:
    """What is wrong with a setting that says where to speak; None if nothing is."""
    if isinstance(value, list):
        if value and all(isinstance(word, str) and word for word in value):
            if not value[0].startswith(DEVICE) or (value[0] != DEVICE and len(value) > 1):
                return None
            return Sentence("a device is @ and its name, with a command behind it")
        return Sentence("a command is a list of words, each a text; quote numbers")
    if not isinstance(value, str):
        return Sentence("it is none of {values} or a list of words", values=_PLACES)
    if value in OUTPUTS or (value.startswith(FILES) and len(value) > len(FILES)):
        return None
    name, at, device = value.partition("@")
    if at and device and name in WITH_DEVICE:
        return None
    if at and name in OUTPUTS:
        from engine.words import listing

        return Sentence("only {values} can be told a device", values=listing(WITH_DEVICE))
    problem = Sentence(
        "{value} is none of {values} or a list of words", value=quoted(value), values=_PLACES
    )
    return suggesting(problem, nearest(name, OUTPUTS))


def wrong_voices(value: Any, languages: Sequence[str]) -> str | None:
    """What is wrong with the voices chosen for languages; None if nothing is."""
    if value is None:
        return None
    if not isinstance(value, dict):
        return Sentence(
            "it is no list of voices; write {language}: NAME on each line below it",
            language=languages[0],
        )
    for language, name in value.items():
        if language not in languages:
            return Sentence(
                "{value} is not one of {values}",
                value=quoted(language),
                values=", ".join(languages),
            )
        if not isinstance(name, str) or not name or name.startswith("-"):
            return Sentence(
                "the voice of {language} is no name; companion voice lists what is there",
                language=language,
            )
    return None
