"""Which moves only one player may know of: never seen, spoken or written where others notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.verbs import VERBS
from engine.referee import judge
from engine.refusals import Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table

ALWAYS_SECRET = tuple(verb for verb, record in VERBS.items() if record.private == "always")
"""What is nobody else's affair at any table: choices, the signed warrant, the real threat."""

SECRET_TARGETS = tuple(verb for verb, record in VERBS.items() if record.private == "targets")
"""What is told to the companion alone where the table plays with secret targets."""


def is_private(table: Table, verb: str) -> bool:
    """Whether a move of that verb must not be noticed by the table."""
    return verb in ALWAYS_SECRET or (table.rules.secret and verb in SECRET_TARGETS)


def may_be_named(view: Table, legal: Sequence[Move]) -> bool:
    """Whether the next words or tap may name a secret target."""
    return view.rules.secret and any(move.verb in SECRET_TARGETS for move in legal)


def public_refusal(view: Table, move: Move) -> Refusal | None:
    """Why the move is refused as far as everybody may know; None where that is a secret.

    `view` is the table as everybody may know it: only what it alone forbids is told.
    """
    return None if is_private(view, move.verb) else refusal_seen(view, move)


def find_known_refusal(view: Table, move: Move) -> Refusal:
    """The refusal of a move as far as the reader of `view` may know: its own reason wherever it
    refuses the move, else that the reason is a secret, without a rule."""
    return refusal_seen(view, move) or Refusal("", SECRET_REASON, Sentence("Notation, Moves"), None)


SECRET_REASON = Sentence("Something secret rules it out.")


def refusal_seen(view: Table, move: Move) -> Refusal | None:
    """Why the view alone refuses the move; None where it does not.

    The true table may forbid it for another reason, or fill the same reason with other words.
    """
    try:
        judge(view, move)
    except Refused as refused:
        return refused.refusal
    return None
