"""Visible details: gold that moves, the awaited player, points, the large call, clicks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion import language
from companion.app.display import paint, wrap
from companion.app.widgets.banner import Banner, draw_large
from companion.language import list_offered
from companion.settings import config
from companion.wording import state
from engine.cards import characters
from tests.app.driving import Driver, screen_strips, start_table
from tests.app.test_powers import SHADY, WARRANTED

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.outer

FACEUP = "faceup bishop merchant"
TURN = [FACEUP, "call", "reveal Anna", "gold", "build manor"]


def row_of(table: Driver, name: str) -> str:
    """The line of a player in the players' panel, from the name on."""
    rows = [row for row in table.rows() if re.search(rf"{name} +\d+ ", row)]
    assert len(rows) == 1, table.text()
    return rows[0][rows[0].rindex(name) - 2 :]


async def test_gold_shows_what_the_last_move_changed() -> None:
    async with start_table(moves=TURN[:3]) as table:
        assert row_of(table, "Anna").split()[:3] == ["▶", "Anna", "2"]
        await table.keys("g")
        assert row_of(table, "Anna").split()[:4] == ["▶", "Anna", "4", "+2"]
        await table.keys("ctrl+z")
        assert row_of(table, "Anna").split()[:4] == ["▶", "Anna", "2", "-2"]
        await table.keys("r", "9", "9")
        assert "+2" not in row_of(table, "Anna")


async def test_points_so_far_and_the_way_to_a_whole_city() -> None:
    async with start_table(moves=TURN, size=(120, 40)) as table:
        assert "points" in table.text()
        assert f" ■□□□□□□ {state.progress(1, 7)} " in row_of(table, "Anna")
        assert "Manor ♦N3" in table.text()


async def test_whoever_must_answer_is_marked_during_the_turn_of_another() -> None:
    async with start_table(moves=TURN[:2]) as table:
        assert row_of(table, "Anna").startswith("▶")  # the crowned player calls
    moves = [*WARRANTED, "nobody", "reveal Ashley", "gold", "build tavern"]
    async with start_table(options=SHADY, moves=moves, size=(120, 40)) as table:
        assert table.session.view.acting.name == "Ashley"
        assert row_of(table, "Ben").startswith("▶ Ben")
        assert "must answer" in table.text()
        assert not row_of(table, "Ashley").startswith("▶")


@pytest.mark.parametrize("code", list_offered())
def test_every_character_can_be_drawn_large(code: str) -> None:
    language.use(code)
    for id_, character in characters().items():
        name = f"{character.rank} {language.card(id_)}"
        large = draw_large(name, 200, 20)
        assert large, name
        assert len({len(line) for line in large}) == 1
        assert draw_large(name, 40, 2) is None


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_large_call_fills_the_screen_and_the_game_goes_on(size: tuple[int, int]) -> None:
    async with start_table(moves=TURN[:2], size=size) as table:
        before = table.text().count("█")
        await table.keys("z")
        assert table.text().count("█") > 2 * before
        assert "Rank 1. Who is the Assassin?" in table.text()
        assert all(row.label in table.text() for row in table.asked.visible[:4])
        await table.keys("n", "2")
        assert table.session.view.acting.name == "Kurt"
        assert table.text().count("█") > before
        assert "Choose" in table.text()
        await table.keys("z")
        assert "points" in table.text()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_refusal_covers_no_choice_below_the_large_call(size: tuple[int, int]) -> None:
    async with start_table(moves=TURN[:2], size=size) as table:
        await table.keys("z", "2", "7", "3", "e")
        assert "Refused: Kurt must take gold or cards first." in table.text()
        for row in table.asked.visible:
            assert row.label in table.text()


async def test_the_large_call_keeps_its_margins_in_a_window_of_another_size() -> None:
    async with start_table(moves=TURN[:2], size=(120, 40)) as table:
        await table.keys("z")
        await table.resize(80, 24)
        changed = table.rows()
        await table.keys("z", "z")
        assert table.rows() == changed


async def test_a_layout_includes_what_is_asked_for_but_not_yet_announced() -> None:
    """A widget announces its new size once it is idle; another layout may come before that."""
    async with start_table(moves=TURN[:2]) as table:
        prompt = table.app.screen.query_one("#prompt")
        before = prompt.region.height
        prompt.styles.height = before + 1
        table.app.screen._refresh_layout()
        await table.settle()
        assert prompt.region.height == before + 1


