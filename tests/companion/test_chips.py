"""The chips of a table: the mapping file, read strictly, written whole, and the simulated deck."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import chips
from companion.chips.entries import (
    CharacterChip,
    DistrictChip,
    Entry,
    PlayerChip,
)
from companion.chips.registry import Registry
from tests.engine.playing import make_ordinary

UID = bytes.fromhex("04A2B3C4D5E680")
RULES = make_ordinary("classic_2016", ["Anna", "Kurt", "King", "Mary Ann"])


def test_no_file_is_an_empty_mapping(tmp_path: Path) -> None:
    assert len(chips.load(str(tmp_path / "none.yaml"))) == 0


def test_a_file_that_cannot_be_read_is_a_problem_too(tmp_path: Path) -> None:
    with pytest.raises(chips.ChipsError, match="cannot be read"):
        chips.load(str(tmp_path))
    (tmp_path / "latin.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(chips.ChipsError):
        chips.load(str(tmp_path / "latin.yaml"))


def test_what_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(chips.ChipsError, match="cannot be saved"):
        chips.save(str(tmp_path / "file" / "tags.yaml"), Registry())


def test_the_simulated_deck_holds_every_card_of_the_game_once() -> None:
    deck = chips.SimulatedDeck(RULES)
    pieces = list(deck.chips.values())
    assert len(set(pieces)) == len(pieces)
    assert sum(isinstance(entry, DistrictChip) for entry in pieces) == RULES.deck_size
    assert sum(isinstance(entry, CharacterChip) for entry in pieces) == 8
    assert sum(isinstance(entry, PlayerChip) for entry in pieces) == 4
    assert all(len(uid) == 7 for uid in deck.chips)


def test_the_simulated_chip_of_a_card_is_the_same_in_every_box() -> None:
    classic, deluxe = (
        chips.SimulatedDeck(make_ordinary(edition, ["Anna", "Ben", "Carla", "Dan"]))
        for edition in ("classic_2016", "deluxe_2016")
    )
    for uid, entry in classic.chips.items():
        assert deluxe.chips.get(uid, entry) == entry
    catalogue = chips.load_catalogue()
    every = [
        DistrictChip(id_, n + 1) for id_, most in catalogue.districts.items() for n in range(most)
    ]
    everything: list[Entry] = [*every, *map(CharacterChip, catalogue.characters)]
    assert len({chips.make_simulated_uid(entry) for entry in everything}) == len(everything)
