"""The line of all ranks: the current call, what is known of each, and how near the end is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import fit, paint
from companion.app.widgets.panel import Panel
from companion.language import card
from companion.wording import strip

if TYPE_CHECKING:
    from companion.wording.strip import Rank
    from engine.table import Table


_SHOWN = ("faceup", "murdered", "robbed", "bewitched", "warrant", "threat")
"""Marks shown as words; the others are shown by style."""


class Strip(Panel):
    """One line: names if they fit, else only those of ranks about which something is known."""

    ranks: tuple[Rank, ...] = ()
    ending = ""

    def show(self, table: Table) -> None:
        """Show that table's round."""
        self.ranks = tuple(strip.ranks(table))
        self.ending = strip.ending(table).rstrip(".")
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The fullest line that fits, with how near the end is on the right."""
        ending = fit(self.ending, min(len(self.ending), width // 3)) if self.ending else ""
        room = width - len(ending) - 2 if ending else width
        for full in (3, 2, 1, 0):
            line = Content("  ").join([_rank(rank, full) for rank in self.ranks])
            if line.cell_length <= room:
                break
        line = line.pad_right(max(0, width - len(ending) - line.cell_length))
        return line + paint(ending, "bold $gold") if ending else line


def _rank(rank: Rank, full: int) -> Content:
    """A rank: with its name and marks (3), its name only if something is known or it is called (2)
    or only if it is called (1), else the number and the marks."""
    now, marks = "now" in rank.marks, [mark for mark in rank.marks if mark in _SHOWN]
    named = full == 3 or (now and full >= 1) or (bool(marks) and full == 2)
    text = f"{rank.rank} {card(rank.character)}" if named else str(rank.rank)
    known = paint(f" {', '.join(map(strip.name_mark, marks))}", "bold") if marks else Content("")
    if now:
        return paint(f"▶{text}", "bold $gold") + known
    return paint(text, "$quiet" if rank.marks else "") + known
