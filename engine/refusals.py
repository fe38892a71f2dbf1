"""A refusal: which rule forbids a move, why, and where the rulebook says so."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from common.sentences import Sentence
from engine import datafiles


class Refusal(NamedTuple):
    """The rule's id, the reason, its place in the rulebook, and our ruling if it is one."""

    rule: str
    reason: Sentence
    source: Sentence
    ruling: Sentence | None = None


class Refused(Exception):
    """A move that the rules forbid; the table has not changed."""

    def __init__(self, move: str, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.move = move
        self.refusal = refusal


@cache
def rules() -> dict[str, dict[str, str]]:
    """Every rule that can refuse a move, by id, with its sentence and its place."""
    return {
        rule: facts
        for key, facts in datafiles.load("rules").items()
        for rule in key.split()  # rules that differ only in the character share a sentence
    }
