"""What a turn would end without: the question that people are asked once before it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.game.asking import Offer, Row, has_income
from companion.language import _
from companion.verbs.private import is_private

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table

THEN_END, END_ANYWAY = "then_end", "end_anyway"
"""The commands of the rows that end the turn: after taking what is left, or without it."""

_TAKING = ("income", "bonus")
_NAMING = ("kill", "rob", "bewitch", "warrants", "threats")
"""Powers over this round, which cannot be made good later."""


def find_untaken(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus lost if the turn ended now; None if there is none."""
    return next(
        (
            move
            for move in legal
            if move.verb in _TAKING and (move.verb != "income" or has_income(table))
        ),
        None,
    )


def ask(table: Table, legal: Sequence[Move]) -> Offer | None:
    """The question before a turn ends with an income, a bonus or such a power left; else None."""
    end = Row(
        _("End the turn without it"), number=verbs.VERBS["end"].number, key="e", word=END_ANYWAY
    )
    untaken = find_untaken(table, legal)
    if untaken is not None:
        taking = verbs.label(table, untaken)
        row = Row(
            _("{move}, then end the turn").format(move=taking),
            number=verbs.VERBS[untaken.verb].number,
            key="i",
            word=f"{THEN_END} {untaken.text}",
        )
        title = _("Something is left: {move}. End anyway?").format(move=taking)
        return Offer(title, (row, end))
    unused = [move for move in legal if move.verb in _NAMING]
    if not unused:
        return None
    verb = unused[0].verb
    label = verbs.fold_label(table, verb, unused)
    row = Row(
        label,
        tuple(unused),
        verbs.VERBS[verb].number,
        verbs.VERBS[verb].key,
        private=is_private(table, verb),
    )
    return Offer(_("A power is left: {power}. End anyway?").format(power=label), (row, end))
