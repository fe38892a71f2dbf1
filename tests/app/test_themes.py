"""Themes can be chosen and changed, and no information is by colour alone; test_contrast.py
measures contrast."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from companion.app import display
from companion.app.display import THEMES
from companion.settings.all_settings import THEMES as NAMES
from tests.app.driving import start_table

pytestmark = pytest.mark.outer


def colour(theme: Theme, name: str) -> Color:
    options = theme.variables.get(name) or getattr(theme, name)
    return Color.parse(options)


async def test_colours_change_in_the_middle_of_a_game() -> None:
    async with start_table(theme="dark") as table:
        for number, name in enumerate(NAMES, start=1):
            await table.keys("ctrl+t", str(number))
            assert table.app.theme == name
            assert "Choose" in table.text()


@pytest.mark.parametrize(
    ("setting", "noble"),
    [
        ("both", "♦N"),
        ("letters", "N"),
        ("shapes", "♦"),
        ("ascii", "N"),
        ({"noble": "K"}, "K"),
    ],
)
async def test_a_type_is_marked_as_the_table_wants(setting: object, noble: str) -> None:
    moves = [
        "faceup bishop merchant",
        "call",
        "nobody",
        "reveal Kurt",
        "gold",
        "build manor",
        "end",
    ]
    async with start_table(moves=moves, settings_too={"symbols": setting}) as table:
        assert f" {noble} noble" in table.text()


@pytest.mark.parametrize(("code", "marks"), [("fr", "♦N †R ●C ▲Mi ★Me"), ("ru", "♦Д †Ц ●Т ▲В ★У")])
async def test_the_letters_are_those_of_the_language(code: str, marks: str) -> None:
    async with start_table(settings_too={"symbols": "both"}) as table:
        table.app.use_language(code)
        await table.settle()
        assert all(f"{mark} " in table.text() for mark in marks.split())


async def test_ascii_leaves_no_sign_that_a_console_may_lack() -> None:
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold", "build manor"]
    lines = []
    for size in ((80, 24), (120, 40), (200, 60)):
        async with start_table(moves=moves, size=size, settings_too={"symbols": "ascii"}) as table:
            for keys in ([], ["v"], ["escape", "z"], ["e"], ["s"], ["escape", "h"]):
                await table.keys(*keys)
                lines.append(table.text())
    assert {sign for text in lines for sign in text if not sign.isascii()} == set()


async def test_the_call_is_large_on_a_console_with_ascii_alone() -> None:
    moves = ["faceup bishop merchant", "call"]
    async with start_table(moves=moves, settings_too={"symbols": "ascii"}) as table:
        assert all("#" in row for row in table.rows()[2:7])


def test_the_linux_console_gets_ascii_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    display.use_symbols("auto")
    assert (display.is_plain(), display.type_mark("noble")) == (True, "N")
    monkeypatch.setenv("TERM", "xterm-256color")
    display.use_symbols("auto")
    assert (display.is_plain(), display.type_mark("noble")) == (False, "♦N")


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
async def test_the_caller_opens_in_its_colours(theme: Theme) -> None:
    async with start_table(theme=theme.name) as table:
        assert table.app.screen.styles.background == colour(theme, "background")
        assert table.app.has_class("-dark-mode") is theme.dark
        assert table.app.has_class("-light-mode") is not theme.dark
