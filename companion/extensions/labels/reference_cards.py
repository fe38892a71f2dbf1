"""The reference cards of the accessible edition in large print and in braille: each has a place for
its chip, and the entries that the caller reads, with the same numbers.

Braille is a BRF file: ASCII braille in lines and pages for an embosser. liblouis does the
translation; its program `lou_translate` is looked up on use.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from common import strict_yaml
from common.clean import printable
from common.sentences import Sentence
from companion.extensions.labels import LabelsError, drawing, fitting
from companion.extensions.labels.drawing import MM
from companion.extensions.labels.fitting import Fonts
from companion.extensions.labels.sheets import PAPERS
from companion.game import teaching
from companion.language import _, current, number_entry
from companion.wording import facts
from engine.table import Table

CHIP = 30.0
"""Diameter of the place for the chip, in millimetres."""

_EDGE = 18.0 * MM  # white around a page
_LEADING = 1.35  # times the letter size


class Print(NamedTuple):
    """The sizes of letters in points."""

    title: float
    name: float
    text: float


LARGE, LARGER = Print(24, 20, 18), Print(30, 26, 24)
"""The two sizes of large print."""


class ReferenceText(NamedTuple):
    number: int
    title: str
    entries: tuple[tuple[str, ...], ...]
    """Each entry: number and name, then a sentence each."""

    def lines(self) -> list[str]:
        return [self.title, *(line for entry in self.entries for line in entry)]


def list_cards(table: Table, own: Mapping[int, Sequence[str]]) -> list[ReferenceText]:
    """The reference cards of that table's game; `own` overrides their cards by number."""
    cards = []
    for number in teaching.NUMBERS:
        ids = tuple(own.get(number, ())) or teaching.list_cards(table, number)
        if ids:
            entries = tuple(_entry(table, place, id_) for place, id_ in enumerate(ids, start=1))
            cards.append(ReferenceText(number, teaching.title(table, number, ids), entries))
    return cards


def _entry(table: Table, place: int, card_id: str) -> tuple[str, ...]:
    first, *others = facts.card_rules(table, card_id)
    return (str(number_entry(place, first)), *others)


def draw(
    cards: Sequence[ReferenceText], paper: str, title: str, *, larger: bool
) -> tuple[bytes, int]:
    """Render the cards, each on a new page; the PDF and its number of pages. Raises LabelsError."""
    chip = _("chip")
    texts = [title, chip, *(line for card in cards for line in (*card.lines(), _continue(card)))]
    page = _Pages(paper, title, LARGER if larger else LARGE, fitting.register_fonts(texts))
    for card in cards:
        page.begin(card)
        page.draw_place_of_chip(chip)
        for entry in card.entries:
            page.add(entry, card)
    return page.finish()


