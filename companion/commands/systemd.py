"""`companion daemon install` and `companion host install`: each writes a unit that runs the command
whenever this user logs in. Nothing else is written or run."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from common import own_files
from common.sentences import Sentence
from companion.commands import REFUSED, CommandError
from companion.commands.declared import Answer, arg
from companion.files import locations
from companion.language import _

UNITS = {"daemon": "citadels-reader.service", "host": "citadels-host.service"}
"""The unit of each command that can start automatically."""

_PAGES = {"daemon": "docs/reference/installing-readers.md", "host": "docs/phones.md"}
"""The page that says how else a command starts automatically."""

_SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "system")


INSTALL = arg(
    "command",
    metavar="install",
    nargs="?",
    choices=("install",),
    help="write a systemd unit that runs this whenever you log in",
)
"""The word that writes the unit instead of running the command."""


def find_unit(command: str) -> str:
    """The path of the command's unit, which need not exist."""
    return os.path.join(locations.user_units(), UNITS[command])


def install(command: str, words: Sequence[str]) -> Answer:
    """Write the unit that runs the command with those words, and say how it is started. Raises
    CommandError where there is no systemd, and for a unit of somebody else's."""
    name, path = f"companion {command}", find_unit(command)
    if shutil.which("systemctl") is None:
        raise CommandError(
            Sentence(
                "{command} install: only systemd starts it automatically; see {page}",
                command=name,
                page=_PAGES[command],
            )
        )
    try:
        if os.path.lexists(path):
            before = own_files.read(path, 100_000).decode(errors="replace")
            if not before.startswith(f"# Written by `{name} install`"):
                problem = Sentence(
                    "{unit} was not written by this program; move it elsewhere first", unit=path
                )
                raise CommandError(problem, code=REFUSED)
        own_files.replace(path, _write_unit(command, words), mode=0o644)
    except OSError as error:
        raise CommandError(locations.cannot_be_saved(path, error), code=REFUSED) from None
    start = f"systemctl --user daemon-reload && systemctl --user enable --now {UNITS[command]}"
    return Answer(
        [_("Written: {file}. To start it now and at every login:").format(file=path), start]
    )


def _write_unit(command: str, words: Sequence[str]) -> str:
    with open(os.path.join(_SOURCES, UNITS[command]), encoding="utf-8") as file:
        text = file.read()
    data = os.environ.get("COMPANION_DATA")
    line = ""
    if data:  # keep the current data folder
        line = f"Environment={_quote(f'COMPANION_DATA={locations.make_absolute(data)}')}\n"
    names = [sys.executable, "-m", "companion", command, *words]
    sentence = " ".join(_quote(word).replace("$", "$$") for word in names)
    return text.replace("@COMMAND@", sentence).replace("@ENVIRONMENT@\n", line)


def _quote(word: str) -> str:
    """Quote a word for systemd, where a line end would begin another setting."""
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"{}"'.format("".join(f"\\x{ord(c):02x}" if c < " " else c for c in safe))
