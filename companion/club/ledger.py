"""The hub's results: each once, kept beside the games of its log, corrected only by a judge.

A result and the game's record are written in one transaction: both are on the disk when a table is
told that its result was taken. A second result of the same game is a correction: it waits for the
judge.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from common.problems import Problems
from common.sentences import Sentence
from companion.club import messages
from companion.club.league import find_places, read_number
from companion.history.parcel.format import ArchivedGame, LogRow
from companion.history.parcel.merging import find_free_name, insert
from companion.log import game_rows, name_rows
from companion.log.store import Store
from engine import record, scoring
from engine.explain import Refused
from engine.moves import fold
from engine.referee import Referee

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
    log TEXT NOT NULL DEFAULT '',
    UNIQUE (place, game, hash)
) STRICT
"""

COUNTED, WAITING, REPLACED, REJECTED = "counted", "waiting", "replaced", "rejected"
"""What became of a result: it counts, it waits for the judge because another of that game counts,
another took its place, or the judge has turned it down."""


class LedgerResult(NamedTuple):
    """A result in the ledger. `note` says what the judge has corrected, and why; "" for nothing.
    `places` has the place of each player, `log` the name of the game in the log, "" for none."""

    number: int
    table: str
    game: str
    hash: str
    at: str
    score: dict[str, Any]
    players: dict[str, str | None]
    places: dict[str, int]
    state: str
    note: str
    log: str


class Ledger:
    """The results in the log of games at `path`. Use it from one thread at a time; every method
    raises StoreError if the file cannot be used."""

    def __init__(self, path: str) -> None:
        self._store = Store(path)

    def take(self, table: str, message: dict[str, Any]) -> LedgerResult:
        """Take a result; returns it as it is kept. It is on the disk when this returns, however
        often the same result comes."""
        game, hash_ = message["game"], message["hash"]
        results = self._find(table, game)
        same = next((one for one in results if one.hash == hash_), None)
        if same is not None:
            return same
        replay = _check(message)
        state = WAITING if any(one.state == COUNTED for one in results) else COUNTED
        with self._store.database.errors(_WHAT), self._store.database.write() as rows:
            rows.execute(_TABLE)
            entries = {key: message[key] for key in ("score", "players")}
            entries["places"] = replay.places
            if state == WAITING:  # the judge may accept it
                entries |= {"record": message["record"], "minutes": message.get("minutes", 0)}
            log = ""
            if state == COUNTED:
                log = _add_game(rows, table, message["at"], message.get("minutes", 0), replay)
            rows.execute(
                "INSERT INTO club_results (place, game, hash, at, message, state, log)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (table, game, hash_, message["at"], json.dumps(entries), state, log),
            )
        return self._find(table, game)[-1]

    def list_results(self) -> list[LedgerResult]:
        """Every result, oldest first."""
        return list_results(self._store)

    def _select(self, which: str, *values: object) -> list[LedgerResult]:
        return _select(self._store, which, *values)

    def decide(self, number: int, *, accept: bool, note: str = "") -> LedgerResult | None:
        """The judge accepts a correction that waits, in place of the result that counts, or turns
        it down; what was replaced no longer counts in the history either. Returns the result; None
        if it does not wait."""
        result = self._find_number(number)
        if result is None or result.state != WAITING:
            return None
        with self._store.database.errors(_WHAT), self._store.database.write() as rows:
            log = ""
            if accept:
                for one in self._find(result.table, result.game):
                    game = self._store.find(one.log) if one.state == COUNTED and one.log else None
                    if game is not None:
                        name_rows.leave_out(rows, game)
                rows.execute(
                    "UPDATE club_results SET state = ? WHERE place = ? AND game = ? AND state = ?",
                    (REPLACED, result.table, result.game, COUNTED),
                )
                query = "SELECT message FROM club_results WHERE number = ?"
                (text,) = rows.execute(query, (number,)).fetchone()
                message = json.loads(text)
                log = _add_game(rows, result.table, result.at, message["minutes"], _check(message))
            rows.execute(
                "UPDATE club_results SET state = ?, note = ?, log = ? WHERE number = ?",
                (COUNTED if accept else REJECTED, note, log, number),
            )
        return result

    def correct(self, number: int, totals: dict[str, int], note: str) -> LedgerResult | None:
        """The judge corrects the totals of a counted result; what counted before is kept and shown
        as replaced. The history keeps the game as it was played. Returns the new result; None if
        there is no such result."""
        result = self._find_number(number)
        if result is None or result.state != COUNTED or totals.keys() != {*result.score["ranking"]}:
            return None
        score = correct_score(result.score, totals)
        places = {
            name: 1 + sum(other > total for other in totals.values())
            for name, total in totals.items()
        }
        text = json.dumps({"score": score, "players": result.players, "places": places})
        hash_ = messages.find_hash(text + result.hash)
        with self._store.database.errors(_WHAT), self._store.database.write() as rows:
            rows.execute("UPDATE club_results SET state = ? WHERE number = ?", (REPLACED, number))
            rows.execute(
                "INSERT INTO club_results (place, game, hash, at, message, state, note, log)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (result.table, result.game, hash_, result.at, text, COUNTED, note, result.log),
            )
        return self._find(result.table, result.game)[-1]

    def _find(self, table: str, game: str) -> list[LedgerResult]:
        return self._select("WHERE place = ? AND game = ? ORDER BY number", table, game)

    def _find_number(self, number: int) -> LedgerResult | None:
        return next(iter(self._select("WHERE number = ?", number)), None)