def write_page(cards: Sequence[ReferenceText], title: str) -> str:
    """The cards as one page for a browser: headings, numbered entries and the language, which the
    PDF cannot have. It needs no other file; printed, each card begins a page."""
    environment = Environment(
        loader=FileSystemLoader(os.path.dirname(__file__)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    template = environment.get_template("reference_cards.html")
    texts = [
        (
            card.title,
            [(printable(first), printable(" ".join(rest))) for first, *rest in card.entries],
        )
        for card in cards
    ]
    return template.render(language=current(), title=title, cards=texts)


def _continue(card: ReferenceText) -> str:
    return _("Reference card {number}, continued").format(number=card.number)


class _Pages:
    """Pages filled from top to bottom."""

    def __init__(self, paper: str, title: str, sizes: Print, family: Fonts) -> None:
        self._width, self._height = (side * MM for side in PAPERS[paper])
        self._canvas, self._file = drawing.begin(PAPERS[paper], title)
        self._sizes, self._family = sizes, family
        self._top = 0.0
        self.number = 0

    def begin(self, card: ReferenceText, *, again: bool = False) -> None:
        """Start a page with the card's title; the chip's place beside it takes some of its
        width."""
        if self.number:
            self._canvas.showPage()
        self.number += 1
        self._top = self._height - _EDGE
        beside = 0.0 if again else CHIP * MM + 5 * MM
        self._write(_continue(card) if again else card.title, self._sizes.title, True, beside)
        if not again:
            self._top = min(self._top, self._height - _EDGE - CHIP * MM)
        self._top -= 0.5 * self._sizes.title

    def draw_place_of_chip(self, word: str) -> None:
        """Draw the circle for the chip in the upper right corner."""
        radius = CHIP * MM / 2
        x, y = self._width - _EDGE - radius, self._height - _EDGE - radius
        self._canvas.setLineWidth(1.5)
        self._canvas.circle(x, y, radius)
        size = min(16.0, 0.8 * 2 * radius / max(self._family.measure(word, False), 0.1))
        self._canvas.setFont(self._family.usual, size)
        self._canvas.drawCentredString(x, y - 0.35 * size, word)

    def add(self, entry: Sequence[str], card: ReferenceText) -> None:
        """Add an entry, on the next page if it does not fit whole on this one."""
        if self._top - self._measure(entry) < _EDGE:
            self.begin(card, again=True)
        first, *others = entry
        self._write(first, self._sizes.name, True)
        if others:
            self._write(" ".join(others), self._sizes.text, False)
        self._top -= 0.6 * self._sizes.text

    def finish(self) -> tuple[bytes, int]:
        return drawing.finish(self._canvas, self._file), self.number

    def _measure(self, entry: Sequence[str]) -> float:
        first, *others = entry
        rows = [(first, self._sizes.name, True), (" ".join(others), self._sizes.text, False)]
        return sum(
            len(self._wrap(text, size, bold, 0.0)) * _LEADING * size for text, size, bold in rows
        )

    def _write(self, text: str, size: float, bold: bool, beside: float = 0.0) -> None:
        canvas: Any = self._canvas
        for line in self._wrap(text, size, bold, beside):
            canvas.setFont(self._family.bold if bold else self._family.usual, size)
            canvas.drawString(_EDGE, self._top - size, line)
            self._top -= _LEADING * size

    def _wrap(self, text: str, size: float, bold: bool, beside: float) -> list[str]:
        from reportlab.lib.utils import simpleSplit

        name = self._family.bold if bold else self._family.usual
        wide = self._width - 2 * _EDGE - beside
        return list(simpleSplit(text, name, size, wide)) if text else []


PROGRAM = "lou_translate"
PATIENCE = 60
"""Seconds before `lou_translate` is stopped."""

_FIRST = 0x2800  # the braille cell without dots
_ASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="
_BREAK, _PAGE = "\r\n", "\f"
_LINES = 25  # on a page of braille


def list_tables(language: str) -> dict[int, str]:
    """That language's liblouis tables by grade."""
    path = os.path.join(os.path.dirname(__file__), "braille.yaml")
    by_grade = strict_yaml.read(path).data.get(language, {})
    return {int(grade): table for grade, table in by_grade.items()}


def emboss(
    parts: Iterable[Sequence[str]],
    language: str,
    *,
    grade: int = 1,
    cells: int = 40,
) -> bytes:
    """The parts, each a list of lines, as a BRF file with a blank line between them; a part that
    fits on a page is not split. Raises LabelsError.
    """
    rest = [list(part) for part in parts]
    names = iter(translate([line for part in rest for line in part], language, grade))
    pages: list[list[str]] = [[]]
    for part in rest:
        rows = [row for _line in part for row in wrap(next(names), cells)]
        if pages[-1] and len(pages[-1]) + 1 + len(rows) > _LINES:
            pages.append([])
        elif pages[-1]:
            pages[-1].append("")
        for row in rows:
            if len(pages[-1]) == _LINES:
                pages.append([])
            pages[-1].append(row)
    return _PAGE.join("".join(row + _BREAK for row in page) for page in pages).encode("ascii")


def wrap(text: str, cells: int) -> list[str]:
    """Wrap a line of braille to `cells` cells; continuation rows are indented."""
    line = " ".join(text.split())
    rows = textwrap.wrap(line, cells, subsequent_indent="  ", break_on_hyphens=False)
    return rows or [""]


def translate(texts: Sequence[str], language: str, grade: int) -> list[str]:
    """Translate the texts to ASCII braille. Raises LabelsError if that fails, or if a letter has no
    braille."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise LabelsError(
            Sentence(
                "Braille needs liblouis, which is not installed; on Debian and Ubuntu install "
                "the package liblouis-bin."
            )
        )
    table = list_tables(language).get(grade)
    if table is None:
        raise LabelsError(
            Sentence("There is no grade {grade} braille for this language.", grade=grade)
        )
    letters = sorted({letter for text in texts for letter in text if letter.isalnum()})
    try:
        result = subprocess.run(
            [program, "--forward", f"unicode.dis,{table}"],
            input="".join(f"{text}\n" for text in (*texts, *letters)).encode(),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        result = None
    rows = result.stdout.decode(errors="replace").split("\n") if result is not None else []
    if result is None or result.returncode or len(rows) != len(texts) + len(letters) + 1:
        raise LabelsError(
            Sentence("liblouis could not translate this with its table {table}.", table=table)
        )
    alone = zip(letters, rows[len(texts) : -1], strict=True)
    missing = [letter for letter, row in alone if not _is_known(row)]
    if missing:
        raise LabelsError(
            Sentence(
                "The braille of this language has no sign for {letters}.",
                letters=" ".join(missing[:9]),
            )
        )
    return [_convert_to_ascii(row) for row in rows[: len(texts)]]


def _is_known(row: str) -> bool:
    """Whether the letter is known: for an unknown one, tables give a blank, or its number after a
    cell of more than six dots."""
    cells = [ord(cell) - _FIRST for cell in row]
    return any(cells) and all(0 <= cell < 64 for cell in cells)


def _convert_to_ascii(row: str) -> str:
    """Six-dot cells as ASCII letters; anything else as a blank."""
    cells = (ord(cell) - _FIRST for cell in row)
    return "".join(_ASCII[cell & 63] if 0 <= cell < 256 else " " for cell in cells).rstrip()
