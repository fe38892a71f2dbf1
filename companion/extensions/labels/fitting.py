"""Fits a label's text into its shape: as large as possible, on several lines if that helps; and the
fonts that it is printed in.

Pure. Lengths are points (1/72 inch); the origin is the label's middle and up is positive. The
caller's `measure` gives the width of text at one point.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from common.sentences import Sentence
from companion.extensions.labels import LabelsError

if TYPE_CHECKING:
    from companion.extensions.labels.sheets import Label


Measure = Callable[[str, bool], float]
"""The width of a text at one point; the second argument is bold."""

LEADING = 1.2  # of a line, in sizes of its letters
FOOT = 0.25  # times the letter size: a foot leaves room for a g below and an É above
_SIGN = 1.15  # width of the sign before the kind, times the letter size
_STEP = 0.5  # points between the sizes that are tried
_MOST_LINES = 4  # of a name
_BESIDE = 1.5  # width by height from which on the code is beside the text
_REST = 0.115  # times a label's height: the usual letter size of everything but the name
_AT_EDGE = 0.5  # times the code's white border: what the label's margin lacks of it beside a text
_LARGER = 1.15  # times the rest's size: the smallest name
_MOST = 2.2  # times the rest's size: the largest name
_NEARLY = 0.8  # times the usual size of the rest: accepted too


class Sizes(NamedTuple):
    """The smallest and largest letters in points, for names and for the rest."""

    name: tuple[float, float]
    rest: tuple[float, float]


USUAL = Sizes((6.0, 26.0), (6.0, 11.0))
LARGE = Sizes((16.0, 40.0), (12.0, 18.0))
"""Large print: names from 16 points, as associations of blind people recommend."""

_SMALLER = (
    Sizes((12.0, 40.0), (10.0, 18.0)),
    Sizes((9.0, 40.0), (8.0, 18.0)),
    Sizes((6.0, 40.0), (6.0, 18.0)),
)
"""What large print falls back to on a label that is too small for it."""


class Area(NamedTuple):
    """The printable area of a label: width and height of an ellipse or rectangle, and the offset of
    its middle from the label's."""

    width: float
    height: float
    round: bool = False
    right: float = 0.0

    def width_between(self, top: float, bottom: float) -> float:
        """The width available over the whole range of heights; 0 outside."""
        farthest = max(abs(top), abs(bottom)) / (self.height / 2)
        if farthest > 1 + 1e-9:
            return 0.0
        return self.width * math.sqrt(max(1 - farthest**2, 0)) if self.round else self.width


class TextLine(NamedTuple):
    """A line of text: its middle, and the height of its letters' foot."""

    text: str
    size: float
    bold: bool = False
    sign: str = ""
    """Drawn before the text at letter height; then `middle` is that of both."""
    middle: float = 0.0
    foot: float = 0.0


class Code(NamedTuple):
    """A possible size of the code: its side, and the white border it needs."""

    side: float
    quiet: float


class Square(NamedTuple):
    """The code's position: its centre, and its side without the border."""

    middle: float
    height: float
    side: float


class Fitted(NamedTuple):
    lines: tuple[TextLine, ...]
    code: Square | None
    rest: float
    """The letter size of everything but the name."""


def fit(
    label: Label, area: Area, sizes: Sizes, measure: Measure, codes: Sequence[Code] = ()
) -> Fitted | None:
    """Lay out the label in that area; None if even its smallest letters do not fit.

    `codes` are the possible sizes of its code, best first. It takes the first with which the text
    has nearly its usual size, otherwise the one with the largest text. Empty: no code. In large
    print, text is left out before letters become smaller.
    """
    shorter = label.shorten()
    tries = [(each, sizes) for each in shorter]
    if sizes is LARGE:
        tries += [(shorter[-1], smaller) for smaller in _SMALLER]
    layouts = (_fit_best_code(each, area, letters, measure, codes) for each, letters in tries)
    return next(filter(None, layouts), None)


def _fit_best_code(
    label: Label, area: Area, sizes: Sizes, measure: Measure, codes: Sequence[Code]
) -> Fitted | None:
    best: Fitted | None = None
    for code in codes or (None,):
        fitted = _fit_with_code(label, area, sizes, measure, code)
        if fitted is not None and (best is None or fitted.rest > best.rest):
            best = fitted
        if best is not None and best.rest >= _find_usual(area, sizes):
            break
    return best


def _find_usual(area: Area, sizes: Sizes) -> float:
    """The usual letter size of everything but the name on labels of that size."""
    least, most = sizes.rest
    return min(max(_REST * area.height, least), most)


