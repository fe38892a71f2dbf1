"""The emblems: each character and type of district has one of its own, drawable everywhere."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from companion.wording import emblems
from engine import cards, datafiles
from engine.cards import DISTRICT_TYPES


def test_each_character_and_type_has_an_emblem_of_its_own() -> None:
    differing = set(emblems.list_ids()) ^ {*cards.characters(), *DISTRICT_TYPES}
    assert not differing, f"companion/wording/emblems.svg, or a card's own file: {differing}"
    assert len({emblems.list_shapes(id_) for id_ in emblems.list_ids()}) == len(emblems.list_ids())


@pytest.mark.parametrize("id_", emblems.list_ids())
def test_an_emblem_stays_in_its_square(id_: str) -> None:
    for shape in emblems.list_shapes(id_):
        if isinstance(shape, emblems.Disc):
            edges = [shape.x - shape.radius, shape.x + shape.radius]
            edges += [shape.y - shape.radius, shape.y + shape.radius]
        else:
            edges = [number for _command, numbers in shape.parts for number in numbers]
        assert min(edges) >= 0
        assert max(edges) <= emblems.SIDE


@pytest.mark.parametrize(
    "shape",
    [
        '<path d="M8 24 H56 L8 52 Z"/>',
        '<path d="M8 24 56 24 Z"/>',
        '<path d="L8 24 Z"/>',
        "<rect/>",
    ],
)
def test_a_shape_that_the_labels_cannot_draw_is_refused(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datafiles, "load_of_cards", lambda part: {"smuggler": shape})
    with pytest.raises(ValueError, match=r"smuggler.* M, L, C and Z"):
        emblems._load_symbols.__wrapped__()


@pytest.mark.parametrize("id_", emblems.list_ids())
def test_an_emblem_is_filled_as_its_page_says_or_drawn_in_that_colour(id_: str) -> None:
    looks = [
        {name: value for name, value in part.attrib.items() if name in ("fill", "stroke", "class")}
        for part in ElementTree.fromstring(emblems.make_symbols([id_]))
    ]
    assert all(look in ({}, {"fill": "none", "stroke": "currentColor"}) for look in looks)
