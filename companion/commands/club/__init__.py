"""`companion club`: many tables that meet at a hub, and their league."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from common.sentences import N_, Sentence
from companion.commands import DONE, CommandError, see, settings
from companion.commands.parsing import Parser
from companion.language import _, translate

if TYPE_CHECKING:
    import argparse

    from companion.settings.config import Config

COMMANDS = {
    "hub": N_("the wall, the standings and the judge's page of a club"),
    "demo": N_("a whole club on this computer, whose tables play by themselves"),
    "init": N_("make a club's folder: for the broker, the hub and a card for each table"),
    "players": N_("the club's list of players; adds, renames and removes them"),
    "draw": N_("draw who sits where in the next round, or exchange two players"),
    "standings": N_("the club's ranking by points, with ratings"),
    "history": N_("the club's games, newest first"),
    "stats": N_("statistics of the club's games"),
    "recap": N_("a recap of one of the club's games"),
}
"""Every subcommand with its description; each is a module of this package, or a command that works
on the club's games."""

_ON_GAMES = ("history", "stats", "recap")


def run(words: list[str]) -> int:
    """Run a subcommand."""
    if words and words[0] in ("-h", "--help"):
        print(_help())
        return DONE
    command = words[0] if words else ""
    if command not in COMMANDS:
        from common.problems import find_nearest
        from common.sentences import suggest

        problem = suggest(
            Sentence("companion club: unknown command “{word}”", word=command),
            find_nearest(command, COMMANDS),
        )
        if not command:
            problem = Sentence(
                "companion club: choose a command: {commands}", commands=", ".join(COMMANDS)
            )
        raise CommandError(problem, see("companion club"))
    if command in _ON_GAMES:
        return _run_on_games(command, words[1:])
    code: int = import_module(f"companion.commands.club.{command}").run(words[1:])
    return code


def make_parser(command: str) -> Parser:
    """The options of a subcommand."""
    if command in _ON_GAMES:
        parser: Parser = import_module(f"companion.commands.{command}").make_parser()
        parser.prog = f"companion club {command}"
        add_folder(parser)
        return parser
    made: Parser = import_module(f"companion.commands.club.{command}").make_parser()
    return made


def add_folder(parser: Parser) -> None:
    """Add the option for the club's folder."""
    parser.add_argument(
        "--folder", metavar="FOLDER", help="the club's folder (default: the data folder)"
    )


def find_folder(given: argparse.Namespace, config: Config) -> str:
    """The club's folder, which is that of the hub's games too. Raises CommandError."""
    if given.folder is None:
        return config.data
    folder: str = os.path.abspath(given.folder)
    if not os.path.isdir(folder):
        raise CommandError(Sentence("there is no folder {folder}", folder=given.folder))
    return folder


def _run_on_games(command: str, words: list[str]) -> int:
    """Run a command of a single table on the games of the club: its folder is a data folder."""
    given = make_parser(command).parse_args(words)
    if given.folder is not None:
        os.environ["COMPANION_DATA"] = find_folder(given, settings.load())
        at = next(at for at, word in enumerate(words) if word.startswith("--folder"))
        words = words[:at] + words[at + 1 + ("=" not in words[at]) :]
    code: int = import_module(f"companion.commands.{command}").run(words)
    return code


def _help() -> str:
    settings.speak()
    rows = (f"  {name:12}{translate(Sentence(what))}" for name, what in COMMANDS.items())
    return "\n".join(
        (
            _("usage: companion club COMMAND [OPTION ...]"),
            "",
            _("Many tables on one wall, and their league."),
            "",
            *rows,
            "",
            _("For more: companion club COMMAND --help."),
        )
    )
