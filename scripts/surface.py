"""Write docs/dev/surface.md, everything of the program that people meet, and the table of the
commands in docs/reference/commands.md: both are found in the program.

    make surface

A change shows what grows; a test fails when this was not run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from companion import language  # noqa: E402
from companion.commands.declared import Arg  # noqa: E402
from companion.commands.declared import list_names as list_options  # noqa: E402
from companion.commands.names import describe, find_command, list_below, list_names  # noqa: E402
from companion.files import locations  # noqa: E402
from companion.phones.serving.web import ROUTES  # noqa: E402
from companion.settings.all_settings import SETTINGS  # noqa: E402
from companion.settings.checks import READERS  # noqa: E402
from companion.settings.setting import list_brought  # noqa: E402
from tags.readers.roads import ROADS  # noqa: E402

PAGE = ROOT / "docs" / "dev" / "surface.md"
COMMANDS_PAGE = ROOT / "docs" / "reference" / "commands.md"

_HEAD = """\
# What people meet

Everything of the program that people can meet: a budget, which grows only where that was decided.
When something comes, something leaves. `make surface` writes this page from the program.
"""


class Command(NamedTuple):
    """A command with its options and the words after it."""

    name: str
    options: tuple[str, ...]
    words: tuple[str, ...]


def write() -> str:
    """The page."""
    os.environ |= {"COMPANION_LANGUAGE": "en"}
    language.use("en")
    commands = [*list_commands()]
    options = sum(len(command.options) for command in commands)
    settings = [*SETTINGS, *(one.key for one in list_brought())]
    addresses = [path for path in ROUTES if path != "/static/"]
    roads = [*READERS, *ROADS]
    parts = (
        (f"{len(commands)} commands with {options} options", map(_describe, commands)),
        (f"{len(settings)} settings", settings),
        (f"{len(roads)} values and roads of a reader", roads),
        (f"{len(_list_files())} files that the companion keeps", _list_files()),
        ("Files and formats of commands", _list_formats(commands)),
        (f"{len(addresses)} addresses for phones", addresses),
        (f"{len(_list_pages())} pages and parts of pages", _list_pages()),
    )
    return "\n".join((_HEAD, *(_list(title, entries) for title, entries in parts)))


def write_commands() -> str:
    """The page of the commands, with what each does."""
    os.environ |= {"COMPANION_LANGUAGE": "en"}
    language.use("en")
    rows = [f"| `companion {one}` | {describe(one)} |" for one in list_names() if " " not in one]
    head = "| command | what it does |\n|---|---|\n"
    before, _, after = COMMANDS_PAGE.read_text(encoding="utf-8").partition(head)
    _, _, after = after.partition("\n\n")
    return before + head + "\n".join(rows) + "\n\n" + after


def _list(title: str, entries: Iterable[str]) -> str:
    return "\n".join((f"## {title}", "", *(f"- {entry}" for entry in entries), ""))


def list_commands() -> Iterator[Command]:
    """Every command, with those of the groups."""
    for name in list_names():
        found = find_command(name)
        if found is None or list_below(name):
            continue
        options, words = [], []
        for declared in import_module(found.module).run.options:
            if isinstance(declared, Arg) and not declared.name.startswith("-"):
                words.append(declared.fields.get("metavar", declared.name))
            else:
                options += list_options(declared)
        yield Command(f"companion {name}", tuple(options), tuple(words))


def _describe(command: Command) -> str:
    return " ".join(f"`{word}`" for word in (command.name, *command.words, *command.options))


def _list_files() -> list[str]:
    return sorted(value for name, value in vars(locations).items() if name.endswith("_NAME"))


_FORMATS = ("--html", "--out", "--braille", "--position", "--chips", "--json", "--csv")


def _list_formats(commands: list[Command]) -> Iterator[str]:
    """The commands that take a file, and for each format those that write it."""
    reading = [command.name for command in commands if any("FILE" in one for one in command.words)]
    yield f"FILE: {', '.join(reading)}"
    for option in _FORMATS:
        writing = [command.name for command in commands if option in command.options]
        yield f"`{option}`: {', '.join(writing)}"


def _list_pages() -> list[str]:
    paths = (ROOT / "companion").rglob("*.html")
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


if __name__ == "__main__":
    PAGE.write_text(write(), encoding="utf-8")
    COMMANDS_PAGE.write_text(write_commands(), encoding="utf-8")
