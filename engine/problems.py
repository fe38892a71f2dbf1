"""What is wrong with data from outside: every problem with the place it stands at.

A place is a path of keys and list positions into the data; whoever read the file knows the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import NamedTuple

from engine.sentences import Sentence, quoted, suggesting

Path = tuple[str | int, ...]

MAX_ENTRIES = 200  # of a list or mapping: more than the cards of any box


class Problem(NamedTuple):
    """One thing that is wrong, in a sentence, and where."""

    path: Path
    text: Sentence


class Inconsistent(ValueError):
    """Data that describes no possible game; `problems` are all of them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(problem.text for problem in self.problems))


class Checker:
    """Collects problems while data is read, so that all of them are told at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def say(
        self, path: Path, template: str, /, *, near: str | None = None, **fields: object
    ) -> None:
        """Note a problem: an English sentence with its fields, and the word that may be meant."""
        self.problems.append(Problem(path, suggesting(Sentence(template, **fields), near)))

    def mapping(self, data: object, path: Path, known: Iterable[str]) -> dict[str, object]:
        """The data as a mapping with only known keys (None counts as empty)."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.say(path, "{place} must be a mapping", place=_place(path))
            return {}
        if self.too_long(data, path):
            return {}
        keys = list(known)
        for key in data:
            if key not in keys:
                self.say((*path, key), "unknown key “{key}”", key=key, near=nearest(str(key), keys))
        return {key: value for key, value in data.items() if key in keys}

    def items(self, data: object, path: Path) -> list[object]:
        """The data as a list; a bare word will do for a list of one."""
        if data is None:
            return []
        if isinstance(data, str):
            return [data]
        if not isinstance(data, list):
            self.say(path, "{place} must be a list", place=_place(path))
            return []
        return [] if self.too_long(data, path) else data

    def too_long(self, data: Sized, path: Path) -> bool:
        """Whether the list or mapping is longer than any table needs, after noting that it is."""
        if len(data) <= MAX_ENTRIES:
            return False
        self.say(
            path,
            "{place} has {number} entries; there can be {most} at most",
            place=_place(path),
            number=len(data),
            most=MAX_ENTRIES,
        )
        return True

    def number(self, data: object, path: Path, *, least: int = 0, most: int = 999_999) -> int:
        """The data as a whole number within bounds; `least` where it is none."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.say(
                path,
                "{place} must be a whole number, not {data}",
                place=_place(path),
                data=shown(data),
            )
        elif not least <= data <= most:
            self.say(
                path,
                "{place} is {data}, but must be from {least} to {most}",
                place=_place(path),
                data=data,
                least=least,
                most=most,
            )
        else:
            return data
        return least

    def truth(self, data: object, path: Path) -> bool:
        """The data as true or false."""
        if not isinstance(data, bool):
            self.say(
                path,
                "{place} must be true or false, not {data}",
                place=_place(path),
                data=shown(data),
            )
        return data is True

    def known(
        self, data: object, path: Path, ids: Iterable[str], template: str, /, **fields: object
    ) -> str | None:
        """The data as one of these ids, or None after noting that it is none: the sentence names
        the `{data}`."""
        if isinstance(data, str) and data in (ids := list(ids)):
            return data
        self.say(path, template, data=shown(data), near=nearest(str(data), ids), **fields)
        return None


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is nearest, or None where none is near."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return close[0] if close else None


def shown(data: object) -> str:
    """Foreign data as a problem quotes it: short, on one line."""
    text = repr(data)  # what cannot be shown is written by its number
    text = text if len(text) <= 40 else text[:40] + "…"
    return quoted(text[1:-1]) if isinstance(data, str) and text[-1] != "…" else text


def _place(path: Path) -> str:
    return ".".join(str(part) for part in path) or Sentence("the record")
