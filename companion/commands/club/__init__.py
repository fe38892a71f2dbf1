"""`companion club`: many tables that meet at a hub, and their league."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from common.sentences import N_, Sentence
from companion.commands import DONE, CommandError, load_settings
from companion.commands.parsing import Parser, describe_group, refuse_subcommand

if TYPE_CHECKING:
    import argparse

    from companion.settings.config import Config

COMMANDS = {
    "hub": N_("the wall, the standings and the judge's page of a club"),
    "demo": N_("a demonstration club on this computer, with simulated tables"),
    "init": N_("make a club's folder: for the broker, the hub and a card for each table"),
    "players": N_("the club's list of players; adds, renames and removes them"),
    "draw": N_("draw the seats of the next round, or swap two players"),
    "results": N_("the results of the tables, and the judge's corrections"),
    "standings": N_("the club's standings by points, with ratings"),
    "history": N_("the club's games, newest first"),
    "import": N_("import games of a table that has no connection"),
    "stats": N_("statistics of the club's games"),
    "recap": N_("a recap of one of the club's games"),
}
"""Every subcommand with its description; each is a module of this package, or a command that works
on the club's games."""

_ON_GAMES = ("history", "import", "stats", "recap")


def run(words: list[str]) -> int:
    """Run a subcommand."""
    if words and words[0] in ("-h", "--help"):
        about = Sentence("Many tables on one wall, and their league.")
        print(describe_group("club", about, COMMANDS))
        return DONE
    command = words[0] if words else ""
    if command not in COMMANDS:
        raise refuse_subcommand("club", command, COMMANDS)
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
    subparser: Parser = import_module(f"companion.commands.club.{command}").make_parser()
    return subparser


def add_folder(parser: Parser) -> None:
    """Add the option for the club's folder."""
    parser.add_argument(
        "--folder", metavar="FOLDER", help="the club's folder (default: the data folder)"
    )


def find_folder(options: argparse.Namespace, config: Config) -> str:
    """The club's folder, which is that of the hub's games too. Raises CommandError."""
    if options.folder is None:
        return config.data
    folder: str = os.path.abspath(options.folder)
    if not os.path.isdir(folder):
        raise CommandError(Sentence("there is no folder {folder}", folder=options.folder))
    return folder


def _run_on_games(command: str, words: list[str]) -> int:
    """Run a command of a single table on the games of the club: its folder is a data folder."""
    args = make_parser(command).parse_args(words)
    if args.folder is not None:
        os.environ["COMPANION_DATA"] = find_folder(args, load_settings())
        at = next(at for at, word in enumerate(words) if word.startswith("--folder"))
        words = words[:at] + words[at + 1 + ("=" not in words[at]) :]
    code: int = import_module(f"companion.commands.{command}").run(words)
    return code
