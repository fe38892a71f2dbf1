"""`companion recap [GAME|FILE]`: a game's recap as lines, an HTML page or JSON."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from common import own_files
from common.sentences import Sentence
from companion.commands import DONE, CommandError, settings
from companion.commands.files import find_saved_game, is_file, play_file, play_saved
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, complain
from companion.files.locations import cannot_be_saved
from companion.history.recap import bgstats, recap
from companion.language import _, number_entry
from companion.log.store import Store

if TYPE_CHECKING:
    from companion.history.recap.recap import Recap
    from companion.settings.config import Config


def run(words: list[str]) -> int:
    """Print the recap."""
    options = make_parser().parse_args(words)
    config = settings.load()
    found = find(config, options.game)
    if options.html is not None:
        _write_page(found, options.html)
    if options.json:
        answer_json(recap.data(found))
    elif options.html is None:
        answer(recap.lines(found))
        if bgstats.is_known(found):
            answer([number_entry("BG Stats", bgstats.link(found))])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "recap", "Look back at a game: its story, who was whom, and points round by round."
    )
    parser.add_argument(
        "game",
        metavar="GAME|FILE",
        nargs="?",
        help="the game's name or number, or a record file (default: the last game)",
    )
    parser.add_argument(
        "--html", metavar="FILE", help="write it as a page with charts, to show or print"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


def _write_page(found: Recap, path: str) -> None:
    """Write the page to that file and report it. Raises CommandError."""
    from companion.history.recap import page  # loads Jinja2, which lines and JSON do not need

    text = page.write(found)
    try:
        if os.path.lexists(path) and not _is_page(path, text):
            raise CommandError(
                Sentence(
                    "companion recap --html: {file} already exists and is not a web page; "
                    "name another file",
                    file=path,
                )
            )
        own_files.replace(path, text, mode=0o644, makes_folder=False)
    except (OSError, ValueError) as error:
        raise CommandError(cannot_be_saved(path, error)) from None
    complain([_("The recap is in {file}.").format(file=path)])


def _is_page(path: str, text: str) -> bool:
    """Whether the file is an older page, which may be overwritten: a record or a log of games,
    given by mistake, could not be recovered."""
    head = text.partition("\n")[0].encode()
    return os.path.isfile(path) and own_files.read(path, len(head)) == head


def find(config: Config, wanted: str | None) -> Recap:
    """The recap of that game or record file, or without either of the last game. Raises
    CommandError."""
    if wanted is not None and is_file(config, wanted):
        return recap.look_back(play_file(wanted)[1].referee)
    return find_saved(config, wanted)


def find_saved(config: Config, name: str | None) -> Recap:
    """The recap of a game of the log, by default the last. Raises CommandError."""
    log = find_saved_game(config, name)
    _record, played = play_saved(log)
    with Store(config.games) as store:
        info, minutes = store.info(log.id), store.count_minutes(log.id)
    return recap.look_back(played.referee, log.name, info, minutes)
