"""Which moves only one player may know of: never seen, spoken or written where others notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table import Table

ALWAYS_SECRET = ("choose", "signed", "real")
"""What is nobody else's affair at any table: choices, the signed warrant, the real threat."""

SECRET_TARGETS = ("kill", "rob")
"""What is told to the companion alone where the table plays with secret targets."""


def is_private(t: Table, verb: str) -> bool:
    """Whether a move of that verb must not be noticed by the table."""
    return verb in ALWAYS_SECRET or (t.rules.secret and verb in SECRET_TARGETS)
