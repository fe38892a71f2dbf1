"""Renders sheets of labels, and a test page with their outlines, as PDF.

Output is deterministic. Sheets are measured in millimetres from the top left corner, PDF in points
from the bottom left one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from companion import language, terminal
from companion.extensions.labels import LabelsError, fitting
from companion.extensions.labels.fitting import (
    Area,
    Code,
    Fitted,
    Fonts,
    Measure,
    Square,
    TextLine,
    register_fonts,
)
from companion.extensions.labels.sheets import (
    ACTION,
    CROWN,
    NUMBER,
    PERSON,
    REFERENCE,
    Label,
    LabelSheet,
)
from companion.language import _
from companion.wording import emblems

Corners = tuple[tuple[float, float], ...]


class Circle(NamedTuple):
    x: float
    y: float
    radius: float


def _bar(left: float, bottom: float, right: float, top: float) -> Corners:
    return ((left, bottom), (right, bottom), (right, top), (left, top))


OUTLINES: dict[str, tuple[Corners | Circle, ...]] = {
    CROWN: (
        ((0.1, 0.15), (0.9, 0.15), (1.0, 0.8), (0.72, 0.5), (0.5, 0.95), (0.28, 0.5), (0.0, 0.8)),
    ),
    PERSON: (Circle(0.5, 0.76, 0.22), ((0.15, 0.02), (0.85, 0.02), (0.68, 0.52), (0.32, 0.52))),
    ACTION: (((0.15, 0.95), (0.15, 0.05), (0.95, 0.5)),),
    NUMBER: (
        _bar(0.26, 0.05, 0.38, 0.95),
        _bar(0.62, 0.05, 0.74, 0.95),
        _bar(0.08, 0.26, 0.92, 0.38),
        _bar(0.08, 0.62, 0.92, 0.74),
    ),
    REFERENCE: (
        _bar(0.15, 0.0, 0.85, 0.1),
        _bar(0.15, 0.9, 0.85, 1.0),
        _bar(0.15, 0.0, 0.25, 1.0),
        _bar(0.75, 0.0, 0.85, 1.0),
        _bar(0.35, 0.6, 0.65, 0.7),
        _bar(0.35, 0.35, 0.65, 0.45),
    ),
}
"""The outline of each sign but the emblems, with y pointing up, in a square of 1 by 1."""

MM = 72 / 25.4
_MARGIN = 1.2 * MM  # keeps letters whole if the printer is slightly off
_DOT = 72 / 300  # of a printer; modules are whole dots, for sharp edges
_MODULES = (6 * _DOT, 5 * _DOT, 4 * _DOT)  # 0.5 to 0.34 millimetres: smaller ones scan badly
_VERSION, _LONGEST = 2, 32  # of QR codes: 25 modules each way hold 32 letters


class Printing(NamedTuple):
    sheet: LabelSheet
    offset: tuple[float, float] = (0.0, 0.0)
    """Printer correction in millimetres, to the right and down."""
    start: int = 1
    """The first free label on the first sheet, from 1."""
    large: bool = False
    with_codes: bool = False
    outlines: bool = False
    """Draw the labels' edges for cutting."""


def draw_labels(labels: Sequence[Label], printing: Printing, title: str) -> tuple[bytes, int]:
    """Render the labels from the first free one on; returns the PDF and its number of pages. Raises
    LabelsError if a text does not fit its label."""
    family = register_fonts([title, *(line for label in labels for line in label.lines())])
    measure = cache(family.measure)
    fits = _fit_all(labels, printing, measure)
    canvas, file = begin(printing.sheet.size, title)
    pages = 0
    for (page, place), (label, lines) in zip(
        _list_places(printing, len(labels)), zip(labels, fits, strict=True), strict=True
    ):
        while pages < page:
            if pages:
                canvas.showPage()
            pages += 1
        _draw_label(canvas, printing, place, label, lines, family)
    return finish(canvas, file), pages


def draw_test_page(printing: Printing, title: str) -> bytes:
    """Render the outline, middle and number of every label on the sheet."""
    sheet = printing.sheet
    family = register_fonts([title, "0123456789"])
    canvas, file = begin(sheet.size, title)
    canvas.setLineWidth(0.3)
    size = min(sheet.height * MM / 4, 9)
    for number, place in enumerate(sheet.places(), start=1):
        x, y = _middle(printing, place)
        _draw_outline(canvas, sheet, x, y)
        canvas.line(x - 2 * MM, y, x + 2 * MM, y)
        canvas.line(x, y - 2 * MM, x, y + 2 * MM)
        canvas.setFont(family.usual, size)
        canvas.drawString(x + MM, y + MM, str(number))
    return finish(canvas, file)


