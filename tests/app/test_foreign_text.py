"""Names, chips and files may contain anything: it is shown as text, never interpreted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.app
from companion.app.caller_app import CallerApp
from tests.app.driving import start_table

pytestmark = pytest.mark.outer

HOSTILE = (
    "[/]",
    "[b]Bob[/b]",
    "[@click=app.quit]x",
    "[$accent]",
    "\\[x]",
    "שלום",
    "👩‍👩‍👧‍👦 Ann",
)


async def test_hostile_names_are_shown_as_they_are() -> None:
    async with start_table(HOSTILE, size=(120, 40)) as table:
        text = table.text()
        for name in HOSTILE[:6]:
            assert name in text
        await table.keys("s", "escape", "enter", "1", "g", "u", "h", "escape", "t", "k")
        assert table.app.is_running


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_no_control_character_reaches_a_strip(size: tuple[int, int]) -> None:
    names = ["\x1b]0;owned\x07Eve", "a\u202eb", "\u009b31mX", "tab\tby\nline"]
    async with start_table(names, size=size) as table:
        await table.line("faceup bishop merchant")
        await table.line("\u009bjump \u202e[b]")
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", table.text())
        assert "Eve" in table.text()


async def test_a_name_of_a_saved_game_cannot_drive_the_terminal() -> None:
    """The store keeps names unchanged; the display is the last line of defence."""
    async with start_table(["Ann\x1b[2J", "Ben"]) as table:
        assert "\x1b" not in table.text()


def test_no_widget_reads_markup() -> None:
    """Text becomes Content in `display` alone; nothing of the caller parses markup."""
    for file in Path(companion.app.__file__).parent.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        assert "from_markup" not in source, file
        assert "markup=True" not in source, file
        assert ".notify(" not in source, file
    assert not CallerApp.ENABLE_COMMAND_PALETTE
