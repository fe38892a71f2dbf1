"""Letters large enough to be read across a table, drawn from block characters.

A letter that has no drawing here (another alphabet, an emoji) makes the whole word plain: half a
word in large letters reads worse than none.
"""

from __future__ import annotations

import unicodedata

_ROWS = 5

# five rows of pixels per letter, "/" between them
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
    " ": "  /  /  /  /  ",
    "-": "   /   /###/   /   ",
    "'": "#/#/ / / ",
}


def large(text: str, width: int, height: int) -> list[str] | None:
    """`text` in large letters, as lines of at most `width` cells; None where it cannot be drawn.

    Letters are five lines high where `height` and `width` allow, else three.
    """
    pixels = _pixels(text)
    if pixels is None:
        return None
    if height >= _ROWS and 2 * len(pixels[0]) <= width:
        return ["".join(2 * ("█" if dot == "#" else " ") for dot in row) for row in pixels]
    if height >= 3 and len(pixels[0]) <= width:
        return _halved(pixels)
    return None


def _pixels(text: str) -> list[str] | None:
    """The rows of dots of the whole text."""
    letters = []
    for character in unicodedata.normalize("NFD", text.upper()):
        if unicodedata.category(character) == "Mn":
            continue  # an accent; the name in ordinary letters stands beside
        drawn = _DRAWN.get(character)
        if drawn is None:
            return None
        letters.append(drawn.split("/"))
    return [" ".join(letter[row] for letter in letters) for row in range(_ROWS)]


def _halved(pixels: list[str]) -> list[str]:
    """Two rows of dots in each line, by half blocks."""
    halves = {"##": "█", "# ": "▀", " #": "▄", "  ": " "}
    rows = [*pixels, " " * len(pixels[0])]
    return [
        "".join(halves[upper + lower] for upper, lower in zip(rows[i], rows[i + 1], strict=True))
        for i in range(0, len(rows), 2)
    ]