def begin(size: tuple[float, float], title: str) -> tuple[Any, io.BytesIO]:
    """A new PDF in the current language, with pages of that size in millimetres, and its buffer."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    page = (size[0] * MM, size[1] * MM)
    canvas = Canvas(file, pagesize=page, invariant=1, lang=language.current())
    canvas.setTitle(title)
    canvas.setCreator("Citadels Companion")
    return canvas, file


def finish(canvas: Any, file: io.BytesIO) -> bytes:
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _list_places(printing: Printing, number: int) -> Iterator[tuple[int, tuple[float, float]]]:
    """The page, from 1, and place of each of `number` labels."""
    places = list(printing.sheet.places())
    for count in range(printing.start - 1, printing.start - 1 + number):
        yield 1 + count // len(places), places[count % len(places)]


def _fit_all(labels: Sequence[Label], printing: Printing, measure: Measure) -> list[Fitted]:
    """Lay out every label. Raises LabelsError for the first that does not fit, with the size at
    which all do."""
    fits = []
    for label in labels:
        layout = _try_to_fit(label, printing, measure)
        if layout is None:
            raise LabelsError(_make_size_error(label, labels, printing, measure))
        fits.append(layout)
    return fits


def _try_to_fit(label: Label, printing: Printing, measure: Measure) -> Fitted | None:
    sheet = printing.sheet
    area = Area(sheet.width * MM - 2 * _MARGIN, sheet.height * MM - 2 * _MARGIN, round=sheet.round)
    sizes = fitting.LARGE if printing.large else fitting.USUAL
    modules = len(_modules(label.code)) if printing.with_codes else 0
    codes = [Code(modules * module, terminal.QUIET * module) for module in _MODULES if modules]
    return fitting.fit(label, area, sizes, measure, codes)


def _make_size_error(
    label: Label, labels: Sequence[Label], printing: Printing, measure: Measure
) -> str:
    least = next(
        sheet
        for sheet in printing.sheet.grow()
        if all(_try_to_fit(each, printing._replace(sheet=sheet), measure) for each in labels)
    )
    sentence = _("A label of {size} mm is too small for “{name}”; from {least} mm on all fit.")
    return sentence.format(size=printing.sheet.measures, name=label.name, least=least.measures)


def _middle(printing: Printing, place: tuple[float, float]) -> tuple[float, float]:
    """The middle of a label, in points from the bottom left corner of the page."""
    sheet = printing.sheet
    x = place[0] + sheet.width / 2 + printing.offset[0]
    y = place[1] + sheet.height / 2 + printing.offset[1]
    return x * MM, (sheet.size[1] - y) * MM


def _draw_label(
    canvas: Any,
    printing: Printing,
    place: tuple[float, float],
    label: Label,
    fit: Fitted,
    family: Fonts,
) -> None:
    x, y = _middle(printing, place)
    if printing.outlines:
        canvas.setLineWidth(0.2)
        _draw_outline(canvas, printing.sheet, x, y)
    for line in fit.lines:
        draw_line(canvas, x, y, line, family)
    if fit.code is not None:
        _draw_code(canvas, x, y, _modules(label.code), fit.code)


def draw_line(canvas: Any, x: float, y: float, line: TextLine, family: Fonts) -> None:
    wide = family.measure(line.text, line.bold) * line.size
    before = 0.0
    if line.sign:
        before = line.size * (1.15 if line.text else 0.9)
        side = line.size * 0.9
        corner = x + line.middle - (wide + before) / 2, y + line.foot - 0.1 * line.size
        _draw_sign(canvas, corner, side, line.sign)
    if line.text:
        canvas.setFont(family.bold if line.bold else family.usual, line.size)
        left = x + line.middle - (wide + before) / 2 + before
        canvas.drawString(left, y + line.foot, line.text)


def _draw_sign(canvas: Any, corner: tuple[float, float], side: float, sign: str) -> None:
    if sign not in OUTLINES:
        _draw_emblem(canvas, corner, side, sign)
        return
    path = canvas.beginPath()
    for part in OUTLINES[sign]:
        if isinstance(part, Circle):
            path.circle(corner[0] + part.x * side, corner[1] + part.y * side, part.radius * side)
            continue
        first, *others = [(corner[0] + x * side, corner[1] + y * side) for x, y in part]
        path.moveTo(*first)
        for point in others:
            path.lineTo(*point)
        path.close()
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)


def _draw_emblem(canvas: Any, corner: tuple[float, float], side: float, id_: str) -> None:
    canvas.saveState()
    scale = side / emblems.SIDE
    canvas.translate(corner[0], corner[1] + side)
    canvas.scale(scale, -scale)
    canvas.setLineWidth(emblems.STROKE)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for shape in emblems.list_shapes(id_):
        if isinstance(shape, emblems.Disc):
            canvas.circle(*shape, stroke=0, fill=1)
            continue
        path = canvas.beginPath()
        commands = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for command, numbers in shape.parts:
            commands[command](*numbers)
        canvas.drawPath(path, stroke=int(shape.is_line), fill=int(not shape.is_line), fillMode=0)
    canvas.restoreState()


def _draw_outline(canvas: Any, sheet: LabelSheet, x: float, y: float) -> None:
    width, height = sheet.width * MM, sheet.height * MM
    if sheet.round:
        canvas.ellipse(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    else:
        canvas.roundRect(x - width / 2, y - height / 2, width, height, sheet.corner * MM)


@cache
def _modules(code: str) -> tuple[bytes, ...]:
    """The QR code of a chip's short name: rows of modules."""
    return terminal.list_rows(code, _VERSION if len(code) <= _LONGEST else None)


def _draw_code(canvas: Any, x: float, y: float, rows: Iterable[bytes], square: Square) -> None:
    """Draw the code, dark on the label's white."""
    rows = list(rows)
    side = square.side / len(rows)
    left = _snap(x + square.middle - square.side / 2)
    top = _snap(y + square.height + square.side / 2)
    path = canvas.beginPath()
    for number, row in enumerate(rows, start=1):
        for start, end in _runs(row):
            path.rect(left + start * side, top - number * side, (end - start) * side, side)
    canvas.drawPath(path, stroke=0, fill=1)


def _snap(length: float) -> float:
    """Round to whole printer dots."""
    return round(length / _DOT) * _DOT


def _runs(row: bytes) -> Iterator[tuple[int, int]]:
    """The start and end of each run of dark modules."""
    start = None
    for place, dark in enumerate((*row, 0)):
        if dark and start is None:
            start = place
        elif not dark and start is not None:
            yield start, place
            start = None
