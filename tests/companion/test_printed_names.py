"""Printed names: by edition, and resolving older names."""

from __future__ import annotations

from pathlib import Path

import pytest

from common.sentences import speak
from companion import language
from companion.commands.cli import main
from companion.game import teaching
from companion.game.typed import understand
from companion.language import vocabulary
from companion.language.vocabulary import type_names
from companion.wording import facts
from engine.editions import editions
from engine.table import Table
from engine.words import Name, is_anothers
from tests.companion.past_games import Capture, json_of, text_of
from tests.engine.big_boxes import turn_of
from tests.engine.district_tables import VAULTED
from tests.engine.playing import NAMES, make_ordinary


def called(card_id: str, edition: str, code: str) -> Name:
    language.use(code)
    language.print_as(*editions()[edition].boxes)
    return language.card(card_id)


@pytest.mark.parametrize(
    ("card_id", "edition", "code", "name"),
    [
        ("smithy", "brettspielwelt", "fr", "Manufacture"),
        ("smithy", "millennium_3e", "fr", "Manufacture"),
        ("smithy", "classic_2016", "fr", "Forge"),
        ("smithy", "accessible_fr", "fr", "Forge"),
        ("smithy", "deluxe_2016", "fr", "Forge"),
        ("factory", "millennium_3e", "fr", "Fabrique"),
        ("factory", "deluxe_2016", "fr", "Manufacture"),
        ("haunted_quarter", "ffg_2005", "en", "Haunted City"),
        ("haunted_quarter", "classic_2016", "en", "Haunted Quarter"),
        ("barracks", "ffg_2005", "en", "Battlefield"),
        ("smithy", "deluxe_2016", "ru", "Кузница"),
    ],
)
def test_a_card_is_called_what_its_box_prints(
    card_id: str, edition: str, code: str, name: str
) -> None:
    assert called(card_id, edition, code) == name


def test_a_type_is_called_what_its_box_prints() -> None:
    called("manor", "millennium_3e", "fr")
    military = language.district_type("military")
    assert f"{military}, {military:pl}, {military:letter}" == "soldatesque, soldatesques, Mi"
    assert {"soldatesque", "militaire", "militaires"} <= set(type_names("military"))
    called("manor", "accessible_fr", "fr")
    assert language.district_type("military") == "militaire"
    assert "soldatesque" in type_names("military")


def test_a_sentence_and_a_typed_word_are_those_of_the_box() -> None:
    called("manor", "hobby_world_2022", "ru")
    assert language._("unique") == "бонусные"
    value = (
        "{number} unique district is shuffled in.",
        "{number} unique districts are shuffled in.",
    )
    assert language.plural(*value, 5) == "Замешивается 5 бонусных кварталов."
    assert vocabulary.find_typed("destroy") == "снести"
    called("manor", "deluxe_2016", "ru")
    assert language._("unique") == "уникальные"
    assert language.plural(*value, 5) == "Замешивается 5 уникальных кварталов."
    assert vocabulary.find_typed("destroy") == "разрушить"


def test_a_box_has_its_title_in_the_language() -> None:
    box = editions()["millennium_3e"].title
    assert [speak(box, code, str) for code in ("en", "fr", "ru")] == [
        "Citadelles, 3rd edition (Millennium)",
        "Citadelles, 3e édition (Millennium)",
        "Citadelles, 3-е издание (Millennium)",
    ]


def test_the_forms_are_those_of_the_printed_name() -> None:
    assert f"{called('smithy', 'millennium_3e', 'fr'):of}" == "de la Manufacture"
    assert f"{called('smithy', 'classic_2016', 'fr'):of}" == "de la Forge"


