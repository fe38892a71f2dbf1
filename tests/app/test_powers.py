"""The powers of the larger boxes on the main screen: picks, questions, by keys and by taps."""

from __future__ import annotations

import pytest

from companion.setup import PlayOptions
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

SIZES = [(80, 24), (120, 40)]
SHADY = PlayOptions(
    edition="deluxe_2016",
    characters=(
        *("magistrate", "blackmailer", "wizard", "emperor"),
        *("abbot", "merchant", "scholar", "diplomat"),
    ),
)
WARRANTED = [
    *("faceup wizard scholar", "call", "reveal Ben", "warrants blackmailer merchant diplomat"),
    *("gold", "end", "reveal Kurt", "threats abbot diplomat", "gold", "end"),
    *("nobody", "nobody"),
]


@pytest.mark.parametrize("size", SIZES)
async def test_warrants_are_laid_pick_by_pick_with_a_way_back(size: tuple[int, int]) -> None:
    moves = ["faceup wizard scholar", "call", "reveal Ben"]
    async with start_table(options=SHADY, moves=moves, size=size) as table:
        await table.row("Place three warrants")
        await table.enter("blackm")
        assert "Emperor" in table.text()
        await table.keys("escape")
        assert "2   Blackmailer" in table.text()
        await table.enter("blackm")
        await table.enter("abbot")
        await table.enter("merch")
        assert set(table.session.view.marks.warrants) == {"blackmailer", "abbot", "merchant"}
        assert "Record secretly which" in " ".join(table.text().split())
        assert "the signed warrant is" not in table.text()


async def test_the_signed_warrant_is_marked_on_the_private_screen_alone() -> None:
    moves = [*WARRANTED[:4]]
    async with start_table(options=SHADY, moves=moves) as table:
        await table.row("Record secretly which")
        assert "Hand the device to Ben" in table.text()
        await table.keys("enter")
        await table.keys("2")
        assert table.session.referee.table.marks.signed is not None
        assert "A secret was recorded." in table.text()


@pytest.mark.parametrize("size", SIZES)
async def test_the_stack_of_questions_names_who_is_asked(size: tuple[int, int]) -> None:
    async with start_table(options=SHADY, moves=WARRANTED, size=size) as table:
        await table.line("reveal Anna")
        await table.keys("g")
        words = " ".join(table.text().split())
        assert "Anna. Pay the Blackmailer, or refuse?" in words
        await table.keys("n")
        assert "Kurt. Reveal the threat on the Abbot?" in " ".join(table.text().split())
        await in_private(table, "Kurt", "spare")
        await table.keys("9")
        await table.line("reveal Ashley")
        await table.keys("g")
        await table.enter("tavern")
        words = " ".join(table.text().split())
        assert "Ben. Confiscate the Tavern?" in words
        await in_private(table, "Ben", "confiscate")
        assert table.session.view.seats[3].city.ids == {"tavern"}


async def in_private(table: Driver, name: str, move: str) -> None:
    """Answer a question that may depend on a secret, on the private screen."""
    await table.keys("7")
    assert f"Hand the device to {name}" in table.text()
    await table.keys("enter")
    rows = table.asked.visible
    await table.keys(str(next(row.number for row in rows if row.moves[0].text == move)))
    assert "Choose" in table.text() or "Type a name" in table.text()


async def test_an_income_of_nothing_is_not_offered_and_said_so() -> None:
    moves = [*WARRANTED, "nobody", "reveal Ashley", "gold"]
    async with start_table(options=SHADY, moves=moves, size=(120, 40)) as table:
        assert "income" not in table.text()
        await table.line("income")
        assert "has no income." in " ".join(table.text().split())


async def test_warrants_and_threats_are_laid_by_taps() -> None:
    moves = WARRANTED[:3]
    async with start_table(options=SHADY, moves=moves, reader="simulated") as table:
        await table.tap("blackmailer")
        assert "Warrants so far: Blackmailer." in table.text()
        await table.tap("abbot")
        await table.tap("merchant")
        assert set(table.session.view.marks.warrants) == {"blackmailer", "abbot", "merchant"}
        await table.line("gold")
        await table.line("end")
        await table.tap("Kurt")
        await table.tap("abbot")
        assert "Threats so far: Abbot." in table.text()
        await table.keys("escape")
        assert "Threats so far" not in table.text()
        await table.tap("abbot")
        await table.tap("merchant")
        assert set(table.session.view.marks.threats) == {"abbot", "merchant"}


async def test_an_exchange_and_the_emperors_crown_are_chains() -> None:
    moves = [
        *("faceup wizard scholar", "call", "nobody", "nobody", "nobody", "reveal Ben", "gold"),
    ]
    async with start_table(options=SHADY, moves=moves) as table:
        await table.row("Give the crown")
        await table.enter("kurt")
        if table.session.view.crown != 1:
            await table.keys("enter")
        assert table.session.view.seats[table.session.view.crown].name == "Kurt"
