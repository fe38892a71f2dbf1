"""The hub's results: finished games in its own log, each by the table that played it and the UUID
that it has there.

The same result again changes nothing. One that a table has changed later replaces the table's own,
never the judge's correction; only a correction replaces a correction. A result is on the disk when
its table is told that it was taken.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from common import strict_json
from common.clean import write_moment
from common.problems import Problems
from companion.extensions.club import messages
from companion.extensions.club.league import find_places, read_number
from companion.history.parcel.format import ArchivedGame, LogRow
from companion.history.parcel.merging import insert
from companion.log import adding, game_rows, ledger
from companion.log.store import Store
from engine import record, scoring
from engine.explain import Refused
from engine.moves import fold
from engine.referee import Referee

if TYPE_CHECKING:
    import sqlite3

_TABLES = (
    # `name`: what the table calls its game. `uuid`: the same, of a table that sends none
    """CREATE TABLE IF NOT EXISTS results (
        game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
        place TEXT NOT NULL, uuid TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL,
        at TEXT NOT NULL, score TEXT NOT NULL, players TEXT NOT NULL, places TEXT NOT NULL,
        UNIQUE (place, uuid)
    )""",
    """CREATE TABLE IF NOT EXISTS corrections (
        number INTEGER PRIMARY KEY,
        game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        at TEXT NOT NULL, totals TEXT NOT NULL, reason TEXT NOT NULL
    )""",
)

_ALL = """
SELECT results.game, games.name, place, results.name, results.uuid, hash, results.at, score,
    players, places, totals, ifnull(reason, '')
FROM results JOIN games ON games.id = results.game
LEFT JOIN corrections ON number = (SELECT max(number) FROM corrections WHERE game = games.id)
"""


class Result(NamedTuple):
    """A result as it counts."""

    number: int
    """Of the game in the hub's log."""

    game: str
    """The name of the game there."""

    table: str
    name: str
    """What the table calls the game."""

    uuid: str
    hash: str
    """Of the record that the table has sent last."""

    at: str
    score: dict[str, Any]
    players: dict[str, str | None]
    """The id of each player in the club; None for a guest."""

    places: dict[str, int]
    reason: str
    """Why the judge has corrected it; "" for a result of the table's own."""


def take(store: Store, table: str, message: dict[str, Any]) -> Result:
    """Take a result; returns it as it counts. It is on the disk when this returns, however often
    the same result comes. Raises messages.MessageProblem and StoreError."""
    game = _check(message)
    known = _find(store, table, message, game)
    if known is not None and known.hash == message["hash"]:
        return known
    with store.database.save() as connection:
        _make_tables(connection)
        if known is None:
            number = _add_game(connection, table, message, game)
            row = number, table, _find_uuid(message), message["game"], "", "", "", "", ""
            connection.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            _set_facts(connection, number, message, game)
        else:
            number = known.number
            _change(connection, number, message, game)
        query = "UPDATE results SET hash = ?, uuid = ? WHERE game = ?"
        connection.execute(query, (message["hash"], _find_uuid(message), number))
    return _select(store, "WHERE results.game = ?", number)[0]


def _find(store: Store, table: str, message: dict[str, Any], game: _PlayedGame) -> Result | None:
    """The result of that game, if it is known: by its UUID; or by its name, if it came from a table
    that sent none, or into a folder from before there were any."""
    uuid, name = _find_uuid(message), message["game"]
    condition = "WHERE place = ? AND (results.uuid = ? OR results.uuid = ? AND results.name = ?)"
    for one in _select(store, f"{condition} ORDER BY results.uuid = ?", table, uuid, *(name,) * 3):
        if one.uuid == uuid or store.load(one.number).setup == game.setup:
            return one
    return None


def correct(store: Store, number: int, totals: dict[str, int], reason: str) -> None:
    """The judge corrects the totals of a result; the log keeps the game as it was played. Raises
    StoreError."""
    with store.database.save() as connection:
        _make_tables(connection)
        _correct(connection, number, messages.tell_time(), totals, reason)


def list_results(store: Store) -> list[Result]:
    """Every result of that log, oldest first. Raises StoreError."""
    return _select(store, "ORDER BY results.game")


def identify(store: Store, name: str, id_: str) -> None:
    """Note in every result who that name was: the player keeps the results under another name.
    Raises StoreError."""
    with store.database.save() as connection:
        _make_tables(connection)
        for number, text in connection.execute("SELECT game, players FROM results").fetchall():
            players = {
                other: id_ if fold(other) == fold(name) else known
                for other, known in json.loads(text).items()
            }
            query = "UPDATE results SET players = ? WHERE game = ?"
            connection.execute(query, (json.dumps(players), number))


