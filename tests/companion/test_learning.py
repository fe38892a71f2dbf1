"""Learning chips from typed names in the table's language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import language
from companion.chips import learning
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
    ReferenceChip,
)
from companion.chips.registry import Registry

PLAYERS = ("Anna", "Ben", "Mary Ann")


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("tavern", DistrictChip("tavern", 1)),
        ("tavern 2", DistrictChip("tavern", 2)),
        ("Trading Post 3", DistrictChip("trading_post", 3)),
        ("trading_post", DistrictChip("trading_post", 1)),
        ("king", CharacterChip("king")),
        ("king 1", CharacterChip("king")),
        ("Ben", PlayerChip(2)),
        ("mary ann", PlayerChip(3)),
        ('"Mary Ann"', PlayerChip(3)),
        ("player 3", PlayerChip(3)),
        ("crown", CrownChip()),
        ("action end", ActionChip("end")),
        ("undo", ActionChip("undo")),
        ("number 3", ActionChip("3")),
        ("reference 1", ReferenceChip(1)),
        ("district tavern 2", DistrictChip("tavern", 2)),
        ("labor", DistrictChip("laboratory", 1)),
    ],
)
def test_what_is_typed_is_what_the_chip_is(text: str, entry: Entry) -> None:
    assert learning.read_entry(text, Registry(), PLAYERS) == entry
    assert entry.describe(PLAYERS)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", "say what it is"),
        ('"', "say what it is"),
        ("tavrn", "tavern"),
        ("t", "could be"),
        ("tavern 99", "1 to 5"),
        ("king 2", "“character king”"),
        ("player 9", "1 to 8"),
        ("action dance", "action"),
        ("reference", "reference 1"),
    ],
)
def test_what_names_nothing_or_several_things_is_told(text: str, messages: str) -> None:
    with pytest.raises(ValueError, match=messages):
        learning.read_entry(text, Registry(), PLAYERS)


def test_a_player_called_like_a_card_comes_first() -> None:
    assert learning.read_entry("king", Registry(), ("Anna", "King")) == PlayerChip(2)


def test_the_next_copy_is_the_first_that_no_chip_stands_for() -> None:
    registry = Registry()
    for number, copy in enumerate((1, 3), start=1):
        registry = registry.with_chip(bytes((4, number, 0, 0)), DistrictChip("tavern", copy))
    assert learning.read_entry("tavern", registry) == DistrictChip("tavern", 2)


def test_names_are_those_of_the_tables_language_and_of_this_game() -> None:
    language.use("ru")
    assert learning.read_entry("порт", Registry()) == DistrictChip("docks", 1)
    language.use("fr")
    assert learning.read_entry("port", Registry()) == DistrictChip("harbor", 1)
    with pytest.raises(ValueError, match="Fabrique ou Forge"):  # in two boxes
        learning.read_entry("manufacture", Registry())
    here = learning.read_entry("manufacture", Registry(), here=("smithy", "keep"))
    assert here == DistrictChip("smithy", 1)


@given(st.text(max_size=40))
def test_whatever_is_typed_gives_an_entry_or_one_sentence(text: str) -> None:
    name = "a chip"
    try:
        learning.read_entry(text, Registry(), PLAYERS)
    except ValueError as error:
        name = str(error)
    assert len(name.splitlines()) == 1
