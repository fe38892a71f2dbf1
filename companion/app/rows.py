"""The conversation's rows as the choice list shows them, and which one is highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.display import paint
from companion.app.symbols import mark
from companion.app.widgets.choice_list import Line
from companion.game import asking
from companion.language import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.asking import Row
    from companion.game.sayings import Asked
    from engine.moves import Move
    from engine.table import Table

_USUAL = ("faceup", "call", "nobody", "leave", "gold", "end")


def list_row(table: Table, row: Row) -> Line:
    """A row: its number and key, a district's symbol before its name, why it is not available."""
    district = table.rules.districts.get(row.card)
    head = paint(f"{mark(district.type)} ", f"bold ${district.type}") if district else None
    number = "" if row.number is None else str(row.number)
    label = row.label + ("…" if row.private or len(row.moves) > 1 else "")
    reason = "" if row.why is None else translate(row.why().refusal.reason)
    return Line(number, row.key, label, head, reason)


def find_usual(table: Table, legal: Sequence[Move], asked: Asked) -> int:
    """The index of the row that Enter takes: the first that matches the typed text; at the top
    level the most common one that leaves no income behind."""
    open_ = [place for place, row in enumerate(asked.visible) if row.why is None]
    if asked.typed or asked.offer.title or (table.turn is None and not legal):
        return open_[0] if open_ else 0
    left = (
        asking.find_untaken(table, legal)
        if table.turn is not None and not table.questions
        else None
    )
    gathers = any(move.verb == "gold" for move in legal)
    wanted = (left.moves[0].verb,) if left is not None and not gathers else _USUAL
    verbs = [row.moves[0].verb if row.moves else "" for row in asked.visible]
    return next((verbs.index(verb) for verb in wanted if verb in verbs), open_[0] if open_ else 0)
