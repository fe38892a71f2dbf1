"""What a turn would end without: the question that people are asked once before it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.game.asking import Offer, Row
from companion.game.reasons import has_income
from companion.language import _
from companion.verbs import is_private

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table

SEVERAL = "several"
"""The command of a row that makes several moves: their words follow, separated by semicolons."""

END_ANYWAY = "end_anyway"
"""The command of the row that ends the turn without what is left."""

_TAKING = ("income", "bonus")
"""Verbs that take what the turn gives, without a choice of a target."""


def find_unused(table: Table, legal: Sequence[Move]) -> dict[str, list[Move]]:
    """The moves, by verb, that cost nothing and are lost if the turn ends now: income, bonus, and
    the powers whose verbs say so (`Verb.unused`)."""
    entries: dict[str, list[Move]] = {}
    for move in legal:
        if verbs.VERBS[move.verb].unused is not None:
            entries.setdefault(move.verb, []).append(move)
    if "income" in entries and not has_income(table) and table.rules.counts_cards:
        del entries["income"]
    return entries


def find_untaken(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus lost if the turn ended now; None if there is none."""
    entries = find_unused(table, legal)
    return next((entries[verb][0] for verb in _TAKING if verb in entries), None)


def find_sure(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus that is left and needs no choice; None if there is none."""
    entries = find_unused(table, legal)
    sure = (entries[verb][0] for verb in _TAKING if len(entries.get(verb, ())) == 1)
    return next(sure, None)


def name_left(table: Table, legal: Sequence[Move]) -> list[str]:
    """What would be left if the turn ended now, as rows name it."""
    entries = find_unused(table, legal)
    return [
        verbs.label(table, moves[0]) if len(moves) == 1 else verbs.fold_label(table, verb, moves)
        for verb, moves in entries.items()
    ]


def ask(table: Table, legal: Sequence[Move]) -> Offer | None:
    """The question before a turn ends with such a move left; None if there is none."""
    entries = find_unused(table, legal)
    if not entries:
        return None
    lines = [sentence(table) for verb in entries if (sentence := verbs.VERBS[verb].unused)]
    end = Row(_("End the turn anyway"), number=verbs.VERBS["end"].number, key="e", word=END_ANYWAY)
    rows = (*(_offer(table, verb, moves) for verb, moves in entries.items()), end)
    return Offer(_("{left} End anyway?").format(left=" ".join(lines)), rows)


def _offer(table: Table, verb: str, moves: Sequence[Move]) -> Row:
    record = verbs.VERBS[verb]
    if verb in _TAKING and len(moves) == 1:
        label = _("{move}, then end the turn").format(move=verbs.label(table, moves[0]))
        word = f"{SEVERAL} {moves[0].text}; end"
        return Row(label, number=record.number, key=record.key, word=word)
    private = is_private(table, verb)
    label = verbs.fold_label(table, verb, moves)
    return Row(label, tuple(moves), record.number, record.key, private=private)
