"""Selection and calling: every character is dealt, and a murder gives nobody away."""

from __future__ import annotations

import pytest

from engine.datafiles import load
from tests.engine.bookkeeping.facts import FACE_UP
from tests.engine.playing import expect_refusal, game, texts

TABLES = [
    (int(ranks), int(size)) for ranks, by_size in load("selection").items() for size in by_size
]


@pytest.mark.parametrize(("ranks", "size"), TABLES)
def test_the_procedure_deals_every_character(ranks: int, size: int) -> None:
    """The steps of the selection use every card: nobody picks from an empty hand, nothing is
    left."""
    facts = load("selection")[str(ranks)][str(size)]
    left, holdings, face_down = ranks - facts["faceup"], dict.fromkeys(range(size), 0), 0
    for step in facts["steps"]:
        kind, number = step.split()
        if kind.startswith("discard"):
            count = int(number) if kind == "discard" else 1
            left, face_down = left - count, face_down + count
            continue
        if kind == "pick_with_facedown":
            left, face_down = left + 1, face_down - 1
        assert left >= 1
        holdings[int(number)] += 1
        left -= 1
        if kind != "pick":
            left, face_down = left - 1, face_down + 1
    picks = 2 if size <= 3 else 1
    assert facts["picks"] == picks
    assert facts["faceup"] == FACE_UP.get((ranks, size), 0)
    assert set(holdings.values()) == {picks}
    assert left == 0
    assert face_down + facts["faceup"] + size * picks == ranks


@pytest.mark.parametrize("secrecy", ["announced", "secret"])
def test_the_murdered_character_stays_recorded_by_everybody_until_it_is_shown(
    secrecy: str,
) -> None:
    moves = ("choose Kurt king", "choose Ben king", "call", "reveal Anna", "kill king", "gold")
    referee = game("faceup bishop merchant", *moves, "end", *["nobody"] * 7, secrecy=secrecy)
    assert [seat.chosen for seat in referee.table.seats[1:]] == [("king",), (), ("king",)]
    assert [f"unmask {name}" for name in ("Kurt", "Ashley", "Ben")] == texts(referee)[:3]


MURDER = ("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "end")


def test_the_killed_is_called_and_nobody_answers() -> None:
    referee = game(*MURDER, "nobody", "nobody")
    assert [(e.kind, e.card) for e in referee.table.events] == [("murdered", "king")]
    assert texts(referee) == ["nobody"]
    assert "murdered" in expect_refusal(referee, "reveal Kurt", "reveal.killed").reason
