"""What is wrong with data from outside: every problem with the place it stands at.

A place is a path of keys and list positions into the data; whoever read the file knows the line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Path = tuple[str | int, ...]


class Problem(NamedTuple):
    """One thing that is wrong, in a sentence, and where."""

    path: Path
    text: str


class Inconsistent(ValueError):
    """Data that describes no possible game; `problems` are all of them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(problem.text for problem in self.problems))


class Checker:
    """Collects problems while data is read, so that all of them are told at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def say(self, path: Path, text: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(path, text))

    def mapping(self, data: object, path: Path, known: Iterable[str]) -> dict[str, object]:
        """The data as a mapping with only known keys (None counts as empty)."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.say(path, f"{_place(path)} must be a mapping")
            return {}
        keys = list(known)
        for key in data:
            if key not in keys:
                self.say((*path, key), f"unknown key {key!r}{nearest(str(key), keys)}")
        return {key: value for key, value in data.items() if key in keys}

    def items(self, data: object, path: Path) -> list[object]:
        """The data as a list; a bare word will do for a list of one."""
        if data is None:
            return []
        if isinstance(data, str):
            return [data]
        if not isinstance(data, list):
            self.say(path, f"{_place(path)} must be a list")
            return []
        return data

    def number(self, data: object, path: Path, *, least: int = 0, most: int = 999_999) -> int:
        """The data as a whole number within bounds; `least` where it is none."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.say(path, f"{_place(path)} must be a whole number, not {shown(data)}")
        elif not least <= data <= most:
            self.say(path, f"{_place(path)} is {data}, but must be from {least} to {most}")
        else:
            return data
        return least

    def truth(self, data: object, path: Path) -> bool:
        """The data as true or false."""
        if not isinstance(data, bool):
            self.say(path, f"{_place(path)} must be true or false, not {shown(data)}")
        return data is True

    def known(self, data: object, path: Path, ids: Iterable[str], what: str) -> str | None:
        """The data as one of these ids, or None after noting that it is none."""
        if isinstance(data, str) and data in (ids := list(ids)):
            return data
        self.say(path, f"{shown(data)} is no {what}{nearest(str(data), ids)}")
        return None


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with the nearest known word, or nothing where none is near."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def shown(data: object) -> str:
    """Foreign data as a problem quotes it: short, on one line."""
    text = repr(data)
    return text if len(text) <= 40 else text[:40] + "…"


def _place(path: Path) -> str:
    return ".".join(str(part) for part in path) or "the record"
