"""The engine's views of a table, and the legal moves computed from each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import views
from engine.referee import list_legal_moves
from tests.engine.playing import table_state
from tests.twins.pairs import Twins, tables


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Each stranger's view after each move, in full."""
    for place, table in enumerate(tables(twins, which)):
        for viewer in twins.strangers():
            view = views.redact(table, viewer)
            where = f"after move {place}, to viewer {viewer}"
            yield where, views.table_json(table, viewer=viewer)
            yield where, (table_state(view), view.events, views.find_awaited(view))
            yield where, [move.text for move in list_legal_moves(view)]
