"""The games of a log with their digests, newest first; missing digests are made. They are chosen by
players, box and time."""

from __future__ import annotations

import gc
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from common.problems import Problems
from common.sentences import Sentence
from companion.log import digest, digest_rows
from companion.log.digest import Digest, Played
from companion.log.store import StoreError
from engine import record
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.log.store import GameLog, Store
    from engine.moves import Move

    Progress = Callable[[int], None]
    from companion.history.people import People


_AT_ONCE = 100  # digests per transaction: few enough that other callers need not wait for the lock


class Game(NamedTuple):
    """A game of the log."""

    id: int
    name: str
    started: str
    """ISO 8601 in UTC, as is `ended`."""

    ended: str
    """The time of its last event."""

    minutes: int
    """Playing time (`digest_rows.Times.minutes`)."""

    digest: Digest

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.digest.over


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Turn off the garbage collector in the block. The figures of thousands of games are no
    garbage, and scanning them repeatedly takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def ignore_progress(left: int) -> None:
    """Ignore the progress."""


def read_all(
    store: Store,
    progress: Progress = ignore_progress,
    most: int = -1,
    names: frozenset[str] | None = None,
) -> list[Game]:
    """Every game that can be read, or only `most`, the newest first, and last those that claim to
    have begun in the future; with `names` only those games.

    Missing digests are made and stored first; `progress` is called with the number left to make.
    Raises StoreError.
    """
    made = dict(make_missing(store, progress))
    what = Sentence("the games cannot be listed")
    horizon = store.horizon
    games: list[Game] = []
    with store.database.errors_in_rows(what):
        rows = store.database.read()
        read = -1 if names is not None else most
        for kept in digest_rows.read(rows, digest.VERSION, read, horizon) if rows else ():
            if names is not None and kept.name not in names:
                continue
            found = made.pop(kept.game, None) or _read(store, kept)
            if found is not None:
                games.append(found)
    # those that could not be stored, as on a read-only disk
    games += [game for game in made.values() if names is None or game.name in names]
    games.sort(key=lambda game: (game.started <= horizon, game.started, game.id), reverse=True)
    return games if most < 0 else games[:most]


def _read(store: Store, kept: digest_rows.Kept) -> Game | None:
    """The game from its stored digest, which is made again if it is damaged."""
    found = digest.read(kept.text)
    if found is None:
        made = _make(store, kept.game)
        return made.game if made else None
    return Game(kept.game, kept.name, kept.started, kept.ended, kept.minutes, found)


def count_missing(store: Store) -> int:
    """The number of missing digests. Raises StoreError."""
    return len(_find_missing(store))


def _find_missing(store: Store) -> list[int]:
    with store.database.errors_in_rows(Sentence("the games cannot be listed")):
        rows = store.database.read()
        return digest_rows.find_missing(rows, digest.VERSION) if rows else []


def make_missing(store: Store, progress: Progress = ignore_progress) -> Iterator[tuple[int, Game]]:
    """Make the missing digests and store them; yields each game with its id. Raises StoreError."""
    missing = _find_missing(store)
    for begin in range(0, len(missing), _AT_ONCE):
        progress(len(missing) - begin)
        made = [_make(store, game) for game in missing[begin : begin + _AT_ONCE]]
        found = [one for one in made if one is not None]
        _keep(store, found)
        yield from ((one.game.id, one.game) for one in found)


class _Made(NamedTuple):
    game: Game
    last: int  # the row up to which the digest counts


def _make(store: Store, id_: int) -> _Made | None:
    """The game, replayed; None if its rows are damaged."""
    try:
        log = store.load(id_, as_written=True)
        with store.database.errors_in_rows(Sentence("the game cannot be read")):
            rows = store.database.read()
            assert rows is not None  # the game was read from them
            times = digest_rows.times(rows, log.id, log.last)
    except (StoreError, KeyError):
        return None
    return _Made(Game(log.id, log.name, *times, replay(log)), log.last)


def replay(log: GameLog) -> Digest:
    """Replay the game into its digest; one that can't be replayed, because it was played with
    another version of the companion or another cards.yaml, has no rounds."""
    from engine.referee import Referee  # most calls find every digest made
    from engine.refusals import Refused

    try:
        start = record.read(log.setup).start
        referee = Referee(start)
        moves: dict[str, Move] = {}  # parsing a move takes as long as playing it
        for text in log.moves:
            move = moves.get(text) or moves.setdefault(text, referee.read(text))
            referee.play(move)
    except (Problems, Refused):
        return _digest_unplayable(log)
    scored = log.finished and "position" in log.setup  # by `companion score`, not played here
    return digest.count(start, referee.list_latest(), over=scored)


def _digest_unplayable(log: GameLog) -> Digest:
    """The digest of a game that can't be replayed: only who was at the table."""
    names = log.setup.get("players")
    played = [
        Played(str(name), 0, (0, 0, 0, 0), 0, 0, (), {}, {}, {}, 0)
        for name in (names if isinstance(names, list) else ())
    ]
    return Digest(str(log.setup.get("edition")), False, 0, len(log.moves), tuple(played))


def _keep(store: Store, made: list[_Made]) -> None:
    """Store the digests, if the log can be written.

    Two kinds are not stored: games open in another window, which would search the whole file after
    every row that others write, and games that cannot be replayed with today's cards.
    """
    settled = [
        one
        for one in made
        if one.game.over or (one.game.digest.rounds and not store.is_open_elsewhere(one.game.id))
    ]
    if not settled:
        return
    with (
        suppress(StoreError),
        store.database.errors(Sentence("the statistics cannot be saved")),
        store.database.write() as rows,
    ):
        for game, last in settled:
            digest_rows.put(rows, game.id, last, digest.VERSION, game.digest.text())


class Wanted(NamedTuple):
    """A filter for games; by default it takes all."""

    players: tuple[str, ...] = ()
    """All of these took part, under any of their names."""

    any_of: tuple[str, ...] = ()
    """At least one of these took part."""

    edition: str | None = None
    since: str | None = None
    """Earliest time, in UTC as `Game.started`."""

    until: str | None = None
    """End of the range, exclusive."""

    def takes(self, game: Game, people: People) -> bool:
        """Whether the game passes the filter."""
        if self.edition not in (None, game.digest.edition):
            return False
        if not (self.since or "") <= game.started or (self.until and game.started >= self.until):
            return False
        if not (self.players or self.any_of):
            return True
        played = tuple(player.name for player in game.digest.players)
        names = {*map(fold, played), *map(fold, people.resolve(game.id, played))}
        asked = {fold(people.find(name)) for name in self.any_of}
        return all(fold(people.find(name)) in names for name in self.players) and (
            not asked or bool(asked & names)
        )


def begin_of_day(day: str, *, after: bool = False) -> str:
    """The start of that local day (`after`: its end) in UTC, in the format of a game's times.

    Raises ValueError for anything but YYYY-MM-DD.
    """
    found = date.fromisoformat(day)
    if found.isoformat() != day:
        raise ValueError(day)
    try:
        local = datetime(found.year, found.month, found.day) + timedelta(days=after)
        moment = local.astimezone(UTC)
    except (OverflowError, OSError):  # the first and last days that datetime knows
        moment = datetime(found.year, found.month, found.day, tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds")
