"""Everybody's gold, hand, city and points so far; the player awaited is marked.

Every player has the same lines from the first move to the last. Clicking one opens their city.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import fit, join, lay_in_rows, make_drawable, paint, type_mark, wrap
from companion.app.widgets.panel import Panel
from companion.language import _, card, current, district_type
from companion.wording import state
from companion.wording.facts import has_crown
from engine.cards import DISTRICT_TYPES
from engine.scoring import score_of, standing
from engine.views import find_awaited

if TYPE_CHECKING:
    from textual import events

    from engine.ruleset import Ruleset
    from engine.table import Built, City, Table


_FRAME = "╭╮╰╯─│"  # four corners, horizontal line, vertical line
NARROWEST, WIDEST = 10, 16  # cells between the sides of a framed card


def frame(table: Table, city: City, width: int) -> list[Content]:
    """The districts as cards in rows: type and cost on the frame, the name inside."""
    inside = _measure_card(table.rules, current())
    return _frame([_texts(table, district) for district in city.cards], inside, width)


def _frame(city: Sequence[Texts], inside: int, width: int) -> list[Content]:
    each_row = max(1, (width + 1) // (inside + 3))
    rows: list[Content] = []
    for first in range(0, len(city), each_row):
        row = city[first : first + each_row]
        height = max(len(_wrap(texts[0], inside)) for texts in row)
        drawings = [_card(*texts, inside, height, make_drawable(_FRAME)) for texts in row]
        rows += [Content(" ").join(side) for side in zip(*drawings, strict=True)]
    return rows


def count_most_lines(table: Table, width: int) -> int:
    """The height in lines that `frame` needs for a complete city of long names."""
    each_row = max(1, (width + 1) // (_measure_card(table.rules, current()) + 3))
    return 4 * -(-table.city_size // each_row)


Texts = tuple[str, str, str, str, str]


def _texts(table: Table, district: Built) -> Texts:
    """The texts of a card: name, mark, cost, extras, and its type."""
    facts = table.rules.districts[district.id]
    return (
        card(district.id),
        type_mark(facts.type),
        str(facts.cost),
        _mark_extras(district),
        facts.type,
    )


@lru_cache(maxsize=512)
def _wrap(name: str, inside: int) -> list[Content]:
    return wrap(paint(name), inside)


@lru_cache(maxsize=512)
def _card(
    name: str, left: str, right: str, extra: str, type_: str, inside: int, height: int, frame: str
) -> list[Content]:
    """A framed card, its name on `height` lines; `frame` has the characters of `_FRAME`."""
    style = f"${type_}"
    north_west, north_east, south_west, south_east, across, side = tuple(frame)
    line = across * (inside - cell_len(left) - len(right))
    under = across * (inside - len(extra))
    rows = _wrap(name, inside)
    rows = rows + [Content("")] * (height - len(rows))
    wall = paint(side, style)
    return [
        join([paint(north_west, style), paint(left, f"bold {style}"), paint(line, style)])
        + join([paint(right, "bold"), paint(north_east, style)]),
        *(join([wall, row.pad_right(inside - row.cell_length), wall]) for row in rows),
        join(
            [paint(south_west + under, style), paint(extra, "bold $gold"), paint(south_east, style)]
        ),
    ]


def _mark_extras(district: Built) -> str:
    """Extras on or under a district: `+1` is the Artist's gold, `(2)` the museum's cards."""
    return ("+1" if district.decorated else "") + (f"({district.under})" if district.under else "")


@lru_cache(maxsize=8)
def _measure_card(rules: Ruleset, _language: str) -> int:
    """The width of a framed card, so that no word of a name in this game is broken."""
    words = [word for id_ in rules.districts for word in card(id_).split()]
    return max(NARROWEST, min(WIDEST, max(map(cell_len, words))))


def _district(texts: Texts, longest: int) -> Content:
    """A district in a row of text: its name in at most `longest` cells (0: none), its code."""
    name, left, cost, extra, type_ = texts
    if cell_len(name) > longest:
        name = fit(name, longest) if longest else ""
    return _add_code(f"{name} " if name else "", f"{left}{cost}{extra}", type_)


@lru_cache(maxsize=512)
def _add_code(name: str, code: str, type_: str) -> Content:
    return join([paint(name), paint(code, f"bold ${type_}")])


BAR_FROM = 58  # cells of a panel with room for a bar next to the city size
LONGEST_NAME = 40  # cells for a name if there are more before its numbers


class Column(NamedTuple):
    """One number of every seat under a heading, after a `gap`; `style` sets it off from the rest of
    the row."""

    heading: str
    values: tuple[str, ...]
    style: str = ""
    gap: int = 2

    @property
    def width(self) -> int:
        """The cells of its widest text and of its gap."""
        return self.gap + max(map(cell_len, (self.heading, *self.values)))


def draw_gold(table: Table, width: int) -> list[Content]:
    """Everybody's gold alone, where there is no room for more."""
    asker = find_awaited(table)
    parts = [paint(_("gold"), "$quiet")]
    for seat in table.seats:
        is_asked = asker is not None and table.seats[asker[0]] is seat
        style = "bold $on-mark on $mark" if is_asked else ""
        parts.append(paint(f"{seat.name} {seat.gold}", style))
    return lay_in_rows(parts, Content("  "), width)


