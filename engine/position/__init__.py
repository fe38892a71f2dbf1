"""Positions: a table set up at any point of a game, and the checks that one is possible.

`read_position` writes a record's `position` onto the table of its set-up; problems are collected,
not raised, so that all of them are reported at once. Cities are read first, then the round's marks,
then the moment within the round: each part may use what earlier parts have read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from engine.position.reader import PositionReader

if TYPE_CHECKING:
    from common.problems import Checker
    from engine.table import Table

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
