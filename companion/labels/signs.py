"""The signs on labels as outlines, so that they need no font.

Each fits a unit square whose origin is the bottom left corner; a list of corners is a filled
polygon, a `Disc` a filled circle.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.labels.pieces import ACTION, CROWN, NUMBER, PERSON, REFERENCE
from companion.wording.signs import SHAPES

Corners = tuple[tuple[float, float], ...]


class Disc(NamedTuple):
    """A filled circle."""

    x: float
    y: float
    radius: float


def _star() -> Corners:
    """A five-pointed star, one point up."""
    corners = []
    for number in range(10):
        radius = 0.2 if number % 2 else 0.5
        angle = math.pi / 2 + number * math.pi / 5
        corners.append((0.5 + radius * math.cos(angle), 0.47 + radius * math.sin(angle)))
    return tuple(corners)


def _bar(left: float, bottom: float, right: float, top: float) -> Corners:
    return ((left, bottom), (right, bottom), (right, top), (left, top))


OUTLINES: dict[str, tuple[Corners | Disc, ...]] = {
    SHAPES["noble"]: (((0.5, 1.0), (0.85, 0.5), (0.5, 0.0), (0.15, 0.5)),),
    SHAPES["religious"]: (_bar(0.42, 0.0, 0.58, 1.0), _bar(0.2, 0.6, 0.8, 0.76)),
    SHAPES["trade"]: (Disc(0.5, 0.5, 0.42),),
    SHAPES["military"]: (((0.5, 0.95), (0.95, 0.08), (0.05, 0.08)),),
    SHAPES["unique"]: (_star(),),
    CROWN: (
        ((0.1, 0.15), (0.9, 0.15), (1.0, 0.8), (0.72, 0.5), (0.5, 0.95), (0.28, 0.5), (0.0, 0.8)),
    ),
    PERSON: (Disc(0.5, 0.76, 0.22), ((0.15, 0.02), (0.85, 0.02), (0.68, 0.52), (0.32, 0.52))),
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
"""The outline of each sign."""
