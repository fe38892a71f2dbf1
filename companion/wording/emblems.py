"""One set of pictures for everything that is drawn: an emblem for each character, by id, and a mark
for each type of district. `emblems.svg` has them, each as a symbol of 64 by 64; y points down. A
card with a file of its own has its emblem there.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

from engine import datafiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

SIDE = 64
"""The width and height of an emblem."""

STROKE = 5
"""The width of its lines."""

DESIGN = Path(__file__).with_name("design")
"""The folder of what all pages share: base.css, dark.css, and drawings.html for Jinja."""

_FILE = Path(__file__).with_name("emblems.svg")
_NAMESPACE = "http://www.w3.org/2000/svg"
_PART = re.compile(r"([MLCZ])((?:\s*-?\d+(?:\.\d+)?)*)")
_NUMBERS = {"M": 2, "L": 2, "C": 6, "Z": 0}  # after each command


class Outline(NamedTuple):
    """A path: each command with its numbers, `M x y`, `L x y`, `C x1 y1 x2 y2 x y` or `Z`; filled
    by the even-odd rule, or drawn as a line with round ends."""

    parts: tuple[tuple[str, tuple[float, ...]], ...]
    is_line: bool = False


class Disc(NamedTuple):
    x: float
    y: float
    radius: float


def make_sprite() -> bytes:
    """An SVG file with all of them, for `<use href="…#king">`."""
    return f'<svg xmlns="{_NAMESPACE}">{make_symbols(list_ids())}</svg>'.encode()


def make_symbols(ids: Iterable[str]) -> str:
    """These emblems as SVG symbols, for `<use href="#king">` in a page or picture of its own."""
    symbols = _load_symbols()
    return "".join(
        f'<symbol id="{id_}" viewBox="0 0 {SIDE} {SIDE}">{symbols[id_][0]}</symbol>'
        for id_ in dict.fromkeys(ids)
        if id_ in symbols
    )


def read_colours() -> dict[str, str]:
    """The light colours of all pages by name, as in base.css: `ink`, `noble`."""
    root = (DESIGN / "base.css").read_text(encoding="utf-8").partition("}")[0]
    return dict(re.findall(r"--([\w-]+): (#\w+)", root))


def list_shapes(id_: str) -> tuple[Outline | Disc, ...]:
    """The shapes of one emblem, for drawing elsewhere than in a browser. Raises KeyError."""
    return _load_symbols()[id_][1]


def list_ids() -> list[str]:
    """Whatever has an emblem: the ids of characters and the types of districts."""
    return list(_load_symbols())


@cache
def _load_symbols() -> dict[str, tuple[str, tuple[Outline | Disc, ...]]]:
    """Each symbol's content as SVG and as shapes."""
    text = _FILE.read_text(encoding="utf-8").replace(f' xmlns="{_NAMESPACE}"', "")
    symbols = {symbol.attrib["id"]: symbol for symbol in ElementTree.fromstring(text)}
    for id_, shapes in datafiles.load_of_cards("emblem").items():
        symbols[id_] = ElementTree.fromstring(f"<symbol>{shapes}</symbol>")
    return {
        id_: (
            "".join(ElementTree.tostring(shape, "unicode").strip() for shape in symbol),
            tuple(_read_shape(id_, shape) for shape in symbol),
        )
        for id_, symbol in symbols.items()
    }


def _read_shape(id_: str, element: Element) -> Outline | Disc:
    facts = element.attrib
    if element.tag == "circle":
        return Disc(float(facts["cx"]), float(facts["cy"]), float(facts["r"]))
    path = facts.get("d", "")
    parts = tuple(
        (command, tuple(map(float, numbers.split()))) for command, numbers in _PART.findall(path)
    )
    is_short = any(len(numbers) != _NUMBERS[command] for command, numbers in parts)
    if is_short or not path.startswith("M") or _PART.sub("", path).strip():
        raise ValueError(
            f"the emblem of {id_}: shapes are circles, and paths of M, L, C and Z alone, each "
            f"letter before every point or curve: not {path or element.tag}"
        )
    return Outline(parts, is_line="stroke" in facts)
