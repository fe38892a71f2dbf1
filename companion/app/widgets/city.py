"""A city in the players' panel: framed cards, or names with codes in a row.

A district's type is a letter, a shape and a colour, and a word in the legend: never colour alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import fit, join, paint, wrap
from companion.app.symbols import make_drawable, mark
from companion.language import card, current

if TYPE_CHECKING:
    from engine.ruleset import Ruleset
    from engine.table import Built, City, Table

_FRAME = "╭╮╰╯─│"  # four corners, horizontal line, vertical line
NARROWEST, WIDEST = 10, 16  # cells between the sides of a framed card


def frame(table: Table, city: City, width: int) -> list[Content]:
    """The districts as cards in rows: type and cost on the frame, the name inside."""
    inside = _measure_card(table.rules, current())
    each_row = max(1, (width + 1) // (inside + 3))
    found: list[Content] = []
    for first in range(0, len(city.cards), each_row):
        row = city.cards[first : first + each_row]
        height = max(len(_wrap(card(built.id), inside)) for built in row)
        drawn = [
            _card(*_texts(table, built), inside, height, make_drawable(_FRAME)) for built in row
        ]
        found += [Content(" ").join(side) for side in zip(*drawn, strict=True)]
    return found


def count_most_lines(table: Table, width: int) -> int:
    """The height in lines that `frame` needs for a complete city of long names."""
    each_row = max(1, (width + 1) // (_measure_card(table.rules, current()) + 3))
    return 4 * -(-table.city_size // each_row)


def _texts(table: Table, built: Built) -> tuple[str, str, str, str, str]:
    """The texts of a card: name, mark, cost, extras, and its type."""
    facts = table.rules.districts[built.id]
    return card(built.id), mark(facts.type), str(facts.cost), _mark_extras(built), facts.type


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


def _mark_extras(built: Built) -> str:
    """Extras on or under a district: `+1` is the Artist's gold, `(2)` the museum's cards."""
    return ("+1" if built.decorated else "") + (f"({built.under})" if built.under else "")


@lru_cache(maxsize=8)
def _measure_card(rules: Ruleset, _language: str) -> int:
    """The width of a framed card, so that no word of a name in this game is broken."""
    words = [word for id_ in rules.districts for word in card(id_).split()]
    return max(NARROWEST, min(WIDEST, max(map(cell_len, words))))


def district(table: Table, built: Built, longest: int) -> Content:
    """A district in a row of text: its name in at most `longest` cells (0: none), its code."""
    name, left, cost, extra, type_ = _texts(table, built)
    if cell_len(name) > longest:
        name = fit(name, longest) if longest else ""
    return _add_code(f"{name} " if name else "", f"{left}{cost}{extra}", type_)


@lru_cache(maxsize=512)
def _add_code(name: str, code: str, type_: str) -> Content:
    return join([paint(name), paint(code, f"bold ${type_}")])


def lay_in_rows(parts: list[Content], between: Content, width: int) -> list[Content]:
    """The parts in rows of at most `width` cells, never broken within one."""
    rows: list[Content] = []
    row = Content("")
    for part in parts:
        longer = row + between + part if row else part
        if row and longer.cell_length > width:
            rows.append(row)
            longer = part
        row = longer if longer.cell_length <= width else paint(fit(longer.plain, width))
    return [*rows, row]
