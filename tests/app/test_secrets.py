"""Secrets on the full screen; two games that differ in one are compared in `tests/twins/`."""

from __future__ import annotations

import pytest

from companion.verbs import ALWAYS_SECRET
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

START = ["faceup bishop merchant", "call"]


async def _open_private(table: Driver) -> None:
    row = next(row for row in table.asked.offer.rows if row.private)
    await table.keys(row.key or str(row.number))


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


def test_the_true_warrant_and_threat_are_private_at_every_table() -> None:
    assert set(ALWAYS_SECRET) == {"choose", "signed", "real"}
