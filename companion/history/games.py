"""The games of a log with what they were, newest first; digests that are missing are made."""

from __future__ import annotations

import gc
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from common.problems import Problems
from common.sentences import Sentence
from companion.log import digest, digest_rows
from companion.log.digest import Digest, Played
from companion.log.store import StoreError
from engine import record
from engine.referee import Referee
from engine.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.log.store import GameLog, Store
    from engine.moves import Move

    Progress = Callable[[int], None]

_AT_ONCE = 100  # digests written together: few enough that another caller need not wait for them


class Game(NamedTuple):
    """A game of the log."""

    id: int
    name: str
    started: str
    """ISO 8601, in UTC, as `ended`."""

    ended: str
    """When something happened in it last."""

    minutes: int
    """How long it was played (`digest_rows.Times.minutes`)."""

    digest: Digest

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self.digest.over


@contextmanager
def without_collecting() -> Iterator[None]:
    """Do not look for garbage while the block runs: the figures of thousands of games are none, and
    going through them again and again takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def nobody_waits(left: int) -> None:
    """The progress of work that nobody looks at."""


def read_all(store: Store, progress: Progress = nobody_waits, most: int = -1) -> list[Game]:
    """Every game that can be read, or that `most`, the one begun last first.

    What is not kept of any is made and kept first; `progress` is told how many are left to make.
    Raises StoreError.
    """
    made = dict(make_missing(store, progress))
    what = Sentence("the games cannot be listed")
    games: list[Game] = []
    with store.database.errors_in_rows(what):
        rows = store.database.read()
        for kept in digest_rows.read(rows, digest.VERSION, most) if rows else ():
            found = made.pop(kept.game, None) or _read(store, kept)
            if found is not None:
                games.append(found)
    games += made.values()  # those that could not be kept, as on a disk that cannot be written
    games.sort(key=lambda game: (game.started, game.id), reverse=True)
    return games if most < 0 else games[:most]


def _read(store: Store, kept: digest_rows.Kept) -> Game | None:
    """The game as it is kept, or made again where that is damaged."""
    found = digest.read(kept.text)
    if found is None:
        made = _make(store, kept.game)
        return made.game if made else None
    return Game(kept.game, kept.name, kept.started, kept.ended, kept.minutes, found)


def count_missing(store: Store) -> int:
    """How many digests are missing. Raises StoreError."""
    return len(_find_missing(store))


def _find_missing(store: Store) -> list[int]:
    with store.database.errors_in_rows(Sentence("the games cannot be listed")):
        rows = store.database.read()
        return digest_rows.find_missing(rows, digest.VERSION) if rows else []


def make_missing(store: Store, progress: Progress = nobody_waits) -> Iterator[tuple[int, Game]]:
    """Make the digests that are missing and keep them. Those made, by their ids. Raises
    StoreError."""
    missing = _find_missing(store)
    for begin in range(0, len(missing), _AT_ONCE):
        progress(len(missing) - begin)
        made = [_make(store, game) for game in missing[begin : begin + _AT_ONCE]]
        found = [one for one in made if one is not None]
        _keep(store, found)
        yield from ((one.game.id, one.game) for one in found)


class _Made(NamedTuple):
    game: Game
    last: int  # the row after which it is this


def _make(store: Store, id_: int) -> _Made | None:
    """The game, replayed; None where its rows are damaged."""
    try:
        log = store.load(id_)
        with store.database.errors_in_rows(Sentence("the game cannot be read")):
            rows = store.database.read()
            assert rows is not None  # the game was read from it
            times = digest_rows.times(rows, log.id, log.last)
    except (StoreError, KeyError):
        return None
    return _Made(Game(log.id, log.name, *times, replay(log)), log.last)


def replay(log: GameLog) -> Digest:
    """What the game was, from its moves; a game that can't be replayed, because it was played with
    another version of the companion or another cards.yaml, has no rounds."""
    try:
        start = record.read_setup(log.setup).table()
        referee = Referee(start)
        moves: dict[str, Move] = {}  # reading one takes as long as playing it
        for text in log.moves:
            move = moves.get(text) or moves.setdefault(text, referee.read(text))
            referee.play(move)
    except (Problems, Refused):
        return _unplayable(log)
    return digest.count(start, referee.list_latest())


def _unplayable(log: GameLog) -> Digest:
    """What can be said of a game without playing it: who was at the table."""
    names = log.setup.get("players")
    played = [
        Played(str(name), 0, (0, 0, 0, 0), 0, 0, (), {}, {}, {}, 0)
        for name in (names if isinstance(names, list) else ())
    ]
    return Digest(str(log.setup.get("edition")), False, 0, len(log.moves), tuple(played))


def _keep(store: Store, made: list[_Made]) -> None:
    """Keep the digests, as far as the log can be written.

    Not kept is that of a game open in another window, because each row written by others makes that
    window look through the whole file, nor that of a game that today's cards could not play.
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
