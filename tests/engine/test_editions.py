"""Each box's contents and rules: cards, numbers of players, characters face up, turns, options."""

from __future__ import annotations

import pytest

from engine import cards, casts, record
from engine.editions import editions, switches
from tests.engine import boxes
from tests.engine.big_boxes import cast_with
from tests.engine.boxes import EDITIONS, NAMES, PRINTINGS
from tests.engine.playing import expect_refusal, game
from tests.engine.setups import TABLES, problems

# -- the contents of the boxes ------------------------------------------------------------------


@pytest.mark.parametrize("printing", PRINTINGS)
def test_the_box_holds_the_cards_of_the_list(printing: str) -> None:
    districts = boxes.districts(printing)
    engines = cards.districts(printing)
    results = {
        id_: boxes.Printed(card.type, card.cost, card.copies, card.effects.get("points", 0))
        for id_, card in engines.items()
    }
    assert results == districts
    for id_, character in cards.characters().items():
        rank, printings = boxes.CHARACTERS[id_]
        assert character.rank == rank
        assert (printing in character.printings) == (printing in printings)


def test_the_boxes_know_every_character_and_district() -> None:
    assert set(cards.characters()) == set(boxes.CHARACTERS)
    assert cards.district_ids() == {id_ for p in PRINTINGS for id_ in boxes.districts(p)}


# -- tables and casts ---------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_how_many_may_play(edition: str) -> None:
    sizes = [n for n in range(9) if not problems(edition=edition, size=n)]
    assert sizes == list(EDITIONS[edition].players)


def test_the_default_edition_is_the_classic_one() -> None:
    assert next(iter(editions())) == record.DEFAULT_EDITION == "classic_2016"
    assert list(editions())[: len(EDITIONS)] == list(EDITIONS)
    assert {edition.printing for edition in editions().values()} == set(PRINTINGS)


@pytest.mark.parametrize(
    ("edition", "language", "crown"),
    [
        ("classic_2016", "en", "the oldest player"),
        ("hobby_world_2022", "ru", "the oldest player"),
        ("accessible_fr", "fr", "the oldest player"),
        ("brettspielwelt", "fr", "drawn at random"),
        ("millennium_3e", "fr", "drawn at random"),
        ("ffg_2005", "en", "drawn at random"),
        ("deluxe_2016", "en", "the oldest player"),
    ],
)
def test_the_language_and_the_first_crown(edition: str, language: str, crown: str) -> None:
    assert editions()[edition].language == language
    assert editions()[edition].first_crown == crown
    assert editions()[edition].crown_by_lot == (crown == "drawn at random")


@pytest.mark.parametrize(("edition", "size"), TABLES)
def test_an_ordinary_game_is_legal_and_its_city_has_its_size(edition: str, size: int) -> None:
    assert problems(edition=edition, size=size) == []
    rules = record.read_setup({"edition": edition, "players": list(NAMES[:size])}).ruleset()
    box = EDITIONS[edition]
    assert rules.answers["city_size"] == (box.small_city_size if size <= 3 else box.city_size)
    assert len(rules.cast) == boxes.cast_sizes(edition, size)[0]
    assert problems(edition=edition, size=size, characters=list(rules.cast)) == []
    in_deck = 14 if edition == "deluxe_2016" else len(boxes.uniques(box.printing))
    assert len(rules.uniques) == in_deck


@pytest.mark.parametrize(("edition", "size"), TABLES)
def test_every_legal_cast_and_no_other(edition: str, size: int) -> None:
    """Each character of all the boxes in an otherwise ordinary cast, with and without a ninth."""
    by_rank = boxes.characters(edition, size)
    assert casts.candidates(editions()[edition], size).keys() == {
        rank for rank in by_rank if rank < 9 or 9 in boxes.cast_sizes(edition, size)
    }  # fmt: skip
    for character in boxes.CHARACTERS:
        for ninth in ([], ["artist"]):
            cast = cast_with(*ninth, character)
            allowed = all(id_ in by_rank[boxes.CHARACTERS[id_][0]] for id_ in cast)
            legal = allowed and len(cast) in boxes.cast_sizes(edition, size)
            assert (problems(edition=edition, size=size, characters=cast) == []) == legal, cast


@pytest.mark.parametrize(
    ("edition", "size", "character", "problem"),
    [
        ("ffg_2005", 3, "artist", "3 players can't play with 9 characters"),
        ("deluxe_2016", 2, "artist", "2 players can't play with 9 characters"),
        ("deluxe_2016", 4, "queen", "“queen” is for 5 to 8 players"),
        ("millennium_3e", 2, "emperor", "“emperor” is for 3 to 8 players"),
    ],
)
def test_why_a_cast_is_not_for_so_many(
    edition: str, size: int, character: str, problem: str
) -> None:
    assert problems(edition=edition, size=size, characters=cast_with(character)) == [problem]


# -- characters face up -------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_done_with_a_rank_4_face_up(edition: str) -> None:
    remedy = {"accessible_fr": "all characters are shuffled and dealt again"}.get(
        edition, "another character replaces it and it is shuffled back"
    )
    reason = expect_refusal(game(edition=edition), "faceup king bishop", "faceup.rank_4").reason
    assert reason == f"The King is never discarded face up: {remedy}."


# -- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_switch_is_an_option(edition: str) -> None:
    size = EDITIONS[edition].players[0]
    for name, switch in switches().items():
        targets = [[], list(switch.values)] if switch.is_list else list(switch.values)
        for value in targets:
            head = {"edition": edition, "players": list(NAMES[:size]), "options": {name: value}}
            rules = record.read_setup(head).ruleset()
            assert rules.answers[name] == value
        assert problems(edition=edition, size=size, options={name: "perhaps"}) != []
