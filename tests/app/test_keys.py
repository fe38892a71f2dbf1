"""Keys: custom keys, other keyboard layouts; hints and help name the actual ones."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import pytest

from companion import verbs
from companion.app.screens.line import LineScreen
from companion.settings import config, keys
from companion.settings.keys import ACTIONS
from tests.app.driving import send_key, start_table

pytestmark = pytest.mark.outer

TURN = ["faceup bishop merchant", "call", "reveal Anna", "gold"]


async def test_a_key_of_ones_own_works_and_is_named() -> None:
    own = {"undo": ["backspace", "ctrl+z"], "end": ["x", "+"], "destroy": "e", "large": "f7"}
    async with start_table(moves=TURN, settings_too={"keys": own}, size=(120, 50)) as table:
        assert "Backspace undo" in table.rows()[-1]
        assert "x End the turn" in table.text()  # no name begins with x
        await table.keys("x", "9")  # asked once, since the murder is left
        assert table.session.referee.moves[-1].text == "end"
        await table.keys("u")
        assert len(table.session.referee.moves) == len(TURN) + 1
        await table.keys("backspace")
        assert len(table.session.referee.moves) == len(TURN)
        await table.line("build manor")
        assert "x End the turn" in table.text()
        await table.keys("x", "9")
        assert table.session.referee.moves[-1].text == "end"
        await table.keys("backspace", "backspace")
        await table.keys("ctrl+z", "h")
        assert "Backspace, Ctrl+Z" in table.text()


async def test_a_russian_keyboard_needs_no_switching() -> None:
    screens = []
    for keyboard in ("z z h v ur g9", "я я р м гк п9"):
        async with start_table(moves=TURN[:-1]) as table:
            lines = []
            for text in keyboard.split():
                before = table.text()
                await table.keys(*text)
                lines.append(table.text())
                assert lines[-1] != before, text
                await table.keys("escape")  # closes a sheet
        screens.append(lines)
    assert screens[0] == screens[1]


@pytest.mark.parametrize("words_typed", ["UU", "ГГ"])
async def test_capitals_are_the_same_keys(words_typed: str) -> None:
    async with start_table(moves=TURN[:-1]) as table:
        await table.keys(*words_typed)
        assert len(table.session.referee.moves) == len(TURN) - 3


async def test_a_capital_that_has_an_action_of_its_own_keeps_it() -> None:
    async with start_table(moves=TURN[:-1], settings_too={"keys": {"scores": "U"}}) as table:
        await table.keys("U")
        assert "The scores so far" in table.text()


async def test_colon_and_question_mark_of_a_russian_keyboard() -> None:
    async with start_table(moves=TURN) as table:
        await table.keys("Ж")
        await table.type("build palace")
        await table.keys("enter", ",")  # the question mark
        assert "build.gold" in table.text()


async def test_letters_that_narrow_a_list_are_text_in_any_alphabet() -> None:
    async with start_table(moves=TURN) as table:
        await table.keys("г")  # no district has this prefix, and nothing is undone
        assert len(table.session.referee.moves) == len(TURN)
        await table.keys("escape", "&", "&")  # still a number
        assert table.session.referee.moves[-1].text == "build manor"


async def test_the_digit_row_of_a_french_keyboard_picks() -> None:
    async with start_table(moves=TURN[:2]) as table:
        for number, sign in enumerate("&é\"'", start=1):
            moves = []
            for key in (str(number), sign):
                await table.keys(key)
                moves.append(table.session.referee.moves[-1].text)
                await table.keys("ctrl+z")
                assert table.session.referee.moves[-1].text == "call"
            assert moves[0] == moves[1] != "call"


@pytest.mark.parametrize(
    ("own", "messages"),
    [
        ({"undoo": "x"}, "keys.undoo: “undoo” is not an action; did you mean “undo”?"),
        ({"undo": "f20"}, "keys.undo: “f20” can't be used as a key; did you mean “f2”?"),
        ({"undo": "g"}, "keys.undo: “g” is already the key for gold"),
        ({"undo": 7}, "keys.undo: 7 can't be used as a key"),
        ({"undo": "1"}, "keys.undo: “1” can't be used as a key"),
    ],
)
def test_a_mistake_in_the_keys_is_told_with_its_place(
    own: dict[str, Any], messages: str, tmp_path: Path
) -> None:
    lines = "".join(f"  {action}: {key}\n" for action, key in own.items())
    lines = lines.replace(": 1\n", ': "1"\n')
    (tmp_path / "config.yaml").write_text(f"keys:\n{lines}", encoding="utf-8")
    with pytest.raises(config.ConfigError) as error:
        config.load({**os.environ, "COMPANION_DATA": str(tmp_path)})
    assert error.value.problems[0].endswith(messages)
    assert "config.yaml:2" in error.value.problems[0]


def test_every_action_has_keys_of_its_own() -> None:
    usual = {**verbs.keys({}), **ACTIONS}
    assert list(keys.problems({action: list(matches) for action, matches in usual.items()})) == []


async def test_keys_typed_ahead_belong_to_what_the_keys_before_them_open() -> None:
    """As on a slow connection: all arrive at once, and `2` is not a row of the list below."""
    async with start_table(moves=["faceup bishop merchant"]) as table:
        for key in ("p", "2", "1", "p", "3", "down", "down", "enter", "a", "2", "g", "d"):
            send_key(table.app, key)
        # the last key narrows the list of districts
        await table.wait_until(lambda: "d▏" in table.text(), "the narrowed list")
        assert "Manor" not in table.text()
        assert table.session.record().moves[1:] == (
            *("choose Kurt assassin", "choose Ashley thief", "call", "reveal Kurt", "gold"),
        )


async def test_a_line_that_opens_slowly_loses_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    event = asyncio.Event()

    async def mount_late(_screen: LineScreen) -> None:
        await event.wait()

    monkeypatch.setattr(LineScreen, "on_mount", mount_late, raising=False)
    async with start_table(moves=TURN[:-1]) as table:
        for key in ("colon", *"gold", "enter"):
            send_key(table.app, key)
        table.app.call_later(event.set)  # behind the keys
        await table.wait_until(lambda: len(table.session.referee.moves) == len(TURN), "a move")
        assert table.session.referee.moves[-1].text == "gold"


async def test_ctrl_c_asks_whether_to_leave_like_the_key_for_it() -> None:
    async with start_table() as table:
        await table.keys("q")
        question = table.text()
        await table.keys("escape", "ctrl+c")
        assert table.text() == question


async def test_the_help_begins_with_the_keys_of_this_moment() -> None:
    async with start_table(moves=TURN[:-1]) as table:
        await table.keys("h")
        moves, _space, game = table.text().partition("The game")
        assert re.search(r"\bG +Take 2 gold\b", moves)
        assert not re.search(r"\b[AN]  ", moves)  # everybody has chosen, nobody answers
        assert "U, Ctrl+Z" in game.partition("\n")[2].partition("\n")[0]
