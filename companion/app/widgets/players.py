"""Everybody's gold, hand and city; the active player's city in full, the others as room allows.

A district type is a letter and a word, never a colour alone: `N noble` in the legend, `N3` in a
short city, `Manor N3` in a full one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import TYPE_LETTERS, in_columns, joined, shown
from companion.app.widgets.panel import Panel
from companion.language import _, card
from companion.wording.facts import type_name
from companion.wording.power_labels import coins, hand_cards

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table

FULL, SHORT, LINE = 2, 1, 0  # how much of a city is shown


class Players(Panel):
    """All seats in order, the active one marked."""

    table: Table | None = None

    def show(self, table: Table) -> None:
        """Show that table."""
        self.table = table
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The most detailed picture that fits."""
        t = self.table
        if t is None:
            return Content("")
        tries = [
            seats_lines(t, width, active, others, spaced=spaced, legend=legend)
            for active, others, spaced, legend in _LEVELS
        ]
        fitting = next((lines for lines in tries if len(lines) <= height), tries[-1])
        return Content("\n").join(fitting[:height])


# the active seat's detail, the others', a blank line between seats, a legend of the letters
_LEVELS = (
    (FULL, FULL, True, True),
    (FULL, FULL, False, True),
    (FULL, SHORT, True, True),
    (FULL, SHORT, False, True),
    (FULL, SHORT, False, False),
    (SHORT, SHORT, False, False),
    (SHORT, LINE, False, False),
    (LINE, LINE, False, False),
)


def seats_lines(
    t: Table, width: int, active: int, others: int, *, spaced: bool, legend: bool
) -> list[Content]:
    """The picture at these levels of detail."""
    lines: list[Content] = []
    acting = t.turn.seat if t.turn is not None else None
    for index, seat in enumerate(t.seats):
        if spaced and lines:
            lines.append(Content(""))
        level = active if index == acting else others
        lines.append(_head(t, index, width, acting=index == acting))
        if level:
            lines += _city(t, seat, index, width, full=level == FULL)
    if legend:
        lines += [Content(""), *in_rows(_legend(), Content("  "), width)]
    return lines


def _head(t: Table, index: int, width: int, *, acting: bool) -> Content:
    seat = t.seats[index]
    size = f"{seat.city.size}/{t.city_size}"
    numbers = f"{coins(seat.gold)}  {hand_cards(seat.hand)}  {size:>4}"
    if not t.rules.counts_cards:
        numbers = coins(seat.gold)
    mark = "▶ " if acting else "  "
    line = in_columns(mark + seat.name, numbers, width)
    return shown(line, "bold $gold" if acting else "bold")


def _city(t: Table, seat: Seat, index: int, width: int, *, full: bool) -> list[Content]:
    """What lies before a player: crown, shown characters, districts; no line where nothing does."""
    parts = [shown(_("crown"), "$gold")] if index == t.crown else []
    parts += [shown(card(id_), "italic") for id_ in seat.revealed]
    if t.is_complete(seat):
        parts.append(shown(_("complete"), "bold $success"))
    parts += [_district(t, built, full=full) for built in seat.city.cards]
    if not parts:
        return []
    between = Content(" · ") if full else Content(" ")
    return [joined(["  ", row]) for row in in_rows(parts, between, width - 2)]


def in_rows(parts: list[Content], between: Content, width: int) -> list[Content]:
    """The parts in rows of at most `width` cells, never broken within one."""
    rows: list[Content] = []
    row = Content("")
    for part in parts:
        longer = row + between + part if row else part
        if row and longer.cell_length > width:
            rows.append(row)
            longer = part
        row = longer.truncate(max(1, width))
    return [*rows, row]


def _district(t: Table, built: Built, *, full: bool) -> Content:
    facts = t.rules.districts[built.id]
    code = f"{TYPE_LETTERS[facts.type]}{facts.cost}"
    name = shown(f"{card(built.id)} ") if full else Content("")
    return joined([name, shown(code, f"bold ${facts.type}")])


def _legend() -> list[Content]:
    return [
        joined([shown(letter, f"bold ${type_}"), shown(f" {type_name(type_)}", "$quiet")])
        for type_, letter in TYPE_LETTERS.items()
    ]
