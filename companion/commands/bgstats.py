"""`companion bgstats [GAME]`: a link, also as a QR code, that imports a game into BG Stats; and the
games that were not sent yet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, load_settings
from companion.commands.looking_back import write_page
from companion.commands.parsing import Parser
from companion.commands.recap import find, find_saved
from companion.errors.output import answer, answer_json, print_error
from companion.history.recap import Recap, bgstats
from companion.language import _, number_entry, plural
from companion.log.digest import RESULT
from companion.log.open_game import GameSettings
from companion.log.store import Store

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.settings.config import Config


def run(words: list[str]) -> int:
    """Print the link, and the QR code if the output is a terminal."""
    parser = make_parser()
    options = parser.parse_args(words)
    config = load_settings()
    if options.unsent:
        if options.game is not None:
            parser.error(Sentence("give a game or --unsent, not both"))
        return _run_unsent(config, options, parser.prog)
    look = find(config, options.game or _find_last_finished(config))
    _need_known(look, options.game)
    if options.html is not None:
        write_page(options.html, lambda: _draw_page([look]), parser.prog)
    if options.json:
        answer_json(bgstats.data(look))
    elif options.html is None:
        answer([bgstats.make_link(look)])
        if sys.stdout.isatty():
            code = bgstats.choose_code(look, GameSettings(config.games, look.name or ""))
            lines = bgstats.draw_for_terminal(code) if code else [bgstats.tell_too_long()]
            print("\n".join(lines))
    if options.mark:
        _mark(config, [look])
    return DONE


def _need_known(look: Recap, name: str | None) -> None:
    """Raise CommandError for a game that BG Stats cannot take."""
    if look.over and not bgstats.is_known(look):
        problem = Sentence(
            "{file} does not say when the game was played, which BG Stats needs; import it first: "
            "{command}",
            file=name,
            command=f"companion import {name}",
        )
        raise CommandError(problem, code=REFUSED)
    if not bgstats.is_known(look):
        problem = Sentence(
            "game {name} is not over; BG Stats takes only finished games",
            name=look.name or name,
        )
        raise CommandError(problem, code=REFUSED)


def _run_unsent(config: Config, options: Namespace, prog: str) -> int:
    """The plays that were not sent, newest first: their links, or a page with them."""
    with Store(config.games) as store:
        names = [game.name for game in bgstats.list_unsent(store)]
    looks = []
    for name in names:
        try:
            match = find_saved(config, name)
        except CommandError as error:  # of another version: what can be sent is sent
            print_error(error.lines)
        else:
            looks += [match] if bgstats.is_known(match) else []
    if options.html is not None:
        write_page(options.html, lambda: _draw_page(looks), prog)
    if options.json:
        answer_json([bgstats.data(look) for look in looks])
    elif options.html is None:
        answer(
            [number_entry(look.name, bgstats.make_link(look)) for look in looks]
            or [_("Every finished game was sent to BG Stats.")]
        )
    if options.mark:
        _mark(config, looks)
    return DONE


def _mark(config: Config, looks: list[Recap]) -> None:
    for look in looks:
        if look.name is not None:
            GameSettings(config.games, look.name).put(bgstats.SENT, True)
    text = plural(
        "{number} game counts as sent to BG Stats.",
        "{number} games count as sent to BG Stats.",
        len(looks),
    )
    print_error([text])


def _draw_page(looks: list[Recap]) -> str:
    from companion.history.recap import page  # loads Jinja2, which links and JSON do not need

    return page.write_plays(looks)


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("bgstats", "Send a finished game to the BG Stats app: its link and QR code.")
    parser.add_argument(
        "game",
        metavar="GAME|FILE",
        nargs="?",
        help="the game's name or number, or a record file (default: the last finished game)",
    )
    parser.add_argument("--unsent", action="store_true", help="all games not sent yet")
    parser.add_argument("--mark", action="store_true", help="mark these games as sent")
    parser.add_argument("--html", metavar="FILE", help="write a page with the links and QR codes")
    parser.add_argument("--json", action="store_true", help="for programs")
    return parser


MOST_GAMES = 20
"""How many games to search for a finished one."""


def _find_last_finished(config: Config) -> str | None:
    """The latest finished game with moves among the last MOST_GAMES; None if there is none."""
    with Store(config.games) as store:
        last = store.find_last_game()
        infos = [] if last is None else [store.info(last), *store.games(MOST_GAMES)]
    finished = (info for info in infos if info is not None and info.finished)
    return next((info.name for info in finished if RESULT not in info.setup), None)
