"""Secret games: two that differ only in a secret show the same screens until it becomes public."""

from __future__ import annotations

import pytest

from companion.verbs import ALWAYS_SECRET
from engine.cards import characters
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

START = ["faceup bishop merchant", "call"]


async def _screens(victim: str, how: str, then: list[str]) -> list[str]:
    """Every screen of a game in which the Assassin names that victim, after the choice."""
    lines = []
    reader = "simulated" if how == "tap" else "none"
    async with start_table(secrecy="secret", moves=START, reader=reader) as table:
        await table.wait_until(lambda: "Opening" not in table.text())
        await table.line("reveal Anna")
        await _name(table, victim, how)
        lines.append(table.text())
        for key in then:
            await table.keys(key)
            lines.append(table.text())
        assert table.session.referee.table.marks.killed == victim
    return lines


async def _name(table: Driver, victim: str, how: str) -> None:
    if how == "line":
        await table.line(f"kill {victim}")
    elif how == "open tap":
        await table.tap(victim)
    else:
        await _open_private(table)
        assert "Hand the device to Anna" in table.text()
        if how == "tap":
            await table.tap(victim)
            return
        await table.keys("enter")
        await table.keys(str(characters()[victim].rank))


async def _open_private(table: Driver) -> None:
    row = next(row for row in table.asked.offer.rows if row.private)
    await table.keys(row.key or str(row.number))


@pytest.mark.parametrize("how", ["key", "tap", "line"])
async def test_nothing_on_the_screen_tells_the_victim(how: str) -> None:
    then = ["g", "ctrl+z", "r", "s", "escape", "h", "escape", "e", "u", "r", "2", "escape"]
    king = await _screens("king", how, then)
    warlord = await _screens("warlord", how, then)
    assert king == warlord
    assert "Murder the" not in king[0]


async def test_the_choice_leaves_nothing_behind() -> None:
    async with start_table(secrecy="secret", moves=[*START, "reveal Anna"]) as table:
        before = table.app.title
        await _open_private(table)
        await table.keys("enter")
        assert "Warlord" in table.text()
        await table.keys("7")
        assert "Warlord" not in table.text()
        assert "Anna has named a character." in table.text()
        assert table.app.title == before
        assert not list(table.app._notifications)


async def test_the_private_screen_can_be_left_without_a_choice() -> None:
    async with start_table(secrecy="secret", moves=[*START, "reveal Anna"]) as table:
        await _open_private(table)
        await table.keys("escape")
        assert "Choose" in table.text()
        assert table.session.referee.table.marks.killed is None


async def test_the_open_list_never_offers_a_secret() -> None:
    async with start_table(secrecy="secret", moves=[*START, "reveal Anna"]) as table:
        assert "Murder the" not in table.text()
        assert "Murder a character" in table.text()


async def test_a_secret_is_not_shown_while_it_is_typed() -> None:
    async with start_table(secrecy="secret", moves=[*START, "reveal Anna"]) as table:
        await table.keys("colon")
        await table.type("kill king")
        assert "king" not in table.text()
        await table.keys("enter")
        assert table.session.referee.table.marks.killed == "king"
        status, _ranks, *rest = table.rows()  # the line of ranks names every rank, always
        assert "king" not in "".join([status, *rest]).lower()


async def test_a_recorded_choice_is_private_in_every_game() -> None:
    async with start_table(moves=START[:1]) as table:
        await table.keys("p")
        assert "Hand the device over" in table.text()
        assert "Assassin" not in table.text()
        await table.keys("2", "enter")  # nothing is highlighted yet
        assert "Kurt is choosing in private" in table.text()
        await table.keys("1")
        assert table.session.referee.table.seats[1].chosen == ("assassin",)
        assert "Assassin" not in table.text()
        assert "Kurt has chosen a character." in table.text()


async def test_two_recorded_choices_give_the_same_screens() -> None:
    sightings = []
    for key in ("1", "3"):
        async with start_table(moves=START[:1]) as table:
            await table.keys("p", "2", key)
            first = table.text()
            await table.keys("p", "3")
            second = table.text()
            await table.keys("escape", "u", "r", "a")
            sightings.append([first, second, table.text()])
    assert sightings[0] == sightings[1]


def test_the_true_warrant_and_threat_are_private_at_every_table() -> None:
    assert set(ALWAYS_SECRET) == {"choose", "signed", "real"}
