"""`companion replay FILE`: plays a record, or a saved game by its name, and shows the table, to the
public or one viewer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import DONE, REFUSED, CommandError, load_settings, record
from companion.commands.parsing import Parser
from companion.commands.record import find_own_game, find_saved_game, load_record, record_file
from companion.errors.output import answer, answer_json, print_error
from companion.game import telling
from companion.game.hand import Notebook
from companion.language import _, card, listing, translate
from companion.log import records
from companion.log.store import GameLog, Store
from companion.wording import facts
from companion.wording.state import question
from engine import views
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.log.records import Replay
    from companion.settings.config import Config
    from engine.record import Record
    from engine.table import Table

_NO_FILE = Sentence("no game has been saved yet; name a record FILE")
FULL = "full"
PUBLIC = "public"


def run(words: list[str]) -> int:
    """Play the record and print the table."""
    options = make_parser().parse_args(words)
    config = load_settings()
    game, game_log, locate_move = _find_game(config, options.file)
    full = options.view in (None, FULL)
    viewer = None if full else _viewer(game, options.view)
    replay = records.play(game)
    refusal = record.explain_fully(replay) if full else record.explain_to(replay, viewer)
    book = None
    if game_log is not None and viewer is not None and refusal is None:
        book = _open_notebook(config, game_log, replay)
    if options.json:
        table = views.table_json(replay.table, viewer=viewer, full=full)
        fields = {} if book is None or viewer is None else {"told_hand": telling.data(book, viewer)}
        answer_json(table | {"refused": refusal and refusal.data()} | fields)
    else:
        answer(describe(replay.table if full else views.redact(replay.table, viewer)))
        if book is not None and viewer is not None:
            answer(telling.describe(replay.table, book, viewer))
    if refusal is not None:
        print_error([locate(locate_move(refusal.place), refusal.sentence())])
    if options.view is None and not options.json and _holds_secrets(replay.table):
        print_error([_SECRETS_ARE_SHOWN])
    return DONE if refusal is None else REFUSED


def _find_game(
    config: Config, name: str | None
) -> tuple[Record, GameLog | None, Callable[[int], str]]:
    """The record, the saved game if it is one, and the place of a move for people. Raises
    CommandError."""
    if name is None:
        prog = "companion replay"
        last = find_saved_game(config, otherwise=CommandError.of(prog, _NO_FILE, hint=prog))
        return load_record(last), last, lambda _move: last.name
    game_log = None if os.path.exists(name) else find_own_game(config, name)
    if game_log is not None:
        return load_record(game_log), game_log, lambda _move: name
    file = record_file(name)
    return file.record, None, lambda move: f"{name}:{file.line_of_move(move)}"


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("replay", "Replay a record and show the table as it is at the end.")
    parser.add_argument(
        "file",
        metavar="GAME|FILE",
        nargs="?",
        help="the game's name or number, or a record file (default: the last game)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.add_argument(
        "--view",
        metavar="VIEW",
        help="full (the default), public, or a player's name: only what that player may know",
    )
    return parser


def _open_notebook(config: Config, game_log: GameLog, replay: Replay) -> Notebook:
    """The hands told in the game, which only its own file has."""
    with Store(config.games) as store:
        rows = store.list_hands(game_log.id)
    return Notebook(replay.referee, lambda: game_log.events, lambda: rows)


_SECRETS_ARE_SHOWN = Sentence(
    "This game is not over, and its players' secrets are shown; --view public leaves them out."
)


def _holds_secrets(t: Table) -> bool:
    """Whether the game is unfinished and the table contains secrets."""
    view = views.redact(t, views.PUBLIC)
    ours, all_of_it = ((table.marks, [seat.chosen for seat in table.seats]) for table in (view, t))
    return t.stage != "over" and ours != all_of_it


def _viewer(record: Record, view: str) -> int | None:
    """The seat of that player; None for the public. Raises CommandError."""
    if view == PUBLIC:
        return views.PUBLIC
    for seat, name in enumerate(record.setup.players):
        if fold(name) == fold(view):
            return seat
    names = [FULL, PUBLIC, *record.setup.players]
    problem = Sentence("there is no player called “{view}”", view=view)
    raise CommandError.of("companion replay: --view", suggest(problem, find_nearest(view, names)))


def describe(table: Table) -> list[str]:
    """The table in lines, one fact per line."""
    lines = [
        translate(table.rules.edition.title),
        _("Round {number}.").format(number=table.round),
        question(table),
        *facts.tell_who(table),
    ]
    for index, line in enumerate(facts.gold(table)):
        lines += [line, *facts.city(table, index)]
    finishers = listing(table.rules.names(table.first_complete))
    if finishers:
        lines.append(_("First to complete a city: {names}.").format(names=finishers))
    for seat in table.seats:
        for character in seat.chosen:
            lines.append(
                _("{player} chose the {character}.").format(
                    player=seat.name, character=card(character)
                )
            )
    if table.stage == "over":
        lines += [*facts.score(table), facts.result(table)]
    return lines
