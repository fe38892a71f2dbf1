"""Brings the ledger up to date: games whose rows are missing are played again and counted."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from common.problems import Problems
from common.sentences import Sentence
from companion.log import StoreError, digest, game_rows, ledger
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
_WHAT = Sentence("the games cannot be read")


class _Tally(NamedTuple):
    """A game's figures up to the row `last` of the log."""

    game: int
    last: int
    times: Times
    digest: Digest


def find_missing(store: Store) -> list[int]:
    """The games that have to be counted, the newest first. Raises StoreError."""
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        return ledger.find_missing(rows) if rows else []


def complete(store: Store) -> sqlite3.Connection | None:
    """Count what is missing; returns the file, None without one.

    Where the file cannot be written, temporary tables hold the rest. Raises StoreError.
    """
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        if rows is None:
            return None
        ledger.drop_temporary(rows)
        end = ledger.find_end(rows)  # what comes later may belong to a game that is counted now
        missing = ledger.find_missing(rows)
        if not missing and ledger.is_complete(rows):
            return rows
    for begin in range(0, max(len(missing), 1), _AT_ONCE):
        ids = missing[begin : begin + _AT_ONCE]
        figures = [one for one in (_count(store, game) for game in ids) if one is not None]
        is_last = begin + _AT_ONCE >= len(missing)
        _write(store, figures, end if is_last else None)
    with store.database.errors_in_rows(_WHAT):
        return store.database.read()


def _write(store: Store, figures: list[_Tally], end: int | None) -> None:
    """Write these games; into temporary tables if the file cannot be written. With `end` no other
    game is missing up to that row."""
    with (
        suppress(StoreError),
        store.database.errors(_WHAT),
        store.database.write() as rows,
    ):
        _put(rows, figures)
        if end is not None:
            ledger.note_complete(rows, end)
        return
    with store.database.errors_in_rows(_WHAT):
        reading = store.database.read()
        assert reading is not None  # the games were read from it
        if not ledger.is_temporary(reading):
            ledger.make(reading, temporary=True)
        _put(reading, figures)


def _put(rows: sqlite3.Connection, figures: list[_Tally]) -> None:
    ledger.make(rows)
    for one in figures:
        ledger.put(rows, *one)


def _count(store: Store, game: int) -> _Tally | None:
    """The game's figures; None if its rows are damaged."""
    try:
        with store.database.errors_in_rows(Sentence("the game cannot be read")):
            rows = store.database.read()
            assert rows is not None  # the game is one of its rows
            log = store.load(game, as_written=True)
            times = game_rows.read_times(rows, game, log.last)
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
    try:
        start = record.read(log.setup).start
        referee = Referee(start)
        moves: dict[str, Move] = {}  # parsing a move takes as long as playing it
        for text in log.moves:
            move = moves.get(text) or moves.setdefault(text, referee.read(text))
            referee.play(move)
    except (Problems, Refused):
        return digest.describe_unplayable(log.setup, len(log.moves))
    is_over = log.finished and "position" in log.setup  # by `companion score`, not played here
    counted = digest.count(start, referee.list_latest(), over=is_over)
    return counted._replace(rounds=0) if is_over else counted
