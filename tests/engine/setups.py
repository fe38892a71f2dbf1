"""Set-ups of every box, and problems in the head of a record."""

from __future__ import annotations

from typing import Any

from common.problems import Problems
from engine import record
from tests.engine.boxes import EDITIONS, NAMES

OLDER = ("millennium_3e", "ffg_2005")
TABLES = [(edition, size) for edition, box in EDITIONS.items() for size in box.players]


def problems(**head: Any) -> list[str]:
    """The problems in the head of a record."""
    size = head.pop("size", 4)
    try:
        record.read_setup({"players": list(NAMES[:size]), **head})
    except Problems as error:
        return [problem.text for problem in error.problems]
    return []
