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
        "      city: [temple, tempel]\n"
        "moves: [3.5, gold]\n"
    )
    with pytest.raises(Problems) as exception_info:
        records.read(str(file))
    assert [problem.line for problem in exception_info.value.problems] == [3, 7, 8, 9]
    assert "did you mean “temple”" in exception_info.value.problems[2].text
