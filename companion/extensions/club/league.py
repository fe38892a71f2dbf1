"""A club's league: who belongs to it, the rounds that were drawn, and the standings.

Everything is computed from the club's list, the rounds and the results that count; `league_files`
keeps the first two in files that people may edit.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.extensions.club import seating
from companion.extensions.club.seating import Entrant
from companion.history import standings
from companion.history.games import begin_of_day
from companion.history.season import Bye, Play
from companion.settings.checks import BEATEN
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from companion.history.standings import Standings


class League(NamedTuple):
    """How a club plays."""

    points: tuple[int, ...] = BEATEN
    """What each place is worth (`season.list_points`)."""

    bye: int | None = None
    """What a round without a seat gives; None for the player's own average."""

    size: int = seating.USUAL
    """Players at a table, if the number of players allows it."""

    season: str | None = None
    """The first day that counts, YYYY-MM-DD; None for all."""

    players: Mapping[int, str] = {}
    """Names by number; no two are the same to `fold`."""


class Round(NamedTuple):
    """Who sat where in a round."""

    number: int
    at: str
    """When it was drawn: ISO 8601 with the zone."""

    seed: str
    """What decided between equals (`seating.draw`)."""

    tables: Mapping[str, tuple[str, ...]]
    """The players of each table in seat order, first the one who begins with the crown."""

    byes: tuple[str, ...] = ()
    """Who had no seat."""

    absent: tuple[str, ...] = ()
    """Who was not there."""


def make_id(number: int, name: str) -> str:
    """A player's id in the club, by which tables know them: the name and the number."""
    letters = unicodedata.normalize("NFKD", fold(name)).encode("ascii", "ignore").decode()
    word = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:24] or "player"
    return f"{word}-{number}"


def read_number(id_: str | None) -> int | None:
    """The player's number in an id; None without one."""
    number = re.fullmatch(r".*-([0-9]{1,9})", id_ or "")
    return int(number[1]) if number else None


def find_name(league: League, name: str, id_: str | None = None) -> str:
    """The player's name on the club's list: by the id, else by the name; a guest keeps theirs."""
    number = read_number(id_)
    if number is not None and number in league.players:
        return league.players[number]
    return next((one for one in league.players.values() if fold(one) == fold(name)), name)


# -- results ---------------------------------------------------------------------------------------


def find_places(score: Mapping[str, Any]) -> dict[str, int]:
    """Each player's place, from the JSON of `companion score`: those who share the victory are
    first, all others follow in the order of the ranking, which the tie-breaks have made."""
    winners = set(score["winners"])
    places = {name: number for number, name in enumerate(score["ranking"], 1)}
    return {name: 1 if name in winners else place for name, place in places.items()}


# -- standings -------------------------------------------------------------------------------------


def rank(
    league: League,
    plays: Sequence[Play],
    rounds: Iterable[Round],
) -> Standings:
    """The standings after these games, with the byes of these rounds."""
    byes = Counter(
        find_name(league, name) for one in _list_counted(league, rounds) for name in one.byes
    )
    gains = {name: Bye(number, league.bye) for name, number in byes.items()}
    return standings.make(plays, league.points, byes=gains)


MOST_PUBLISHED = 100
"""Players in the message with the standings, the first."""


def make_message(ranking: Standings) -> dict[str, Any]:
    """The message `standings` of the hub."""
    first = ranking._replace(rows=ranking.rows[:MOST_PUBLISHED])
    return {"v": 1, **standings.data(first)}


def _list_counted(league: League, rounds: Iterable[Round]) -> list[Round]:
    since = begin_of_day(league.season) if league.season else ""
    return [one for one in rounds if standings.find_moment(one.at) >= since]


# -- rounds ----------------------------------------------------------------------------------------


def draw(
    league: League,
    plays: Sequence[Play],
    rounds: Sequence[Round],
    number: int,
    *,
    at: str,
    seed: str,
    names: Sequence[str] = (),
    absent: Collection[str] = (),
    most_tables: int | None = None,
) -> Round:
    """Draw the round of that number, after these. `names` are those of the club's tables, of which
    the first are used; without any they are called table-1 and so on. Raises ValueError if fewer
    than four players are there."""
    rounds = _list_counted(league, rounds)
    rows = {fold(row.name): row for row in rank(league, plays, rounds).rows}
    starts = Counter(fold(table[0]) for one in rounds for table in one.tables.values() if table)
    byes = Counter(fold(name) for one in rounds for name in one.byes)
    away = {fold(find_name(league, name)) for name in absent}
    players = [
        Entrant(
            name,
            rows[fold(name)].points if fold(name) in rows else 0,
            starts[fold(name)],
            byes[fold(name)],
        )
        for name in league.players.values()
        if fold(name) not in away
    ]
    limits = [limit for limit in (most_tables, len(names) or None) if limit is not None]
    sizes = seating.plan_sizes(len(players), league.size, min(limits, default=None))
    names_by_key = {fold(player.name): player.name for player in players}
    meetings = {
        frozenset(names_by_key[name] for name in pair): times
        for pair, times in count_meetings(plays, rounds).items()
        if pair <= names_by_key.keys()
    }
    result = seating.draw(players, sizes, meetings, seed)
    table_names = names or [f"table-{number}" for number in range(1, len(sizes) + 1)]
    return Round(
        number=number,
        at=at,
        seed=seed,
        tables=dict(zip(table_names, result.tables, strict=False)),
        byes=result.byes,
        absent=tuple(name for name in league.players.values() if fold(name) in away),
    )


def count_meetings(plays: Iterable[Play], rounds: Iterable[Round]) -> Counter[frozenset[str]]:
    """How often each two players have sat at one table: in the rounds, and in the games besides.
    Names are as `fold` has them."""
    tables = [_fold_all(table) for one in rounds for table in one.tables.values()]
    groups = Counter(
        _fold_all(finish.name for finish in play.finishes if finish.name is not None)
        for play in plays
    )
    besides = (groups - Counter(tables)).elements()
    meetings: Counter[frozenset[str]] = Counter()
    for table in (*tables, *besides):
        meetings.update(map(frozenset, combinations(sorted(table), 2)))
    return meetings


def _fold_all(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, names))


def list_waiting(one_round: Round, plays: Iterable[Play]) -> list[str]:
    """The tables of the round whose result is not there yet."""
    moment = standings.find_moment(one_round.at)
    groups = [
        _fold_all(finish.name for finish in play.finishes if finish.name is not None)
        for play in plays
        if play.ended >= moment
    ]
    return [table for table, names in one_round.tables.items() if _fold_all(names) not in groups]


def make_draw_message(one_round: Round) -> dict[str, Any]:
    """The message `draw` of the hub."""
    return {
        "v": 1,
        "round": one_round.number,
        "at": one_round.at,
        "tables": {table: list(names) for table, names in one_round.tables.items()},
        "byes": list(one_round.byes),
    }


def data(one_round: Round, waiting: Sequence[str]) -> dict[str, Any]:
    message = make_draw_message(one_round)
    del message["v"]
    return {
        **message,
        "seed": one_round.seed,
        "absent": list(one_round.absent),
        "waiting": list(waiting),
    }
