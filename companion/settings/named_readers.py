"""The setting of several readers, each with a name of its own.

```yaml
readers:
  middle: usb@1-2
  anna: {path: "wedge:/dev/input/by-id/usb-Reader-event-kbd", seat: 1}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from common.clean import clean_text
from common.problems import find_nearest, quote_data
from common.sentences import Sentence, suggest
from tags.readers.gone_roads import find_replacement
from tags.readers.roads import ROADS, find_place, parse_place

SIMULATED = "simulated"
LONGEST_NAME = 32
MOST_SEATS = 8

_NAME = re.compile(r"[^\W_][\w .-]*")
_KEYS = ("path", "seat")


class ReaderSetting(NamedTuple):
    """One reader: its name, its path, and its seat (1 is the first player) or None."""

    name: str
    path: str
    seat: int | None = None


def read_readers(value: Mapping[str, Any] | None, one: str) -> tuple[ReaderSetting, ...]:
    """The readers of a checked mapping, in order; without it that `one` reader."""
    if not value:
        return (ReaderSetting(one, one),)
    return tuple(
        ReaderSetting(name, options["path"], options.get("seat"))
        if isinstance(options, dict)
        else ReaderSetting(name, options)
        for name, options in value.items()
    )


def problems(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every problem with the setting, each with its place in the mapping."""
    if value is None:
        return
    if not isinstance(value, dict) or not value:
        problem = Sentence(
            "{value} is not a list of readers; write a name and a path on each line below it",
            value=quote_data(value),
        )
        yield (), problem
        return
    places: dict[Any, str] = {}
    place: tuple[str, ...]
    for name, options in value.items():
        if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            yield (
                (name,),
                Sentence(
                    "a reader's name is up to {most} letters, digits, spaces, dots or dashes",
                    most=LONGEST_NAME,
                ),
            )
        path, place = options, (name,)
        if isinstance(options, dict):
            yield from _check_keys(name, options)
            if "path" not in options:
                continue
            path, place = options["path"], (name, "path")
        if wrong := _check_path(path):
            yield place, wrong
            continue
        where = find_place(path)
        if where is not None and ROADS[where.road].is_shared:
            continue
        other = places.setdefault(where or path, name)
        if other != name:
            yield (
                place,
                Sentence(
                    "“{path}” is already the reader “{name}”; tell two of a kind apart "
                    "by their ports, as companion doctor shows them (usb@1-2)",
                    path=clean_text(path, limit=60),
                    name=other,
                ),
            )


def _check_keys(name: str, options: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for key in options:
        if key not in _KEYS:
            problem = Sentence("unknown key “{key}”", key=clean_text(key, limit=60))
            yield (name, key), suggest(problem, find_nearest(key, _KEYS))
    if "path" not in options:
        yield (name,), Sentence("it needs a “path”: the reader's path")
    seat = options.get("seat")
    if "seat" in options and not (type(seat) is int and 1 <= seat <= MOST_SEATS):
        yield (name, "seat"), Sentence("a seat is a number from 1 to {most}", most=MOST_SEATS)


def _check_path(path: Any) -> str:
    if path == SIMULATED:
        return ""
    if not isinstance(path, str) or path in ("auto", "none"):
        return Sentence("write the path of one reader, or simulated")
    return check_place(path) or ""


def check_place(path: str) -> str | None:
    """The problem with a reader's path; None if there is none. One on a road that is gone is not
    refused: it is told at every start what replaces it."""
    try:
        if find_replacement(path) is None:
            parse_place(path)
    except ValueError as error:
        return str(error)
    return None
