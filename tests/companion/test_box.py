"""The contents of a box, and what the cards at hand are enough for."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import chips
from companion.chips.box import CARDS, KINDS, Box, check_enough, count_cards
from companion.chips.entries import ActionChip, CharacterChip, CrownChip, DistrictChip
from companion.chips.registry import Registry
from engine.editions import editions
from tests.engine import boxes
from tests.engine.playing import make_ordinary

EDITIONS = tuple(editions())
PLAYERS = ["Anna", "Kurt", "Ashley", "Ben"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_piece_is_there_once_and_can_be_learned(edition: str) -> None:
    box = Box(edition)
    tally = boxes.count(editions()[edition].printing)
    assert len(box.pieces(["districts"])) == tally.districts
    assert len(box.pieces(["characters"])) == tally.characters
    pieces = box.pieces(KINDS)
    assert len({str(piece) for piece in pieces}) == len(pieces)
    registry = Registry()
    for number, piece in enumerate(pieces):
        assert box.holds(piece)
        assert box.describe(piece)
        registry = registry.with_chip(b"\x04" + number.to_bytes(6, "big"), piece)
    assert Registry.from_data(registry.to_data(), chips.load_catalogue()) == registry


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_box_is_complete_and_an_ordinary_deck_is_enough(edition: str) -> None:
    whole = check_enough(edition, count_cards(Box(edition).pieces(CARDS)))
    assert whole.complete
    assert whole.playable
    rules = make_ordinary(edition, PLAYERS)
    deck = {id_: card.copies for id_, card in rules.districts.items()}
    fields = Counter(deck | dict.fromkeys(rules.cast, 1))
    assert check_enough(edition, fields).playable
    for card in fields:
        assert not check_enough(edition, fields - Counter([card])).playable, card


def test_other_unique_districts_do_where_the_box_has_more_than_it_plays() -> None:
    box = Box("deluxe_2016")
    here = count_cards(box.pieces(CARDS))
    spare = len(box.uniques) - 14
    for unique in sorted(box.uniques)[:spare]:
        del here[unique]
    assert check_enough("deluxe_2016", here).playable
    del here[sorted(box.uniques)[spare]]
    assert check_enough("deluxe_2016", here).uniques_short == 1


def test_what_is_of_another_box_is_not_held() -> None:
    box = Box("classic_2016")
    assert not box.holds(CharacterChip("artist"))
    assert not box.holds(DistrictChip("manor", 6))
    assert box.holds(CrownChip())
    assert box.describe(DistrictChip("manor", 2)) == "Manor, 2 of 5"
    assert box.describe(DistrictChip("library", 1)) == "Library"


def test_an_action_chip_comes_with_the_cards_that_bring_it() -> None:
    deluxe, ffg, classic = (
        {piece.name for piece in Box(id_).pieces(["actions"]) if isinstance(piece, ActionChip)}
        for id_ in ("deluxe_2016", "ffg_2005", "classic_2016")
    )
    assert deluxe - classic >= {
        *("divine", "study", "navigate", "tithe", "collect"),
        *("confiscate", "spare", "bribe", "refuse", "expose"),
    }
    assert ffg - classic >= {"navigate", "tithe", "forfeit"}
    assert "leave" in classic - deluxe  # of the Graveyard
    assert not (ffg | classic) & {"divine", "study", "collect", "confiscate", "bribe"}


@given(st.sets(st.sampled_from(Box("ffg_2005").pieces(CARDS))))
def test_what_is_missing_and_what_is_there_make_the_box(here: set[object]) -> None:
    pieces = Box("ffg_2005").pieces(CARDS)
    enough = check_enough("ffg_2005", count_cards(piece for piece in pieces if piece in here))
    assert sum(enough.missing.values()) + len(here) == len(pieces)
    assert enough.complete == (len(here) == len(pieces))
    assert enough.playable or enough.needed