async def test_nobody_is_named_below_a_call_until_somebody_answers() -> None:
    async with start_table(moves=TURN[:2], size=(120, 40)) as table:
        await table.keys("z")
        banner = table.app.screen.query_one(Banner)
        assert banner.texts == ("1 Assassin", "")
        await table.keys("2")
        assert banner.texts == ("1 Assassin", "Kurt")


async def test_the_call_is_never_smaller_than_the_name_below_it() -> None:
    async with start_table(moves=TURN[:2], size=(120, 40)) as table:
        await table.keys("z", "2")
        picture = table.app.screen.query_one(Banner)
        text, name = picture.draw(116, 26).plain.strip("\n").split("\n\n")
        assert len(text.split("\n")) >= len(name.split("\n"))
        longest = [max(len(part) for part in re.findall("█+", word)) for word in (text, name)]
        assert longest[0] >= longest[1]


async def test_the_smallest_terminal_still_shows_what_can_be_done() -> None:
    async with start_table(moves=TURN, size=(40, 12), reader="simulated") as table:
        assert "7 m Murder a character" in table.text()
        assert "so far" not in table.text()
        await table.wait_until(lambda: table.app.reader is not None)
        await table.keys("t")
        assert "Tap a card: type its name." in table.text()
        await table.keys("escape", "v")
        assert "Anna's city: 1 of 7 districts." in table.text()


def test_a_line_is_never_broken_at_a_no_break_space() -> None:
    rows = wrap(paint("Combien de quartiers\N{NO-BREAK SPACE}? Sept."), 20)
    assert rows[1].plain == "quartiers\N{NO-BREAK SPACE}? Sept."


async def test_a_player_and_a_choice_can_be_clicked() -> None:
    async with start_table(moves=TURN, size=(120, 40)) as table:
        y = next(i for i, row in enumerate(table.rows()) if "▶ Anna" in row)
        await table.pilot.click(offset=(90, y))
        await table.settle()
        assert "Points so far" in table.text()
        assert "Manor, noble, 3 gold." in table.text()
        await table.keys("escape")
        for _asked_once_more in range(2):
            y = next(i for i, row in enumerate(table.rows()) if "End the turn" in row)
            await table.pilot.click(offset=(10, y))
            await table.settle()
        assert table.session.referee.moves[-1].text == "end"
        y = next(i for i, row in enumerate(table.rows()) if "Anna ends the turn" in row)
        await table.pilot.click(offset=(10, y))
        await table.settle()
        assert "What happened" in table.text()


async def test_the_language_changes_in_the_middle_of_a_game() -> None:
    async with start_table(moves=[*TURN, "end"]) as table:
        await table.keys("f10")
        assert "Русский" in table.text()
        await table.keys(str(list_offered().index("ru") + 1))
        assert language.current() == "ru"
        assert any(language.card("manor") in row for row in table.rows())
    async with start_table(resume=True) as table:
        assert language.current() == "ru"
        await table.keys("f10", "1")
        assert "Manor" in table.text()


async def test_a_list_of_values_shown_again_looks_as_if_it_were_new() -> None:
    number = str(list_offered().index("ru") + 1)
    async with start_table(moves=TURN, size=(46, 20), theme="light") as table:
        await table.keys("f10", number, "f10")
        languages = screen_strips(table.app)
        await table.keys("escape", "ctrl+t")
        themes = screen_strips(table.app)
    async with start_table(moves=TURN, size=(100, 30)) as table:
        await table.keys("f10", number, "ctrl+t", "5", "2")
        await table.resize(46, 20)
        await table.keys("ctrl+t")
        assert screen_strips(table.app) == themes
        await table.keys("escape", "f10")
        assert screen_strips(table.app) == languages


async def test_a_chosen_setting_is_kept_if_that_is_wanted(tmp_path: Path) -> None:
    async with start_table(moves=TURN) as table:
        await table.keys("ctrl+t", "5", "2")
        assert table.app.theme == "light"
    assert config.load().theme == "light"


def test_what_is_kept_changes_one_line_of_the_users_file(tmp_path: Path) -> None:
    env = {"COMPANION_DATA": str(tmp_path)}
    file = tmp_path / "config.yaml"
    file.write_text("# ours\nedition: deluxe_2016\ntheme: dark  # at night\nplain: false", "utf-8")
    config.save("theme", "light", env)
    config.save("language", "fr", env)
    assert file.read_text("utf-8") == (
        "# ours\nedition: deluxe_2016\ntheme: light  # at night\nplain: false\nlanguage: fr\n"
    )
    assert list(tmp_path.iterdir()) == [file]
