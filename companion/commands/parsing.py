"""Parsing a command's words with argparse, in this program's words and the table's language."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from common.sentences import N_
from companion.commands import CommandError, blame, see, settings
from companion.language import _
from companion.settings.table import SETTINGS

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
        self._changed: list[str] = []
        super().__init__(
            prog=f"companion {command}",
            description=_(description),
            allow_abbrev=False,
            formatter_class=_Help,
        )

    def add_setting(self, key: str, **otherwise: Any) -> None:
        """Take an option that changes a setting, as the table of settings describes it; `otherwise`
        is what `add_argument` is told differently."""
        setting = SETTINGS[key]
        self._changed.append(key)
        told: dict[str, Any] = {"dest": setting.option, "help": setting.help}
        if setting.metavar:
            told["metavar"] = setting.metavar
        else:  # true or false: given, it is true
            told |= {"action": "store_const", "const": True}
        self.add_argument(f"--{setting.option}", **(told | otherwise))

    def settings(self, given: argparse.Namespace) -> dict[str, Any]:
        """The settings that the options change, by key; None for one that was not given."""
        return {key: getattr(given, SETTINGS[key].option) for key in self._changed}

    def error(self, message: str) -> NoReturn:
        """Give up on the words. Raises CommandError."""
        raise CommandError(blame(self.prog, message), see(self.prog))


class _Help(argparse.HelpFormatter):
    """Help in the table's language."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and _(action.help)
