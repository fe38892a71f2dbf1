"""Extensions: what a table can do without, each a package of its own that may be removed.

An extension is one object, an `Extension`, which its distribution names under the entry point group
`GROUP`; docs/dev/extending.md has a whole one. Nothing here imports one before it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import ClassVar, NamedTuple, TypeVar

from common.sentences import Sentence

GROUP = "citadels_companion.extensions"
_OURS = "companion.extensions."

_Brought = TypeVar("_Brought")


class Command(NamedTuple):
    """A command: `what` it does, and the module whose `run` is made by `declared.command`. One that
    only has commands below it (`tags`) needs no module. `in_front`: the help describes it."""

    what: str
    module: str = ""
    in_front: bool = False


class Extension:
    """What an extension brings; a subclass names what it has, the rest stays empty.

    Whatever raises an exception is told to people in one sentence, and left out.
    """

    name: str

    commands: ClassVar[Mapping[str, Command]] = {}
    """By name; one with a space (`club hub`) is below the other."""

    gone: ClassVar[Mapping[str, str]] = {}
    """Commands of former versions and their options (`labels --list`), with what replaces them."""


class _Found:
    """The extensions that work, and what the others lack."""

    def __init__(self) -> None:
        self.extensions: list[Extension] = []
        self.problems: list[Sentence] = []

    def give_up(self, name: str, error: Exception) -> None:
        """Tell why that extension cannot be used, and leave it out."""
        self.problems.append(explain(name, error))
        self.extensions = [one for one in self.extensions if one.name != name]


def explain(name: str, error: Exception) -> Sentence:
    """Why an extension, or its module of that name, cannot be used."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return Sentence("The extension {name} does not work: {reason}", name=name, reason=reason)


@cache
def _find() -> _Found:
    from importlib.metadata import entry_points  # slow, and most commands need no extension

    found = _Found()
    for point in sorted(entry_points(group=GROUP)):
        try:
            extension = point.load()
            if not isinstance(extension, Extension):
                raise TypeError(f"{point.value} is no Extension")
            found.extensions.append(extension)
        except Exception as error:
            lacks = error.name if isinstance(error, ModuleNotFoundError) else None
            is_removed = lacks and f"{point.module}.".startswith(f"{lacks}.")
            if not (is_removed and point.module.startswith(_OURS)):
                found.give_up(point.name, error)
    return found


def gather(bring: Callable[[Extension], Iterable[_Brought]]) -> list[_Brought]:
    """What all extensions bring of one kind."""
    brought: list[_Brought] = []
    for extension in list(_find().extensions):
        try:
            brought += bring(extension)
        except Exception as error:
            _find().give_up(extension.name, error)
    return brought


def take_problems() -> list[Sentence]:
    """What is to be told about extensions that do not work, once; nothing unless some were looked
    for."""
    if not _find.cache_info().currsize:
        return []
    problems, _find().problems = _find().problems, []
    return problems
