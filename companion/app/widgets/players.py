"""Everybody's gold, hand, city and points so far; the player awaited is marked.

Every player has the same lines from the first move to the last. Clicking one opens their city.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from companion.app.display import join, paint
from companion.app.symbols import mark
from companion.app.widgets import numbers
from companion.app.widgets.city import count_most_lines, district, frame, lay_in_rows
from companion.app.widgets.panel import Panel
from companion.app.widgets.purse import Purse
from companion.language import _, card, district_type
from engine.cards import DISTRICT_TYPES
from engine.views import find_awaited

if TYPE_CHECKING:
    from textual import events
    from textual.timer import Timer

    from engine.table import Table

TICK = 0.07  # seconds between steps of animated gold
LONGEST = 6  # lines of a player whose city is text
NAMES = (99, 12, 9, 7)  # cells of the districts' names, tried until a city fits its lines


class Form(NamedTuple):
    """The panel's layout: it depends on the terminal's size, and never changes during a game."""

    lines: int  # of each player, including the name's
    framed: bool  # cities as cards, else as text
    legend: bool


def form_for(table: Table, width: int, height: int, legend: int) -> Form:
    """The form in which everybody's whole city fits; `legend` is the legend's number of lines."""
    seats = len(table.rules.seats)
    for shown_too in (True, False):
        room = (height - 1 - legend * shown_too) // seats
        cards = 2 + count_most_lines(table, width - 2)
        if room >= cards:
            return Form(min(room, cards + 1), framed=True, legend=shown_too)
        if room >= 2:
            return Form(min(room, LONGEST), framed=False, legend=shown_too)
    return Form(1, framed=False, legend=height > seats + legend)


Row = tuple[int | None, Content]  # a line and its seat


class Players(Panel):
    """All seats in order, below the column headings."""

    table: Table | None = None
    _timer: Timer | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.purse = Purse()
        self._rows: list[Row] = []

    def show(self, table: Table) -> None:
        """Show that table; animate changed gold if animation is on."""
        if table is not self.table:
            moving = self.app.animation_level != "none"
            self.purse.set_amounts([seat.gold for seat in table.seats], moving=moving)
            if self._timer is None and not self.purse.at_rest:
                self._timer = self.set_interval(TICK, self._tick)
        self.table = table
        self.refresh()

    def _tick(self) -> None:
        self.purse.step()
        if self.purse.at_rest and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """Every player with the same number of lines."""
        if self.table is None:
            return Content("")
        self._rows = _rows(self.table, self.purse, width, height)
        return Content("\n").join([line for _seat, line in self._rows[:height]])

    async def on_click(self, event: events.Click) -> None:
        """Open the city of the clicked player."""
        at = event.get_content_offset(self)
        seat = self._rows[at.y][0] if at is not None and at.y < len(self._rows) else None
        if seat is not None:
            await self.screen.run_action(f"city({seat})")


def _rows(table: Table, purse: Purse, width: int, height: int) -> list[Row]:
    """The lines of the panel."""
    legend = lay_in_rows(_legend(), Content("  "), width)
    form = form_for(table, width, height, len(legend))
    columns = numbers.columns(table, purse, width)
    awaited = find_awaited(table)
    asked = awaited[0] if awaited else None
    rows: list[Row] = [(None, numbers.heading(columns, width))]
    for seat in table.rules.seats:
        name = ("▶ " if seat == asked else "  ") + table.seats[seat].name
        style = "bold $on-mark on $mark" if seat == asked else "bold"
        below = _draw_city(table, seat, asked, width - 2, form)[: form.lines - 1]
        below += [Content("")] * (form.lines - 1 - len(below))
        rows.append((seat, numbers.row(name, columns, seat, width, style)))
        rows += [(seat, join(["  ", line])) for line in below]
    return rows + [(None, line) for line in legend if form.legend]


def _draw_city(table: Table, seat: int, asked: int | None, width: int, form: Form) -> list[Content]:
    """A player's city, in at most the form's lines below the name."""
    told, city = _describe(table, seat, asked), table.seats[seat].city
    if form.framed:
        cards = frame(table, city, width)
        if len(cards) <= form.lines - 2:
            return [paint(" · ", "$quiet").join(told), *cards]
    between = paint(" · ", "$quiet")
    for name in NAMES:
        parts = [*told, *(district(table, built, name) for built in city.cards)]
        rows = lay_in_rows(parts, between, width) if parts else []
        if len(rows) < form.lines:
            return rows
    return lay_in_rows([*told, *(district(table, b, 0) for b in city.cards)], Content(" "), width)


def _describe(table: Table, seat: int, asked: int | None) -> list[Content]:
    """A player's marks, shown before the city."""
    player = table.seats[seat]
    parts = [paint(_("crown"), "$gold")] if seat == table.crown else []
    parts += [paint(card(id_), "italic") for id_ in player.revealed]
    if table.is_complete(player) or seat in table.first_complete:
        parts.append(paint(_("complete"), "bold $success"))
    if seat == asked and table.turn is not None and table.turn.seat != seat:
        parts.append(paint(_("must answer"), "bold $gold"))
    return parts


def _legend() -> list[Content]:
    return [
        join([paint(mark(type_), f"bold ${type_}"), paint(f" {district_type(type_)}", "$quiet")])
        for type_ in DISTRICT_TYPES
    ]
