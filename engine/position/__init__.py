"""Positions: a table set up at any point of a game, and the checks that one is possible.

`read_position` writes a record's `position` onto the table of its set-up; problems are collected,
not raised, so that all of them are reported at once. Cities are read first, then the round's marks,
then the moment within the round: each part may use what earlier parts have read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.problems import Checker, Path, find_nearest, quote_data
from engine.moves import fold
from engine.position.cities import read_cities, read_first_complete
from engine.position.marks import (
    check_debts,
    check_killed,
    check_makers,
    read_marks,
    read_selection,
    read_unmasked,
)
from engine.position.moment import check_round_so_far, end_game, read_moment, read_stage
from engine.position.questions import read_question
from engine.rules.counting import COUNTING

if TYPE_CHECKING:
    from engine.table import Table


AFTER_CALLING = ("unmask", "emperor", *COUNTING)
"""The questions that are asked after the last rank."""

KEYS = (
    "round",
    "players",
    "first_complete",
    "faceup",
    "killed",
    "robbed",
    "bewitched",
    "warrants",
    "signed",
    "threats",
    "real",
    "chosen",
    "revealed",
    "called",
    "turn",
    "settled",
    "owes_tax",
    "tax",
    "used",
    "awaiting",
    "unmasked",
    "over",
)


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
        """Whether the characters are being chosen."""
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
            "{name} is not a player in this game",
            name=quote_data(name),
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
        results: dict[int, tuple[int, object, Path]] = {}
        for name, value in data.items():
            place = (*path, name)
            seat = self.read_seat(name, place)
            if seat in results:
                self.check.say(
                    place, "{player} is named twice", player=self.rules.player_names[seat]
                )
            elif seat is not None:
                results[seat] = (seat, value, place)
        return list(results.values())

    def read_seats(self, data: object, path: Path) -> tuple[int, ...]:
        """The players of a list, each at most once; a single name counts as a list of one."""
        items = enumerate(self.check.read_items(data, path))
        read = [self.read_seat(name, (*path, place)) for place, name in items]
        seats = tuple(seat for seat in read if seat is not None)
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
        read = [self.read_character(item, (*path, place)) for place, item in items]
        return tuple(character for character in read if character is not None)


def read_position(check: Checker, data: object, table: Table) -> None:
    """Set the table up as `data` describes; every problem is noted in `check`."""
    reader = PositionReader(check, table, check.read_mapping(data, ("position",), KEYS))
    if "round" in reader.facts:
        table.round = check.read_number(reader.facts["round"], ("position", "round"), least=1)
    read_stage(reader)
    read_cities(reader)
    read_marks(reader)
    read_selection(reader)
    read_moment(reader)
    check_killed(reader)
    check_makers(reader)
    check_debts(reader)
    check_round_so_far(reader)
    read_first_complete(reader)
    read_unmasked(reader)
    read_question(reader)
    end_game(reader)
