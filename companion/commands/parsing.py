"""Parsing arguments with argparse, with messages in our style and the table's language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from common.problems import find_nearest
from common.sentences import N_, Sentence, suggest
from companion.commands import CommandError, refuse_gone, use_table_language
from companion.commands.names import find_instead
from companion.language import _, begin_sentence, end_sentence, translate
from companion.settings.config import find_setting

# argparse's own messages, as far as users can get them here
_OF_ARGPARSE = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("the following arguments are required: %s"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("not allowed with argument %s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
)

argparse._ = _  # type: ignore[attr-defined]  # the function that translates its messages


def _take_number(text: str) -> float:
    """The number that an option is given, with decimals. Raises ArgumentTypeError."""
    try:
        return float(text)
    except ValueError:
        problem = Sentence("“{text}” is not a number", text=text)
        raise argparse.ArgumentTypeError(translate(problem)) from None


def translate_help(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of an argument, with its help, if it has one, in the table's language."""
    text = fields.get("help")
    if not text:
        return fields
    return fields | {"help": translate(text if isinstance(text, Sentence) else Sentence(text))}


def refuse_unknown(prog: str, word: str, known: Iterable[str]) -> CommandError:
    """The error for a word that the command does not take, with the nearest of those it does; the
    dashes of options make none alike."""
    problem = Sentence("unknown word “{word}”", word=word)
    by_letters = {one.lstrip("-"): one for one in known}
    nearest = find_nearest(word.lstrip("-"), by_letters)
    return CommandError.of(prog, suggest(problem, by_letters.get(nearest or "")), hint=prog)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence and a pointer to the help."""

    def __init__(self, command: str, about: str, options: Iterable[str]) -> None:
        """`options` are the names of all that will be added."""
        use_table_language()
        self.command = command
        self._options = [*options, "--help"]
        self._changes: dict[str, str] = {}
        super().__init__(
            prog=f"companion {command}",
            description=end_sentence(begin_sentence(Sentence(about))),
            allow_abbrev=False,
        )
        self.register("type", float, _take_number)

    def add_setting(self, key: str, **otherwise: Any) -> None:
        """Add an option for a setting, as described in the table of settings; `otherwise` overrides
        arguments of `add_argument`."""
        setting = find_setting(key)
        assert setting is not None
        self._changes[key] = setting.option
        fields: dict[str, Any] = {"dest": setting.option, "help": setting.help}
        if setting.metavar:
            fields["metavar"] = setting.metavar
        else:  # boolean: the option sets it
            fields |= {"action": "store_const", "const": True}
        self.add_argument(f"--{setting.option}", **translate_help(fields | otherwise))

    def settings(self, options: argparse.Namespace) -> dict[str, Any]:
        """The settings that the options change, by key; None for options not given."""
        return {key: getattr(options, option) for key, option in self._changes.items()}

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: None = None
    ) -> argparse.Namespace:
        """The arguments; what begins like a negative number belongs to the option before it. Raises
        CommandError, also for an option of former versions."""
        words: list[str] = []
        for word in args:
            option = word.partition("=")[0]
            if option[:1] == "-" and (instead := find_instead(f"{self.command} {option}")):
                raise refuse_gone(f"{self.prog} {option}", instead)
            if re.match(r"-\d", word) and words and words[-1].startswith("--"):
                words[-1] += f"={word}"
            else:
                words.append(word)
        options, unknown = self.parse_known_args(words)
        if unknown:
            raise refuse_unknown(self.prog, unknown[0].partition("=")[0], self._options)
        return options

    def print_help(self, file: Any = None) -> None:
        """Print the help. Raises OSError, which argparse would pass over."""
        print(self.format_help(), end="", flush=True)

    def error(self, message: str) -> NoReturn:
        """Reject the arguments. Raises CommandError."""
        raise CommandError.of(self.prog, message, hint=self.prog)
