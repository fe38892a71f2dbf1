"""Parsing arguments with argparse, with messages in our style and the table's language."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from common.problems import find_nearest
from common.sentences import N_, Sentence, suggest
from companion.commands import CommandError, use_table_language
from companion.language import _, translate
from companion.settings.table import SETTINGS

# argparse's own messages, as far as users can get them here
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
)

argparse._ = _  # type: ignore[attr-defined]  # the function that translates its messages


def _take_whole_number(text: str) -> int:
    """The number that an option is given. Raises ArgumentTypeError."""
    try:
        return int(text)
    except ValueError:
        problem = Sentence("“{text}” is not a whole number", text=text)
        raise argparse.ArgumentTypeError(translate(problem)) from None


def _take_number(text: str) -> float:
    """The number that an option is given, with decimals. Raises ArgumentTypeError."""
    try:
        return float(text)
    except ValueError:
        problem = Sentence("“{text}” is not a number", text=text)
        raise argparse.ArgumentTypeError(translate(problem)) from None


class _Formatter(argparse.HelpFormatter):
    """The help at the terminal's width, without `shutil`: argparse makes one for every option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_count_columns() - 2)


def _count_columns() -> int:
    """The columns of the terminal, found as `shutil.get_terminal_size` does."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size().columns or 80
    except (OSError, ValueError):
        return 80


def describe_group(name: str, about: str, commands: Mapping[str, str]) -> str:
    """The help of a command that has subcommands, with what each of them does."""
    use_table_language()
    rows = (f"  {command:12}{translate(Sentence(what))}" for command, what in commands.items())
    usage = _("usage: companion {name} COMMAND [OPTION ...]").format(name=name)
    more = _("For more: companion {name} COMMAND --help.").format(name=name)
    return "\n".join((usage, "", translate(about), "", *rows, "", more))


def refuse_subcommand(name: str, word: str, commands: Iterable[str]) -> CommandError:
    """The error for a word that is none of the subcommands; "" is none at all."""
    commands = list(commands)
    if word:
        problem = suggest(
            Sentence("unknown command “{word}”", word=word), find_nearest(word, commands)
        )
    else:
        problem = Sentence("choose a command: {commands}", commands=", ".join(commands))
    return CommandError.of(f"companion {name}", problem, hint=f"companion {name}")


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence and a pointer to the help."""

    def __init__(self, command: str, description: str) -> None:
        use_table_language()
        self._changes: list[str] = []
        super().__init__(
            prog=f"companion {command}",
            description=_(description),
            allow_abbrev=False,
            formatter_class=_Formatter,
        )
        self.register("type", int, _take_whole_number)
        self.register("type", float, _take_number)

    def add_setting(self, key: str, **otherwise: Any) -> None:
        """Add an option for a setting, as described in the table of settings; `otherwise` overrides
        arguments of `add_argument`."""
        setting = SETTINGS[key]
        self._changes.append(key)
        fields: dict[str, Any] = {"dest": setting.option, "help": setting.help}
        if setting.metavar:
            fields["metavar"] = setting.metavar
        else:  # boolean: the option sets it
            fields |= {"action": "store_const", "const": True}
        self.add_argument(f"--{setting.option}", **(fields | otherwise))

    def _add_action(self, action: Any) -> Any:
        """Translate the action's help. All groups add their actions through this."""
        action.help = action.help and _(action.help)
        return super()._add_action(action)

    def settings(self, options: argparse.Namespace) -> dict[str, Any]:
        """The settings that the options change, by key; None for options not given."""
        return {key: getattr(options, SETTINGS[key].option) for key in self._changes}

    def error(self, message: str) -> NoReturn:
        """Reject the arguments. Raises CommandError."""
        raise CommandError.of(self.prog, message, hint=self.prog)
