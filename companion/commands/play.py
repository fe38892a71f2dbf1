"""`companion play`: checks its options and starts the full screen or plain mode."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from common.problems import Problem, Problems, find_nearest
from common.sentences import Sentence, locate, suggest
from companion import setup
from companion.commands import CommandError, import_quickly, listening, load_settings, need_extra
from companion.commands.parsing import Parser
from companion.setup import PlayOptions
from engine.editions import switches

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.phones.serving.where import Where
    from companion.settings.config import Config


def run(words: list[str]) -> int:
    """Start a caller; returns its exit code."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings(parser.settings(args))
    options = check(args, config, parser.prog)
    is_wanted = config.phones or listening.are_given(args)
    where = listening.listen(args, config, parser.prog) if is_wanted else None
    caller = import_quickly("companion.plain" if needs_plain_mode(config) else "companion.app")
    run_caller: Callable[[PlayOptions, Config, Where | None], int] = caller.run
    return run_caller(options, config, where)


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("play", "Play at the table: call the characters and keep track of the game.")
    add_options(parser)
    parser.add_setting("plain")
    parser.add_setting("phones")
    listening.add_options(parser)
    return parser


def add_options(parser: Parser) -> None:
    """Add the options for the game and how it is played."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", action="store_true", help="start a new game")
    which.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="GAME",
        help="resume the last game, or the one of that name",
    )
    parser.add_setting("edition")
    parser.add_argument("--players", metavar='"A,B,C"', help="the names in seat order, clockwise")
    parser.add_argument("--crown", metavar="NAME", help="who holds the crown first")
    parser.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a house rule, such as city_size=8; repeat it for several",
    )
    parser.add_argument(
        "--light",
        action="store_true",
        help="track only gold, murders and robberies; cities are counted at the end",
    )
    parser.add_argument(
        "--teach",
        action="store_true",
        help="explain each character when it is called in the first round",
    )
    parser.add_argument(
        "--cast",
        metavar="NAME",
        help="ordinary, random, or a cast from the rulebook (see companion editions)",
    )
    parser.add_argument(
        "--characters", metavar="a,b,c", help="the characters one by one, instead of a cast"
    )
    parser.add_argument("--districts", metavar="a,b,c", help="the unique districts to shuffle in")
    parser.add_setting("secrecy")
    parser.add_setting("reader")
    parser.add_setting("voice.table", nargs="?", const="auto")
    parser.add_setting("club")


def needs_plain_mode(config: Config) -> bool:
    """Whether to use plain mode: requested, or the terminal cannot show the full screen."""
    if config.plain or os.environ.get("TERM") == "dumb":
        return True
    return not (sys.stdout.isatty() and sys.stdin.isatty())


def check(given: argparse.Namespace, config: Config, command: str) -> PlayOptions:
    """The checked options. Raises CommandError with all problems."""
    players = None if given.players is None else tuple(given.players.split(","))
    options = PlayOptions(
        new=given.new or players is not None,
        edition=given.edition,
        players=players,
        crown=given.crown,
        options=_house_options(given.option, command),
        cast=given.cast,
        characters=_ids(given.characters),
        districts=_ids(given.districts),
        secrecy=given.secrecy,
        teach=given.teach,
        resume=given.resume is not None,
        game=given.resume or None,
        reader=given.reader,
    )
    if given.light:
        options = setup.make_light(options)
    cast = options.cast or options.characters or options.districts
    if options.resume and (players or options.crown or options.options or cast):
        raise CommandError(
            Sentence(
                "{command}: --resume continues a game as it was set up; leave out "
                "--players, --crown, --option and the cast",
                command=command,
            )
        )
    if config.club is not None and config.club.startswith("mqtt"):
        need_extra(f"{command}: --club", "club")
    if options.crown is not None and players is None:
        raise CommandError(Sentence("{command}: --crown needs --players", command=command))
    if options.cast is not None and options.characters is not None:
        raise CommandError(
            Sentence("{command}: --cast and --characters cannot be combined", command=command)
        )
    try:
        setup.check(options, config)
    except Problems as error:
        raise CommandError(
            *(
                locate(f"{command}: --{_option(problem)}", problem.text)
                for problem in error.problems
            )
        ) from None
    return options


def _ids(words: str | None) -> tuple[str, ...] | None:
    return None if words is None else tuple(word.strip() for word in words.split(","))


def _option(problem: Problem) -> str:
    return {"options": "option"}.get(str(problem.path[0]), str(problem.path[0]))


def _house_options(pairs: list[str], command: str) -> dict[str, Any] | None:
    """The house options of `--option KEY=VALUE`, checked. Raises CommandError."""
    house: dict[str, Any] = {}
    problems = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            problems.append(Sentence("“{word}” is not KEY=VALUE", word=pair))
        elif key not in switches():
            problem = Sentence("there is no option “{name}”", name=key)
            problems.append(suggest(problem, find_nearest(key, switches())))
        else:
            house[key] = _value(text, is_list=switches()[key].is_list)
            wrong = switches()[key].problem(house[key])
            if wrong:
                problems.append(wrong)
    if problems:
        raise CommandError.of(f"{command}: --option", *problems)
    return house or None


def _value(text: str, *, is_list: bool) -> Any:
    """Parse a value as in a record: a number, yes or no, a word, or a list of words."""
    if is_list:
        return [word.strip() for word in text.strip("[]").split(",") if word.strip()]
    if text.isascii() and text.isdecimal():
        return int(text)
    return {"true": True, "false": False}.get(text, text)
