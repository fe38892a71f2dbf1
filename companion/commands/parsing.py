"""Parsing a command's words with argparse, in this program's words and the table's language."""

from __future__ import annotations

import argparse
from typing import NoReturn

from companion.commands import CommandError, see, settings
from companion.language import _
from engine.sentences import N_, Sentence

# What argparse says itself, as far as somebody can meet it here.
_OF_ARGPARSE = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("unrecognized arguments: %s"),
    N_("the following arguments are required: %s"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("not allowed with argument %s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
)

argparse._ = _  # type: ignore[attr-defined]  # where its sentences come from


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are ours: one sentence, and where to read on."""

    def __init__(self, command: str, description: str) -> None:
        settings.speak()
        super().__init__(
            prog=f"companion {command}",
            description=_(description),
            allow_abbrev=False,
            formatter_class=_Help,
        )

    def error(self, message: str) -> NoReturn:
        """Give up on the words. Raises CommandError."""
        raise CommandError(
            Sentence("{prog}: {message}", prog=self.prog, message=message), see(self.prog)
        )


class _Help(argparse.HelpFormatter):
    """Help in the table's language."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and _(action.help)
