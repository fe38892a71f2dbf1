"""The card to share: a picture of a finished game in portrait, with its winner, cities and scores,
and the same as at most six lines of text for a chat.

The picture is SVG, of which a browser makes a PNG. Text is fitted by an estimate of its width,
as SVG has no line breaks and every program its own letters.
"""

from __future__ import annotations

import os
import textwrap
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from common import own_files
from common.clean import printable
from companion.extensions.looking_back import recap
from companion.language import end_sentence
from companion.wording import emblems, facts
from engine import cards, scoring

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.extensions.looking_back.recap import Recap

WIDTH, HEIGHT, MARGIN = 1080, 1350, 60
"""The picture's size, as large as social networks show in portrait, and its margin; in pixels."""

MOST_LINES = 6
"""Lines of the text."""


class RoundedBox(NamedTuple):
    """A rectangle with round corners; colours by their names in base.css."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""


class Block(NamedTuple):
    """A district in a skyline: the lower left corner, the size, the type."""

    x: float
    y: float
    width: float
    height: float
    type: str


class CardLine(NamedTuple):
    """A line of text at its base line."""

    text: str
    x: float
    y: float
    size: float
    anchor: str = "start"
    fill: str = "ink"
    is_bold: bool = False


def tell(look: Recap) -> list[str]:
    lines = [end_sentence(recap.tell_outcome(look)), _tell_ranking(look), recap.tell_frame(look)]
    lines += recap.tell_city(look, scoring.standing(look.table).ranking[0])
    return [*lines, *(point.text for point in look.story)][:MOST_LINES]


def _tell_ranking(look: Recap) -> str:
    standing = scoring.standing(look.table)
    return ", ".join(
        f"{standing.places[seat]}. {look.course.players[seat]} {standing.scores[seat].total}"
        for seat in standing.ranking
    )


def draw(look: Recap) -> str:
    title = recap.tell_outcome(look)
    drawing = _Drawing(look)
    return load_template("card.svg").render(
        width=WIDTH,
        height=HEIGHT,
        title=title,
        desc=" ".join(tell(look)),
        colours=emblems.read_colours(),
        symbols=Markup(emblems.make_symbols(cards.DISTRICT_TYPES)),
        boxes=drawing.boxes,
        blocks=drawing.blocks,
        texts=drawing.texts,
    )


def save(look: Recap, folder: str) -> str:
    """Save the card in that folder; returns its path. Raises OSError."""
    path = os.path.join(folder, f"citadels-{look.name or 'game'}.svg")
    own_files.replace(path, draw(look))
    return path


@cache
def load_template(name: str) -> Template:
    """A template of the recap's, which escapes everything, and shows what is invisible."""
    environment = Environment(
        loader=FileSystemLoader([Path(__file__).parent, emblems.DESIGN]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.globals["emblems_at"] = ""  # in the page itself
    return environment.get_template(name)


_INNER = WIDTH - 2 * MARGIN
_HEADING, _SMALL, _STORY, _ROW = 92, 32, 34, 44  # sizes of letters
_MOST_ROW, _LEAST_ROW = 120, 54  # height of a player's row
_GAP = 24
_COST = 6  # the tallest district of a skyline


class _Drawing:
    """Places everything from top to bottom; what is left goes to the winner's city."""

    def __init__(self, look: Recap) -> None:
        self.boxes: list[RoundedBox] = []
        self.blocks: list[Block] = []
        self.texts: list[CardLine] = []
        self._look = look
        self._standing = scoring.standing(look.table)
        first, *others = self._standing.ranking
        top = self._place_heading()
        bottom = self._place_story()
        row = min(_MOST_ROW, max(_LEAST_ROW, (bottom - top) * 0.55 / max(1, len(others))))
        rows = bottom - row * len(others)
        self._place_winner(first, top, rows - _GAP)
        for number, seat in enumerate(others):
            self._place_row(seat, rows + number * row, row)

    def _place_heading(self) -> float:
        """The frame of the game and the outcome; returns where they end."""
        middle = WIDTH / 2
        frame = recap.tell_frame(self._look)
        size = _fit(frame, _SMALL, _INNER)
        self.texts.append(CardLine(frame, middle, MARGIN + size, size, "middle", "muted"))
        size, lines = _wrap(recap.tell_outcome(self._look), _HEADING, _INNER)
        y = MARGIN + 40.0
        for line in lines:
            y += size * 1.15
            self.texts.append(CardLine(line, middle, round(y), size, "middle", is_bold=True))
        return y + size * 0.4

    def _place_story(self) -> float:
        """The first sentences of the story at the bottom; returns where they begin."""
        names = [point.text for point in self._look.story[:2]]
        lines = [
            line for text in names for line in textwrap.wrap(text, int(_INNER / _STORY / _LETTER))
        ][:5]
        top = HEIGHT - MARGIN - len(lines) * _STORY * 1.3
        for number, line in enumerate(lines):
            y = round(top + _STORY * (1 + 1.3 * number))
            self.texts.append(CardLine(line, MARGIN, y, _STORY))
        return top - _GAP

    def _place_winner(self, seat: int, top: float, bottom: float) -> None:
        """The winner's panel, with the city as wide as it."""
        name, total = self._look.course.players[seat], self._standing.scores[seat].total
        height = bottom - top
        self.boxes.append(RoundedBox(MARGIN, top, _INNER, height, "mine", "mine-line"))
        points = str(facts.points(total))
        size = _fit(f"1. {name}  {points}", 52, (_INNER - 80) / _BOLD)
        self.texts.append(CardLine(f"1. {name}", MARGIN + 40, top + 75, size, is_bold=True))
        right = WIDTH - MARGIN - 40
        self.texts.append(CardLine(points, right, top + 75, size, "end", is_bold=True))
        area = (MARGIN + 40, bottom - 30, _INNER - 80, height - 140)
        self.blocks += _list_blocks(self._look, seat, *area, widest=120, is_centred=True)

    def _place_row(self, seat: int, top: float, height: float) -> None:
        place, total = self._standing.places[seat], self._standing.scores[seat].total
        name = f"{place}. {self._look.course.players[seat]}"
        self.boxes.append(RoundedBox(MARGIN, top, _INNER, height - 8, "paper"))
        y = round(top + height / 2 + 10)
        self.texts.append(CardLine(name, MARGIN + 24, y, _fit(name, _ROW, 300)))
        right = WIDTH - MARGIN - 24
        self.texts.append(CardLine(str(total), right, y, _ROW, "end", is_bold=True))
        area = (MARGIN + 350, top + height - 14, _INNER - 470, height - 24)
        self.blocks += _list_blocks(self._look, seat, *area, widest=52, is_centred=False)


def _list_blocks(
    look: Recap,
    seat: int,
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    widest: float,
    is_centred: bool,
) -> Iterator[Block]:
    """The skyline of that player's city in a rectangle, from its lower left corner."""
    city = facts.describe_city(look.table, seat)
    if not city:
        return
    step = min(widest, width / len(city))
    left = x + (width - step * len(city)) / 2 if is_centred else x
    for number, district in enumerate(city):
        share = 0.4 + 0.6 * min(district.cost, _COST) / _COST
        yield Block(
            round(left + number * step, 1),
            round(y, 1),
            round(step * 0.94, 1),
            round(max(height * share, step * 0.8), 1),
            district.type,
        )


_LETTER, _BOLD = 0.56, 1.15  # the mean width of a letter, of its height, and how much wider in bold


def _measure(text: str) -> float:
    """The estimated width of the text, of its height."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return (len(text) + wide) * _LETTER


def _fit(text: str, size: float, width: float) -> float:
    """The size at which the text fits into that width, at most the given one."""
    return round(min(size, width / max(_measure(text), 1)), 1)


def _wrap(text: str, size: float, width: float) -> tuple[float, Sequence[str]]:
    """The text in one line, or in two if that would be too small, and the size at which it fits."""
    width /= _BOLD
    one = _fit(text, size, width)
    if one >= size * 0.7:
        return one, (text,)
    lines = textwrap.wrap(text, len(text) // 2 + 6)[:2]
    return min(_fit(line, size, width) for line in lines), lines
