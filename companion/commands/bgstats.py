"""`companion bgstats [GAME]`: a link, also as a QR code, that imports a game into BG Stats."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, settings
from companion.commands.parsing import Parser
from companion.commands.recap import find
from companion.errors.output import answer, answer_json
from companion.history.recap import bgstats
from companion.log.store import Store

if TYPE_CHECKING:
    from companion.settings.config import Config


def run(words: list[str]) -> int:
    """Print the link, and the QR code if the output is a terminal."""
    options = make_parser().parse_args(words)
    config = settings.load()
    look = find(config, options.game or _find_last_finished(config))
    if look.over and not bgstats.is_known(look):
        problem = Sentence(
            "{file} does not say when the game was played, which BG Stats needs; import it first: "
            "{command}",
            file=options.game,
            command=f"companion import {options.game}",
        )
        raise CommandError(problem, code=REFUSED)
    if not bgstats.is_known(look):
        problem = Sentence(
            "game {name} is not over; BG Stats takes only finished games",
            name=look.name or options.game,
        )
        raise CommandError(problem, code=REFUSED)
    if options.json:
        answer_json(bgstats.data(look))
        return DONE
    link = bgstats.link(look)
    answer([link])
    if sys.stdout.isatty():
        print("\n".join(bgstats.draw_for_terminal(link)))
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("bgstats", "Send a finished game to the BG Stats app: its link and QR code.")
    parser.add_argument(
        "game",
        metavar="GAME|FILE",
        nargs="?",
        help="the game's name or number, or a record file (default: the last finished game)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


MOST_GAMES = 20
"""How many games to search for a finished one."""


def _find_last_finished(config: Config) -> str | None:
    """The latest finished game among the last MOST_GAMES; None if there is none."""
    with Store(config.games) as store:
        last = store.find_last_game()
        infos = [] if last is None else [store.info(last), *store.games(MOST_GAMES)]
    return next((info.name for info in infos if info is not None and info.finished), None)
