"""Suggestions for mistyped words."""

from __future__ import annotations

import pytest

from common.problems import find_nearest, find_nearest_few
from common.sentences import Sentence, suggest

KNOWN = ("learn", "list", "verify", "score", "COMPANION_THEME")


@pytest.mark.parametrize(
    ("words_typed", "meant"),
    [
        ("lern", "learn"),
        ("VERIFI", "verify"),
        ("companion_them", "COMPANION_THEME"),
        ("xyz", None),
        ("forget", None),
        ("", None),
        (7, None),
        ("learn" + "x" * 100_000, None),
    ],
    ids=str,
)
def test_the_nearest_word_is_found_in_any_case(words_typed: object, meant: str | None) -> None:
    assert find_nearest(words_typed, KNOWN) == meant


def test_the_most_similar_word_comes_first() -> None:
    assert find_nearest_few("lerns", ["learns", "earns", "verify"], most=2) == ["learns", "earns"]
    assert find_nearest_few("lerns", ["learns", "earns"], most=1) == ["learns"]


def test_a_suggestion_fits_the_end_of_its_sentence() -> None:
    assert suggest(Sentence("no such key"), "a") == "no such key; did you mean “a”?"
    assert suggest(Sentence("No such key."), "a") == "No such key. Did you mean “a”?"
    assert suggest(Sentence("no such key"), None) == "no such key"