def find_last_number(store: Store) -> int:
    """The highest number of a player that a result names; 0 without any. Raises StoreError."""
    ids = (id_ for result in list_results(store) for id_ in result.players.values())
    return max((read_number(id_) or 0 for id_ in ids), default=0)


def _select(store: Store, condition: str, *values: object) -> list[Result]:
    with store.database.look() as connection:
        if _is_former(connection):
            with store.database.write() as connection:
                _make_tables(connection)
        if not ledger.has_table(connection, "results"):
            return []
        return [_read(row) for row in connection.execute(f"{_ALL} {condition}", values)]


def _read(row: tuple[Any, ...]) -> Result:
    *names, score, players, places, totals, reason = row
    facts = json.loads(score), json.loads(players), json.loads(places)
    result = Result._make((*names, *facts, reason))
    return result if totals is None else _apply_correction(result, json.loads(totals))


def _apply_correction(result: Result, totals: dict[str, int]) -> Result:
    """The result with these totals and the order that follows from them; equal totals share a place
    and keep the order that they had."""
    ranking = sorted(result.score["ranking"], key=lambda name: -totals[name])
    places = {
        name: 1 + sum(other > total for other in totals.values()) for name, total in totals.items()
    }
    facts = result.score["players"].items()
    score = {
        **result.score,
        "ranking": ranking,
        "winners": [name for name in ranking if places[name] == 1],
        "players": {name: {**parts, "total": totals[name]} for name, parts in facts},
        "tie_break": None,
    }
    return result._replace(score=score, places=places)


def _find_uuid(message: dict[str, Any]) -> str:
    uuid: str = message.get("uuid", message["game"])
    return uuid


# -- the game of a result ------------------------------------------------------------------------


class _PlayedGame(NamedTuple):
    """A result's game, and the place of each player."""

    setup: dict[str, Any]
    moves: list[str]
    places: dict[str, int]


MOST_MOVES = 5000
"""Moves of a record that a hub plays; a game has a few hundred."""


def _check(message: dict[str, Any]) -> _PlayedGame:
    """Read the record of a result, and play it again. What cannot be played here, such as with
    cards of that table's own, counts as it was scored there. Raises messages.MessageProblem if it
    is no record, or the scores are not those of it or not of the players that it ranks."""
    score = message["score"]
    ranking = score["ranking"]
    if sorted(ranking) != sorted(score["players"]) or not {*score["winners"]} <= {*ranking}:
        raise messages.MessageProblem("result: the ranking is not of the players")
    places = find_places(score)
    try:
        data = strict_json.parse(message["record"])
        moves = data["moves"]
        is_ours = isinstance(moves, list) and sorted(data["players"]) == sorted(ranking)
        written = (data["edition"], *moves) if is_ours and len(moves) <= MOST_MOVES else (None,)
        if not all(isinstance(text, str) for text in written):
            raise ValueError(data)
    except (ValueError, TypeError, LookupError):
        raise messages.MessageProblem("result: its record is not of that game") from None
    setup = {key: value for key, value in data.items() if key != "moves"}
    try:
        game = record.read(data)
        referee = Referee(game.start)
        for text in game.moves:
            referee.play(text)
    except (ValueError, RecursionError, TypeError, AttributeError, Problems, Refused):
        return _PlayedGame(setup, moves, places)
    names = referee.table.rules.player_names
    standing = scoring.standing(referee.table)
    totals = {
        name: seat_score.total for name, seat_score in zip(names, standing.scores, strict=True)
    }
    told_totals = {name: parts["total"] for name, parts in score["players"].items()}
    if referee.table.stage == "over":
        if totals != told_totals:
            raise messages.MessageProblem("result: the scores are not those of the record")
        places = dict(zip(names, standing.places, strict=True))
    setup = {key: value for key, value in game.data().items() if key != "moves"}
    return _PlayedGame(setup, list(game.moves), places)


def _add_game(
    connection: sqlite3.Connection, table: str, message: dict[str, Any], game: _PlayedGame
) -> int:
    """Add the game to the log, as if each of its moves had taken the same time; returns its
    number."""
    end = datetime.fromisoformat(message["at"]).astimezone(UTC)
    start = end - timedelta(minutes=message.get("minutes", 0))
    pause = (end - start) / (len(game.moves) + 1)
    times = [end - number * pause for number in reversed(range(len(game.moves) + 1))]
    events = [("move", move) for move in game.moves] + [("finish", "")]
    log = [LogRow(write_moment(time), *event) for time, event in zip(times, events, strict=True)]
    name = f"{start:%Y-%m-%d}-{table}"
    archived = ArchivedGame(name, write_moment(start), game.setup, tuple(log))
    with adding.note_imported(connection):
        return insert(connection, archived, message.get("uuid"))


