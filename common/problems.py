"""Problems in external data, each with its place.

A place is a path of keys and list positions into the data; the reader of the file knows the line.
"""

from __future__ import annotations

from common.sentences import locate

TYPE_CHECKING = False  # imported at every start, and `typing` is slow to import
if TYPE_CHECKING:
    from collections.abc import Iterable

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
        found = sorted(problems, key=lambda problem: problem.line)
        self.problems = tuple(found[:MAX_PROBLEMS])
        super().__init__("\n".join(map(str, self.problems)))
