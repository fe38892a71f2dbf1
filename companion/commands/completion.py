"""`companion completion`: a script for the shell, which completes commands and options.

It is made from the parsers of all commands.
"""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterable
from importlib import import_module

import shtab

from common.sentences import Sentence
from companion.commands import play
from companion.commands.declared import Answer, arg, command
from companion.commands.names import describe, find_command, list_below, list_names
from companion.language import translate
from companion.settings.config import Config

SHELLS = ("bash", "zsh", "fish")


@command("completion", arg("shell", choices=SHELLS, help="the shell that the script is for"))
def run(_config: Config, args: Namespace) -> Answer:
    """The script."""
    alone = argparse.ArgumentParser("companion", parents=[play.run.make_parser()], add_help=False)
    return Answer(shtab.complete(add_all(alone), args.shell).splitlines())


def add_all(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add every command with its parser."""
    _add_commands(parser, [name for name in list_names() if " " not in name])
    return parser


def _add_commands(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    below = parser.add_subparsers(
        title="commands", description="", metavar="COMMAND", parser_class=_take
    )  # type: ignore[call-overload]
    for name in names:
        about = translate(Sentence(describe(name)))
        if words := list_below(name):
            one = argparse.ArgumentParser(prog=f"companion {name}", description=about)
            _add_commands(one, [f"{name} {word}" for word in words])
        elif command := find_command(name):
            one = import_module(command.module).run.make_parser()
        below.add_parser(name.rpartition(" ")[2], help=about, parser=one)


def _take(parser: argparse.ArgumentParser, **_options: object) -> argparse.ArgumentParser:
    """The parser itself, in place of the one that argparse would make."""
    return parser
