"""A city as the players' panel draws it: framed cards, names in a row, or codes alone.

A district's type is a letter, a shape and a colour, and a word in the legend: never a colour alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import fitted, joined, shown
from companion.app.symbols import mark
from companion.language import card, current

if TYPE_CHECKING:
    from engine.ruleset import Ruleset
    from engine.table import Built, City, Table

NARROWEST, WIDEST = 10, 16  # cells between the sides of a framed card


def framed(t: Table, city: City, width: int) -> list[Content]:
    """The districts as cards side by side: type and cost on the frame, the name inside."""
    inside = _inside(t.rules, current())
    each_row = max(1, (width + 1) // (inside + 3))
    found: list[Content] = []
    for first in range(0, len(city.cards), each_row):
        row = city.cards[first : first + each_row]
        names = [shown(card(built.id)).wrap(inside) for built in row]
        height = max(map(len, names))
        drawn = [_card(t, *pair, inside, height) for pair in zip(row, names, strict=True)]
        found += [Content(" ").join(side) for side in zip(*drawn, strict=True)]
    return found


def _card(t: Table, built: Built, name: list[Content], inside: int, height: int) -> list[Content]:
    facts = t.rules.districts[built.id]
    style = f"${facts.type}"
    left, right = mark(facts.type), str(facts.cost)
    line = "─" * (inside - cell_len(left) - len(right))
    extra = _extra(built)
    under = "─" * (inside - len(extra))
    empty = [Content("")] * (height - len(name))
    return [
        joined([shown("╭", style), shown(left, f"bold {style}"), shown(line, style)])
        + joined([shown(right, "bold"), shown("╮", style)]),
        *(
            joined([shown("│", style), row.pad_right(inside - row.cell_length), shown("│", style)])
            for row in (*name, *empty)
        ),
        joined([shown("╰" + under, style), shown(extra, "bold $gold"), shown("╯", style)]),
    ]


def _extra(built: Built) -> str:
    """What lies on or under a district: `+1` is the Artist's gold, `(2)` the museum's cards."""
    return ("+1" if built.decorated else "") + (f"({built.under})" if built.under else "")


@lru_cache(maxsize=8)
def _inside(rules: Ruleset, _language: str) -> int:
    """The width of a framed card: no word of a name in this game should be broken."""
    words = [word for id_ in rules.districts for word in card(id_).split()]
    return max(NARROWEST, min(WIDEST, max(map(cell_len, words))))


def district(t: Table, built: Built, *, full: bool) -> Content:
    """A district in a row of text: its code, after its name where there is room."""
    facts = t.rules.districts[built.id]
    name = shown(f"{card(built.id)} ") if full else Content("")
    code = f"{mark(facts.type)}{facts.cost}{_extra(built)}"
    return joined([name, shown(code, f"bold ${facts.type}")])


def in_rows(parts: list[Content], between: Content, width: int) -> list[Content]:
    """The parts in rows of at most `width` cells, never broken within one."""
    rows: list[Content] = []
    row = Content("")
    for part in parts:
        longer = row + between + part if row else part
        if row and longer.cell_length > width:
            rows.append(row)
            longer = part
        row = longer if longer.cell_length <= width else shown(fitted(longer.plain, width))
    return [*rows, row]
