"""What every part of a position is read with: players, characters, and where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.moves import fold
from engine.problems import Checker, Path, nearest, shown

if TYPE_CHECKING:
    from engine.table import Table


class Reader:
    """The position being read: its data, the table it is written to, the problems found."""

    def __init__(self, check: Checker, table: Table, facts: dict[str, object]) -> None:
        self.check = check
        self.t = table
        self.rules = table.rules
        self.facts = facts
        self.killed_last: list[str] = []  # the players whose character was killed last

    def seat(self, name: object, path: Path) -> int | None:
        """The seat of the player so named, or None after noting that there is none."""
        for index, known in enumerate(self.rules.player_names):
            if fold(known) == fold(str(name)):
                return index
        names = self.rules.player_names
        self.check.say(
            path,
            "{name} is no player of this game",
            name=shown(name),
            near=nearest(str(name), names),
        )
        return None

    def by_player(self, data: object, path: Path) -> list[tuple[int, object, Path]]:
        """The entries of a mapping from players: (seat, value, place)."""
        if data is None:
            return []
        if not isinstance(data, dict):
            self.check.say(path, "“{key}” must map players to what they have", key=path[-1])
            return []
        if self.check.too_long(data, path):
            return []
        found: dict[int, tuple[int, object, Path]] = {}
        for name, value in data.items():
            place = (*path, name)
            seat = self.seat(name, place)
            if seat in found:
                self.check.say(
                    place, "{player} is named twice", player=self.rules.player_names[seat]
                )
            elif seat is not None:
                found[seat] = (seat, value, place)
        return list(found.values())

    def seats(self, data: object, path: Path) -> tuple[int, ...]:
        """The players of a list, each at most once; a bare name will do for a list of one."""
        items = enumerate(self.check.items(data, path))
        read = [self.seat(name, (*path, place)) for place, name in items]
        seats = tuple(seat for seat in read if seat is not None)
        if len(set(seats)) < len(seats):
            self.check.say(path, "a player is named twice")
        return seats

    def character(self, data: object, path: Path) -> str | None:
        """The data as a character of this game, or None after noting that it is none."""
        return self.check.known(data, path, self.rules.cast, "{data} is no character of this game")

    def characters(self, data: object, path: Path) -> tuple[str, ...]:
        """The characters of a list; a bare id will do for a list of one."""
        items = enumerate(self.check.items(data, path))
        read = [self.character(item, (*path, place)) for place, item in items]
        return tuple(character for character in read if character is not None)
