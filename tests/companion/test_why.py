"""`why` in the line caller: the rule, its source, our ruling, and its card."""

from __future__ import annotations

import pytest

from tests.companion.listening import companion

pytestmark = pytest.mark.outer

DELUXE = ["play", "--plain", "--new", "--edition", "deluxe_2016"]
PLAYERS = ["--players", "Anna,Kurt,Ashley,Ben", "--crown", "Anna"]


def test_the_rulebook_is_quoted_only_in_the_language_it_is_printed_in() -> None:
    words, french = (*DELUXE, *PLAYERS, "--reader", "none"), {"COMPANION_LANGUAGE": "fr"}
    result = companion(*words, stdin="call\nwhy\n", env=french)
    assert "(call.faceup_owed)" in result.stdout
    assert "facedown" not in result.stdout


def test_what_no_rulebook_says_is_ours() -> None:
    moves = "faceup bishop merchant\ncall\nreveal Anna\nkill king\ngold\npay 1\nwhy\n"
    result = companion(*DELUXE, *PLAYERS, "--reader", "none", stdin=moves)
    assert "Source: ours (Notation, Light mode) (cities.tracked)." in result.stdout.splitlines()
