"""`companion completion`: a script for the shell, which completes commands, options and values.

It is made from the parsers of all commands, like the manual page (`scripts/manual.py`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from common.sentences import Sentence
from companion import setup
from companion.commands import DONE, cli, load_settings, play
from companion.commands.parsing import Parser
from companion.commands.replay import FULL, PUBLIC
from companion.errors.output import answer
from companion.language import catalogues, translate
from companion.settings.table import SECRECIES
from engine import cards, editions

SHELLS = ("bash", "zsh", "fish")


def run(words: list[str]) -> int:
    """Print the script."""
    args = make_parser().parse_args(words)
    load_settings()
    import shtab

    alone = argparse.ArgumentParser("companion", parents=[play.make_parser()], add_help=False)
    answer(shtab.complete(_prepare(add_all(alone)), args.shell).splitlines())
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("completion", "Print a script that completes commands in your shell.")
    parser.add_argument("shell", choices=SHELLS, help="the shell that the script is for")
    return parser


def add_all(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add every command with its parser, for completion and for the manual page."""
    _add_commands(parser, cli.COMMANDS, _find_parser)
    return parser


def _add_commands(
    parser: argparse.ArgumentParser,
    commands: Mapping[str, str],
    find: Callable[[str], argparse.ArgumentParser],
) -> None:
    below = parser.add_subparsers(
        title="commands", description="", metavar="COMMAND", parser_class=_take
    )  # type: ignore[call-overload]
    for name, what in commands.items():
        below.add_parser(name, help=translate(Sentence(what)), parser=find(name))


def _take(parser: argparse.ArgumentParser, **_options: object) -> argparse.ArgumentParser:
    """The parser itself, in place of the one that argparse would make."""
    return parser


def _find_parser(name: str) -> argparse.ArgumentParser:
    """The parser of a command, with those of its subcommands."""
    module = import_module(f"companion.commands.{name}")
    if not hasattr(module, "COMMANDS"):
        parser: Parser = module.make_parser()
        return parser
    group = argparse.ArgumentParser(
        prog=f"companion {name}", description=translate(Sentence(cli.COMMANDS[name]))
    )
    _add_commands(group, module.COMMANDS, module.make_parser)
    return group


def _prepare(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add to the parsers what can be completed: files, folders and ids."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _prepare(below)
            continue
        metavars = action.metavar if isinstance(action.metavar, tuple) else (action.metavar or "",)
        values = next((_VALUES[key] for key in (action.dest, *metavars) if key in _VALUES), None)
        if values is not None:
            action.choices = [*values()]
        elif any(metavar.startswith(_FILES) for metavar in metavars):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif _FOLDERS.intersection(metavars):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return parser


_FILES = ("FILE", "GAME|FILE", "CERT", "READER")
_FOLDERS = {"DIR", "FOLDER"}
"""How metavars of files (here only their beginning) and folders are called."""

_VALUES: dict[str, Callable[[], Iterable[str]]] = {
    "EDITION": editions.editions,
    "CODE": catalogues.list_offered,
    "SECRECY": lambda: SECRECIES,
    "VIEW": lambda: (FULL, PUBLIC),
    "cast": lambda: (setup.ORDINARY, setup.RANDOM, *editions.printed_casts()),
    "name": lambda: sorted({*cards.characters(), *cards.district_ids()}),
}
"""The values of options and words, by metavar or by destination."""
