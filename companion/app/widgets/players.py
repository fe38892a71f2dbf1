"""Everybody's gold, hand, city and points so far; who is awaited is marked.

The cities are drawn as large as the panel allows, the active player's before the others'. A click
on a player opens their city.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from companion.app.display import joined, shown
from companion.app.symbols import mark
from companion.app.widgets import numbers
from companion.app.widgets.city import district, framed, in_rows, least_lines
from companion.app.widgets.panel import Panel
from companion.app.widgets.purse import Purse
from companion.language import _, card, district_type
from engine.cards import DISTRICT_TYPES
from engine.views import awaiting

if TYPE_CHECKING:
    from textual import events
    from textual.timer import Timer

    from engine.table import Table

CARDS, FULL, SHORT, LINE = 3, 2, 1, 0  # how much of a city is shown
TICK = 0.07  # seconds between two steps of gold that is counted


class Detail(NamedTuple):
    """How much is drawn: the active seat's city, the others', lines between seats, the legend."""

    active: int
    others: int
    spaced: bool
    legend: bool


_DETAILS = (
    Detail(CARDS, CARDS, spaced=True, legend=True),
    Detail(CARDS, CARDS, spaced=False, legend=True),
    Detail(CARDS, FULL, spaced=True, legend=True),
    Detail(FULL, FULL, spaced=True, legend=True),
    Detail(FULL, FULL, spaced=False, legend=True),
    Detail(FULL, SHORT, spaced=True, legend=True),
    Detail(FULL, SHORT, spaced=False, legend=True),
    Detail(FULL, SHORT, spaced=False, legend=False),
    Detail(SHORT, SHORT, spaced=False, legend=False),
    Detail(SHORT, LINE, spaced=False, legend=False),
    Detail(LINE, LINE, spaced=False, legend=False),
)

Row = tuple[int | None, Content]  # a line and the seat it is about


class Players(Panel):
    """All seats in order, below the names of their numbers."""

    table: Table | None = None
    _timer: Timer | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.purse = Purse()
        self._rows: list[Row] = []

    def show(self, table: Table) -> None:
        """Show that table; gold that changed is counted, where motion is wanted."""
        if table is not self.table:
            moving = self.app.animation_level != "none"
            self.purse.becomes([seat.gold for seat in table.seats], moving=moving)
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
        """The most detailed picture that fits."""
        if self.table is None:
            return Content("")
        picture = Picture(self.table, self.purse, width)
        for detail in _DETAILS:
            if picture.least(detail) > height and detail is not _DETAILS[-1]:
                continue
            self._rows = picture.rows(detail)
            if len(self._rows) <= height:
                break
        return Content("\n").join([line for _seat, line in self._rows[:height]])

    async def on_click(self, event: events.Click) -> None:
        """A click on a player opens what lies before them."""
        at = event.get_content_offset(self)
        seat = self._rows[at.y][0] if at is not None and at.y < len(self._rows) else None
        if seat is not None:
            await self.screen.run_action(f"city({seat})")


class Picture:
    """The panel's lines in any detail; what several details share is drawn once."""

    def __init__(self, t: Table, purse: Purse, width: int) -> None:
        self.t = t
        self.width = width
        awaited = awaiting(t)
        self.asked = awaited[0] if awaited else None
        self.active = t.turn.seat if t.turn is not None else self.asked
        columns = numbers.columns(t, purse, width)
        self.heading = numbers.heading(columns, width)
        self.heads = [self._head(columns, seat) for seat in t.rules.seats]
        self.legend = [Content(""), *in_rows(_legend(), Content("  "), width)]
        self._below: dict[tuple[int, int], list[Content]] = {}

    def rows(self, detail: Detail) -> list[Row]:
        """The lines in that detail."""
        lines: list[Row] = [(None, self.heading)]
        for seat, head in enumerate(self.heads):
            if detail.spaced and seat:
                lines.append((None, Content("")))
            lines.append((seat, head))
            lines += [(seat, line) for line in self._below_name(seat, self._level(detail, seat))]
        return lines + [(None, line) for line in self.legend if detail.legend]

    def least(self, detail: Detail) -> int:
        """How many lines that detail has at least, without drawing it."""
        seats = self.t.rules.seats
        framed = [s for s in seats if self._level(detail, s) == CARDS]
        cities = (self.t.seats[seat].city for seat in framed)
        return 1 + len(seats) + sum(least_lines(self.t, city, self.width - 2) for city in cities)

    def _head(self, columns: list[numbers.Column], seat: int) -> Content:
        """A player's name and numbers, marked where everybody waits for them."""
        asked = seat == self.asked
        name = ("▶ " if asked else "  ") + self.t.seats[seat].name
        style = "bold $on-mark on $mark" if asked else "bold"
        return numbers.row(name, columns, seat, self.width, style)

    def _level(self, detail: Detail, seat: int) -> int:
        return detail.active if seat == self.active else detail.others

    def _below_name(self, seat: int, level: int) -> list[Content]:
        if level == LINE:
            return []
        key = seat, level
        if key not in self._below:
            self._below[key] = _before(self.t, seat, self.asked, self.width, level)
        return self._below[key]


def _before(t: Table, seat: int, asked: int | None, width: int, level: int) -> list[Content]:
    """What lies before a player: crown, shown characters, districts; no line where nothing does."""
    player = t.seats[seat]
    parts = [shown(_("crown"), "$gold")] if seat == t.crown else []
    parts += [shown(card(id_), "italic") for id_ in player.revealed]
    if t.is_complete(player) or seat in t.first_complete:
        parts.append(shown(_("complete"), "bold $success"))
    if seat == asked and t.turn is not None and t.turn.seat != seat:
        parts.append(shown(_("must answer"), "bold $gold"))
    cards: list[Content] = []
    if level == CARDS:
        cards = framed(t, player.city, width - 2)
    else:
        parts += [district(t, built, full=level == FULL) for built in player.city.cards]
    between = Content(" ") if level == SHORT else shown(" · ", "$quiet")
    told = in_rows(parts, between, width - 2) if parts else []
    return [joined(["  ", row]) for row in (*told, *cards)]


def _legend() -> list[Content]:
    return [
        joined([shown(mark(type_), f"bold ${type_}"), shown(f" {district_type(type_)}", "$quiet")])
        for type_ in DISTRICT_TYPES
    ]
