"""No question, choice or column is truncated on a small screen, in any language."""

from __future__ import annotations

import pytest

from companion import language
from companion.language import list_offered
from companion.wording import state
from tests.app.driving import start_table

pytestmark = pytest.mark.outer

MOMENTS = {
    "selection": [],
    "calling": ["faceup bishop merchant", "call"],
    "gathering": ["faceup bishop merchant", "call", "reveal Anna"],
    "turn": ["faceup bishop merchant", "call", "reveal Anna", "gold", "build manor"],
    "warlord": ["faceup bishop merchant", "call", *["nobody"] * 7, "reveal Ben", "gold"],
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_no_word_is_cut(moment: str, size: tuple[int, int]) -> None:
    async with start_table(moves=MOMENTS[moment], size=size) as table:
        for code in list_offered():
            table.app.use_language(code)
            await table.settle()
            heading = [language._(word) for word in ("gold", "hand", "city", "points")]
            row = next(row for row in table.rows() if heading[-1] in row)
            assert all(word in row for word in heading), code
            question = " ".join(" ".join(table.rows()[2:12]).split())
            assert " ".join(state.question(table.session.view).split()) in question
            assert not [row for row in table.rows()[:7] if "…" in row], code
            words = table.text().replace("\n", " ")
            for choice in table.asked.visible[:4]:
                for word in choice.label.split():
                    assert word in words, f"{word} of {choice.label}"


@pytest.mark.parametrize("size", [(60, 22), (100, 30)])
async def test_why_a_row_cannot_be_taken_is_told_in_full(size: tuple[int, int]) -> None:
    kurt = ("nobody", "reveal Kurt", "gold", "build watchtower", "end")
    ashley = ("reveal Ashley", "gold", "build watchtower", "end")
    anna = ("nobody", "reveal Anna", "gold", "build temple", "end")
    ben = ("nobody", "nobody", "reveal Ben")
    moves = ["faceup assassin merchant", "call", *kurt, *ashley, *anna, *ben]
    async with start_table(moves=moves, size=size) as table:
        await table.keys("x")
        assert "1   Anna · not now" in table.text()
        assert "Bishop protects" not in table.text()
        await table.keys("up")  # from Kurt, the first who can be meant
        reason = "Anna's districts are safe: the Bishop protects them from the Warlord"
        assert reason in " ".join(table.text().split())
