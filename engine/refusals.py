"""A refusal: which rule forbids a move, why, and where the rulebook says so."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from common.sentences import Sentence
from engine import datafiles


class Printed(NamedTuple):
    """A sentence of a rulebook, word for word, in that book's language."""

    section: str
    says: str
    language: str


UNKNOWN = "move.unknown"
"""The rule for text that is not a move: a typing mistake, not a breach of the game's rules."""


class Refusal(NamedTuple):
    """The rule's id, the reason, its place in the rulebook, or `ours` and why; and the book's
    sentence, where its text is to be had."""

    rule: str
    reason: str  # a Sentence, or words already translated
    source: Sentence
    printed: Printed | None = None

    @property
    def is_by_rule(self) -> bool:
        """Whether a rule of the game forbids it: a typing mistake, or a choice that is not offered,
        breaks none."""
        return self.rule not in ("", UNKNOWN)


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


@cache
def find_printed(edition: str, language: str) -> dict[str, Printed]:
    """The sentences that the edition's rulebook prints in that language, by rule."""
    return {
        rule: Printed(facts["section"], facts["says"], language)
        for key, facts in datafiles.load("printed").get(edition, {}).items()
        for rule in key.split()
    }
