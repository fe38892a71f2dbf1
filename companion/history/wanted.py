"""Choosing games by players, box and time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from engine.moves import fold

if TYPE_CHECKING:
    from companion.history.games import Game
    from companion.history.people import People


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
        names = {*map(fold, played), *map(fold, people.resolve(played))}
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
