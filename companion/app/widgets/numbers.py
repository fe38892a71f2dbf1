"""The numbers next to the players' names: gold and its last change, hand, city, points so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import fit, join, paint
from companion.language import _
from engine.scoring import score_of

if TYPE_CHECKING:
    from companion.app.widgets.purse import Purse
    from engine.table import Table

BAR_FROM = 58  # cells of a panel with room for a bar next to the city size
LONGEST_NAME = 40  # cells for a name if there are more before its numbers
_BETWEEN = 2


class Column(NamedTuple):
    """One number of every seat under a heading; `style` sets it off from the rest of the row."""

    heading: str
    values: tuple[str, ...]
    style: str = ""

    @property
    def width(self) -> int:
        """The cells of its widest text."""
        return max(map(cell_len, (self.heading, *self.values)))


def columns(table: Table, purse: Purse, width: int) -> list[Column]:
    """The columns for a panel of that width."""
    gold = [str(amount) for amount in purse.shown or [seat.gold for seat in table.seats]]
    changes = [f"{change:+}" if change else "" for change in purse.changes]
    found = [Column(_("gold"), tuple(gold)), Column(" " * 3, tuple(changes), "$gold")]
    final = table.stage == "over"
    if not table.rules.counts_cards and not final:
        return found  # neither hands nor cities are tracked
    points = tuple(str(score_of(table, seat).total) for seat in table.rules.seats)
    if table.rules.counts_cards:
        found.append(Column(_("hand"), tuple(str(seat.hand) for seat in table.seats)))
    return [
        *found,
        Column(
            _("city"),
            tuple(_progress(table, seat, bar=width >= BAR_FROM) for seat in table.rules.seats),
        ),
        Column(_("score") if final else _("so far"), points),
    ]


def heading(columns: list[Column], width: int) -> Content:
    """The line above the players."""
    texts = [column.heading.rjust(column.width + _BETWEEN) for column in columns]
    return paint(" " * _room(columns, width) + "".join(texts), "$quiet")


def row(name: str, columns: list[Column], seat: int, width: int, style: str) -> Content:
    """A name with its numbers, across the whole panel."""
    parts = [paint(fit(name, _room(columns, width)), style)]
    for column in columns:
        value = column.values[seat] if seat < len(column.values) else ""
        text = " " * (column.width + _BETWEEN - cell_len(value)) + value
        own = column.style if value and " on " not in style else ""
        parts.append(paint(text, f"{style} {own}"))
    line = join(parts)
    return line + paint(" " * (width - line.cell_length), style)


def _room(columns: list[Column], width: int) -> int:
    """The cells that the numbers leave for the name."""
    return max(4, min(LONGEST_NAME, width - sum(c.width + _BETWEEN for c in columns)))


def _progress(table: Table, seat: int, *, bar: bool) -> str:
    """A city's progress: its size out of the size that completes it."""
    size = table.seats[seat].city.size
    full = min(size, table.city_size)
    drawn = "■" * full + "□" * (table.city_size - full) + " " if bar else ""
    return f"{drawn}{size}/{table.city_size}"
