"""A command's files: the game it is about, from a record file or the log of games; and the question
whether to replace one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from common.problems import Problems, find_nearest
from common.sentences import Sentence, locate, suggest
from companion import terminal
from companion.commands import REFUSED, CommandError
from companion.errors.output import print_error
from companion.files.locations import cannot_be_read
from companion.language.vocabulary import match_word
from companion.log import records
from companion.log.digest import RESULT
from companion.log.game_rows import GameLog
from companion.log.store import Store, StoreError
from engine import record

if TYPE_CHECKING:
    from companion.log.records import RecordFile, Replay
    from companion.settings.config import Config
    from engine.record import Record


def confirm(question: Sentence) -> bool:
    """Ask at the terminal; no, without asking, where there is none."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print_error([question])
    return match_word(terminal.read_line() or "", "yes", "y") is not None


def record_file(path: str) -> RecordFile:
    """Read a record file. Raises CommandError."""
    try:
        return records.read(path)
    except OSError as error:
        raise CommandError(cannot_be_read(path, error)) from None
    except Problems as error:
        raise CommandError(*map(str, error.problems), code=REFUSED) from None
    except ValueError as error:  # such as a NUL in the path
        raise CommandError(cannot_be_read(path, error)) from None


def find_saved_game(
    config: Config, name: str | None = None, otherwise: CommandError | None = None
) -> GameLog:
    """The game with that name or id, or the latest one. Raises CommandError; if there are no games,
    `otherwise`."""
    with Store(config.games) as store:
        game = store.find_last_game() if name is None else store.find(name)
        if game is not None:
            return store.load(game)
        names = [info.name for info in store.games()]
    if not names or name is None:
        nothing = Sentence("no game has been saved yet in {folder}", folder=config.data)
        raise otherwise or CommandError(nothing)
    raise CommandError(
        suggest(Sentence("there is no game called “{name}”", name=name), find_nearest(name, names))
    )


def find_own_game(config: Config, name: str) -> GameLog | None:
    """The saved game with that name; None if there is none."""
    with Store(config.games) as store:
        try:
            game = store.find(name)
            return None if game is None else store.load(game)
        except StoreError:
            return None


def play_file(path: str) -> tuple[Record, Replay]:
    """Play the record in that file. Raises CommandError, also for a refused move."""
    from companion.commands import seen

    file = record_file(path)
    replay = records.play(file.record)
    refusal = seen.explain_fully(replay)
    if refusal is not None:
        line = file.line_of_move(refusal.place)
        raise CommandError(locate(f"{path}:{line}", refusal.sentence()), code=REFUSED)
    return file.record, replay


def is_file(config: Config, name: str) -> bool:
    """Whether a file is meant: no game has that name, and it exists or looks like a path."""
    with Store(config.games) as store:
        if store.find(name) is not None:
            return False
    return os.path.basename(name) != name or "." in name or "\0" in name or os.path.exists(name)


def find_game_or_file(config: Config, name: str | None) -> GameLog:
    """The game in that record file or of that name, by default the last. Raises CommandError, also
    for a file with a refused move."""
    if name is None or not is_file(config, name):
        return find_saved_game(config, name)
    replay, _table = play_file(name)
    setup = replay.data()
    log = GameLog(0, name, setup)
    log.moves = setup.pop("moves")
    return log


def play_named(config: Config, name: str | None) -> tuple[Record, Replay]:
    """Play a record file or the game of that name, by default the last. Raises CommandError."""
    if name is not None and is_file(config, name):
        return play_file(name)
    return play_saved(find_saved_game(config, name))


def play_saved(log: GameLog) -> tuple[Record, Replay]:
    """Play a saved game. Raises CommandError, also for a move that today's rules refuse."""
    from companion.commands import seen

    record = load_record(log)
    replay = records.play(record)
    refusal = seen.explain_fully(replay)
    if refusal is not None:
        problem = Sentence("game {name}: {problem}", name=log.name, problem=refusal.sentence())
        raise CommandError(problem, code=REFUSED)
    return record, replay


def load_record(log: GameLog) -> Record:
    """A saved game as a record. Raises CommandError if it does not fit today's rules, or if only
    its result is known."""
    check_moves(log)
    try:
        return record.read({**log.setup, "moves": log.moves})
    except Problems as error:
        problems = [
            Sentence("game {name}: {problem}", name=log.name, problem=problem.text)
            for problem in error.problems
        ]
        raise CommandError(*problems, code=REFUSED) from None


def check_moves(log: GameLog) -> None:
    """Raise CommandError if only the game's result is known."""
    if RESULT in log.setup:
        problem = Sentence(
            "game {name} was imported without moves; {command} shows its result",
            name=log.name,
            command="companion history",
        )
        raise CommandError(problem, code=REFUSED)
