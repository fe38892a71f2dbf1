"""The main screen by keyboard: every kind of choice, refusals, undo, the sheets, 80x24."""

from __future__ import annotations

import pytest

from companion.app.display import type_mark
from companion.game.demonstration import read_demo
from companion.settings.all_settings import THEMES
from companion.setup import PlayOptions
from companion.wording import state
from engine.cards import DISTRICT_TYPES
from tests.app.driving import send_key, start_table

pytestmark = pytest.mark.outer

SEVEN = ("Anna", "Kurt", "Ashley", "Ben", "Bartholomew", "Élodie", "Борис")
GAME = read_demo()


async def test_enter_and_space_take_the_usual_choice() -> None:
    async with start_table(SEVEN) as table:
        await table.keys("enter")  # call; recording a choice is above it
        assert table.session.view.phase == "calling"
        await table.keys("enter", "space")  # nothing is chosen at a call until somebody chooses
        assert table.session.view.called == 1
        await table.keys("up", "enter")  # the last row: nobody answers
        assert table.session.view.called == 2


async def test_a_list_is_narrowed_by_typing_and_left_with_escape() -> None:
    moves = ["call", "reveal Anna", "gold"]
    async with start_table(SEVEN, moves=moves) as table:
        await table.type("onas")
        assert "onas▏" in table.text()
        assert "Monastery" in table.text()
        assert "Manor" not in table.text()
        await table.keys(*["backspace"] * 4)
        assert "Manor" in table.text()
        await table.keys("escape")
        assert "End the turn" in table.text()
        assert len(table.session.referee.moves) == len(moves)


async def test_enter_after_letters_builds_and_takes_no_power_whose_row_has_them() -> None:
    async with start_table(SEVEN, moves=["call", "reveal Anna", "gold"]) as table:
        assert "Murder a character" in table.text()
        await table.keys("h", "enter")
        assert table.session.referee.moves[-1].verb == "build"


async def test_letters_that_fit_nothing_are_shown_and_enter_builds_nothing() -> None:
    moves = ["call", "reveal Anna", "gold"]
    async with start_table(SEVEN, moves=moves) as table:
        await table.type("cathedralx")
        assert "cathedralx▏ no match" in table.text()
        await table.keys("enter")
        assert "Nothing matches" in table.text()
        assert len(table.session.referee.moves) == len(moves)
        await table.keys("backspace", "enter")  # the Cathedral costs more than Anna has
        assert "Refused: " in table.text()
        assert len(table.session.referee.moves) == len(moves)


async def test_undo_and_redo_are_one_key_and_say_what_they_did() -> None:
    async with start_table(SEVEN, moves=["call", "reveal Anna", "gold"]) as table:
        await table.keys("ctrl+z")
        assert "Undone: Anna takes 2 gold." in table.text()
        assert table.session.view.seats[0].gold == 2
        await table.keys("r")
        assert table.session.view.seats[0].gold == 4
        await table.keys("ctrl+z", "u", "u", "u")
        assert "Nothing to undo" in table.text()
        assert table.session.referee.moves == ()


async def test_a_refusal_shows_its_reason_and_why_shows_the_rule() -> None:
    async with start_table(SEVEN, moves=["call", "reveal Anna", "gold"]) as table:
        await table.line("build palace")
        assert "Refused: " in table.text()
        await table.keys("question_mark")
        text = table.text()
        assert "build.gold" in text
        assert "Classic 2016" in text
        assert "Palace" in text
        await table.keys("escape", "e")
        assert "Refused" not in table.text()


async def test_why_quotes_the_rulebook_where_it_is_in_the_tables_language() -> None:
    moves = ["call", "reveal Anna", "gold"]
    async with start_table(SEVEN, moves=moves, options=PlayOptions(edition="deluxe_2016")) as table:
        await table.line("build palace")
        await table.keys("question_mark")
        text = " ".join(table.text().split())
        assert "The rulebook says, under Turn Phase: “To do this, he plays a card" in text


