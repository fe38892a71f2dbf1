"""The files of a club's league, in the club's folder: made to be read and edited by people.

`league.yaml` has the rules and the players, `rounds/N.yaml` who sits where in round N. What is
edited is checked when it is read; every problem is told with its line.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import yaml

from common import own_files, strict_yaml
from common.clean import clean_text, read_moment
from common.problems import Checker, Problems, tell_range
from common.sentences import Sentence, quote
from companion.errors import UserError
from companion.extensions.club import seating
from companion.extensions.club.address import CLUB_NAME
from companion.extensions.club.league import League, Round, find_name, make_id, rank
from companion.extensions.club.results import list_results
from companion.files.locations import cannot_be_read, cannot_be_saved, games_file
from companion.history import games, season, standings
from companion.history.games import GameFilter
from companion.log.store import Store
from companion.settings.checks import BEATEN, day, points, read_points
from engine.moves import fold
from engine.record import MAX_NAME_LENGTH, RESERVED_NAMES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from companion.extensions.club.results import Result
    from companion.history.season import Play
    from companion.history.standings import Standings

LEAGUE, ROUNDS = "league.yaml", "rounds"

MOST_PLAYERS = 1400
"""Players of a club: 200 tables of seven."""

MOST_ROUND = 999
MOST_BYE_POINTS = 1000

_HEAD = """\
# The league of this club. Edit it as you like; `companion club players` shows what it says.
# points: beaten (one for each player behind), or for first place, second and so on: 10 6 3 1
# bye: average (of the player's own games), or the points that a round without a seat gives
# size: players at a table, from 4 to 7     season: the first day that counts, or null
"""


class LeagueError(UserError):
    """A file of the league that cannot be used, or a change that cannot be made."""

    code = 1


def read(folder: str) -> League:
    """The league of that folder; the usual one without a file. Raises LeagueError with every
    problem."""
    path = os.path.join(folder, LEAGUE)
    document = _read_file(path)
    if document is None:
        return League()
    check = Checker()
    if not isinstance(document.data, dict | None):
        check.say((), "a league has lines of “key: value”")
    found = document.data if isinstance(document.data, dict) else {}
    settings: dict[str, Any] = check.read_mapping(found, (), League._fields)
    scheme = settings.get("points", "beaten")
    check.note(("points",), points(scheme))
    bye = settings.get("bye", "average")
    is_number = isinstance(bye, int) and not isinstance(bye, bool) and 0 <= bye <= MOST_BYE_POINTS
    if bye != "average" and not is_number:
        text = "a bye gives average, or points from 0 to {most}"
        check.say(("bye",), text, most=MOST_BYE_POINTS)
    size = settings.get("size", seating.USUAL)
    if not isinstance(size, int) or not seating.LEAST <= size <= seating.MOST:
        check.note(("size",), _tell_size(seating.LEAST, seating.MOST))
    first = settings.get("season")
    check.note(("season",), day(first))
    players = _read_players(settings.get("players"), check)
    _need_none(check, document)
    return League(
        read_points(scheme), None if bye == "average" else bye, size, first and str(first), players
    )


def _tell_size(least: int, most: int) -> Sentence:
    return Sentence("a table has {least} to {most} players", least=least, most=most)


def _read_players(found: Any, check: Checker) -> dict[int, str]:
    if found is None:
        return {}
    if not isinstance(found, dict) or len(found) > MOST_PLAYERS:
        text = "players are lines of “number: name”, at most {most}"
        check.say(("players",), text, most=MOST_PLAYERS)
        return {}
    players: dict[int, str] = {}
    taken: set[str] = set()
    for key, name in found.items():
        name = clean_text(name) if isinstance(name, str) else name
        problem = find_name_problem(name, taken)
        if not re.fullmatch(r"[1-9][0-9]{0,8}", key):
            problem = tell_range(quote(clean_text(key)), 1, 999_999_999)
        check.note(("players", key), problem)
        if problem is None:
            players[int(key)] = name
            taken.add(fold(name))
    return players


def find_name_problem(name: Any, taken: Container[str]) -> str | None:
    """What is wrong with a new player's name; None if nothing is. `taken` has the names of the
    others as `fold` has them."""
    if not isinstance(name, str) or not name or clean_text(name) != name:
        return Sentence("a player's name is text of visible characters; quote it if it is")
    if len(name) > MAX_NAME_LENGTH or fold(name) in RESERVED_NAMES:
        return Sentence(
            "“{name}” is longer than {most} characters, or a word of the notation",
            name=clean_text(name, limit=60),
            most=MAX_NAME_LENGTH,
        )
    if fold(name) in taken:
        return Sentence("two players are called “{name}”; tell them apart", name=name)
    return None


def save(folder: str, league: League) -> None:
    """Write `league.yaml`. Raises LeagueError."""
    content = {
        "points": "beaten" if league.points == BEATEN else " ".join(map(str, league.points)),
        "bye": "average" if league.bye is None else league.bye,
        "size": league.size,
        "season": league.season,
        "players": dict(sorted(league.players.items())),
    }
    _write(os.path.join(folder, LEAGUE), _HEAD + _dump(content, flow=False))


def rename(folder: str, league: League, number: int, name: str) -> League:
    """Give a player another name, in the list and in all rounds; returns the new list. Raises
    LeagueError."""
    was = fold(league.players[number])
    for one in read_rounds(folder):
        copy = one._replace(
            tables={table: _replace(names, was, name) for table, names in one.tables.items()},
            byes=_replace(one.byes, was, name),
            absent=_replace(one.absent, was, name),
        )
        if copy != one:
            save_round(folder, copy)
    changes = league._replace(players={**league.players, number: name})
    save(folder, changes)
    return changes


def _replace(names: Iterable[str], was: str, now: str) -> tuple[str, ...]:
    return tuple(now if fold(name) == was else name for name in names)


def read_rounds(folder: str) -> list[Round]:
    """All rounds, the first one first. Raises LeagueError with every problem of the first file that
    has any."""
    try:
        names = os.listdir(os.path.join(folder, ROUNDS))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LeagueError(cannot_be_read(os.path.join(folder, ROUNDS), error)) from None
    numbers = sorted(
        int(name[:-5]) for name in names if re.fullmatch(r"[1-9][0-9]{0,2}\.yaml", name)
    )
    return [
        _read_round(os.path.join(folder, ROUNDS, f"{number}.yaml"), number) for number in numbers
    ]


def _read_round(path: str, number: int) -> Round:
    document = _read_file(path)
    drawn = document.data if document is not None else None
    if document is None or not isinstance(drawn, dict):
        raise LeagueError(Sentence("{path}: this is not a round of the league", path=path))
    check = Checker()
    drawn = check.read_mapping(drawn, (), ("at", "seed", "tables", "byes", "absent"))
    tables = drawn.get("tables")
    if not isinstance(tables, dict) or not tables:
        check.say(("tables",), "tables are lines of “table: [player, player, ...]”")
        tables = {}
    seats = {table: _read_names(names, ("tables", table), check) for table, names in tables.items()}
    for table, row in seats.items():
        if not CLUB_NAME.fullmatch(table):
            text = (
                "“{word}” can't be a table's name: write up to 32 small letters, digits and dashes"
            )
            check.say(("tables", table), text, word=clean_text(table, limit=60))
        if not 2 <= len(row) <= 8:
            check.note(("tables", table), _tell_size(2, 8))
    byes = _read_names(drawn.get("byes"), ("byes",), check)
    absent = _read_names(drawn.get("absent"), ("absent",), check)
    files: set[str] = set()
    for place, names in [
        *((("tables", table), row) for table, row in seats.items()),
        (("byes",), byes),
    ]:
        for name in names:
            if fold(name) in files:
                check.say(place, "{name} has two places in this round", name=name)
            files.add(fold(name))
    at = str(drawn.get("at"))
    if read_moment(at) is None:
        check.say(("at",), "write when it was drawn like 2026-11-22T19:30:00+01:00")
    _need_none(check, document)
    return Round(number, at, str(drawn.get("seed", "")), seats, byes, absent)


def _read_names(found: Any, place: tuple[str, ...], check: Checker) -> tuple[str, ...]:
    if found is None:
        return ()
    if isinstance(found, list) and all(
        isinstance(name, str) and 0 < len(clean_text(name)) <= MAX_NAME_LENGTH for name in found
    ):
        return tuple(map(clean_text, found))
    check.say(place, "write names in brackets: [Anna, Ben]")
    return ()


def save_round(folder: str, one_round: Round) -> str:
    """Write a round; returns the path of its file. Raises LeagueError."""
    content: dict[str, Any] = {
        "at": one_round.at,
        "seed": one_round.seed,
        "tables": {table: list(names) for table, names in one_round.tables.items()},
        "byes": list(one_round.byes),
        "absent": list(one_round.absent),
    }
    head = "# Who sits where; the first at a table begins with the crown. Edit it as you like.\n"
    path = os.path.join(folder, ROUNDS, f"{one_round.number}.yaml")
    _write(path, head + _dump(content))
    return path


def read_plays(store: Store, rules: League, results: Iterable[Result]) -> list[Play]:
    """The club's games of the season: the results of the tables, as the judge has corrected them,
    and what has come into the log otherwise. Raises StoreError."""
    since = games.begin_of_day(rules.season) if rules.season else None
    plays = standings.read_plays(store, GameFilter(since=since))
    names = {result.game for result in results}
    besides = [_name_players(play, rules) for play in plays if play.game not in names]
    return [*list_plays(rules, results), *besides]


def list_plays(rules: League, results: Iterable[Result]) -> list[Play]:
    since = games.begin_of_day(rules.season) if rules.season else ""
    plays: list[Play] = []
    for result in results:
        end = standings.find_moment(result.at)
        if end < since:
            continue
        finishes = tuple(
            season.Finish(
                find_name(rules, name, result.players.get(name)),
                result.places[name],
                facts["total"],
            )
            for name, facts in result.score["players"].items()
        )
        plays.append(season.Play(result.game, end, finishes))
    return plays


def _name_players(play: Play, rules: League) -> Play:
    """The game with its players as the club's list has them."""
    finishes = (
        one._replace(name=None if one.name is None else find_name(rules, one.name))
        for one in play.finishes
    )
    return play._replace(finishes=tuple(finishes))


