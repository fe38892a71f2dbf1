"""What is wrong with the value of a setting: a check for each kind, None where nothing is.

Every start passes through here; what is slow is imported where a value needs it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Check = Callable[[Any], str | None]

LANGUAGES = ("en", "fr", "ru")
READERS = ("auto", "none", "simulated")
SYMBOLS = ("auto", "both", "letters", "shapes", "ascii")
TYPES = ("noble", "religious", "trade", "military", "unique")


def one_of(*words: str) -> Check:
    """A check for one of these words, which offers the nearest."""

    def check(value: Any) -> str | None:
        if value in words:
            return None
        return f"{quoted(value)} is not one of {', '.join(words)}{nearest(value, words)}"

    return check


def truth(value: Any) -> str | None:
    """A check for true or false."""
    return None if isinstance(value, bool) else f"{quoted(value)} is neither true nor false"


def path(value: Any) -> str | None:
    """A check for a path or null."""
    if value is None or (isinstance(value, str) and value):
        return None
    return f"{quoted(value)} is not a path; quote it if it is"


def reader(value: Any) -> str | None:
    """A check for one of `READERS` or a place that a reader can be at, as `tags` names them."""
    if value in (*READERS, "usb", "pcsc") or (isinstance(value, str) and value.startswith("/")):
        return None
    if not isinstance(value, str) or value.isalpha():  # a slip of the hand
        return (
            f"{quoted(value)} is neither {', '.join(READERS)} nor a path{nearest(value, READERS)}"
        )
    from tags.readers.paths import parse_place

    try:
        parse_place(value)
    except ValueError as error:
        return safe(str(error))
    return None


def link(value: Any) -> str | None:
    """A check for what a chip's web link may begin with, or null."""
    if value is None:
        return None
    from tags.ndef import check_base

    said = check_base(value) if isinstance(value, str) else "it is no link"
    return f"{quoted(value)} cannot be used: {said}" if said else None


def named_readers(value: Any) -> str | None:
    """A check for a mapping of readers; what is wrong inside it is `_wrong_readers`."""
    if value is None or (isinstance(value, dict) and value):
        return None
    return f"{quoted(value)} is no list of readers; write a name and a path on each line below it"


def symbols(value: Any) -> str | None:
    """A check for one of `SYMBOLS`, or marks of at most two signs by district type."""
    if not isinstance(value, dict):
        return one_of(*SYMBOLS)(value)
    for type_, mark in value.items():
        if type_ not in TYPES:
            return f"{quoted(type_)} is not one of {', '.join(TYPES)}{nearest(type_, TYPES)}"
        if not isinstance(mark, str) or not 1 <= len(mark) <= 2 or not mark.isprintable():
            return f"{quoted(mark)} is not a mark of one or two signs; quote it if it is"
    return None


def own_keys(value: Any) -> str | None:
    """A check for a mapping of keys; what is wrong inside it is `keys.problems`."""
    if value is None or isinstance(value, dict):
        return None
    return f"{quoted(value)} is no list of keys; write an action and its key on each line below it"


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

    return wrong_voices(value, LANGUAGES)


def between(least: float, most: float) -> Check:
    """A check for a number in that range; a variable's text of one will do."""

    def check(value: Any) -> str | None:
        try:
            number = float("nan" if isinstance(value, bool) else value)
        except (TypeError, ValueError):
            number = float("nan")
        if least <= number <= most:
            return None
        return f"{quoted(value)} is no number from {least:g} to {most:g}"

    return check


def nearest(word: Any, known: Iterable[str], cutoff: float = 0.5) -> str:
    """`; did you mean "X"?`, or nothing where nothing is near."""
    from difflib import get_close_matches

    found = get_close_matches(str(word), list(known), n=1, cutoff=cutoff)
    return f'; did you mean "{found[0]}"?' if found else ""


def quoted(value: Any) -> str:
    """A value as its file would show it, safe to print."""
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    return f'"{safe(value, 60)}"' if isinstance(value, str) else f"{value}"[:60]


def safe(text: str, limit: int = 300) -> str:
    """The text without what could drive a terminal."""
    from companion.clean import clean_text

    return clean_text(text, limit=limit)