async def test_no_why_is_offered_where_all_is_told() -> None:
    async with start_table(SEVEN, moves=["call", "reveal Anna"]) as table:
        await table.keys("x")
        assert "“x” does nothing now." in table.text()
        assert "why" not in table.text()
        await table.keys("question_mark")
        assert "The game" in table.text()  # the help
        await table.keys("escape", "e")
        assert "Anna must take gold or cards first.  ? says why" in table.text()


async def test_cards_can_be_browsed_and_searched() -> None:
    async with start_table(SEVEN) as table:
        await table.keys("k")
        await table.type("haunted")
        assert "Haunted Quarter" in table.text()
        assert "counts as" in table.text()
        await table.keys("escape")
        assert "Choose" in table.text()


async def test_help_lists_the_keys() -> None:
    async with start_table(SEVEN, size=(100, 60)) as table:
        await table.keys("h")
        for key in ("Ctrl+Z", "F1", "F2", "F3", "Ctrl+N", "Ctrl+Q"):
            assert key in table.text()


async def test_leaving_says_that_the_game_is_saved() -> None:
    async with start_table(SEVEN) as table:
        await table.keys("q")
        assert "is saved" in table.text()
        await table.keys("escape")
        assert table.app.is_running
        await table.keys("q", "enter")
        assert table.app.return_value == 0


async def test_leaving_after_the_end_offers_nothing_to_go_on_with() -> None:
    async with start_table(GAME.setup.players, crown=GAME.setup.crown, moves=GAME.moves) as table:
        await table.keys("q")
        assert "is over and saved" in table.text()
        assert "go on" not in table.text()


@pytest.mark.parametrize("players", range(2, 8))
async def test_everything_essential_is_on_a_small_screen(players: int) -> None:
    """The awaited player, everybody's name, gold, hand and city, and every choice, at 80x24."""
    names = SEVEN[:players]
    async with start_table(names) as table:
        while table.session.view.phase == "selection":
            legal = [m for m in table.session.legal() if m.verb in ("faceup", "call")]
            move = next(m for m in legal if "assassin" not in m.args)
            await table.line(move.text)
        calling = table.rows()
        assert "█" in calling[3]
        for number, name in enumerate(names, start=1):
            assert any(row.startswith(f"  {number}   {name}") for row in calling)
        await table.keys("1", "g")
        rows = table.rows()
        none_built = state.progress(0, table.session.view.city_size)
        assert len(rows) == 24
        assert rows[0].startswith(" Round 1 · Citadels Classic (2016)")
        assert rows[0].endswith("Crown: Anna")
        for name in names:
            assert any(name in row and none_built in row for row in rows)
        open_ = [row for row in table.asked.visible if row.why is None][:3]
        for choice in open_:
            assert any(choice.label[:20] in row for row in rows), choice.label
        if players < 6:  # else the cities need the space
            for type_ in DISTRICT_TYPES:
                assert f"{type_mark(type_)} {type_}" in table.text()


SIZES = [(40, 10), (60, 20), (120, 40), (200, 60), (80, 24)]


@pytest.mark.parametrize(("first", "theme"), list(enumerate(THEMES)))
async def test_every_size_and_theme_is_painted(first: int, theme: str) -> None:
    """Each theme begins in another size, and the terminal then takes all of them."""
    sizes = [*SIZES[first:], *SIZES[:first]]
    async with start_table(SEVEN, size=sizes[0], theme=theme) as table:
        for size in sizes:
            await table.resize(*size)
            assert len(table.rows()) == size[1]
            assert "Round 1" in table.rows()[0], size
            assert "Has everybody chosen?" in table.text(), size


async def test_letters_then_a_number_are_played_in_that_order() -> None:
    async with start_table(SEVEN, moves=["call"]) as table:
        for key in ("n", "n", "3"):  # nobody, nobody, Ashley is the Magician
            send_key(table.app, key)
        await table.settle()
        moves = [move.text for move in table.session.referee.moves]
        assert moves == ["call", "nobody", "nobody", "reveal Ashley"]
