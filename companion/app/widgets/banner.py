"""Words in letters that can be read across the table: the called rank and character, a winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.bigtext import dot_width
from companion.app.bigtext import large as in_large_letters
from companion.app.display import shown
from companion.app.symbols import is_plain
from companion.app.widgets.panel import Panel
from companion.language import _, card
from engine.views import awaiting

if TYPE_CHECKING:
    from engine.table import Table


CALLED = 60  # per cent of the height for the call, where a name stands below it


class Words(Panel):
    """Words in large letters below each other, the first of them the largest."""

    texts: tuple[str, ...] = ()

    def show(self, *texts: str) -> None:
        """Show these."""
        self.texts = texts
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The words below each other in large letters, each in plain ones where it must be."""
        text, *others = [text for text in self.texts if text] or [""]
        if not others:
            rows = [shown(line, "bold $gold") for line in _drawn(text, width, height)]
            return Content("\n").join(rows[:height])
        called = _drawn(text, width, height * CALLED // 100)
        left = height - len(called) - 1
        widest = dot_width(text, called)
        name = _drawn(others[0], width, min(left, len(called)), widest=widest)
        above = (height - len(called) - 1 - len(name)) // 2
        rows = [Content("")] * above
        rows += [shown(line, "bold $gold") for line in _centred(called, width)]
        rows += [Content(""), *(shown(line, "bold") for line in _centred(name, width))]
        return Content("\n").join(rows[:height])


class Banner(Words):
    """The call while somebody answers it and during the turn; the large view says also whom
    everybody waits for."""

    def announce(self, table: Table, *, large: bool = False) -> None:
        """Say what is called at that table."""
        self.show(announced(table), *([_awaited_name(table)] if large else []))


def _drawn(text: str, width: int, height: int, *, widest: int | None = None) -> list[str]:
    """A text in large letters; in plain ones where it cannot be drawn."""
    lines = in_large_letters(text, width, height, halves=not is_plain(), widest=widest)
    return lines or ([text.upper()] if height < 3 else ["", f" {text.upper()}", ""])


def _centred(drawn: list[str], width: int) -> list[str]:
    """The lines, moved to the middle together."""
    margin = " " * ((width - max(map(cell_len, drawn))) // 2)
    return [margin + line for line in drawn]


def announced(t: Table) -> str:
    """What is said large: the call, until the turn has ended; the round, or the end."""
    if t.phase == "over":
        return _("The end")
    if t.turn is not None:
        return _called(t, t.turn.character)
    if t.called in t.rules.by_rank:
        return _called(t, t.rules.by_rank[t.called])
    return _("Round {round}").format(round=t.round)


def _called(t: Table, character: str) -> str:
    return f"{t.rules.characters[character].rank} {card(character)}"


def _awaited_name(t: Table) -> str:
    awaited = awaiting(t)
    return t.seats[awaited[0]].name if awaited else ""
