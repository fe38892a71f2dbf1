"""`companion recap [GAME|FILE]`: a game's recap as lines, a page, a card to share, or JSON."""

from __future__ import annotations

import os
from argparse import Namespace

from common.sentences import Sentence, locate
from companion.commands import REFUSED, CommandError
from companion.commands.declared import GAME, JSON, Answer, arg, command
from companion.commands.record import find_saved_game, is_file, play_file, play_saved
from companion.extensions.looking_back import recap
from companion.extensions.looking_back.commands import write_drawing, write_page
from companion.extensions.looking_back.recap import Recap, bgstats, card, page
from companion.language import _, number_entry
from companion.log.store import Store
from companion.settings.config import Config


@command(
    "recap",
    GAME,
    arg("--html", metavar="FILE", help="write it as a page with charts, to show or print"),
    arg(
        "--card",
        metavar="FILE",
        help="draw a finished game as a picture to share (.svg), and print it as six lines",
    ),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The recap, or what is left to say when it was written as a page or a card."""
    played = find(config, args.game)
    if args.html is not None:
        write_page(args.html, lambda: page.write(played), "companion recap")
    answer = tell(played)
    if args.card is not None:
        _write_card(played, args.card)
        note = _("The card is in {file}.").format(file=args.card)
        return answer._replace(lines=card.tell(played), notes=[note])
    return answer if args.html is None else answer._replace(lines=())


def tell(played: Recap) -> Answer:
    """The recap in every form."""
    link = [number_entry("BG Stats", bgstats.make_link(played))] if bgstats.is_known(played) else []
    return Answer([*recap.lines(played), *link], recap.data(played))


def _write_card(played: Recap, path: str) -> None:
    """Draw the card of a finished game into that file. Raises CommandError."""
    name = "companion recap --card"
    if not played.over:
        raise CommandError.of(name, Sentence("the game is not over"), code=REFUSED)
    if os.path.splitext(path)[1].lower() != ".svg":
        problem = Sentence(
            "“{file}” does not end in .svg; open the picture in a browser to make another kind of "
            "it",
            file=path,
        )
        raise CommandError.of(name, problem)
    sentence = Sentence(
        "{file} already exists and is of another kind; name another file", file=path
    )
    write_drawing(path, card.draw(played).encode(), locate(name, sentence))


def find(config: Config, game: str | None) -> Recap:
    """The recap of that game or record file, or without either of the last game. Raises
    CommandError."""
    if game is not None and is_file(config, game):
        return recap.look_back(play_file(game)[1].referee)
    return find_saved(config, game)


def find_saved(config: Config, name: str | None) -> Recap:
    """The recap of a game of the log, by default the last. Raises CommandError."""
    log = find_saved_game(config, name)
    _record, replay = play_saved(log)
    with Store(config.games) as store:
        info, minutes = store.info(log.id), store.count_minutes(log.id)
    return recap.look_back(replay.referee, log.name, info, minutes)