def _fit_with_code(
    label: Label, area: Area, sizes: Sizes, measure: Measure, code: Code | None
) -> Fitted | None:
    if code is None or area.round or area.width < _BESIDE * area.height:
        return _fit_text(label, area, sizes, measure, code)
    edge = _AT_EDGE * code.quiet
    if code.side + 2 * edge > area.height:
        return None
    rest = area.width - edge - code.side - code.quiet
    beside = Area(rest, area.height, right=(area.width - rest) / 2)
    fitted = _fit_text(label, beside, sizes, measure, None)
    square = Square(edge + (code.side - area.width) / 2, 0.0, code.side)
    return None if fitted is None else fitted._replace(code=square)


def _fit_text(
    label: Label, area: Area, sizes: Sizes, measure: Measure, code: Code | None
) -> Fitted | None:
    """Lay out the text, with room for the code below. Tries the facts on one line before two;
    prefers the usual letter size of the rest to a larger name."""
    least, usual = sizes.rest[0], _find_usual(area, sizes)
    names = list(dict.fromkeys(_break(label.name, _MOST_LINES)))
    notes = list(_break(label.note, _MOST_LINES))
    for facts in _break(", ".join(label.facts), 2):
        for rest in dict.fromkeys((usual, max(_NEARLY * usual, least), least)):
            for size in _sizes(sizes, rest, rest > least):
                for name, note in product(names, notes):
                    lines = _rows(label, name, (*facts, *note), size, rest)
                    place = _place(lines, area, measure, code)
                    if place is not None:
                        return Fitted(*place, rest)
    return None


def _rows(
    label: Label, name: Sequence[str], below: Sequence[str], size: float, rest: float
) -> list[TextLine]:
    """The stacked lines, not placed yet."""
    above = [TextLine(label.kind, rest, sign=label.sign)] if label.kind or label.sign else []
    lines = [TextLine(text, size, bold=True) for text in name]
    return [*above, *lines, *(TextLine(text, rest) for text in below if text)]


def _sizes(sizes: Sizes, rest: float, can_shrink: bool) -> Iterator[float]:
    """The name's sizes to try beside letters of size `rest`, largest first; if those can shrink,
    only larger ones."""
    least, most = sizes.name
    least = max(least, rest * _LARGER) if can_shrink else least
    most = max(least, min(most, rest * _MOST))
    for step in range(int((most - least) / _STEP) + 1):
        yield most - step * _STEP


def _break(text: str, most: int) -> Iterator[tuple[str, ...]]:
    """The text on one line, then on two, and so on, in lines of similar length."""
    words = text.split(" ")
    for number in range(1, min(most, len(words)) + 1):
        width = max(map(len, words))
        while len(lines := textwrap.wrap(text, width or 1, break_on_hyphens=False)) > number:
            width += 1
        yield tuple(lines)


def _place(
    rows: Sequence[TextLine], area: Area, measure: Measure, code: Code | None
) -> tuple[tuple[TextLine, ...], Square | None] | None:
    """Stack these lines and the code in the middle of the area; None if anything overflows."""
    height = code.side + code.quiet if code else 0.0
    top = (LEADING * sum(row.size for row in rows) + height) / 2
    if top > area.height / 2:
        return None
    lines = []
    for row in rows:
        bottom = top - LEADING * row.size
        wide = measure(row.text, row.bold) * row.size + (_SIGN * row.size if row.sign else 0)
        if wide > area.width_between(top, bottom):
            return None
        lines.append(row._replace(middle=area.right, foot=bottom + FOOT * row.size))
        top = bottom
    if code is None:
        return tuple(lines), None
    top -= code.quiet
    if code.side > area.width_between(top, top - code.side):
        return None
    return tuple(lines), Square(area.right, top - code.side / 2, code.side)


# -- the fonts of what is printed -----------------------------------------------------------------


_PACKAGE = "ttf_opensans"
"""The package with Open Sans, which has Latin, Greek and Cyrillic letters."""

_FILES = ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf")


class Fonts(NamedTuple):
    """The names of two registered fonts, regular and bold."""

    usual: str
    bold: str

    def measure(self, text: str, bold: bool) -> float:
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(stringWidth(text, self.bold if bold else self.usual, 1000)) / 1000


def register_fonts(texts: Iterable[str]) -> Fonts:
    """Register Open Sans in reportlab. Raises LabelsError if it lacks a letter of these texts."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = files(_PACKAGE) / "ttf"
    fonts = [TTFont(name, str(folder / name)) for name in _FILES]
    letters = {letter for text in texts for letter in text if not letter.isspace()}
    missing = {
        letter for font in fonts for letter in letters if ord(letter) not in font.face.charToGlyph
    }
    if missing:
        raise LabelsError(
            Sentence(
                "The labels' font, Open Sans, does not have {letter}; write those words with other "
                "letters.",
                letter=" ".join(sorted(missing)[:9]),
            )
        )
    for font in fonts:
        pdfmetrics.registerFont(font)
    return Fonts(fonts[0].fontName, fonts[1].fontName)
