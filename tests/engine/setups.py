"""Set-ups of every box: casts by rank, and problems in the head of a record."""

from __future__ import annotations

from typing import Any

from common.problems import Problems
from engine import record
from tests.engine import boxes
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


def cast_of(*targets: str, ranks: int = 8) -> list[str]:
    """The classic cast with these characters substituted at their ranks."""
    classic = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect",
               "warlord"]  # fmt: skip
    by_rank = {boxes.CHARACTERS[id_][0]: id_ for id_ in (*classic, *targets)}
    return [by_rank[rank] for rank in sorted(by_rank) if rank <= max(ranks, len(by_rank))]