def number_columns(
    table: Table, changes: Sequence[int], names: Iterable[str], width: int
) -> list[Column]:
    """The columns for a panel of that width, closer where the `names` need room; `changes` are
    those of everybody's gold."""
    columns = [
        Column(_("gold"), tuple(str(seat.gold) for seat in table.seats)),
        Column(" " * 3, tuple(f"{change:+}" if change else "" for change in changes), "$gold"),
    ]
    final = table.stage == "over"
    if table.rules.only_scores:
        columns = []
    elif not table.rules.tracks_cities and not final:
        return columns  # neither hands nor cities are tracked
    points = tuple(str(score_of(table, seat).total) for seat in table.rules.seats)
    if table.rules.tracks_cities:
        columns.append(Column(_("hand"), tuple(str(seat.hand) for seat in table.seats)))
    columns += [
        Column(
            _("city"),
            tuple(_progress(table, seat, bar=width >= BAR_FROM) for seat in table.rules.seats),
        ),
        Column(_("score") if final else _("points"), points),
    ]
    if max(map(cell_len, names)) > _room(columns, width):
        return [column._replace(gap=1) for column in columns]
    return columns


def number_heading(columns: list[Column], width: int) -> Content:
    texts = [column.heading.rjust(column.width) for column in columns]
    return paint(" " * _room(columns, width) + "".join(texts), "$quiet")


def number_row(name: str, columns: list[Column], seat: int, width: int, style: str) -> Content:
    """A name with its numbers, across the whole panel."""
    parts = [paint(fit(name, _room(columns, width)), style)]
    for column in columns:
        value = column.values[seat] if seat < len(column.values) else ""
        text = " " * (column.width - cell_len(value)) + value
        own = column.style if value and " on " not in style else ""
        parts.append(paint(text, f"{style} {own}"))
    line = join(parts)
    return line + paint(" " * (width - line.cell_length), style)


def _room(columns: list[Column], width: int) -> int:
    """The cells that the numbers leave for the name."""
    return max(4, min(LONGEST_NAME, width - sum(c.width for c in columns)))


def _progress(table: Table, seat: int, *, bar: bool) -> str:
    """A city's progress: its size out of the size that completes it."""
    size = table.seats[seat].city.size
    full = min(size, table.city_size)
    text = "■" * full + "□" * (table.city_size - full) + " " if bar else ""
    return text + state.progress(size, table.city_size)


LONGEST = 6  # lines of a player whose city is text
NAMES = (99, 12, 9, 7)  # cells of the districts' names, tried until a city fits its lines


class PanelLayout(NamedTuple):
    """The panel's layout: it depends on the terminal's size, and never changes during a game."""

    lines: int  # of each player, including the name's
    framed: bool  # cities as cards, else as text
    legend: bool


def form_for(table: Table, width: int, height: int, legend: int) -> PanelLayout:
    """The form in which everybody's whole city fits; `legend` is the legend's number of lines."""
    seats = len(table.rules.seats)
    for shown_too in (True, False):
        room = (height - 1 - legend * shown_too) // seats
        cards = 2 + count_most_lines(table, width - 2)
        if room >= cards:
            return PanelLayout(min(room, cards + 1), framed=True, legend=shown_too)
        if room >= 2:
            return PanelLayout(min(room, LONGEST), framed=False, legend=shown_too)
    return PanelLayout(1, framed=False, legend=height > seats + legend)


