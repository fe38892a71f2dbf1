"""The commands: a module each, with `run(words)`, which returns the exit code.

Each parses its own words and imports what it needs when it needs it, so that a short answer is
given in the time it takes to give it.
"""

from __future__ import annotations

import gc
from importlib import import_module

from common.sentences import Sentence
from companion.errors import WRONG_USAGE as WRONG_USAGE
from companion.errors import Told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

DONE = 0
REFUSED = 1  # a move was refused, or a file is inconsistent
INTERRUPTED = 130  # as shells count a Ctrl-C


def import_quickly(name: str) -> ModuleType:
    """The module of that name, imported without looking for garbage meanwhile: what an import
    makes stays, and to go through all of it again and again is a tenth of a start."""
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def see(command: str) -> Sentence:
    """Where to read on about a command."""
    return Sentence("See: {command}", command=f"{command} --help")


def no_reader(command: str) -> CommandError:
    """What is said where a command needs a reader and the settings name none."""
    return CommandError(
        Sentence("{command}: no reader is set; use --reader simulated or usb", command=command)
    )


def need_extra(command: str, extra: str, modules: Iterable[str]) -> None:
    """Raises CommandError with how to install that extra where one of its modules is missing."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in modules):
        raise CommandError(
            Sentence(
                "{command} needs the extra “{extra}”; install it with {install}",
                command=command,
                extra=extra,
                install=f".venv/bin/python -m pip install -e '.[{extra}]'",
            )
        )


def blame(command: str, problem: str) -> Sentence:
    """A problem after the command (or its option) that has it; the colon is the language's."""
    return Sentence("{prog}: {message}", prog=command, message=problem)


class CommandError(Told):
    """A command that cannot be carried out: lines for standard error, and the exit code."""

    def __init__(self, *lines: str, code: int = WRONG_USAGE) -> None:
        super().__init__(*lines)
        self.code = code
