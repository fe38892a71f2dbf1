"""One setting: its key, its usual value, what is wrong with others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from common.problems import find_nearest
from companion import extending

Check = Callable[[Any], str | None]
Inner = Callable[[Any], Iterable[tuple[tuple[str, ...], str]]]
Renew = Callable[[Any], tuple[Any, Iterable["Notice"]]]


class Notice(NamedTuple):
    """What people are told about a setting or value of former versions; the game goes on."""

    text: str
    at_every_start: bool = False
    """Otherwise it is told once."""


@dataclass(eq=False)
class Setting:
    """One setting.

    `key` has its group before a dot: `paths.data`; that of an extension is the extension's name, or
    has it as its group. `check` returns what is wrong with a value, or None. `option`, `metavar`
    and `help` are those of the commands. `inner`, instead of `check`, finds the problems with a
    mapping, each with its place in it; such a setting is for files only and has no variable.
    `renew` replaces a value of former versions and says so, before it is checked.
    """

    key: str
    default: Any
    check: Check = lambda _value: None
    option: str = ""
    metavar: str = ""
    help: str = ""
    inner: Inner | None = None
    renew: Renew | None = None
    text: str = ""

    def __post_init__(self) -> None:
        self.group, _, self.name = self.key.rpartition(".")

    def describe(self, text: str) -> Setting:
        self.text = text
        return self

    @property
    def variable(self) -> str:
        """The variable that sets it; "" if only files do."""
        return "" if self.inner is not None else name_variable(self.key)


def name_variable(key: str) -> str:
    is_short = key.startswith(("paths.", "tags."))
    name = key.rpartition(".")[2] if is_short else key.replace(".", "_")
    return f"COMPANION_{name.upper()}"


_ALMOST = 0.7
"""The least similarity, from 0 to 1, of a mistyped word to the right one."""


def is_mistake(word: str, known: Iterable[str]) -> bool:
    """Whether a setting or an action that is none of these known ones is a mistake. Where an
    extension was removed or does not work it may be that one's, unless it is almost a known one."""
    missing = extending.list_missing()
    is_theirs = word.partition(".")[0] in missing
    is_alike = find_nearest(word, known, cutoff=_ALMOST) is not None
    return not missing or (is_alike and not is_theirs)


def list_brought() -> list[Setting]:
    return extending.gather(lambda extension: extension.settings)
