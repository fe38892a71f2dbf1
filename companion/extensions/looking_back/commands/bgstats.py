"""`companion bgstats [GAME]`: a link, also as a QR code, that imports a game into BG Stats."""

from __future__ import annotations

import sys
from argparse import Namespace

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, open_games
from companion.commands.declared import GAME, JSON, Answer, command
from companion.errors.output import answer, print_error
from companion.extensions.looking_back.commands.recap import find
from companion.extensions.looking_back.recap import bgstats
from companion.log.digest import RESULT
from companion.settings.config import Config
from companion.wording import codes


@command("bgstats", GAME, JSON)
def run(config: Config, args: Namespace) -> Answer | int:
    """The link, and the QR code if the output is a terminal."""
    look = find(config, args.game or _find_last_finished(config))
    name = look.name or args.game
    if not look.over:
        raise CommandError(bgstats.UNFINISHED, code=REFUSED)
    link = bgstats.make_link(look)
    if look.started is None:
        sentence = Sentence(
            "{file} does not say when the game was played; the link says that it was now.",
            file=name,
        )
        print_error([sentence])
    if args.json or not sys.stdout.isatty():
        return Answer([link], bgstats.data(look))
    answer([link])
    print("\n".join(codes.draw(link)))
    return DONE


MOST_GAMES = 20
"""How many games to search for a finished one."""


def _find_last_finished(config: Config) -> str | None:
    """The latest finished game with moves among the last MOST_GAMES; None if there is none."""
    with open_games(config) as store:
        last = store.find_last_game()
        infos = [] if last is None else [store.info(last), *store.games(MOST_GAMES)]
    finished = (info for info in infos if info is not None and info.finished)
    return next((info.name for info in finished if RESULT not in info.setup), None)