@pytest.mark.parametrize(
    ("edition", "name", "card_id"),
    [
        ("deluxe_2016", "manufacture", "factory"),
        ("deluxe_2016", "manuf", "factory"),
        ("millennium_3e", "Manufacture", "smithy"),
        ("brettspielwelt", "manufacture", "smithy"),
        ("classic_2016", "manufacture", "smithy"),
        ("millennium_3e", "fabrique", "factory"),
        ("classic_2016", "Bâtisseur", "architect"),
        ("brettspielwelt", "batisseur", "architect"),
        ("classic_2016", "prêtre", "bishop"),
        ("brettspielwelt", "Pretre", "bishop"),
    ],
)
def test_the_edition_decides_which_card_a_name_means(
    edition: str,
    name: str,
    card_id: str,
    monkeypatch: pytest.MonkeyPatch,
    home: Path,
    capsys: Capture,
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "fr")
    assert text_of(capsys, "card", name, "--edition", edition).rstrip().endswith(card_id)


def test_typed_names_are_those_of_the_box() -> None:
    players = {"Anna": {"gold": 9}}
    for edition, name, district in (
        ("deluxe_2016", "manufacture", "factory"),
        ("deluxe_2016", "forge", "smithy"),
        ("millennium_3e", "manufacture", "smithy"),
        ("millennium_3e", "fabrique", "factory"),
    ):
        referee = turn_of("king", edition=edition, players=players, turn={"gathered": True})
        called("smithy", edition, "fr")
        moves = understand(f"construire {name}", referee.table, referee.list_legal_moves())
        assert [move.text for move in moves] == [f"build {district}"]
    assert not is_anothers("Forge", "smithy", "fr")


@pytest.mark.parametrize(
    ("edition", "card_id"), [("deluxe_2016", "factory"), ("millennium_3e", "smithy")]
)
def test_a_file_means_the_card_that_its_box_prints(
    edition: str, card_id: str, home: Path, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "game.yaml"
    for moves, city in (("[]", [card_id]), ("[destroy Anna manufacture]", [])):
        file.write_text(
            f"edition: {edition}\nplayers: [Anna, Ben, Cem, Dov]\nposition:\n"
            "  players: {Anna: {city: [manufacture]}, Ben: {gold: 6}}\n"
            "  turn: {player: Ben, character: warlord, gathered: true}\n"
            f"moves: {moves}\n"
        )
        assert json_of(capsys, "replay", str(file))["players"]["Anna"]["city"] == city


def test_the_refusal_names_the_card_as_printed(
    monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path, capsys: Capture
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "fr")
    file = tmp_path / "game.yaml"
    file.write_text(
        "edition: millennium_3e\nplayers: [Anna, Ben, Cem, Dov]\nposition:\n"
        "  players: {Anna: {gold: 0, city: [smithy]}}\n"
        "  turn: {player: Anna, character: king, gathered: true}\nmoves: [use smithy]\n"
    )
    assert main(["replay", str(file), "--json"]) == 1
    assert "La Manufacture coûte 3 pièces" in capsys.readouterr().err


def test_reference_cards_are_in_the_order_of_the_printed_names() -> None:
    table = Table(make_ordinary("accessible_fr", NAMES[:4]), 0)
    for code in ("fr", "ru", "en"):
        called("smithy", "accessible_fr", code)
        read = [id_ for number in (1, 2, 3) for id_ in teaching.list_cards(table, number)]
        assert sorted(read) == sorted(table.rules.uniques)
        names = [language.card(id_) for id_ in read]
        sorting = [name.replace("É", "E").replace("é", "e").casefold() for name in names]
        assert sorting == sorted(sorting)
    called("smithy", "accessible_fr", "fr")
    first = [str(language.card(id_)) for id_ in teaching.list_cards(table, 1)]
    assert first == ["Bibliothèque", "Cimetière", "Cour des Miracles", "Donjon", "Dracoport"]


def test_the_card_of_two_keeps_says_two() -> None:
    table = Table(make_ordinary("accessible_fr", NAMES[:4]), 0)
    called("keep", "accessible_fr", "fr")
    assert facts.card_text(table, "keep")[1] == "La boîte en contient 2 exemplaires."
    called("keep", "accessible_fr", "en")
    assert facts.card_text(table, "keep")[1] == "The box has 2 copies."
    assert "copies" not in " ".join(facts.card_text(table, "library"))
    deluxe = Table(make_ordinary("deluxe_2016", NAMES[:4], uniques=VAULTED), 0)
    assert "copies" not in " ".join(facts.card_text(deluxe, "keep"))
