"""`companion play`: checks its options and starts the full screen or plain mode."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from common.problems import Problem, Problems, find_nearest
from common.sentences import Sentence, locate, suggest
from companion import extending, setup
from companion.commands import CommandError, listening
from companion.commands.declared import Option, arg, command, list_names, setting
from companion.errors import UserError, lines
from companion.extending import Extension
from companion.language import _, translate
from companion.language.vocabulary import match_yes_or_no
from companion.plain.caller import play as play_in_lines
from companion.plain.caller_state import note
from companion.settings.config import Config, save
from companion.setup import PlayOptions
from companion.terminal import screen_reader
from engine.editions import switches

_OWN: tuple[Option, ...] = (
    [
        arg("--new", action="store_true", help="start a new game"),
        arg(
            "--resume",
            nargs="?",
            const="",
            metavar="GAME",
            help="resume the last game, or the one of that name",
        ),
    ],
    setting("edition"),
    arg("--players", metavar='"A,B,C"', help="the names in seat order, clockwise"),
    arg("--crown", metavar="NAME", help="who holds the crown first"),
    arg(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a house rule, such as city_size=8; repeat it for several",
    ),
    setting("secrecy"),
    setting("reader"),
    setting("voice.table", nargs="?", const="auto"),
    arg(
        "--light",
        action="store_true",
        help="track only gold, murders and robberies; cities are counted at the end",
    ),
    arg(
        "--teach",
        action="store_true",
        help="explain each character when it is called in the first round",
    ),
    arg(
        "--cast",
        metavar="NAME",
        help="ordinary, random, or a cast from the rulebook (see companion editions)",
    ),
    arg("--characters", metavar="a,b,c", help="the characters one by one, instead of a cast"),
    arg("--districts", metavar="a,b,c", help="the unique districts to shuffle in"),
)
_HOW: tuple[Option, ...] = (setting("plain"), setting("phones"), *listening.list_options())


def _bring_options(own: Iterable[Option]) -> list[Option]:
    """The options of extensions; one that takes another's name is told, and left out."""
    taken = {name for option in own for name in list_names(option)}

    def bring(extension: Extension) -> list[Option]:
        brought = [one for one in extension.settings if one.option]
        for name in (f"--{one.option}" for one in brought):
            if name in taken:
                raise UserError(Sentence("companion play has another {option}", option=name))
            taken.add(name)
        return [setting(one.key) for one in brought]

    return extending.gather(bring)


OPTIONS: tuple[Option, ...] = (*_OWN, *_bring_options((*_OWN, *_HOW)))
"""The options for the game and how it is played."""


@command("play", *OPTIONS, *_HOW)
def run(config: Config, args: Namespace) -> int:
    """Start a caller; returns its exit code."""
    options = check(args, config, "companion play")
    is_wanted = config.phones or listening.are_given(args)
    where = listening.listen(args, config, "companion play") if is_wanted else None
    if needs_plain_mode(config) or prefers_lines(config):
        if config.plain and not args.plain and _is_at_terminal():
            note(_("In lines. The screen comes back with plain: false or COMPANION_PLAIN=false."))
        return play_in_lines(options, config, where)
    from companion.app.caller_app import play as play_on_screen  # heavy: Textual

    return play_on_screen(options, config, where)


def needs_plain_mode(config: Config) -> bool:
    """Whether to use plain mode: requested, or the terminal cannot show the full screen."""
    return config.plain or os.environ.get("TERM") == "dumb" or not _is_at_terminal()


def _is_at_terminal() -> bool:
    return sys.stdout.isatty() and sys.stdin.isatty()


def prefers_lines(config: Config) -> bool:
    """Say at the terminal that there are lines; where a screen reader runs, ask once, remember the
    answer as the setting `plain`, and return whether it was yes."""
    if "plain" in config.given:
        return False
    print(_("With a screen reader: companion --plain"), flush=True)
    if not screen_reader.is_running():
        return False
    while True:
        print(_("A screen reader is running. Play line by line? Yes or no:"), end=" ", flush=True)
        line = sys.stdin.buffer.readline()  # the encoding of a text that was read is fixed
        if not line:
            return False
        answer = match_yes_or_no(line.decode(errors="replace").strip())
        if answer is not None:
            break
    config.plain = answer
    try:
        save("plain", "true" if config.plain else "false")
    except OSError as error:
        note(_("Not kept for next time: {reason}").format(reason=translate(lines(error)[0])))
    return config.plain


def check(given: Namespace, config: Config, command: str) -> PlayOptions:
    """The checked options. Raises CommandError with all problems."""
    players = None if given.players is None else tuple(setup.split_names(given.players)) or ("",)
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
        options = options._replace(options={**(options.options or {}), **setup.LIGHT})
    cast = options.cast or options.characters or options.districts
    if options.resume and (players or options.crown or options.options or cast):
        raise CommandError(
            Sentence(
                "{command}: --resume continues a game as it was set up; leave out "
                "--players, --crown, --option and the cast",
                command=command,
            )
        )
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
