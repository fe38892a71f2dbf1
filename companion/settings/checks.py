"""Checks for the values of settings: each returns the problem, or None."""

from __future__ import annotations

from datetime import date
from typing import Any

from common.clean import LONGEST_NAME, clean_text, is_name, read_number
from common.problems import find_nearest, quote_data, tell_range
from common.sentences import Sentence, suggest
from companion.language import catalogues
from companion.settings.named_readers import check_place
from companion.settings.setting import Check
from engine import datafiles
from engine.cards import DISTRICT_TYPES
from engine.words import listing
from tags import links
from tags.readers.roads import find_place

READERS = ("auto", "none", "simulated")
SYMBOLS = ("auto", "both", "letters", "shapes", "ascii")


def one_of(*words: str) -> Check:
    """A check for one of these words, which suggests the nearest."""

    def check(value: Any) -> str | None:
        if value in words:
            return None
        problem = Sentence(
            "{value} is not one of {values}", value=quote_data(value), values=", ".join(words)
        )
        return suggest(problem, find_nearest(value, words))

    return check


def edition(value: Any) -> str | None:
    return one_of(*datafiles.load("editions"))(value)


def spoken_language(value: Any) -> str | None:
    """A check for `auto` or a language; an unfinished one may be tried if its files exist."""
    if isinstance(value, str) and catalogues.is_whole(value):
        return None
    lacking = catalogues.describe_missing(value) if isinstance(value, str) else None
    return lacking or one_of("auto", *catalogues.list_offered())(value)


def truth(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    return Sentence("{value} is neither true nor false", value=quote_data(value))


def path(value: Any) -> str | None:
    """A check for a path or null."""
    if value is None or (isinstance(value, str) and value):
        return None
    return Sentence("{value} is not a path; quote it if it is", value=quote_data(value))


def reader(value: Any) -> str | None:
    """A check for one of `READERS` or the path of a reader, as defined by `tags`."""
    if value in READERS or (isinstance(value, str) and find_place(value)):
        return None
    if not isinstance(value, str) or value.isalpha():  # a typing error
        problem = Sentence(
            "{value} is neither {values} nor a path",
            value=quote_data(value),
            values=", ".join(READERS),
        )
        return suggest(problem, find_nearest(value, READERS))
    return check_place(value)


def link(value: Any) -> str | None:
    """A check for the beginning of a chip's web link, or null."""
    if value is None:
        return None
    try:
        links.parse(value if isinstance(value, str) else "")
    except ValueError as error:
        return Sentence(
            "{value} cannot be used: {problem}", value=quote_data(value), problem=str(error)
        )
    return None


def deck(value: Any) -> str | None:
    if value is None or is_name(value):
        return None
    return Sentence(
        "{value} cannot be a deck's name; write 1 to {most} letters",
        value=quote_data(value),
        most=LONGEST_NAME,
    )


def symbols(value: Any) -> str | None:
    """A check for one of `SYMBOLS`, or marks of at most two characters by district type."""
    if not isinstance(value, dict):
        return one_of(*SYMBOLS)(value)
    for type_, mark in value.items():
        if type_ not in DISTRICT_TYPES:
            return one_of(*DISTRICT_TYPES)(type_)
        if not isinstance(mark, str) or not 1 <= len(mark) <= 2 or not mark.isprintable():
            return Sentence(
                "{value} is not a mark of one or two characters; quote it if it is",
                value=quote_data(mark),
            )
    return None


BEATEN = (-1,)
"""One point for each player behind, instead of a number for each place."""

MOST_PLACES, MOST_POINTS = 8, 1000


def read_points(value: Any) -> tuple[int, ...]:
    """The points for first place, second and so on, from the setting: `beaten`, which gives
    `BEATEN`, or whole numbers, none larger than the one before. Raises ValueError."""
    if value == "beaten":
        return BEATEN
    words = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(words, list) or not 1 <= len(words) <= MOST_PLACES:
        raise ValueError(value)
    numbers = [read_number(str(word), 4) for word in words]
    points = tuple(number for number in numbers if number is not None)
    if len(points) < len(words) or max(points) > MOST_POINTS:
        raise ValueError(value)
    if list(points) != sorted(points, reverse=True):
        raise ValueError(value)
    return points


def points(value: Any) -> str | None:
    """A check for the points of each place (`read_points`)."""
    try:
        read_points(value)
    except ValueError:
        return Sentence(
            "{value} is neither beaten nor points for first place, second place and so on; write "
            "1 to {most} whole numbers like 10 6 3 1, none larger than the one before",
            value=quote_data(value),
            most=MOST_PLACES,
        )
    return None


OUTPUTS = ("none", "auto", "espeak-ng", "spd-say", "say", "windows", "screen-reader")
WITH_DEVICE = ("espeak-ng", "say")


def ear(value: Any) -> str | None:
    """A check for the voice of one person: one of `OUTPUTS`, some of which take a device."""
    name, at, device = value.partition("@") if isinstance(value, str) else ("", "", "")
    if device and name in WITH_DEVICE:
        return None
    if at and name in OUTPUTS:
        return Sentence("a device can be given only for {values}", values=listing(WITH_DEVICE))
    return one_of(*OUTPUTS, *(f"{name}@DEVICE" for name in WITH_DEVICE))(value)


def day(value: Any) -> str | None:
    """A check for a day or null."""
    if value is None:
        return None
    try:
        if date.fromisoformat(str(value)).isoformat() == str(value):
            return None
    except ValueError:
        pass
    return Sentence(
        "“{day}” is not a date; write it like 2026-11-22", day=clean_text(str(value), limit=60)
    )


def between(least: float, most: float) -> Check:
    """A check for a number in that range; a variable's text of one is accepted."""

    def check(value: Any) -> str | None:
        try:
            number = float("nan" if isinstance(value, bool) else value)
        except (TypeError, ValueError):
            number = float("nan")
        if least <= number <= most:
            return None
        return tell_range(quote_data(value), f"{least:g}", f"{most:g}")

    return check
