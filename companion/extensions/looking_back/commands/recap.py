"""`companion recap [GAME|FILE]`: a game's recap as lines, a page, or JSON."""

from __future__ import annotations

import os
from argparse import Namespace

from common import own_files
from common.sentences import Sentence
from companion.commands import CommandError, open_games
from companion.commands.declared import GAME, JSON, Answer, arg, command
from companion.commands.record import find_saved_game, is_file, play_file, play_saved
from companion.extensions.looking_back import recap
from companion.extensions.looking_back.recap import Recap, bgstats, recap_page
from companion.files.locations import cannot_be_saved
from companion.language import _, number_entry
from companion.settings.config import Config


@command(
    "recap",
    GAME,
    arg("--html", metavar="FILE", help="write it as a page with charts, to show or print"),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The recap, or where it was written as a page."""
    played = find(config, args.game)
    if args.html is None:
        return tell(played)
    _write_page(args.html, recap_page.write(played))
    note = _("The page is in {file}.").format(file=args.html)
    return Answer((), recap.data(played), notes=[note])


def tell(played: Recap) -> Answer:
    """The recap in every form."""
    link = [number_entry("BG Stats", bgstats.make_link(played))] if bgstats.is_known(played) else []
    return Answer([*recap.lines(played), *link], recap.data(played))


def _write_page(path: str, text: str) -> None:
    """Write the page; only an older one may be overwritten: a record or a log of games, given by
    mistake, could not be recovered. Raises CommandError."""
    content = text.encode()
    head = content[:12]
    try:
        if os.path.lexists(path) and not (
            os.path.isfile(path) and own_files.read(path, len(head)) == head
        ):
            problem = Sentence(
                "{file} already exists and is of another kind; name another file", file=path
            )
            raise CommandError.of("companion recap --html", problem)
        own_files.replace(path, content, mode=0o644, makes_folder=False)
    except (OSError, ValueError) as error:
        raise CommandError(cannot_be_saved(path, error)) from None


def find(config: Config, game: str | None) -> Recap:
    """The recap of that game or record file, or without either of the last game. Raises
    CommandError."""
    if game is not None and is_file(config, game):
        return recap.look_back(play_file(game)[1].referee)
    log = find_saved_game(config, game)
    _record, replay = play_saved(log)
    with open_games(config) as store:
        return recap.look_back(replay.referee, log.name, store, log.id)
