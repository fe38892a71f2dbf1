"""The charts of a recap: a line per player over the rounds, with the deeds below, as SVG for the
width of a phone.

Colour never carries the meaning alone: lines differ by dashes and markers, which the legend above
shows beside the names, deeds have signs. Colours are classes, which the page's styles define for
light, dark and paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from common.clean import printable
from companion.extensions.looking_back.timeline import DESTROY, KILL, ROB, TAKE

WIDTH, LEFT, RIGHT, TOP, HEIGHT = 400, 30, 8, 14, 220
"""Width, margins, and height of the plot; units of the viewBox."""

LANE, NUMBERS = 42, 24
"""Height of a row of deeds with its word above it, and of the rounds' numbers."""

LETTER = 13  # the height of text
MOST_NUMBERS = 20  # rounds that can all be numbered

DASHES = ("", "7 3", "2 3", "10 3 2 3", "5 5", "12 4", "3 2 3 6", "1 5")
SHAPES = (
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",  # circle
    "M-3.5-3.5H3.5V3.5H-3.5Z",  # square
    "M0-5L4.5 3.5H-4.5Z",  # triangle
    "M0-5L5 0L0 5L-5 0Z",  # diamond
    "M0 5L4.5-3.5H-4.5Z",  # inverted triangle
    "M-4-4L4 4M-4 4L4-4",  # cross
    "M0-5V5M-5 0H5",  # plus
    "M-2.5-5H2.5L5 0L2.5 5H-2.5L-5 0Z",  # hexagon
)
"""Markers of the first to the eighth seat: paths around the marked point."""


class Curve(NamedTuple):
    """A player's numbers; None where there is none yet."""

    name: str
    values: tuple[int | None, ...]


class Spot(NamedTuple):
    place: int
    text: str


class Lane(NamedTuple):
    word: str
    sign: str  # a path, as in SHAPES
    spots: tuple[Spot, ...]


SIGNS = {
    KILL: SHAPES[5],
    ROB: SHAPES[0],
    DESTROY: SHAPES[2],
    TAKE: SHAPES[3],
}
"""The sign of each kind of deed."""


class LegendEntry(NamedTuple):
    """A player in the legend: a piece of the line, and the name with the last number."""

    line: Markup
    name: str
    last: int | None


class Chart(NamedTuple):
    """What is drawn in a viewBox, and the legend above it."""

    width: int
    height: int
    letter: int
    drawing: Markup
    legend: tuple[LegendEntry, ...]


def measure(rounds: Sequence[int], lines: Sequence[Curve], lanes: Sequence[Lane]) -> Chart:
    """The chart of these rounds, with a line per player and a row of deeds per lane."""
    below = TOP + HEIGHT + NUMBERS
    scale = _Scale(len(rounds), max((n for line in lines for n in line.values if n), default=1))
    groups = [
        _grid(scale, rounds),
        *(_line(scale, seat, line) for seat, line in enumerate(lines)),
        *(_lane(scale, below + LANE * (row + 0.5), lane) for row, lane in enumerate(lanes)),
    ]
    legend = tuple(_explain(seat, line) for seat, line in enumerate(lines))
    height = below + LANE * len(lanes)
    return Chart(WIDTH, height, LETTER, Markup("\n").join(groups), legend)


class _Scale:
    def __init__(self, rounds: int, most: int) -> None:
        self.rounds = rounds
        self.step = next(s for s in _steps() if s * 6 >= most)
        self.top = -(-most // self.step) * self.step

    def x(self, place: int) -> float:
        """The middle of the column of the round with that index."""
        return round(LEFT + (place + 0.5) * (WIDTH - LEFT - RIGHT) / self.rounds, 1)

    def y(self, number: int) -> float:
        return round(TOP + HEIGHT - number * HEIGHT / self.top, 1)


def _steps() -> Sequence[int]:
    return [factor * 10**power for power in range(7) for factor in (1, 2, 5)]


def _text(text: object, x: float, y: float, anchor: str = "start") -> Markup:
    base = round(y + LETTER * 0.35, 1)  # y is the middle of the letters
    element = Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>')
    return element.format(x, base, anchor, printable(str(text)))


def _path(kind: str, d: str, more: str = "", title: str = "") -> Markup:
    """A path of that class, with `more` attributes; the title is shown under the pointer."""
    named = Markup("<title>{}</title>").format(printable(title)) if title else ""
    return Markup('<path class="{}" d="{}"{}>{}</path>').format(kind, d, more, named)


def _group(kind: str, parts: Iterable[Markup]) -> Markup:
    return Markup('<g class="{}">{}</g>').format(kind, Markup("").join(parts))


def _rule(y: float) -> Markup:
    return _path("rule", f"M{LEFT} {y}H{WIDTH - RIGHT}")


def _way(seat: int, d: str) -> Markup:
    dashes = DASHES[seat % len(DASHES)]
    return _path("way", d, Markup(' stroke-dasharray="{}"').format(dashes) if dashes else "")


def _sign(shape: str, x: float, y: float, title: str = "") -> Markup:
    return _path("sign", shape, Markup(' transform="translate({} {})"').format(x, y), title)


def _grid(scale: _Scale, rounds: Sequence[int]) -> Markup:
    parts: list[Markup] = []
    for number in range(0, scale.top + 1, scale.step):
        y = scale.y(number)
        parts += _rule(y), _text(number, LEFT - 8, y, "end")
    every = -(-len(rounds) // MOST_NUMBERS)
    for place, number in enumerate(rounds):
        if place % every == 0:
            parts.append(_text(number, scale.x(place), TOP + HEIGHT + NUMBERS * 0.6, "middle"))
    return _group("grid", parts)


def _line(scale: _Scale, seat: int, line: Curve) -> Markup:
    points = [(scale.x(at), scale.y(n)) for at, n in enumerate(line.values) if n is not None]
    ways = [_way(seat, "M" + "L".join(f"{x} {y}" for x, y in points))] if points else []
    return _of_seat(seat, *ways, *(_sign(SHAPES[seat % len(SHAPES)], x, y) for x, y in points))


def _of_seat(seat: int, *parts: Markup) -> Markup:
    return _group(f"line p{seat % len(SHAPES)}", parts)


SAMPLE = 36
"""Width of a line in the legend; it is 12 high."""


def _explain(seat: int, line: Curve) -> LegendEntry:
    sign = _sign(SHAPES[seat % len(SHAPES)], SAMPLE / 2, 6)
    last = next((number for number in reversed(line.values) if number is not None), None)
    return LegendEntry(_of_seat(seat, _way(seat, f"M0 6H{SAMPLE}"), sign), line.name, last)


def _lane(scale: _Scale, y: float, lane: Lane) -> Markup:
    parts = [_rule(y + LANE / 4), _text(lane.word, LEFT, y - LANE / 4)]
    for place in dict.fromkeys(spot.place for spot in lane.spots):
        here = [spot.text for spot in lane.spots if spot.place == place]
        parts.append(_sign(lane.sign, scale.x(place), y + LANE / 4, "\n".join(here)))
        if len(here) > 1:
            parts.append(_text(len(here), scale.x(place) + 6, y + LANE / 4 - 8))
    return _group("lane", parts)