def list_results(store: Store) -> list[LedgerResult]:
    """Every result of that log, oldest first. Raises StoreError."""
    return _select(store, "ORDER BY number")


def identify(store: Store, name: str, id_: str) -> None:
    """Note in every result who that name was: the player keeps the results under another name.
    Raises StoreError."""
    with store.database.errors(_WHAT), store.database.write() as rows:
        if not name_rows.has_table(rows, "club_results"):
            return
        for number, text in rows.execute("SELECT number, message FROM club_results").fetchall():
            message = json.loads(text)
            players = {
                other: id_ if fold(other) == fold(name) else entries
                for other, entries in message["players"].items()
            }
            if players != message["players"]:
                text = json.dumps(message | {"players": players})
                query = "UPDATE club_results SET message = ? WHERE number = ?"
                rows.execute(query, (text, number))


def find_last_number(store: Store) -> int:
    """The highest number of a player that a result names; 0 without any. Raises StoreError."""
    ids = (id_ for result in list_results(store) for id_ in result.players.values())
    return max((read_number(id_) or 0 for id_ in ids), default=0)


def _select(store: Store, which: str, *values: object) -> list[LedgerResult]:
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        if rows is None or not name_rows.has_table(rows, "club_results"):
            return []
        return [_read(row) for row in rows.execute(f"{_ALL} {which}", values)]


_ALL = "SELECT number, place, game, hash, at, message, state, note, log FROM club_results"
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


class _Played(NamedTuple):
    """A result's record, played again: without a set-up if it cannot be played here, such as with
    cards of that table's own. The scores count all the same."""

    setup: dict[str, Any] | None
    moves: list[str]
    places: dict[str, int]


def _check(message: dict[str, Any]) -> _Played:
    """Play the record of a result. Raises messages.MessageProblem if the scores are not those of
    it, or not of the players that it ranks."""
    score = message["score"]
    ranking = score["ranking"]
    if sorted(ranking) != sorted(score["players"]) or not {*score["winners"]} <= {*ranking}:
        raise messages.MessageProblem("result: the ranking is not of the players")
    replay = _Played(None, [], find_places(score))
    try:
        data = json.loads(message["record"])
        if not isinstance(data, dict) or len(data.get("moves", ())) > MOST_MOVES:
            return replay
        game = record.read(data)
        referee = Referee(game.start)
        for text in game.moves:
            referee.play(text)
    except (ValueError, RecursionError, TypeError, AttributeError, Problems, Refused):
        return replay
    names = referee.table.rules.player_names
    standing = scoring.standing(referee.table)
    totals = {name: one.total for name, one in zip(names, standing.scores, strict=True)}
    entries = {name: parts["total"] for name, parts in score["players"].items()}
    if referee.table.stage == "over" and totals != entries:
        raise messages.MessageProblem("result: the scores are not those of the record")
    setup = {key: value for key, value in game.data().items() if key != "moves"}
    places = dict(zip(names, standing.places, strict=True))
    return _Played(setup, list(game.moves), places if totals == entries else replay.places)


MOST_MOVES = 5000
"""Moves of a record that a hub plays; a game has a few hundred."""


def _add_game(rows: sqlite3.Connection, table: str, at: str, minutes: int, game: _Played) -> str:
    """Add the game to the log, as if each of its moves had taken the same time; returns its name
    there, "" if it cannot be played."""
    if game.setup is None:
        return ""
    end = datetime.fromisoformat(at).astimezone(UTC)
    start = end - timedelta(minutes=minutes)
    each = (end - start) / (len(game.moves) + 1)
    moments = [
        (end - number * each).isoformat(timespec="milliseconds")
        for number in reversed(range(len(game.moves) + 1))
    ]
    moves = [*(("move", move) for move in game.moves), ("finish", "")]
    events = [LogRow(moment, *move) for moment, move in zip(moments, moves, strict=True)]
    names = {name for (name,) in rows.execute("SELECT name FROM games")}
    name = find_free_name(f"{start:%Y-%m-%d}-{table}", names)
    with game_rows.note_imported(rows):
        moment = start.isoformat(timespec="milliseconds")
        insert(rows, ArchivedGame(name, moment, game.setup, tuple(events)), name)
    return name


def _read(row: tuple[Any, ...]) -> LedgerResult:
    number, table, game, hash_, at, message, state, note, log = row
    data = json.loads(message)
    figures = data["score"], data["players"], data["places"]
    return LedgerResult(number, table, game, hash_, at, *figures, state, note, log)
