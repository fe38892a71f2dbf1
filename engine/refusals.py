"""A refusal: which rule forbids a move, why, and where the rulebook says so."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """The rule's id, a sentence for the table, the rulebook's place, and our ruling if it is one."""

    rule: str
    reason: str
    source: str
    ruling: str | None = None


class Refused(Exception):
    """A move that the rules forbid; the table has not changed."""

    def __init__(self, move: str, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.move = move
        self.refusal = refusal
