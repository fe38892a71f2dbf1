"""Brings the ledger up to date: games whose rows are missing are played again and counted."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from common.problems import Problems
from companion.log import StoreError, digest, game_rows, ledger, log_file
from engine import record
from engine.explain import Refused
from engine.referee import Referee

if TYPE_CHECKING:
    import sqlite3

    from companion.log.digest import Digest
    from companion.log.game_rows import Times
    from companion.log.store import GameLog, Store
    from engine.moves import Move

_AT_ONCE = 100  # games per transaction: few enough that other callers need not wait for the lock


class _Tally(NamedTuple):
    """A game's figures up to the row `last` of the log."""

    game: int
    last: int
    times: Times
    digest: Digest


def find_missing(store: Store) -> list[int]:
    """The games that have to be counted, the newest first. Raises StoreError."""
    with store.database.look() as connection:
        return ledger.find_missing(connection)


def complete(store: Store) -> sqlite3.Connection:
    """Count what is missing; returns the connection to the file or, if there is none or it cannot
    be written, to a copy in memory. Raises StoreError."""
    with store.database.look() as connection:
        # what comes later may belong to a game that is counted now
        end = ledger.find_end(connection)
        missing = ledger.find_missing(connection)
        if not missing and ledger.is_complete(connection):
            return connection
    memory = None
    for begin in range(0, max(len(missing), 1), _AT_ONCE):
        ids = missing[begin : begin + _AT_ONCE]
        figures = [one for one in (_count(store, game) for game in ids) if one is not None]
        mark = end if begin + _AT_ONCE >= len(missing) else 0
        if end and memory is None:
            with suppress(StoreError), store.database.save() as connection:
                _put(connection, figures, mark)
                continue
        with store.database.look() as connection:
            memory = memory or store.database.stand_in(log_file.copy_to_memory(connection))
            _put(memory, figures, mark)
    with store.database.look() as connection:
        return memory or connection


def _put(connection: sqlite3.Connection, figures: list[_Tally], mark: int) -> None:
    """Write these games; with a `mark` no other game is missing up to that row."""
    ledger.make(connection)
    for one in figures:
        ledger.put(connection, *one)
    if mark:
        ledger.note_complete(connection, mark)


def _count(store: Store, game: int) -> _Tally | None:
    """The game's figures; None if its rows are damaged."""
    try:
        with store.database.look() as connection:
            log = store.load(game, as_written=True)
            times = game_rows.read_times(connection, game, log.last)
            if digest.RESULT in log.setup:
                times = times._replace(minutes=int(log.setup[digest.RESULT]["minutes"]))
        return _Tally(game, log.last, times, replay(log))
    except (StoreError, KeyError):
        return None


def replay(log: GameLog) -> Digest:
    """Replay the game into its digest; one that can't be replayed, because it was played with
    another version of the companion or another cards.yaml, has no rounds."""
    if digest.RESULT in log.setup:
        return digest.read_result(log.setup)
    referee = play_again(log)
    if referee is None:
        return digest.describe_unplayable(log.setup, len(log.moves))
    is_over = log.finished and "position" in log.setup  # by `companion score`, not played here
    counted = digest.count(referee.start, referee.list_latest(), over=is_over)
    return counted._replace(rounds=0) if is_over else counted


def play_again(log: GameLog) -> Referee | None:
    """The game after its moves (`Store.load`); None for one that was only told or that can't be
    replayed. One that `companion score` counted is at its end without a move."""
    try:
        referee = Referee(record.read(log.setup).start)
        moves: dict[str, Move] = {}  # parsing a move takes as long as playing it
        for text in log.moves:
            move = moves.get(text) or moves.setdefault(text, referee.read(text))
            referee.play(move)
    except (Problems, Refused):
        return None
    return referee
