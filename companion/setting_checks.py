"""What is wrong with the value of a setting: a check for each kind, None where nothing is.

Every start passes through here; what is slow is imported where a value needs it.
"""

from __future__ import annotations

from engine import languages, sentences
from engine.sentences import Sentence, suggesting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Check = Callable[[Any], str | None]

READERS = ("auto", "none", "simulated")
SYMBOLS = ("auto", "both", "letters", "shapes", "ascii")
TYPES = ("noble", "religious", "trade", "military", "unique")


def one_of(*words: str) -> Check:
    """A check for one of these words, which offers the nearest."""

    def check(value: Any) -> str | None:
        if value in words:
            return None
        problem = Sentence(
            "{value} is not one of {values}", value=quoted(value), values=", ".join(words)
        )
        return suggesting(problem, nearest(value, words))

    return check


def truth(value: Any) -> str | None:
    """A check for true or false."""
    if isinstance(value, bool):
        return None
    return Sentence("{value} is neither true nor false", value=quoted(value))


def path(value: Any) -> str | None:
    """A check for a path or null."""
    if value is None or (isinstance(value, str) and value):
        return None
    return Sentence("{value} is not a path; quote it if it is", value=quoted(value))


def reader(value: Any) -> str | None:
    """A check for one of `READERS` or a place that a reader can be at, as `tags` names them."""
    if value in (*READERS, "usb", "pcsc") or (isinstance(value, str) and value.startswith("/")):
        return None
    if not isinstance(value, str) or value.isalpha():  # a slip of the hand
        problem = Sentence(
            "{value} is neither {values} nor a path",
            value=quoted(value),
            values=", ".join(READERS),
        )
        return suggesting(problem, nearest(value, READERS))
    from tags.readers.paths import parse_place

    try:
        parse_place(value)
    except ValueError as error:
        return str(error)
    return None


def link(value: Any) -> str | None:
    """A check for what a chip's web link may begin with, or null."""
    if value is None:
        return None
    from tags.ndef import check_base

    said = check_base(value) if isinstance(value, str) else Sentence("it is no link")
    if said is None:
        return None
    return Sentence("{value} cannot be used: {problem}", value=quoted(value), problem=said)


def named_readers(value: Any) -> str | None:
    """A check for a mapping of readers; what is wrong inside it is `_wrong_readers`."""
    if value is None or (isinstance(value, dict) and value):
        return None
    return Sentence(
        "{value} is no list of readers; write a name and a path on each line below it",
        value=quoted(value),
    )


def symbols(value: Any) -> str | None:
    """A check for one of `SYMBOLS`, or marks of at most two signs by district type."""
    if not isinstance(value, dict):
        return one_of(*SYMBOLS)(value)
    for type_, mark in value.items():
        if type_ not in TYPES:
            return one_of(*TYPES)(type_)
        if not isinstance(mark, str) or not 1 <= len(mark) <= 2 or not mark.isprintable():
            return Sentence(
                "{value} is not a mark of one or two signs; quote it if it is", value=quoted(mark)
            )
    return None


def own_keys(value: Any) -> str | None:
    """A check for a mapping of keys; what is wrong inside it is `keys.problems`."""
    if value is None or isinstance(value, dict):
        return None
    return Sentence(
        "{value} is no list of keys; write an action and its key on each line below it",
        value=quoted(value),
    )


def output(value: Any) -> str | None:
    """A check for a place to speak at."""
    if value in ("none", "auto"):
        return None
    from companion.voice.settings import wrong_output

    return wrong_output(value)


def voices(value: Any) -> str | None:
    """A check for a mapping of languages to voices."""
    if value is None:
        return None
    from companion.voice.settings import wrong_voices

    return wrong_voices(value, languages.complete())


def between(least: float, most: float) -> Check:
    """A check for a number in that range; a variable's text of one will do."""

    def check(value: Any) -> str | None:
        try:
            number = float("nan" if isinstance(value, bool) else value)
        except (TypeError, ValueError):
            number = float("nan")
        if least <= number <= most:
            return None
        return Sentence(
            "{value} is no number from {least} to {most}",
            value=quoted(value),
            least=f"{least:g}",
            most=f"{most:g}",
        )

    return check


def nearest(word: Any, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The known word that is nearest, or None where none is near."""
    from difflib import get_close_matches

    found = get_close_matches(str(word), list(known), n=1, cutoff=cutoff)
    return found[0] if found else None


def quoted(value: Any) -> str:
    """A value as its file would show it, safe to print."""
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    return sentences.quoted(safe(value, 60)) if isinstance(value, str) else f"{value}"[:60]


def safe(text: str, limit: int = 300) -> str:
    """The text without what could drive a terminal."""
    from companion.clean import clean_text

    return clean_text(text, limit=limit)
