"""Sheets of labels: products by name (sheets.yaml), or custom sizes in millimetres."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from common import strict_yaml
from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.labels import LabelsError
from companion.language.vocabulary import simplify

if TYPE_CHECKING:
    from collections.abc import Iterator

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the paper in millimetres."""

LEAST, MOST = 10.0, 200.0  # millimetres of a label
_MARGIN = 8.0  # millimetres at the paper's edge that many printers cannot print
_GAP = 2.0  # millimetres between labels that are cut out
_NUMBER = r"(\d{1,6}(?:[.,]\d{1,6})?)"
_SIZE = re.compile(rf"{_NUMBER}\s*[x×*]\s*{_NUMBER}", re.IGNORECASE)


class LabelSheet(NamedTuple):
    """A sheet of equal labels; in millimetres from the paper's top left corner."""

    name: str
    title: str
    paper: str
    round: bool
    width: float
    height: float
    columns: int
    rows: int
    first: tuple[float, float]
    """The left and top edge of the first label."""
    step: tuple[float, float]
    """The distance between labels, across and down."""
    corner: float = 0.0
    source: str = ""

    @property
    def labels(self) -> int:
        """The number of labels on it."""
        return self.columns * self.rows

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper."""
        return PAPERS[self.paper]

    @property
    def measures(self) -> str:
        """A label's diameter, or its width and height, in millimetres, for people."""
        return f"{self.width:g}" if self.round else f"{self.width:g} × {self.height:g}"

    def grow(self) -> Iterator[LabelSheet]:
        """The same with larger and larger labels, a millimetre wider each."""
        for width in range(int(self.width) + 1, int(3 * MOST)):
            yield self._replace(width=width, height=round(self.height * width / self.width))

    def places(self) -> Iterator[tuple[float, float]]:
        """The left and top edge of each label, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.first[0] + column * self.step[0], self.first[1] + row * self.step[1]


@cache
def list_sold() -> dict[str, LabelSheet]:
    """The products by name."""
    data = strict_yaml.read(os.path.join(os.path.dirname(__file__), "sheets.yaml")).data
    return {name: _read(name, facts) for name, facts in data.items()}


def find(name: str, paper: str = "a4") -> LabelSheet:
    """The sheet called `name` (or its number alone: `L7160`), or one with labels of `WIDTHxHEIGHT`
    millimetres on that paper. Raises LabelsError.
    """
    match = _SIZE.fullmatch(name.strip())
    if match is not None:
        width, height = (float(side.replace(",", ".")) for side in match.groups())
        return measure(width, height, paper=paper)
    target = simplify(name)
    sheets = [sheet for sheet in list_sold().values() if target and target in _list_names(sheet)]
    if len(sheets) == 1:
        return sheets[0]
    problem = Sentence("There is no sheet “{name}”.", name=name)
    more = Sentence(
        "Choose one from companion labels --list, or give the size in "
        "millimetres: 40x30, or --round 25."
    )
    raise LabelsError(suggest(problem, find_nearest(name.lower(), list_sold())), more)


def _list_names(sheet: LabelSheet) -> tuple[str, str]:
    """The sheet's names: with its maker, and its number alone."""
    return simplify(sheet.title), simplify(sheet.title.split(" ", 1)[1])


def measure(width: float, height: float, *, round_: bool = False, paper: str = "a4") -> LabelSheet:
    """A sheet with as many labels of that size in millimetres as fit, centred.

    Raises LabelsError for a size out of range.
    """
    across = down = 0
    if all(LEAST <= side <= MOST for side in (width, height)):
        across, down = (
            int((whole - 2 * _MARGIN + _GAP) // (side + _GAP))
            for whole, side in zip(PAPERS[paper], (width, height), strict=True)
        )
    if not across or not down:
        raise LabelsError(
            Sentence(
                "A label measures {least} to {most} mm each way and fits on the paper; "
                "this would be {width} × {height} mm.",
                least=f"{LEAST:g}",
                most=f"{MOST:g}",
                width=f"{width:g}",
                height=f"{height:g}",
            )
        )
    left, top = (
        (whole - many * side - (many - 1) * _GAP) / 2
        for whole, many, side in zip(PAPERS[paper], (across, down), (width, height), strict=True)
    )
    name = f"{width:g}" if round_ else f"{width:g}x{height:g}"
    step = (width + _GAP, height + _GAP)
    return LabelSheet(name, name, paper, round_, width, height, across, down, (left, top), step)


def _read(name: str, facts: dict[str, Any]) -> LabelSheet:
    size = facts["size"]
    width, height = size if isinstance(size, list) else (size, size)
    return LabelSheet(
        name,
        facts["title"],
        facts["paper"],
        facts["shape"] == "round",
        float(width),
        float(height),
        facts["columns"],
        facts["rows"],
        (float(facts["first"][0]), float(facts["first"][1])),
        (float(facts["step"][0]), float(facts["step"][1])),
        float(facts.get("corner", 0)),
        facts["source"],
    )
