"""Text to be read across the table: the called rank and character, a winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.bigtext import dot_width, draw_large
from companion.app.display import is_plain, paint
from companion.app.widgets.panel import Panel
from companion.language import _, card
from engine.views import find_awaited

if TYPE_CHECKING:
    from engine.table import Table


CALLED = 60  # per cent of the height for the call, if a name is shown below it


class LargeText(Panel):
    """Lines of large letters, the first of them the largest."""

    texts: tuple[str, ...] = ()

    def show(self, *texts: str) -> None:
        """Show these."""
        self.texts = texts
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The texts below each other in large letters, each in plain ones if it cannot be drawn."""
        text, *others = [text for text in self.texts if text] or [""]
        if not others:
            rows = [paint(line, "bold $gold") for line in _draw_large(text, width, height)]
            return Content("\n").join(rows[:height])
        call = _draw_large(text, width, height * CALLED // 100)
        left = height - len(call) - 1
        widest = dot_width(text, call)
        name = _draw_large(others[0], width, min(left, len(call)), widest=widest)
        above = (height - len(call) - 1 - len(name)) // 2
        rows = [Content("")] * above
        rows += [paint(line, "bold $gold") for line in _centre(call, width)]
        rows += [Content(""), *(paint(line, "bold") for line in _centre(name, width))]
        return Content("\n").join(rows[:height])


class Banner(LargeText):
    """The call while somebody answers it and during the turn; the large view also names the player
    awaited, but nobody while a character is called: across a room that reads as the answer."""

    def announce(self, table: Table, *, large: bool = False) -> None:
        """Announce that table's call."""
        self.show(find_announcement(table), *([_name_awaited(table)] if large else []))


def _draw_large(text: str, width: int, height: int, *, widest: int | None = None) -> list[str]:
    """A text in large letters; in plain ones if it cannot be drawn."""
    lines = draw_large(text, width, height, halves=not is_plain(), widest=widest)
    return lines or ([text.upper()] if height < 3 else ["", f" {text.upper()}", ""])


def _centre(rows: list[str], width: int) -> list[str]:
    """The lines, centred as a block."""
    margin = " " * ((width - max(map(cell_len, rows))) // 2)
    return [margin + line for line in rows]


def find_announcement(table: Table) -> str:
    """The announcement: the call until the turn has ended; the round, or the end."""
    if table.phase == "over":
        return _("The end")
    if table.turn is not None:
        return _name_call(table, table.turn.character)
    if table.called in table.rules.by_rank:
        return _name_call(table, table.rules.by_rank[table.called])
    return _("Round {round}").format(round=table.round)


def _name_call(table: Table, character: str) -> str:
    return f"{table.rules.characters[character].rank} {card(character)}"


def _name_awaited(table: Table) -> str:
    asker = find_awaited(table)
    return table.seats[asker[0]].name if asker and asker[1] != "call" else ""