Row = tuple[int | None, Content]  # a line and its seat


class Players(Panel):
    """All seats in order, below the column headings."""

    table: Table | None = None
    changes: Sequence[int] = ()
    """How everybody's gold has just changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._seats: list[int | None] = []  # of each line

    def show(self, table: Table) -> None:
        if table is not self.table:
            before = self.table if self.table is not None else table
            self.changes = [
                seat.gold - was.gold for seat, was in zip(table.seats, before.seats, strict=True)
            ]
        self.table = table
        self.refresh()

    def begin(self) -> None:
        """Show another game next: its gold has not changed."""
        self.table = None

    def draw(self, width: int, height: int) -> list[Content]:
        """Every player with the same number of lines."""
        if self.table is None:
            return []
        if height <= len(self.table.rules.seats):
            self._seats = []
            return draw_gold(self.table, width)
        rows = _rows(self.table, self.changes, width, height)
        self._seats = [seat for seat, _line in rows]
        return [line for _seat, line in rows]

    async def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        seat = self._seats[at.y] if at is not None and at.y < len(self._seats) else None
        if seat is not None:
            await self.screen.run_action(f"city({seat})")


def _rows(table: Table, changes: Sequence[int], width: int, height: int) -> list[Row]:
    legend = lay_in_rows(_legend(), Content("  "), width)
    form = form_for(table, width, height, len(legend))
    asker = find_awaited(table)
    seat_asked = asker[0] if asker else None
    marked = standing(table).winners if table.stage == "over" else [seat_asked]
    names = [
        ("▶ " if seat in marked else "  ") + table.seats[seat].name for seat in table.rules.seats
    ]
    columns = number_columns(table, changes, names, width)
    rows: list[Row] = [(None, number_heading(columns, width))]
    for seat, name in enumerate(names):
        style = "bold $on-mark on $mark" if seat in marked else "bold"
        below = _draw_city(table, seat, seat_asked, width - 2, form)[: form.lines - 1]
        below += [Content("")] * (form.lines - 1 - len(below))
        rows.append((seat, number_row(name, columns, seat, width, style)))
        rows += [(seat, join(["  ", line])) for line in below]
    return rows + [(None, line) for line in legend if form.legend]


def _draw_city(
    table: Table, seat: int, asker: int | None, width: int, form: PanelLayout
) -> list[Content]:
    """A player's city, in at most the form's lines below the name."""
    city = tuple(_texts(table, district) for district in table.seats[seat].city.cards)
    inside = _measure_card(table.rules, current()) if form.framed else 0
    facts = tuple(_describe(table, seat, asker))
    return _lay_out_city(facts, city, inside, width, form.lines, make_drawable(" · "))


@lru_cache(maxsize=64)  # of one player after another, only that of the one in turn changes
def _lay_out_city(
    facts: tuple[Content, ...],
    city: tuple[Texts, ...],
    inside: int,
    width: int,
    height: int,
    _between: str,
) -> list[Content]:
    """The marks and districts in lines, as cards if these are to be `inside` cells wide and fit."""
    between = paint(" · ", "$quiet")
    if inside:
        cards = _frame(city, inside, width)
        if len(cards) <= height - 2:
            return [between.join(facts), *cards]
    for name in NAMES:
        parts = [*facts, *(_district(texts, name) for texts in city)]
        rows = lay_in_rows(parts, between, width) if parts else []
        if len(rows) < height:
            return rows
    return lay_in_rows([*facts, *(_district(texts, 0) for texts in city)], Content(" "), width)


def _describe(table: Table, seat: int, asker: int | None) -> list[Content]:
    """A player's marks, shown before the city."""
    player = table.seats[seat]
    is_crowned = seat == table.crown and has_crown(table)
    parts = [paint(_("crown"), "$gold")] if is_crowned else []
    parts += [paint(card(id_), "italic") for id_ in player.revealed]
    if table.is_complete(player) or seat in table.first_complete:
        parts.append(paint(_("complete"), "bold $success"))
    if seat == asker and table.turn is not None and table.turn.seat != seat:
        parts.append(paint(_("must answer"), "bold $gold"))
    return parts


def _legend() -> list[Content]:
    return [
        join(
            [paint(type_mark(type_), f"bold ${type_}"), paint(f" {district_type(type_)}", "$quiet")]
        )
        for type_ in DISTRICT_TYPES
    ]
