"""Which games are looked at: those of certain players, of a box, of a time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from engine.moves import fold

if TYPE_CHECKING:
    from companion.history.games import Game
    from companion.history.people import People


class Wanted(NamedTuple):
    """What a game must be to be looked at; nothing by default."""

    players: tuple[str, ...] = ()
    """All of these took part, under any name that they have had."""

    any_of: tuple[str, ...] = ()
    """At least one of these took part."""

    edition: str | None = None
    since: str | None = None
    """The first moment, in UTC as `Game.started`."""

    until: str | None = None
    """The first moment that is too late."""

    def takes(self, game: Game, people: People) -> bool:
        """Whether the game is one of them."""
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
    """The moment in UTC at which that day begins here (`after`: ends), as a game's time is kept.

    Raises ValueError for anything but YYYY-MM-DD.
    """
    found = date.fromisoformat(day)
    if found.isoformat() != day:
        raise ValueError(day)
    try:
        local = datetime(found.year, found.month, found.day) + timedelta(days=after)
        moment = local.astimezone(UTC)
    except (OverflowError, OSError):  # the first and the last day that there are
        moment = datetime(found.year, found.month, found.day, tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds")