def _dump(content: dict[str, Any], *, flow: bool | None = None) -> str:
    text: str = yaml.safe_dump(
        content, allow_unicode=True, sort_keys=False, default_flow_style=flow, width=100
    )
    return text


def _write(path: str, text: str) -> None:
    try:
        own_files.replace(path, text)
    except OSError as error:
        raise LeagueError(cannot_be_saved(path, error)) from None


def _read_file(path: str) -> strict_yaml.Document | None:
    try:
        return strict_yaml.read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LeagueError(cannot_be_read(path, error)) from None
    except Problems as error:
        raise LeagueError(*map(str, error.problems)) from None


def _need_none(check: Checker, document: strict_yaml.Document) -> None:
    """Raise LeagueError with every problem of the file, if it has any."""
    if check.problems:
        raise LeagueError(*map(str, document.locate(check.problems).problems))


class WatchedLeague:
    """The results, and the league as its files and they have it now; use it from one thread."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._seen: object = None
        self.results: list[Result] = []
        """All results, oldest first."""

        self.standings: Standings | None = None
        self.players: dict[str, str] = {}
        """The name of each id of the list."""

        self.drawn: Round | None = None
        """The last round."""

        self.problem = ""
        """What is wrong with the files; until it is put right, the league is as it was before."""

    def renew(self) -> bool:
        """Read what people and other programs have changed; whether there was anything. Raises
        StoreError."""
        files = [_date(path) for path in self._list_files()]
        if files == self._seen:
            self.problem = ""  # what was wrong has been taken back
            return False
        with Store(games_file(self._folder)) as store:
            before, self.results = self.results, list_results(store)
            try:
                rules, rounds = read(self._folder), read_rounds(self._folder)
            except LeagueError as error:  # read again even if no file changes: it may be the disk
                self.problem = " ".join(map(str, error.lines))
                return self.results != before
            self.standings = rank(rules, read_plays(store, rules, self.results), rounds)
        self.players = {make_id(number, name): name for number, name in rules.players.items()}
        self.drawn = rounds[-1] if rounds else None
        self.problem, self._seen = "", files
        return True

    def _list_files(self) -> list[str]:
        log = games_file(self._folder)
        rounds = os.path.join(self._folder, ROUNDS)
        try:
            names = sorted(os.listdir(rounds))
        except OSError:
            names = []
        files = [os.path.join(self._folder, LEAGUE), log, f"{log}-wal"]
        return [*files, *(os.path.join(rounds, name) for name in names)]


def _date(path: str) -> tuple[int, int]:
    """When a file was changed, and its size; zeros without one."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
