"""The unique districts and casts of each box."""

from __future__ import annotations

import random

import pytest

from engine import casts, record
from engine.editions import editions, printed_casts
from tests.engine import boxes
from tests.engine.big_boxes import cast_with
from tests.engine.boxes import EDITIONS, NAMES, random_setup
from tests.engine.setups import problems

# -- unique districts ---------------------------------------------------------------------------


def test_deluxe_plays_exactly_fourteen_unique_districts() -> None:
    uniques = boxes.uniques("deluxe_2016")
    assert len(uniques) == boxes.count("deluxe_2016").unique
    assert problems(edition="deluxe_2016", districts=uniques[:14]) == []
    for number in (0, 13, 15):
        assert problems(edition="deluxe_2016", districts=uniques[:number]) == [
            f"Citadels (2016) plays exactly 14 unique districts, not {number}"
        ]
    rules = record.read_setup({"edition": "deluxe_2016", "players": list(NAMES[:4])}).ruleset()
    assert rules.deck_size == 54 + 14
    assert set(rules.uniques) == set(printed_casts()["first_game"].districts)


def test_other_boxes_play_any_of_their_unique_districts() -> None:
    assert problems(edition="ffg_2005", districts=[]) == []
    assert problems(edition="ffg_2005", districts=["keep", "hospital"]) == []
    assert problems(edition="classic_2016", districts=["hospital"]) != []
    assert problems(edition="deluxe_2016", districts=["graveyard"] * 14) != []


def test_what_is_taken_out_with_a_character_in_millennium() -> None:
    for character, district in (("witch", "hospital"), ("diplomat", "graveyard")):
        head = {"edition": "millennium_3e", "characters": cast_with(character)}
        rules = record.read_setup({"players": list(NAMES[:4]), **head}).ruleset()
        assert district not in rules.districts
        assert len(rules.uniques) == 24
        assert problems(**head, districts=[district]) == [
            f"“{district}” is taken out with this cast (Millennium)"
        ]
        older = {**head, "edition": "ffg_2005"}
        assert (
            district in record.read_setup({"players": list(NAMES[:4]), **older}).ruleset().uniques
        )


# -- casts that are printed, and random ones ----------------------------------------------------


def test_the_seven_printed_casts_play_where_their_characters_may() -> None:
    assert len(printed_casts()) == 7
    for name, cast in printed_casts().items():
        head = {"characters": list(cast.characters), "districts": list(cast.districts)}
        ninth = cast.characters[-1] if len(cast.characters) == 9 else None
        for size in range(2, 9):
            needs_five = ninth == "queen"
            legal = size >= 3 if ninth else size not in (3, 8)
            legal = legal and not (needs_five and size < 5)
            legal = legal and not ("emperor" in cast.characters and size == 2)
            found = problems(edition="deluxe_2016", size=size, **head)
            assert (found == []) == legal, (name, size, found)


@pytest.mark.parametrize(
    ("name", "size", "substitutes"),
    [
        ("ambitious_aristocrats", 3, ["artist", "tax_collector"]),
        ("devious_dignitaries", 4, ["artist", "tax_collector"]),
        ("cunning_agents", 2, ["king", "patrician"]),
        ("illustrious_emissaries", 2, ["king", "patrician"]),
        ("devious_dignitaries", 5, []),
        ("devious_dignitaries", 2, []),  # rank 9 is not played
        ("cunning_agents", 4, []),
    ],
)
def test_who_plays_for_a_printed_character_that_may_not(
    name: str, size: int, substitutes: list[str]
) -> None:
    edition, cast = editions()["deluxe_2016"], printed_casts()[name]
    ways = casts.list_ways(edition, cast, size)
    assert list(ways) == [f"{name}_with_{id_}" for id_ in substitutes] or [name]
    for place, way in enumerate(ways.values()):
        instead = set(way.characters) - set(cast.characters)
        assert instead == set(substitutes[place : place + 1])
        head = {"characters": list(way.characters), "districts": list(cast.districts)}
        assert problems(edition="deluxe_2016", size=size, **head) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_set_ups_are_legal(edition: str) -> None:
    """The set-ups of these tests and those drawn by the engine."""
    for seed in range(40):
        head = random_setup(edition, seed)
        record.read(head)
        size = len(head["players"])
        cast = casts.draw(editions()[edition], size, random.Random(seed).choice)
        drawn = {"characters": list(cast.characters)}
        if cast.districts is not None:
            drawn["districts"] = list(cast.districts)
        assert problems(edition=edition, size=size, **drawn) == []


def test_a_ninth_character_that_is_free_may_be_drawn_or_not() -> None:
    edition = editions()["deluxe_2016"]
    first = casts.draw(edition, 5, lambda able: able[0])
    last = casts.draw(edition, 5, lambda able: able[-1])
    assert [len(cast.characters) for cast in (first, last)] == [8, 9]
    assert len(casts.draw(edition, 8, lambda able: able[0]).characters) == 9
