"""Sheets of labels: products by name (sheets.yaml), or custom sizes in millimetres; and the labels
of a box's pieces."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from common import strict_yaml
from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.chips import entries
from companion.extensions.labels import LabelsError
from companion.language import _, card, coins, district_type, vocabulary
from companion.language.vocabulary import simplify
from engine import cards

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from companion.chips.box import Box


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
        return self.columns * self.rows

    @property
    def size(self) -> tuple[float, float]:
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
    wanted = simplify(name)
    sheets = [sheet for sheet in list_sold().values() if wanted and wanted in _list_names(sheet)]
    if len(sheets) == 1:
        return sheets[0]
    problem = Sentence("There is no sheet “{name}”.", name=name)
    more = Sentence(
        "Choose one from companion labels, or give the size in millimetres: 40x30, or --round 25."
    )
    raise LabelsError(suggest(problem, find_nearest(name.lower(), list_sold())), more)


def _list_names(sheet: LabelSheet) -> tuple[str, str]:
    """The sheet's names: with its maker, and its number alone."""
    return simplify(sheet.title), simplify(sheet.title.split(" ", 1)[1])


def measure(width: float, height: float, *, round_: bool = False, paper: str = "a4") -> LabelSheet:
    """A sheet with as many labels of that size in millimetres as fit, centred. Raises LabelsError
    for a size out of range."""
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


# -- the label of each piece of a box -------------------------------------------------------------


CROWN, PERSON, ACTION, NUMBER, REFERENCE = "crown", "person", "action", "number", "reference"
"""Signs of all pieces but districts and characters, which have emblems."""


class Label(NamedTuple):
    code: str
    """What its QR code says: the chip's short name, as in `tags.yaml`, or a seat's link."""
    sign: str
    """Drawn: one of those above, or an emblem of `companion.wording.emblems`."""
    kind: str
    """The meaning of the sign in a word or two: a district's type, a character's rank."""
    name: str
    facts: tuple[str, ...] = ()
    """Further facts, the most important first: cost, copy number."""
    note: str = ""

    def lines(self) -> list[str]:
        return [line for line in (self.name, self.kind, ", ".join(self.facts), self.note) if line]

    def shorten(self) -> list[Label]:
        """This label, then shorter ones: without the note, the kind in words, and all but the first
        fact. Its sign, the first fact and the name stay."""
        shorter = [self]
        for less in ({"note": ""}, {"kind": ""} if self.sign else {}, {"facts": self.facts[:1]}):
            if (label := shorter[-1]._replace(**less)) != shorter[-1]:
                shorter.append(label)
        return shorter


def list_labels(box: Box, kinds: Collection[str], players: Sequence[str] = ()) -> list[Label]:
    """A label for each piece of these kinds (`companion.chips.box`; of none, the usual pieces), in
    the order of `companion tags learn`; `players` are the names by seat, as far as known."""
    return [describe_piece(entry, box, players) for entry in box.pieces(kinds)]


def describe_seat(seat: int, player: str, code: str, link: str) -> Label:
    """The label of a seat, counted from 1, in a game with phones: its own code, also as a picture
    of the link."""
    return Label(link, PERSON, _("seat {seat}").format(seat=seat), player, (code,))


def describe_piece(entry: entries.Entry, box: Box, players: Sequence[str] = ()) -> Label:
    code = str(entry)
    match entry:
        case entries.DistrictChip(card=id_, copy=copy):
            facts = cards.districts(box.edition.printing)[id_]
            figures = (
                str(coins(facts.cost)),
                _("{number} of {most}").format(number=copy, most=box.copies[id_]),
            )
            return Label(code, facts.type, district_type(facts.type), card(id_), figures)
        case entries.CharacterChip(card=id_):
            rank = cards.characters()[id_].rank
            return Label(code, id_, _("character {rank}").format(rank=rank), card(id_))
        case entries.PlayerChip(seat=seat):
            place = _("seat {seat}").format(seat=seat)
            if seat <= len(players):
                return Label(code, PERSON, place, players[seat - 1])
            return Label(code, PERSON, _("player"), place)
        case entries.CrownChip():
            return Label(code, CROWN, "", _("Crown"))
        case entries.ReferenceChip(number=number):
            return Label(code, REFERENCE, _("reference card"), str(number))
        case entries.ActionChip(name=name) if name in entries.DIGITS:
            return Label(code, NUMBER, _("number"), name)
        case entries.ActionChip(name=name):
            word = vocabulary.find_name(name)
            return Label(code, ACTION, _("action"), word, note=entries.describe_action(name))
