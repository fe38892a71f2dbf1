"""The guided first round on the screen: a strip shown while something is explained."""

from __future__ import annotations

import pytest

from companion.setup import PlayOptions
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

TAUGHT = PlayOptions(teach=True)


def words(table: Driver) -> str:
    """The screen's words, regardless of line breaks."""
    return " ".join(table.text().split())


async def test_the_strip_follows_the_calls_and_goes_with_the_round() -> None:
    async with start_table(options=TAUGHT, size=(120, 40)) as table:
        assert "everybody secretly takes a character" in words(table)
        await table.line("faceup bishop merchant")
        await table.keys("a")
        assert "Rank 1, the Assassin!" in words(table)
        await table.keys("1")
        assert "name the victim first" in words(table)
        await table.line("undo")
        await table.keys(*["n"] * 8)
        assert "Lesson (" not in table.text()


async def test_where_the_strip_has_no_room_the_game_is_explained_on_a_page_before_it() -> None:
    async with start_table(options=TAUGHT, size=(80, 24)) as table:
        assert "Whose city is worth most at the end wins." in table.text()
        await table.keys("enter")
        assert "Whose city is worth most" not in table.text()
        assert "other face down." in table.text()  # the last step at the table
        await table.keys("ctrl+e", "ctrl+e")
        assert "Whose city is worth most" in table.text()


async def test_a_key_switches_it_off_and_on() -> None:
    async with start_table(options=TAUGHT, size=(120, 40)) as table:
        await table.keys("ctrl+e")
        assert "Lesson (" not in table.text()
        await table.keys("ctrl+e")
        assert "Lesson (" in table.text()


async def test_a_lesson_too_long_for_its_strip_ends_in_the_key_that_shows_the_card() -> None:
    cast = ("witch", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
    play_options = PlayOptions(teach=True, edition="deluxe_2016", characters=cast)
    async with start_table(options=play_options, size=(80, 24)) as table:
        await table.keys("enter")  # closes the page that explains the game
        await table.line("faceup bishop merchant")
        await table.keys("a")
        assert "Rank 1, the Witch!" in words(table)
        assert "… K: the whole card" in words(table)
