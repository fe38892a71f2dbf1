"""The head of a record: players, options and cast, with all its problems at once."""

from __future__ import annotations

from typing import Any

import pytest

from common.problems import Problems
from engine import record
from tests.engine.playing import NAMES, problems_of


def test_the_problems_of_the_head_are_told_with_those_of_the_moves() -> None:
    problems = problems_of(
        None, edition="classic", players=["Anna", "anna", "nobody"], crown="Zoe",
        secrecy="loud", options={"city_sizes": 8, "tie_break": [[1]]}, moves=["call", None],
    )  # fmt: skip
    for words in ("classic_2016", "two players", "word of the notation", "“Zoe”", "“loud”",
                  "moves.1"):  # fmt: skip
        assert any(words in problem for problem in problems), (words, problems)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tie_break": [[1]]}, "tie_break must be"),
        ({"tie_break": ["gold", "gold"]}, "each at most once"),
        ({"city_size": 9}, "one of 6, 7, 8"),
        ({"city_size": True}, "one of 6, 7, 8"),
        ({"strike_own_city": 1}, "one of true, false"),
        ({"city_sizes": 7}, "did you mean “city_size”"),
        ([8], "must be a mapping"),
    ],
)
def test_an_option_that_the_edition_does_not_offer(options: Any, words: str) -> None:
    problems = problems_of(None, options=options)
    assert len(problems) == 1
    assert words in problems[0]


@pytest.mark.parametrize(
    ("cast", "words"),
    [
        (["assassin", "thief"], "no character of rank 3, 4, 5, 6, 7, 8"),
        (["assassin", "assassin"], "already has a character of rank 1"),
        (["witch"], "“witch” is not a character in"),
        (["thief", "magician", "king"], "no character of rank 1, 5, 6, 7, 8"),
    ],
)
def test_a_cast_that_cannot_play(cast: list[str], words: str) -> None:
    assert any(words in problem for problem in problems_of(None, characters=cast))


def test_a_district_that_no_box_has_is_said_to_belong_in_the_tables_own_cards() -> None:
    problems = problems_of(None, districts=["old_tower"])
    assert any("no box has a card “old_tower”" in problem for problem in problems)
    problems = problems_of(None, districts=["poor_house"])  # of another box
    assert not any("no box has a card" in problem for problem in problems)


def test_the_printed_cast_may_be_written_in_any_order() -> None:
    cast = ["warlord", "architect", "merchant", "bishop", "king", "magician", "thief", "assassin"]
    rules = record.read({"players": list(NAMES[:4]), "characters": cast}).start.rules
    assert rules.cast[0] == "assassin"


def test_a_record_is_written_and_read_back() -> None:
    data = {
        "edition": "classic_2016", "players": ["Anna", "van Dyk", "12"], "crown": "van Dyk",
        "districts": ["keep"], "options": {"city_size": 7}, "secrecy": "secret",
        "position": {"round": 2}, "moves": ["call", 'reveal "van Dyk"'],
    }  # fmt: skip
    assert record.read(data).data() == data


def test_a_record_that_is_none() -> None:
    with pytest.raises(Problems):
        record.read([1, 2])
    with pytest.raises(Problems):
        record.read(None)


def test_as_long_as_they_may_be() -> None:
    assert problems_of(players=["A" * 40, *NAMES[1:4]], moves=["x" * 1000]) == []
