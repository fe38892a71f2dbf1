"""One utterance: its text, its audience, and how long it stays relevant."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import NamedTuple

from companion.files.clean import clean_text
from engine import words

LONGEST = 1200
"""The most characters spoken of one utterance; a card's text has up to 700."""


class Audience(Enum):
    """Who may hear it."""

    TABLE = "table"
    EAR = "ear"  # one person; a secret goes nowhere else


class Stays(Enum):
    """What makes a queued utterance pointless."""

    MOMENT = "moment"  # the next move: it asks or answers something over by then
    TURN = "turn"  # the next call: gold, cards and other details of a turn
    ALWAYS = "always"  # only undo and the user's request


class Utterance(NamedTuple):
    """Text in a language; `pause` is the silence before it in seconds, `urgent` text goes first and
    interrupts what is being said."""

    text: str
    language: str
    audience: Audience = Audience.TABLE
    stays: Stays = Stays.ALWAYS
    pause: float = 0.0
    urgent: bool = False


class Manner(NamedTuple):
    """How to speak: percent of the normal speed, the voice for the language, if any, and percent of
    full volume."""

    speed: int = 100
    voice: str | None = None
    volume: int = 100


def make_speakable(text: str) -> str:
    """Text fit for a voice: no brackets, quotes or symbols that it would read out, and no control
    sequences (`[[` switches espeak-ng and `say` to phonemes and commands)."""
    text = clean_text(text, limit=LONGEST)
    text = re.sub(r"\s*\(\s*([^()]*?)\s*\)\s*([.!?])", r", \1\2", text)
    text = re.sub(r"\s*\(\s*([^()]*?)\s*\)", r", \1,", text)
    text = re.sub(r"[\[\](){}<>|\\^~`*_#“”„«»\"]+", " ", text)
    text = re.sub(r"\s*…", ".", text)
    text = re.sub(r"\s*[–—→]\s*", ", ", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def agree_numbers(text: str, code: str) -> str:
    """The text with numbers in words if digits would be read in the wrong gender: `2 карты` as `две
    карты`."""
    table = words.language(code).get("spoken")
    return _numbers(code).sub(lambda found: table[found.group()], text) if table else text


@cache
def _numbers(code: str) -> re.Pattern[str]:
    counted = "|".join(map(re.escape, words.language(code)["spoken"]))
    return re.compile(rf"\b(?:{counted})\b")
