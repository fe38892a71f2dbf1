"""Which moves are private to one player: never shown, spoken or written where others notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.verbs import VERBS
from engine.explain import Refusal, Refused
from engine.referee import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table

ALWAYS_SECRET = tuple(verb for verb, record in VERBS.items() if record.private == "always")
"""Private at every table: choices, the signed warrant, the real threat."""

SECRET_TARGETS = tuple(verb for verb, record in VERBS.items() if record.private == "targets")
"""Told only to the companion if the table plays with secret targets."""


def is_private(table: Table, verb: str) -> bool:
    """Whether others must not notice a move of that verb."""
    return verb in ALWAYS_SECRET or (table.rules.secret and verb in SECRET_TARGETS)


def may_be_named(view: Table, legal: Sequence[Move]) -> bool:
    """Whether the next words or tap may name a secret target."""
    return view.rules.secret and any(move.verb in SECRET_TARGETS for move in legal)


def refuse_publicly(view: Table, move: Move) -> Refusal | None:
    """Why the move is refused, as far as is public; None if that is secret.

    `view` is the public view: only what it forbids without the secrets is told.
    """
    return None if is_private(view, move.verb) else refusal_seen(view, move)


def find_known_refusal(view: Table, move: Move) -> Refusal:
    """The refusal of a move as seen by the reader of `view`: the view's own reason if it refuses
    the move, else that the reason is secret, without a rule."""
    return refusal_seen(view, move) or Refusal("", SECRET_REASON, Sentence("Notation, Moves"), None)


SECRET_REASON = Sentence("Something secret rules it out.")


def refusal_seen(view: Table, move: Move) -> Refusal | None:
    """Why the view alone refuses the move; None if it does not.

    The true table may refuse it for another reason, or with other words in the same reason.
    """
    try:
        judge(view, move)
    except Refused as error:
        return error.refusal
    return None
