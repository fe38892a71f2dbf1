"""Commands as declarations: the options that a command takes, the work it does, and its answer,
which is printed in the form that was asked for: text, JSON or CSV."""

from __future__ import annotations

import csv
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import TextIOWrapper
from typing import Any, NamedTuple

from common.clean import read_number
from common.problems import tell_range
from common.sentences import Sentence, quote
from companion.commands import DONE, CommandError, load_settings
from companion.commands.names import describe
from companion.commands.parsing import Parser, refuse_unknown, translate_help
from companion.errors.output import answer, answer_json, flatten, print_error
from companion.language import translate
from companion.settings.config import Config, find_setting


class Answer(NamedTuple):
    """What a command has found; `notes` are for standard error, after it."""

    lines: Iterable[str]
    data: Any = None
    table: Iterable[Iterable[Any]] = ()
    """The rows of the CSV, of which the first is the header."""

    notes: Iterable[str] = ()
    code: int = DONE


class Arg(NamedTuple):
    """An argument or option, as `add_argument` takes it."""

    name: str
    fields: dict[str, Any]


class Setting(NamedTuple):
    """An option for the setting of that key, as `Parser.add_setting` takes it."""

    key: str
    fields: dict[str, Any]


Option = Arg | Setting | list[Arg]
"""An option, or options of which only one may be given."""


def arg(name: str, **fields: Any) -> Arg:
    """An argument or option of a command."""
    return Arg(name, fields)


def setting(key: str, **fields: Any) -> Setting:
    """An option that changes a setting for this call."""
    return Setting(key, fields)


def list_names(option: Option) -> list[str]:
    """The names of what an option stands for."""
    match option:
        case Setting(key, _fields):
            known = find_setting(key)
            return [f"--{known.option}"] if known is not None else []
        case Arg(name, _fields):
            return [name]
    return [one.name for one in option]


JSON = arg("--json", action="store_true", help="the answer as JSON, for programs")
CSV = arg("--csv", action="store_true", help="a table for a spreadsheet")
GAME = arg(
    "game",
    metavar="GAME|FILE",
    nargs="?",
    help="the game's name or number, or a record or position file (default: the last game)",
)

Work = Callable[[Config, Namespace], Answer | int]


class Command:
    """A command, which runs when it is called with its words."""

    def __init__(self, name: str, options: Sequence[Option], work: Work) -> None:
        self.name, self.options, self.work = name, options, work

    def make_parser(self) -> Parser:
        """The parser of its words."""
        names = [name for option in self.options for name in list_names(option) if name[0] == "-"]
        parser = Parser(self.name, describe(self.name), names)
        for option in self.options:
            match option:
                case Setting(key, fields):
                    parser.add_setting(key, **fields)
                case Arg(name, fields):
                    parser.add_argument(name, **translate_help(fields))
                case _:
                    exclusive = parser.add_mutually_exclusive_group()
                    for one in option:
                        exclusive.add_argument(one.name, **translate_help(one.fields))
        return parser

    def __call__(self, words: list[str]) -> int:
        """Run it and print its answer; returns the exit code. Raises UserError."""
        parser = self.make_parser()
        args = parser.parse_args(words)
        result = self.work(load_settings(parser.settings(args)), args)
        return result if isinstance(result, int) else show(result, args)


def show(result: Answer, args: Namespace) -> int:
    """Print the answer in the form that the arguments ask for; returns the exit code."""
    if getattr(args, "json", False):
        answer_json(result.data)
    elif getattr(args, "csv", False):
        answer_csv(result.table)
    else:
        answer(result.lines)
    print_error(result.notes)
    return result.code


def command(name: str, *options: Option) -> Callable[[Work], Command]:
    """Make a command of the function that does its work with the settings and the arguments."""
    return lambda work: Command(name, options, work)


def answer_csv(rows: Iterable[Iterable[Any]]) -> None:
    """Print rows as CSV in UTF-8; the first is the header.

    Text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="")
    writer = csv.writer(sys.stdout)
    for row in rows:
        writer.writerow([_cell(value) for value in row])


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = flatten(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def take_count(least: int, most: int) -> Callable[[str], int]:
    """A whole number in that range, as the `type` of an option."""

    def take(word: str) -> int:
        number = read_number(word)
        if number is None or not least <= number <= most:
            raise wrong(tell_range(quote(word), least, most))
        return number

    return take


def refuse_words(prog: str, word: str, forms: Mapping[str, str]) -> CommandError:
    """The error for words after the command that are none of these forms, by their first word."""
    if word in forms:
        text = Sentence("write {words}; a name with spaces needs quotes", words=forms[word])
        return CommandError.of(prog, text, hint=prog)
    return refuse_unknown(prog, word, forms)


def wrong(problem: str) -> ArgumentTypeError:
    """The error for a word that is no value of its option."""
    return ArgumentTypeError(translate(problem))
