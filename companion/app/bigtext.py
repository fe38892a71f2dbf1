"""Letters large enough to read across a table, drawn with block characters.

If a letter has no drawing here (another alphabet, an emoji), the whole word stays plain: half a
word in large letters is harder to read than none.
"""

from __future__ import annotations

import unicodedata

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
    "А": " ### /#   #/#####/#   #/#   #",
    "Б": "#####/#    /#### /#   #/#### ",
    "В": "#### /#   #/#### /#   #/#### ",
    "Г": "####/#   /#   /#   /#   ",
    "Д": " ### / # # / # # /#####/#   #",
    "Е": "####/#   /### /#   /####",
    "Ж": "# # #/# # #/ ### /# # #/# # #",
    "З": "#### /    #/ ### /    #/#### ",
    "И": "#   #/#  ##/# # #/##  #/#   #",
    "К": "#  ##/# #  /##   /# #  /#  ##",
    "Л": "  ###/ #  #/ #  #/#   #/#   #",
    "М": "#   #/## ##/# # #/#   #/#   #",
    "Н": "#   #/#   #/#####/#   #/#   #",
    "О": " ### /#   #/#   #/#   #/ ### ",
    "П": "#####/#   #/#   #/#   #/#   #",
    "Р": "#### /#   #/#### /#    /#    ",
    "С": " ####/#    /#    /#    / ####",
    "Т": "#####/  #  /  #  /  #  /  #  ",
    "У": "#   #/#   #/ ####/    #/ ### ",
    "Ф": " ### /# # #/# # #/ ### /  #  ",
    "Х": "#   #/ # # /  #  / # # /#   #",
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
        dots = _DRAWN.get(character) or _DRAWN.get(unicodedata.normalize("NFD", character)[0])
        if unicodedata.category(character) == "Mn":
            continue  # an accent; the name in ordinary letters is shown next to it
        if dots is None:
            return None
        letters.append(dots.split("/"))
    return [" ".join(letter[row] for letter in letters) for row in range(_ROWS)]
