"""Text to be read across the table: the called rank and character, a winner; and large
letters."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import is_plain, paint
from companion.app.widgets.panel import Panel
from companion.language import card
from companion.wording import facts, state
from engine.views import find_awaited

if TYPE_CHECKING:
    from engine.table import Table


_ROWS = 5

# five rows of dots per letter, "/" between them
_DRAWN = {
    "A": " ### /#   #/#####/#   #/#   #",
    "B": "#### /#   #/#### /#   #/#### ",
    "C": " ####/#    /#    /#    / ####",
    "D": "#### /#   #/#   #/#   #/#### ",
    "E": "####/#   /### /#   /####",
    "F": "####/#   /### /#   /#   ",
    "G": " ####/#    /#  ##/#   #/ ####",
    "H": "#   #/#   #/#####/#   #/#   #",
    "I": "###/ # / # / # /###",
    "J": "  ###/   # /   # /#  # / ##  ",
    "K": "#  ##/# #  /##   /# #  /#  ##",
    "L": "#   /#   /#   /#   /####",
    "M": "#   #/## ##/# # #/#   #/#   #",
    "N": "#   #/##  #/# # #/#  ##/#   #",
    "O": " ### /#   #/#   #/#   #/ ### ",
    "P": "#### /#   #/#### /#    /#    ",
    "Q": " ### /#   #/# # #/#  # / ## #",
    "R": "#### /#   #/#### /#  # /#   #",
    "S": " ####/#    / ### /    #/#### ",
    "T": "#####/  #  /  #  /  #  /  #  ",
    "U": "#   #/#   #/#   #/#   #/ ### ",
    "V": "#   #/#   #/#   #/ # # /  #  ",
    "W": "#   #/#   #/# # #/## ##/#   #",
    "X": "#   #/ # # /  #  / # # /#   #",
    "Y": "#   #/ # # /  #  /  #  /  #  ",
    "Z": "#####/   # /  #  / #   /#####",
    "0": " ### /#  ##/# # #/##  #/ ### ",
    "1": " # /## / # / # /###",
    "2": "#### /    #/ ### /#    /#####",
    "3": "#### /    #/ ### /    #/#### ",
    "4": "#  # /#  # /#####/   # /   # ",
    "5": "#####/#    /#### /    #/#### ",
    "6": " ### /#    /#### /#   #/ ### ",
    "7": "#####/   # /  #  / #   /#    ",
    "8": " ### /#   #/ ### /#   #/ ### ",
    "9": " ### /#   #/ ####/    #/ ### ",
    "Б": "#####/#    /#### /#   #/#### ",
    "Г": "####/#   /#   /#   /#   ",
    "Д": " ### / # # / # # /#####/#   #",
    "Ж": "# # #/# # #/ ### /# # #/# # #",
    "И": "#   #/#  ##/# # #/##  #/#   #",
    "Л": "  ###/ #  #/ #  #/#   #/#   #",
    "П": "#####/#   #/#   #/#   #/#   #",
    "У": "#   #/#   #/ ####/    #/ ### ",
    "Ф": " ### /# # #/# # #/ ### /  #  ",
    "Ц": "#  # /#  # /#  # /#####/    #",
    "Ч": "#   #/#   #/ ####/    #/    #",
    "Ш": "# # #/# # #/# # #/# # #/#####",
    "Щ": "# # # /# # # /# # # /######/     #",
    "Ъ": "##   / #   / ### / #  #/ ### ",
    "Ы": "#    #/#    #/###  #/#  # #/###  #",
    "Ь": "#    /#    /#### /#   #/#### ",
    "Э": "#### /    #/  ###/    #/#### ",
    "Ю": "#  ## /# #  #/###  #/# #  #/#  ## ",
    "Я": " ####/#   #/ ####/ #  #/#   #",
    "Æ": " #####/#  #  /##### /#  #  /#  ###",
    "Œ": " #####/#  #  /#  ## /#  #  / #####",
    "’": "#/#/ / / ",
    "?": "#### /    #/ ### /     /  #  ",
    "!": "#/#/#/ /#",
    ".": " / / / /#",
    " ": "  /  /  /  /  ",
    "-": "   /   /###/   /   ",
    "'": "#/#/ / / ",
}
_ALIKE = str.maketrans("АВЕЗКМНОРСТХ", "ABE3KMHOPCTX")


def draw_large(
    text: str, width: int, height: int, *, halves: bool = True, widest: int | None = None
) -> list[str] | None:
    """`text` as large as `width` by `height` cells permit, as lines; None if it cannot be drawn.

    A letter is five dots high; a dot is as large as fits (a cell is twice as high as wide). Without
    `halves` a dot is never half a cell high. A dot is never wider than `widest` cells.
    """
    dots = _dots(text)
    if not dots or not dots[0]:
        return None
    step = 1 if halves else 2
    across = min(width // len(dots[0]), widest or width)
    down = 2 * height // _ROWS  # in half cells
    down -= down % step
    across, down = min(across, 3 * down // 2), min(down, 3 * across)  # never squat, rarely narrow
    if across < 1 or down < step:
        return None
    down -= down % step
    rows = ["".join(dot * across for dot in row) for row in dots for _ in range(down)]
    rows += [" " * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(map(_cell, upper, lower))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def dot_width(text: str, rows: list[str]) -> int:
    """The width of a dot, in cells, in `text` as drawn by `large`."""
    dots = _dots(text)
    return len(rows[0]) // len(dots[0]) if dots and dots[0] else 1


_CELLS = {"##": "█", "# ": "▀", " #": "▄", "  ": " "}


def _cell(upper: str, lower: str) -> str:
    """Two dots, one above the other, in one cell."""
    return _CELLS[upper + lower]


def _dots(text: str) -> list[str] | None:
    """The rows of dots of the whole text."""
    letters = []
    for character in unicodedata.normalize("NFC", text.upper()):
        plain = unicodedata.normalize("NFD", character)[0].translate(_ALIKE)
        dots = _DRAWN.get(character) or _DRAWN.get(plain)
        if unicodedata.category(character) == "Mn":
            continue  # an accent; the name in ordinary letters is shown next to it
        if dots is None:
            return None
        letters.append(dots.split("/"))
    return [" ".join(letter[row] for letter in letters) for row in range(_ROWS)]


CALLED = 60  # per cent of the height for the call, if a name is shown below it


class LargeText(Panel):
    """Lines of large letters, the first of them the largest."""

    texts: tuple[str, ...] = ()

    def show(self, *texts: str) -> None:
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
        self.show(find_announcement(table), *([_name_awaited(table)] if large else []))


def _draw_large(text: str, width: int, height: int, *, widest: int | None = None) -> list[str]:
    """A text in large letters; in plain ones if it cannot be drawn."""
    lines = draw_large(text, width, height, halves=not is_plain(), widest=widest)
    return lines or ([text.upper()] if height < 3 else ["", f" {text.upper()}", ""])


def _centre(rows: list[str], width: int) -> list[str]:
    margin = " " * ((width - max(map(cell_len, rows))) // 2)
    return [margin + line for line in rows]


def find_announcement(table: Table) -> str:
    """The announcement: the call until the turn has ended; the round, or the end."""
    if table.phase == "over":
        return facts.tell_winners(table).rstrip(".")
    if table.turn is not None:
        return _name_call(table, table.turn.character)
    if table.called in table.rules.by_rank:
        return _name_call(table, table.rules.by_rank[table.called])
    return state.name_round(table)


def _name_call(table: Table, character: str) -> str:
    return f"{table.rules.characters[character].rank} {card(character)}"


def _name_awaited(table: Table) -> str:
    asker = find_awaited(table)
    return table.seats[asker[0]].name if asker and asker[1] != "call" else ""
