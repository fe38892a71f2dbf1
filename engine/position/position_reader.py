"""A position while it is read: its data, the table it is written to, the problems found."""

from __future__ import annotations

from common.problems import Checker, Path, find_nearest, quote_data
from engine.moves import fold
from engine.rules.counting import COUNTING
from engine.table import Table

AFTER_CALLING = ("unmask", "emperor", *COUNTING)
"""The questions that are asked after the last rank."""


class PositionReader:
    """The position being read: its data, the table it is written to, the problems found."""

    def __init__(self, check: Checker, table: Table, facts: dict[str, object]) -> None:
        self.check = check
        self.table = table
        self.rules = table.rules
        self.facts = facts
        self.killed_last: list[str] = []  # the players whose character was killed last
        self.unannounced: set[str] = set()  # districts said not to be announced
        self.question = ""  # the kind of the open question, if one is named
        self.is_over = False

    @property
    def is_after_calling(self) -> bool:
        """Whether the last rank has been answered: a question of the round's end, or the end."""
        return self.is_over or self.question in AFTER_CALLING

    @property
    def is_selecting(self) -> bool:
        later = self.facts.get("called") is not None or self.facts.get("turn") is not None
        return not later and not self.is_after_calling

    def find_last_answered(self) -> int:
        """The last rank that was answered, even if its turn is still being played; 0 if none."""
        if self.is_after_calling:
            return self.rules.last_rank
        return self.table.called if self.table.turn is not None else self.table.called - 1

    def read_seat(self, name: object, path: Path) -> int | None:
        """The seat of that player, or None after noting that there is none."""
        for index, player in enumerate(self.rules.player_names):
            if fold(player) == fold(str(name)):
                return index
        names = self.rules.player_names
        self.check.say(
            path,
            "{data} is not a player in this game",
            data=quote_data(name),
            near=find_nearest(str(name), names),
        )
        return None

    def read_by_player(self, data: object, path: Path) -> list[tuple[int, object, Path]]:
        """The entries of a mapping from players: (seat, value, place)."""
        if data is None:
            return []
        if not isinstance(data, dict):
            self.check.say(path, "“{key}” must map players to what they have", key=path[-1])
            return []
        if self.check.is_too_long(data, path):
            return []
        by_seat: dict[int, tuple[int, object, Path]] = {}
        for name, value in data.items():
            place = (*path, name)
            seat = self.read_seat(name, place)
            if seat in by_seat:
                name = self.rules.player_names[seat]
                self.check.say(place, "“{id}” is named twice", id=name)
            elif seat is not None:
                by_seat[seat] = (seat, value, place)
        return list(by_seat.values())

    def read_seats(self, data: object, path: Path) -> tuple[int, ...]:
        """The players of a list, each at most once; a single name counts as a list of one."""
        items = enumerate(self.check.read_items(data, path))
        indexes = [self.read_seat(name, (*path, place)) for place, name in items]
        seats = tuple(seat for seat in indexes if seat is not None)
        if len(set(seats)) < len(seats):
            self.check.say(path, "a player is named twice")
        return seats

    def read_character(self, data: object, path: Path) -> str | None:
        """The data as a character of this game, or None after noting a problem."""
        return self.check.check_known(
            data, path, self.rules.cast, "{data} is not a character in this game"
        )

    def read_characters(self, data: object, path: Path) -> tuple[str, ...]:
        """The characters of a list; a single id counts as a list of one."""
        items = enumerate(self.check.read_items(data, path))
        characters = [self.read_character(item, (*path, place)) for place, item in items]
        return tuple(character for character in characters if character is not None)
