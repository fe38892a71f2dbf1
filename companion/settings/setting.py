"""One setting: its key, its usual value, what is wrong with others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

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
        """This setting with its description for `config.yaml`."""
        self.text = text
        return self

    @property
    def variable(self) -> str:
        """The variable that sets it; "" if only files do."""
        return "" if self.inner is not None else name_variable(self.key)


def name_variable(key: str) -> str:
    """The variable that sets the setting of that key."""
    is_short = key.startswith(("paths.", "tags."))
    name = key.rpartition(".")[2] if is_short else key.replace(".", "_")
    return f"COMPANION_{name.upper()}"


def is_missing(key: str) -> bool:
    """Whether a setting or an action is of an extension that was removed or does not work: its keys
    begin with the name of the extension, unless they are older."""
    older = key in ("place", "points", "results", "stats")
    return extending.is_missing("looking_back" if older else key.partition(".")[0])


def list_brought() -> list[Setting]:
    """The settings of all extensions."""
    return extending.gather(lambda extension: extension.settings)
