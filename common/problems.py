"""Problems in data from outside, each with its place; the checker that collects them.

A place is a path of keys and list positions into the data; the reader of the file knows the line.
A mistyped word gets the known words most like it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from difflib import get_close_matches

from common.clean import clean_text
from common.sentences import Sentence, locate, quote, suggest

_ALIKE = 0.6
"""The least similarity, from 0 to 1, for a word to be suggested for another."""

_LONGEST = 60
"""The number of letters compared, which bounds the time, and shown."""


def find_nearest(word: object, known: Iterable[str], *, cutoff: float = _ALIKE) -> str | None:
    """The known word most similar to this one, or None if none is similar enough."""
    return next(iter(find_nearest_few(word, known, most=1, cutoff=cutoff)), None)


def find_nearest_few(
    word: object, known: Iterable[str], *, most: int, cutoff: float = _ALIKE
) -> list[str]:
    """Known words similar to this one, most similar first; case does not matter."""
    lowered = {name.lower(): name for name in known}
    close = get_close_matches(str(word).lower()[:_LONGEST], lowered, n=most, cutoff=cutoff)
    return [lowered[name] for name in close]


def tell_range(value: str, least: object, most: object) -> Sentence:
    """That this value, in quotes, is no number of that range."""
    return Sentence(
        "{value} is not a number from {least} to {most}", value=value, least=least, most=most
    )


Path = tuple[str | int, ...]

MAX_PROBLEMS = 50
"""The most mistakes reported at once."""


class Problem:
    """One mistake: a sentence and the path into the data; once the file is known, its name and the
    line (from 1)."""

    __slots__ = ("file", "line", "path", "text")

    def __init__(self, path: Path, text: str, *, file: str = "", line: int = 0) -> None:
        self.path = path
        self.text = text
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return locate(f"{self.file}:{self.line}", self.text) if self.line else self.text

    def __repr__(self) -> str:
        return f"Problem({self.path!r}, {str(self)!r})"


class Problems(ValueError):
    """All problems of some data, by line; `str()` gives one problem per line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        by_line = sorted(problems, key=lambda problem: problem.line)
        self.problems = tuple(by_line[:MAX_PROBLEMS])
        super().__init__("\n".join(map(str, self.problems)))


_MOST = 5  # ids shown for a name that may be several
MAX_ENTRIES = 200  # in a list or mapping: more than any box has cards


Find = Callable[[str, list[str]], list[str]]
"""Finds those of the ids that a text names which is none of them."""


class Checker:
    """Collects problems while data is read, so that all of them are reported at once.

    `find` understands other names of an id; without it, only ids are known.
    """

    def __init__(self, find: Find | None = None) -> None:
        self.problems: list[Problem] = []
        self.has_names = False
        """Whether another name stood for an id."""

        self._find = find or (lambda _text, _ids: [])

    def say(
        self, path: Path, template: str, /, *, near: str | None = None, **fields: object
    ) -> None:
        """Note a problem: an English sentence, its fields, and a suggested word."""
        self.note(path, suggest(Sentence(template, **fields), near))

    def note(self, path: Path, text: str | None) -> None:
        """Note a problem whose sentence is already complete, if there is one."""
        if text is not None:
            self.problems.append(Problem(path, text))

    def read_mapping(self, data: object, path: Path, known: Iterable[str]) -> dict[str, object]:
        """The data as a mapping with only known keys (None counts as empty)."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.say(path, "{place} must be a mapping", place=_place(path))
            return {}
        if self.is_too_long(data, path):
            return {}
        keys = list(known)
        for key in data:
            if key not in keys:
                self.say(
                    (*path, key), "unknown key “{key}”", key=key, near=find_nearest(str(key), keys)
                )
        return {key: value for key, value in data.items() if key in keys}

    def read_items(self, data: object, path: Path) -> list[object]:
        """The data as a list; a single word counts as a list of one."""
        if data is None:
            return []
        if isinstance(data, str):
            return [data]
        if not isinstance(data, list):
            self.say(path, "{place} must be a list", place=_place(path))
            return []
        return [] if self.is_too_long(data, path) else data

    def is_too_long(self, data: Sized, path: Path) -> bool:
        """Whether the list or mapping is longer than any table needs; notes a problem if so."""
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

    def read_number(self, data: object, path: Path, *, least: int = 0, most: int = 999_999) -> int:
        """The data as a whole number within bounds; `least` if it is not one."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.say(
                path,
                "{place} must be a whole number, not {data}",
                place=_place(path),
                data=quote_data(data),
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

    def read_truth(self, data: object, path: Path) -> bool:
        """The data as true or false."""
        if not isinstance(data, bool):
            self.say(
                path,
                "{place} must be true or false, not {data}",
                place=_place(path),
                data=quote_data(data),
            )
        return data is True

    def check_known(
        self, data: object, path: Path, ids: Iterable[str], template: str, /, **fields: object
    ) -> str | None:
        """The data as one of these ids, or None after noting a problem that names the `{data}`."""
        ids = list(ids)
        if isinstance(data, str):
            if data in ids:
                return data
            meant = self._find(data, ids)
            if len(meant) == 1:
                self.has_names = True
                return meant[0]
            if meant:
                self.say(
                    path,
                    "{data} may be {ids}; write one of these",
                    data=quote_data(data),
                    ids=", ".join(meant[:_MOST]),
                )
                return None
        self.say(path, template, data=quote_data(data), near=find_nearest(str(data), ids), **fields)
        return None


def quote_data(data: object) -> str:
    """A value as its file would spell it, shortened and safe to print."""
    if data is None or isinstance(data, bool):
        return str(data).lower().replace("none", "null")
    if isinstance(data, str):
        return quote(clean_text(data, limit=_LONGEST))
    return clean_text(str(data), limit=_LONGEST)


def _place(path: Path) -> str:
    return ".".join(str(part) for part in path) or Sentence("the record")