def _change(
    connection: sqlite3.Connection, number: int, message: dict[str, Any], game: _PlayedGame
) -> None:
    """Play the game of the log as the table has played it now: undo what was otherwise, and play
    the rest. One of other players or rules is not that game, and changes nothing."""
    query = "SELECT kind, text FROM events WHERE game = ? ORDER BY seq"
    (_start, setup), *events = connection.execute(query, (number,)).fetchall()
    if json.loads(setup) != game.setup:
        return
    log = game_rows.GameLog(number, "", game.setup)
    for kind, text in events:
        game_rows.replay(log, kind, text)
    both_records = zip(log.moves, game.moves, strict=False)
    same = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], both_records))
    changes = [("undo", "")] * (len(log.moves) - same)
    changes += [("move", text) for text in game.moves[same:]] + [("finish", "")]
    moment = write_moment(datetime.fromisoformat(message["at"]))
    with adding.note_imported(connection):
        adding.add(connection, number, [(moment, *change) for change in changes])
    _set_facts(connection, number, message, game)


def _set_facts(
    connection: sqlite3.Connection, number: int, message: dict[str, Any], game: _PlayedGame
) -> None:
    facts = map(json.dumps, (message["score"], message["players"], game.places))
    query = "UPDATE results SET at = ?, score = ?, players = ?, places = ? WHERE game = ?"
    connection.execute(query, (message["at"], *facts, number))


def _correct(
    connection: sqlite3.Connection, number: int, at: str, totals: dict[str, int], reason: str
) -> None:
    query = "INSERT INTO corrections (game, at, totals, reason) VALUES (?, ?, ?, ?)"
    connection.execute(query, (number, at, json.dumps(totals), reason))


# -- a folder of before ----------------------------------------------------------------------------
#
# Its results were in a table of their own, a row for each that was sent and each correction, with
# what the judge thought of it. They are read once; the table is left as it was.


def _is_former(connection: sqlite3.Connection) -> bool:
    return ledger.has_table(connection, "club_results") and not ledger.has_table(
        connection, "results"
    )


def _make_tables(connection: sqlite3.Connection) -> None:
    """Create the tables unless they are there, with the results of a folder of before."""
    is_former = _is_former(connection)
    for table in _TABLES:
        connection.execute(table)
    if is_former:
        _read_former(connection)


def _read_former(connection: sqlite3.Connection) -> None:
    """Take what each table sent last unless the judge turned it down, and the corrections of it."""
    query = "SELECT place, game, hash, at, message, state, note, log FROM club_results"
    groups: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for place, game, *row in connection.execute(f"{query} ORDER BY number").fetchall():
        groups.setdefault((place, game), []).append(tuple(row))
    for (place, name), sent in groups.items():
        own = [row for row in sent if not _is_former_correction(row)]
        begin = max(at for at, row in enumerate(sent) if row in own and row[3] in _COUNTED)
        _hash, at, text, _state, _note, log = sent[begin]
        data = json.loads(text)
        found = connection.execute("SELECT id FROM games WHERE name = ?", (log,)).fetchone()
        number = found[0] if found else _add_unplayed(connection, place, at, data["score"])
        facts = (json.dumps(data[field]) for field in ("score", "players", "places"))
        key = number, place, name, name, own[-1][0], at
        connection.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*key, *facts))
        for row in sent[begin + 1 :]:
            if _is_former_correction(row):
                players = json.loads(row[2])["score"]["players"]
                totals = {player: parts["total"] for player, parts in players.items()}
                _correct(connection, number, row[1], totals, row[4])
            elif row[3] == "waiting":
                message = {**json.loads(row[2]), "at": row[1]}
                _change(connection, number, message, _check(message))


_COUNTED = ("counted", "replaced")


def _is_former_correction(row: tuple[Any, ...]) -> bool:
    _hash, _at, text, state, note, _log = row
    return bool(state in _COUNTED and note and "record" not in json.loads(text))


def _add_unplayed(
    connection: sqlite3.Connection, place: str, at: str, score: dict[str, Any]
) -> int:
    """Add a game of which only the scores were kept."""
    players = [*score["players"]]
    setup = {"edition": score["edition"], "players": players, "crown": players[0]}
    return _add_game(connection, place, {"at": at}, _PlayedGame(setup, [], {}))
