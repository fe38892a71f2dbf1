"""Where a command finds the game it is about: a record file, or the log of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import records
from companion.commands import REFUSED, CommandError
from companion.locations import cannot_be_read
from companion.store import Store
from companion.strict_yaml import YamlProblems
from engine import record
from engine.problems import Inconsistent, nearest
from engine.sentences import Sentence, suggesting

if TYPE_CHECKING:
    from companion.config import Config
    from companion.records import RecordFile
    from companion.store import GameLog
    from engine.record import Record


def record_file(path: str) -> RecordFile:
    """The record in that file. Raises CommandError."""
    try:
        return records.read(path)
    except OSError as error:
        raise CommandError(cannot_be_read(path, error)) from None
    except ValueError as error:
        if isinstance(error, YamlProblems):
            raise CommandError(*map(str, error.problems), code=REFUSED) from None
        raise CommandError(cannot_be_read(path, error)) from None  # such as a NUL in it


def saved_game(config: Config, name: str | None = None) -> GameLog:
    """The game of that name or id, or the one played last. Raises CommandError."""
    with Store(config.games) as store:
        game = store.last_game() if name is None else store.find(name)
        if game is not None:
            return store.load(game)
        names = [info.name for info in store.games()]
    if not names or name is None:
        raise CommandError(Sentence("no game has been saved yet in {folder}", folder=config.data))
    raise CommandError(
        suggesting(Sentence("no game is called “{name}”", name=name), nearest(name, names))
    )


def saved_record(log: GameLog) -> Record:
    """A saved game as a record. Raises CommandError if it does not fit the rules of now."""
    try:
        return record.read({**log.setup, "moves": log.moves})
    except Inconsistent as error:
        lines = [
            Sentence("game {name}: {problem}", name=log.name, problem=problem.text)
            for problem in error.problems
        ]
        raise CommandError(*lines, code=REFUSED) from None
