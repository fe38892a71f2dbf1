"""`companion play`: checks what was asked for and starts the full-screen or the line caller."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from companion import setup
from companion.commands import CommandError, imported, settings
from companion.commands.parsing import Parser
from companion.options import PlayOptions
from companion.served import is_served
from engine.editions import switches
from engine.problems import Inconsistent, nearest
from engine.sentences import Sentence, placed, suggesting

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config import Config
    from engine.problems import Problem


def run(words: list[str]) -> int:
    """Start a caller; its exit code."""
    given = _parser().parse_args(words)
    config = settings.load(
        {
            "edition": given.edition,
            "secrecy": given.secrecy,
            "reader": given.reader,
            "plain": given.plain or None,
            "voice.table": given.voice,
        }
    )
    options = _checked(given, config)
    caller = imported("companion.plain" if in_lines(config) else "companion.app")
    run_caller: Callable[[PlayOptions, Config], int] = caller.run
    return run_caller(options, config)


def _parser() -> Parser:
    parser = Parser("play", "Play at the table: call the characters and keep the game.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", action="store_true", help="begin a new game")
    which.add_argument("--resume", action="store_true", help="go on with the last game")
    parser.add_argument("--edition", metavar="EDITION", help="the box on the table")
    parser.add_argument("--players", metavar='"A,B,C"', help="the names in seat order, clockwise")
    parser.add_argument("--crown", metavar="NAME", help="who holds the crown first")
    parser.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a house option of the edition, such as city_size=8; may be given again",
    )
    parser.add_argument(
        "--light",
        action="store_true",
        help="keep gold, kills and robberies alone; the cities are counted at the end",
    )
    parser.add_argument(
        "--teach",
        action="store_true",
        help="explain each character in the first round, when it is called",
    )
    parser.add_argument(
        "--cast", metavar="NAME", help="ordinary, random, or a printed cast (companion editions)"
    )
    parser.add_argument(
        "--characters", metavar="a,b,c", help="the characters one by one, instead of a cast"
    )
    parser.add_argument(
        "--districts", metavar="a,b,c", help="the unique districts that are shuffled in"
    )
    parser.add_argument("--secrecy", metavar="SECRECY", help="announced or secret")
    parser.add_argument("--reader", metavar="READER", help="none, simulated, or a reader's path")
    parser.add_argument(
        "--voice",
        metavar="OUTPUT",
        nargs="?",
        const="auto",
        help="speak to the table: auto (also without a word), a voice, or files:FOLDER",
    )
    parser.add_argument("--plain", action="store_true", help="one fact a line, no full screen")
    return parser


def in_lines(config: Config) -> bool:
    """Whether the line caller plays: asked for, or nothing here can draw a screen."""
    if is_served():
        return False
    if config.plain or os.environ.get("TERM") == "dumb":
        return True
    return not (sys.stdout.isatty() and sys.stdin.isatty())


def _checked(given: argparse.Namespace, config: Config) -> PlayOptions:
    """What was asked for, checked. Raises CommandError with everything that is wrong."""
    players = None if given.players is None else tuple(given.players.split(","))
    options = PlayOptions(
        new=given.new or players is not None,
        edition=given.edition,
        players=players,
        crown=given.crown,
        options=_house_options(given.option),
        cast=given.cast,
        characters=_ids(given.characters),
        districts=_ids(given.districts),
        secrecy=given.secrecy,
        teach=given.teach,
        resume=given.resume,
        reader=given.reader,
    )
    if given.light:
        options = setup.light(options)
    cast = options.cast or options.characters or options.districts
    if options.resume and (players or options.crown or options.options or cast):
        raise CommandError(
            Sentence("companion play: --resume goes on with a game that has its players")
        )
    if options.crown is not None and players is None:
        raise CommandError(Sentence("companion play: --crown needs --players"))
    if options.cast is not None and options.characters is not None:
        raise CommandError(
            Sentence("companion play: --cast and --characters both say who plays; give one")
        )
    try:
        setup.check(options, config)
    except Inconsistent as error:
        raise CommandError(
            *(
                placed(f"companion play: --{_option(problem)}", problem.text)
                for problem in error.problems
            )
        ) from None
    return options


def _ids(words: str | None) -> tuple[str, ...] | None:
    return None if words is None else tuple(word.strip() for word in words.split(","))


def _option(problem: Problem) -> str:
    return {"options": "option"}.get(str(problem.path[0]), str(problem.path[0]))


def _house_options(pairs: list[str]) -> dict[str, Any] | None:
    """The house options of `--option KEY=VALUE`, checked. Raises CommandError."""
    house: dict[str, Any] = {}
    problems = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            problems.append(Sentence("“{word}” is no KEY=VALUE", word=pair))
        elif key not in switches():
            problem = Sentence("“{name}” is no option", name=key)
            problems.append(suggesting(problem, nearest(key, switches())))
        else:
            house[key] = _value(text, is_list=switches()[key].is_list)
            wrong = switches()[key].problem(house[key])
            if wrong:
                problems.append(wrong)
    if problems:
        raise CommandError(*(placed("companion play: --option", problem) for problem in problems))
    return house or None


def _value(text: str, *, is_list: bool) -> Any:
    """A value as a record would hold it: a number, yes or no, a word, or a list of words."""
    if is_list:
        return [word.strip() for word in text.strip("[]").split(",") if word.strip()]
    if text.isascii() and text.isdecimal():
        return int(text)
    return {"true": True, "false": False}.get(text, text)
