"""`companion recap [GAME|FILE]`: a game's recap as lines, a page, a card to share, or JSON."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from common.sentences import Sentence, locate
from companion.commands import DONE, REFUSED, CommandError, load_settings, need_extra
from companion.commands.looking_back import write_drawing, write_page
from companion.commands.parsing import Parser
from companion.commands.record import find_saved_game, is_file, play_file, play_saved
from companion.errors.output import answer, answer_json, print_error
from companion.history import recap
from companion.history.recap import Recap, bgstats
from companion.language import _, number_entry
from companion.log.store import Store

if TYPE_CHECKING:
    from companion.settings.config import Config


def run(words: list[str]) -> int:
    """Print the recap."""
    parser = make_parser()
    options = parser.parse_args(words)
    config = load_settings()
    match = find(config, options.game)
    if options.html is not None:
        write_page(options.html, lambda: _draw_page(match), parser.prog)
    if options.card is not None:
        _write_card(match, options.card, parser.prog)
    if options.json:
        answer_json(recap.data(match))
    elif options.text:
        from companion.history.recap import card

        answer(card.tell(_need_end(match, f"{parser.prog} --text")))
    elif options.html is None and options.card is None:
        answer(recap.lines(match))
        if bgstats.is_known(match):
            answer([number_entry("BG Stats", bgstats.make_link(match))])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "recap", "Look back at a game: its story, who was who, and points round by round."
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
    parser.add_argument(
        "--card", metavar="FILE", help="draw a finished game as a picture to share: .svg or .png"
    )
    parser.add_argument(
        "--text", action="store_true", help="print the card as six lines, to paste into a chat"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


def _draw_page(evening: Recap) -> str:
    from companion.history.recap import page  # loads Jinja2, which lines and JSON do not need

    return page.write(evening)


def _write_card(evening: Recap, path: str, command: str) -> None:
    """Draw the card into that file and report it. Raises CommandError."""
    from companion.history.recap import card

    name = f"{command} --card"
    _need_end(evening, name)
    kind = os.path.splitext(path)[1].lower()
    if kind not in (".svg", ".png"):
        problem = Sentence("“{file}” is neither .svg nor .png", file=path)
        raise CommandError.of(name, problem)
    if kind == ".png":
        need_extra(f"{name} {path}", "pictures")
    text = card.draw(evening)
    sentence = Sentence("{file} already exists and is not such a picture; name another", file=path)
    content = card.render(text) if kind == ".png" else text.encode()
    write_drawing(path, content, locate(name, sentence))
    print_error([_("The card is in {file}.").format(file=path)])


def _need_end(evening: Recap, command: str) -> Recap:
    """The recap of a finished game. Raises CommandError."""
    if not evening.over:
        raise CommandError.of(command, Sentence("the game is not over"), code=REFUSED)
    return evening


def find(config: Config, target: str | None) -> Recap:
    """The recap of that game or record file, or without either of the last game. Raises
    CommandError."""
    if target is not None and is_file(config, target):
        return recap.look_back(play_file(target)[1].referee)
    return find_saved(config, target)


def find_saved(config: Config, name: str | None) -> Recap:
    """The recap of a game of the log, by default the last. Raises CommandError."""
    log = find_saved_game(config, name)
    _record, replay = play_saved(log)
    with Store(config.games) as store:
        info, minutes = store.info(log.id), store.count_minutes(log.id)
    return recap.look_back(replay.referee, log.name, info, minutes)
