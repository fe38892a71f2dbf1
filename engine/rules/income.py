"""When a character may take the district income: the same with and without cities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rules.base import Action

if TYPE_CHECKING:
    from engine.ruleset import Ruleset
    from engine.table import Table


class OncePerTurn(Action):
    """`income`: for a character with a type of districts, once a turn; a subclass defines how
    much."""

    verb = "income"

    def is_possible(self, rules: Ruleset, character: str) -> bool:
        return rules.characters[character].income is not None

    def closed(self, table: Table) -> str | None:
        turn = table.playing
        if table.rules.characters[turn.character].income is None:
            return "income.none"
        return "income.done" if turn.income else None
