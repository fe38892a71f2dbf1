"""Record files: problems with their lines, and round trips."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.clean import clean_text, printable
from common.problems import Problems
from common.strict_yaml import parse
from companion.log import records

names = st.text(max_size=40).map(clean_text).filter(bool)


@given(st.lists(names, min_size=1, max_size=7), st.lists(names))
def test_what_is_written_is_read_back_the_same(players: list[str], moves: list[str]) -> None:
    data = {"edition": "classic_2016", "players": players, "moves": moves}
    assert parse(records.text_of(data), name="written").data == data


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"]), max_size=20))
def test_what_is_written_never_drives_a_terminal(name: str) -> None:
    text = records.text_of({"players": [name]})
    assert printable(text) == text
    assert text.count("\n") == 2  # the players on one line, `moves: []` on another


@pytest.mark.parametrize("word", ["no", "Yes", "null", "~", "true", "12", "1.5", "-", "a: b", "#x"])
def test_a_name_stays_text(word: str) -> None:
    name = records.text_of({"players": [word, f'{word} "x" “y” \\']})
    assert parse(name, name="written").data["players"] == [word, f'{word} "x" “y” \\']


def test_a_position_is_written_and_read_back() -> None:
    position = {
        "round": 3,
        "players": {"Anna": {"gold": 3, "city": ["temple", {"id": "keep", "decorated": True}]}},
        "killed": None,
    }
    text = records.text_of({"players": ["Anna", "Ben"], "position": position})
    assert parse(text, name="written").data["position"] == position


@pytest.mark.parametrize("position", [[["gold"]], "three", 3])
def test_a_position_of_a_foreign_file_is_written_whatever_it_is(position: object) -> None:
    text = records.text_of({"players": ["Anna", "Ben"], "position": position})
    assert parse(text, name="written").data["position"] == position


def test_every_problem_stands_on_its_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(
        "players: [Anna, Ben]\n"
        "crown: ben\n"
        "colour: red\n"
        "position:\n"
        "  players:\n"
        "    Anna:\n"
        "      gold: -1\n"
        "      city: [temple, tempol]\n"
        "moves: [3.5, gold]\n"
    )
    with pytest.raises(Problems) as exception_info:
        records.read(str(file))
    assert [problem.line for problem in exception_info.value.problems] == [3, 7, 8, 9]
    assert "did you mean “temple”" in exception_info.value.problems[2].text


HEAD = "edition: classic_2016\nplayers: [Anna, Kurt, Ashley, Ben]\ncrown: kurt\n"


def write(folder: Path, text: str) -> str:
    file = folder / "evening.yaml"
    file.write_text(HEAD + text, "utf-8")
    return str(file)


def test_cards_may_have_their_names_in_any_language(tmp_path: Path) -> None:
    """Notation, Words."""
    city = "[Tavern, School of Magic, watch, Château, {id: Handelsposten}, Храм]"
    text = f"position:\n  killed: Évêque\n  called: 6\n  players: {{Anna: {{city: {city}}}}}\n"
    position = records.read(write(tmp_path, text)).record.position
    assert position is not None
    assert position["killed"] == "bishop"
    ids = ["tavern", "school_of_magic", "watchtower", "castle", "trading_post", "temple"]
    assert position["players"]["Anna"]["city"] == ids


def test_moves_may_name_cards_so_and_are_kept_with_ids(tmp_path: Path) -> None:
    moves = ["faceup merch 'Warlord'", "call", "nobody", "reveal anna", "rob König", "gold"]
    listed = "".join(f'  - "{move}"\n' for move in [*moves, "build Trading Post", "build Port"])
    text = f"position: {{players: {{Anna: {{gold: 9}}}}}}\nmoves:\n{listed}".replace("'", "")
    replay = records.play(records.read(write(tmp_path, text)).record)
    assert replay.refused is not None
    assert replay.refused.refusal.rule != "move.unknown"  # the second district of the Thief
    assert replay.moves[0] == "faceup merchant warlord"
    assert replay.moves[4:] == ("rob king", "gold", "build trading_post")


def test_what_may_be_several_cards_is_told_on_its_line(tmp_path: Path) -> None:
    with pytest.raises(Problems, match=r":5: “t” may be temple, tavern, trading_post, town_hall"):
        records.read(write(tmp_path, "position:\n  players: {Anna: {city: [t]}}\n"))
    moves = "moves: [faceup bishop m, call]\n"
    refused = records.play(records.read(write(tmp_path, moves)).record).refused
    assert refused is not None
    assert "“faceup bishop magician” or “faceup bishop merchant”" in refused.refusal.reason
