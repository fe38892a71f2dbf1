"""`companion replay FILE`: plays a record, or a saved game by its name, and shows the table, to the
public or one viewer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import DONE, REFUSED, CommandError, open_games
from companion.commands.declared import GAME, JSON, Answer, arg, command
from companion.commands.record import (
    FULL,
    PUBLIC,
    SECRETS_ARE_SHOWN,
    explain_fully,
    explain_to,
    find_saved_game,
    is_file,
    load_record,
    record_file,
)
from companion.game import hand_telling
from companion.game.hand import Notebook
from companion.language import _, card, end_sentence, translate
from companion.log import records
from companion.log.records import Replay
from companion.log.store import GameLog
from companion.settings.config import Config
from companion.wording import facts
from companion.wording.state import question
from engine import views
from engine.moves import fold
from engine.record import Record
from engine.table import Table

_NO_FILE = Sentence("no game has been saved yet; name a record FILE")


@command(
    "replay",
    GAME,
    arg(
        "--view",
        metavar="VIEW",
        help="full (the default), public, or a player's name: only what that player may know",
    ),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The table after the record's moves."""
    game, game_log, locate_move = _find_game(config, args.game)
    full = args.view in (None, FULL)
    viewer = None if full else _viewer(game, args.view)
    replay = records.play(game)
    refusal = explain_fully(replay) if full else explain_to(replay, viewer)
    seen = replay.table if full else views.redact(replay.table, viewer)
    data = views.table_json(replay.table, viewer=viewer, full=full)
    data |= {"refused": refusal and refusal.data()}
    lines, notes = describe(seen), []
    if game_log is not None and viewer is not None and refusal is None:
        book = _open_notebook(config, game_log, replay)
        data["told_hand"] = hand_telling.data(book, viewer)
        lines += hand_telling.describe(replay.table, book, viewer)
    if refusal is not None:
        notes.append(locate(locate_move(refusal.place), refusal.sentence()))
    if args.view is None and not args.json and _holds_secrets(replay.table):
        notes.append(SECRETS_ARE_SHOWN)
    return Answer(lines, data, notes=notes, code=DONE if refusal is None else REFUSED)


def _find_game(
    config: Config, name: str | None
) -> tuple[Record, GameLog | None, Callable[[int], str]]:
    """The record, the saved game if it is one, and the place of a move for people. Raises
    CommandError."""
    if name is None or not is_file(config, name):
        prog = "companion replay"
        log = find_saved_game(config, name, CommandError.of(prog, _NO_FILE, hint=prog))
        return load_record(log), log, lambda _move: log.name
    file = record_file(name)
    return file.record, None, lambda move: f"{name}:{file.line_of_move(move)}"


def _open_notebook(config: Config, game_log: GameLog, replay: Replay) -> Notebook:
    """The hands told in the game, which only its own file has."""
    with open_games(config) as store:
        rows = store.list_hands(game_log.id)
    return Notebook(replay.referee, lambda: game_log.events, lambda: rows)


def _holds_secrets(t: Table) -> bool:
    """Whether the game is unfinished and the table contains secrets."""
    view = views.redact(t, views.PUBLIC)
    ours, all_of_it = ((table.marks, [seat.chosen for seat in table.seats]) for table in (view, t))
    return t.stage != "over" and ours != all_of_it


def _viewer(game: Record, view: str) -> int | None:
    """The seat of that player; None for the public. Raises CommandError."""
    if view == PUBLIC:
        return views.PUBLIC
    for seat, name in enumerate(game.setup.players):
        if fold(name) == fold(view):
            return seat
    names = [FULL, PUBLIC, *game.setup.players]
    problem = Sentence("there is no player called “{name}”", name=view)
    raise CommandError.of("companion replay: --view", suggest(problem, find_nearest(view, names)))


def describe(table: Table) -> list[str]:
    """The table in lines, one fact per line."""
    lines = [
        translate(table.rules.edition.title),
        _("Round {round}.").format(round=table.round),
        question(table),
        *facts.tell_who(table),
    ]
    for index, line in enumerate(facts.gold(table)):
        lines += [line, *facts.city(table, index)]
    for seat in table.seats:
        for character in seat.chosen:
            lines.append(
                end_sentence(
                    _("{player} chose the {character}").format(
                        player=seat.name, character=card(character)
                    )
                )
            )
    if table.stage == "over":
        lines += [*facts.score(table), *facts.tell_result(table)]
    return lines
