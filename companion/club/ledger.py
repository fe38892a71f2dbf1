"""The hub's results: each once, kept beside the games of its log, corrected only by a judge.

A result and the game's record are written in one transaction: both are on the disk when a table is
told that its result was taken. A second result of the same game is a correction: it waits for the
judge.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from common.problems import Problems
from common.sentences import Sentence
from companion.club import messages
from companion.history.parcel.form import Carried, Event
from companion.history.parcel.unpack import find_free_name, insert
from companion.log import import_rows
from companion.log.store import Store
from engine import record, views
from engine.referee import Referee
from engine.refusals import Refused

if TYPE_CHECKING:
    import sqlite3

_TABLE = """
CREATE TABLE IF NOT EXISTS club_results (
    number INTEGER PRIMARY KEY,
    place TEXT NOT NULL,
    game TEXT NOT NULL,
    hash TEXT NOT NULL,
    at TEXT NOT NULL,
    message TEXT NOT NULL,
    state TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    UNIQUE (place, game, hash)
) STRICT
"""

COUNTED, WAITING, REPLACED, REJECTED = "counted", "waiting", "replaced", "rejected"
"""What became of a result: it counts, it waits for the judge because another of that game counts,
another took its place, or the judge has turned it down."""


class Result(NamedTuple):
    """A result in the ledger. `note` says what the judge has corrected, and why; "" for nothing."""

    number: int
    table: str
    game: str
    hash: str
    at: str
    score: dict[str, Any]
    players: dict[str, str | None]
    state: str
    note: str


class Ledger:
    """The results in the log of games at `path`. Use it from one thread at a time; every method
    raises StoreError if the file cannot be used."""

    def __init__(self, path: str) -> None:
        self._store = Store(path)

    def take(self, table: str, message: dict[str, Any]) -> str:
        """Take a result; returns its state. It is on the disk when this returns, however often the
        same result comes."""
        game, hash_ = message["game"], message["hash"]
        known = self._find(table, game)
        same = next((one for one in known if one.hash == hash_), None)
        if same is not None:
            return same.state
        setup, moves = _check(message)
        state = WAITING if any(one.state == COUNTED for one in known) else COUNTED
        with self._store.database.errors(_WHAT), self._store.database.write() as rows:
            rows.execute(_TABLE)
            kept = {key: message[key] for key in ("score", "players")}
            rows.execute(
                "INSERT INTO club_results (place, game, hash, at, message, state)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (table, game, hash_, message["at"], json.dumps(kept), state),
            )
            if setup is not None and state == COUNTED:
                with import_rows.note_imported(rows):
                    _add_game(rows, table, message["at"], setup, moves)
        return state

    def list_results(self) -> list[Result]:
        """Every result, oldest first."""
        return self._select("ORDER BY number")

    def _select(self, which: str, *values: object) -> list[Result]:
        with self._store.database.errors_in_rows(_WHAT):
            rows = self._store.database.read()
            if rows is None or not _has_table(rows):
                return []
            return [_read(row) for row in rows.execute(f"{_ALL} {which}", values)]

    def decide(self, number: int, *, accept: bool, note: str = "") -> Result | None:
        """The judge accepts a correction that waits, in place of the result that counts, or turns
        it down. Returns the result; None if it does not wait."""
        result = self._find_number(number)
        if result is None or result.state != WAITING:
            return None
        with self._store.database.errors(_WHAT), self._store.database.write() as rows:
            if accept:
                rows.execute(
                    "UPDATE club_results SET state = ? WHERE place = ? AND game = ? AND state = ?",
                    (REPLACED, result.table, result.game, COUNTED),
                )
            rows.execute(
                "UPDATE club_results SET state = ?, note = ? WHERE number = ?",
                (COUNTED if accept else REJECTED, note, number),
            )
        return result

    def correct(self, number: int, totals: dict[str, int], note: str) -> Result | None:
        """The judge corrects the totals of a counted result; what counted before is kept and shown
        as replaced. Returns the new result; None if there is no such result."""
        result = self._find_number(number)
        if result is None or result.state != COUNTED or totals.keys() != {*result.score["ranking"]}:
            return None
        score = correct_score(result.score, totals)
        text = json.dumps({"score": score, "players": result.players})
        hash_ = messages.find_hash(text + result.hash)
        with self._store.database.errors(_WHAT), self._store.database.write() as rows:
            rows.execute("UPDATE club_results SET state = ? WHERE number = ?", (REPLACED, number))
            rows.execute(
                "INSERT INTO club_results (place, game, hash, at, message, state, note)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (result.table, result.game, hash_, result.at, text, COUNTED, note),
            )
        return self._find(result.table, result.game)[-1]

    def _find(self, table: str, game: str) -> list[Result]:
        return self._select("WHERE place = ? AND game = ? ORDER BY number", table, game)

    def _find_number(self, number: int) -> Result | None:
        return next(iter(self._select("WHERE number = ?", number)), None)


_ALL = "SELECT number, place, game, hash, at, message, state, note FROM club_results"
_WHAT = Sentence("the club's results cannot be used")


def correct_score(score: dict[str, Any], totals: dict[str, int]) -> dict[str, Any]:
    """The score with these totals, in the order that follows from them; equal totals keep the order
    that they had."""
    ranking = sorted(score["ranking"], key=lambda name: -totals[name])
    best = totals[ranking[0]]
    winners = [name for name in ranking if totals[name] == best]
    players = {
        name: {**parts, "total": totals[name]} for name, parts in score["players"].items()
    }  # fmt: skip
    return {**score, "ranking": ranking, "winners": winners, "players": players, "tie_break": None}


def _check(message: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """The set-up and the moves of the result's record. Raises messages.Refusal if the scores are
    not those of that record. Without a set-up if it cannot be played here, such as with cards of
    that table's own: the scores count all the same."""
    try:
        data = json.loads(message["record"])
        if not isinstance(data, dict) or len(data.get("moves", ())) > MOST_MOVES:
            return None, []
        played = record.read(data)
        referee = Referee(played.start)
        for text in played.moves:
            referee.play(text)
    except (ValueError, RecursionError, TypeError, AttributeError, Problems, Refused):
        return None, []
    told = views.score_json(referee.table, final=True)
    totals = {name: parts["total"] for name, parts in told["players"].items()}
    claimed = {name: parts["total"] for name, parts in message["score"]["players"].items()}
    if referee.table.stage == "over" and totals != claimed:
        raise messages.Refusal("result: the scores are not those of the record")
    setup = {key: value for key, value in played.data().items() if key != "moves"}
    return setup, list(played.moves)


MOST_MOVES = 5000
"""Moves of a record that a hub plays; a game has a few hundred."""


def _add_game(
    rows: sqlite3.Connection, table: str, at: str, setup: dict[str, Any], moves: list[str]
) -> None:
    started = datetime.fromisoformat(at).astimezone(UTC)
    moment = started.isoformat(timespec="milliseconds")
    events = [Event(moment, "move", move) for move in moves]
    events.append(Event(moment, "finish", ""))
    names = {name for (name,) in rows.execute("SELECT name FROM games")}
    name = find_free_name(f"{started:%Y-%m-%d}-{table}", names)
    insert(rows, Carried(name, moment, setup, tuple(events)), name)


def _has_table(rows: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = 'club_results'"
    return rows.execute(query).fetchone() is not None


def _read(row: tuple[Any, ...]) -> Result:
    number, table, game, hash_, at, message, state, note = row
    kept = json.loads(message)
    return Result(number, table, game, hash_, at, kept["score"], kept["players"], state, note)
