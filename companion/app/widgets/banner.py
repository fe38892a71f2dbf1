"""The called rank and character in letters that can be read across the table.

In the large view it has the whole screen, says also who is awaited, and stays during turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.bigtext import large as in_large_letters
from companion.app.display import shown
from companion.app.symbols import is_plain
from companion.app.widgets.panel import Panel
from companion.language import _, card
from engine.views import awaiting

if TYPE_CHECKING:
    from engine.table import Table


class Banner(Panel):
    """Large while a character is called; hidden when cities need the room."""

    texts: tuple[str, ...] = ()

    def show(self, table: Table, *, large: bool = False) -> None:
        """Announce what that table calls, or hide; the `large` view always says something."""
        text = announced(table, large=large)
        self.texts = (text, _awaited_name(table)) if large else (text,)
        self.set_class(not text, "-silent")
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The words below each other in large letters, each in plain ones where it must be."""
        texts = [text for text in self.texts if text]
        rows: list[Content] = []
        for place, text in enumerate(texts):
            room = (height - len(rows)) // (len(texts) - place)
            gap = 1 if len(texts) > 1 and room > 3 else 0
            style = "bold $gold" if place == 0 else "bold"
            lines = _drawn(text, width, room - gap)
            margin = " " * max(0, (width - max(map(cell_len, lines))) // 2 if len(texts) > 1 else 0)
            rows += [shown(margin + line, style) for line in lines]
            rows += [Content("")] * gap
        return Content("\n").join(rows[:height])


def _drawn(text: str, width: int, height: int) -> list[str]:
    """A text in large letters; in plain ones where it cannot be drawn."""
    lines = in_large_letters(text, width, height, halves=not is_plain())
    return lines or ([text.upper()] if height < 3 else ["", f" {text.upper()}", ""])


def announced(t: Table, *, large: bool = False) -> str:
    """What is said large: the call, or the end; in the large view also whose turn it is."""
    if t.phase == "over":
        return _("The end")
    if t.phase == "selection":
        return _("Round {round}").format(round=t.round)
    if t.phase == "calling":
        return _called(t, t.rules.by_rank[t.called])
    if large and t.turn is not None:
        return _called(t, t.turn.character)
    return ""


def _called(t: Table, character: str) -> str:
    return f"{t.rules.characters[character].rank} {card(character)}"


def _awaited_name(t: Table) -> str:
    awaited = awaiting(t)
    return t.seats[awaited[0]].name if awaited else ""
