"""A card with its own file is found wherever cards are looked up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import datafiles

CARDS = {
    "new_tower": """\
district: {type: unique, cost: 3, copies: {deluxe_2016: 1}}
names: {en: {name: New Tower}, fr: {name: Tour neuve}}
texts: {en: {text: It is new.}}
rules: {new_tower.once: {reason: Only once.}}
""",
    "builder": """\
character: {rank: 7}
names: {fr: {name: Bâtisseur}}
""",
}


@pytest.fixture(autouse=True)
def _with_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for id_, text in CARDS.items():
        (tmp_path / f"{id_}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text("no card")
    record = (datafiles.load_shipped, datafiles._files_of_cards)
    monkeypatch.setattr(datafiles, "CARDS_FOLDER", str(tmp_path))
    for function in record:
        function.cache_clear()
    yield
    for function in record:
        function.cache_clear()


def test_its_parts_are_where_those_of_other_cards_are() -> None:
    load = datafiles.load_shipped
    assert load("districts")["new_tower"]["cost"] == 3
    assert "builder" not in load("districts")
    assert load("characters")["builder"] == {"rank": 7}
    assert load("names.en")["cards"]["new_tower"]["name"] == "New Tower"
    assert "builder" not in load("names.en")["cards"]
    assert load("names.fr")["cards"]["builder"]["name"] == "Bâtisseur"
    assert load("texts.en")["new_tower"] == {"text": "It is new."}
    assert load("rules")["new_tower.once"] == {"reason": "Only once."}
    assert "new_tower" not in load("editions")


def test_the_others_stay() -> None:
    load = datafiles.load_shipped
    assert load("districts")["temple"]["cost"] == 1
    assert load("names.en")["cards"]["temple"]["name"] == "Temple"
    assert "temple" in load("names.fr")["cards"]
    assert "king" in load("texts.en")
    assert "build.gold" in load("rules")
