"""Set-up, resuming, and two callers at one game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from textual import events
from textual.widgets import Input

from companion.app.screens.setup_screen import SetupScreen
from companion.game.session import Session
from companion.log.store import Store
from companion.settings import config as settings
from companion.setup import PlayOptions, casting
from companion.setup.draft import Draft
from companion.setup.shared import SetUp
from engine import cards, casts
from engine.cards import District
from engine.editions import editions, switches
from engine.record import Setup
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

NAMES = ("Anna", "Kurt", "Ashley", "Ben")


async def test_a_game_is_set_up_by_keys() -> None:
    async with start_table(None) as table:
        for name in NAMES:
            await table.enter(name)
        await table.keys("tab")
        await table.keys("shift+up")  # Ben before Ashley
        await table.keys("up", "f7")  # Kurt
        assert "Kurt  (crown)" in table.text()
        await table.keys("f5")
        assert table.session.setup.players == ("Anna", "Kurt", "Ben", "Ashley")
        assert table.session.setup.crown == "Kurt"
        assert "Kurt. Discard 2 characters face up." in table.text()


async def test_what_is_wrong_with_a_set_up_is_said() -> None:
    async with start_table(None) as table:
        await table.enter("Anna")
        await table.enter("anna")
        assert "tell them apart" in table.text()
        await table.keys("tab", "f5")
        assert "Type at least two names first." in table.text()
        assert table.app.session is None
        await table.type("Ben")
        await table.keys("enter", "f5")
        assert table.session.setup.players == ("Anna", "Ben")


async def test_a_name_of_two_words_that_was_taken_for_two_is_typed_again_in_quotes() -> None:
    hint = "Each word is a player; a name with spaces needs quotes."
    async with start_table(None) as table:
        await table.enter("Anna Kurt")
        assert hint in " ".join(table.text().split())
        await table.enter("Anna B")
        said = " ".join(table.text().split())
        assert f"Two players are called “Anna”; tell them apart. {hint}" in said
        assert "3   B" not in table.text()
        await table.type("“Anna B”")  # over what was refused
        await table.keys("enter")
        assert "3   Anna B" in table.text()
        assert hint not in " ".join(table.text().split())
        await table.keys("f5")
        assert table.session.setup.players == ("Anna", "Kurt", "Anna B")


async def test_house_rules_are_shown_in_words_and_changed() -> None:
    async with start_table(None, size=(120, 60)) as table:
        await table.type("Anna, Ben, Kurt, Eva")
        await table.keys("enter", "tab", "tab")
        assert "Who calls the characters? → the crown" in table.text()
        assert "Targets" not in table.text()
        await table.keys(*["down"] * 3, "enter", "enter", "down", "enter", "down", "enter")
        words = " ".join(" ".join(row[32:] for row in table.rows()).split())
        assert "Targets of Assassin and Thief → kept secret until they take effect" in words
        await table.keys("f5")
        assert table.session.setup.secrecy == "secret"
        assert table.session.setup.options == {"city_size": 8}
        assert "8 districts, secret" in table.rows()[0]


def test_a_changed_answer_comes_back_to_the_default() -> None:
    draft = Draft.of(PlayOptions(players=NAMES), settings.load(), None)
    draft.change("more")
    before = draft.rows()
    for row in before:
        if row.name not in switches():
            continue
        for _times in range(40):
            draft.change(row.name)
            draft.setup()
            if not draft.options:
                break
        assert draft.rows() == before


async def test_a_key_meant_for_a_player_whom_a_phone_has_removed_removes_nobody() -> None:
    async with start_table(None) as table:
        await table.type("Anna, Kurt, Ben, Eva")
        await table.keys("enter", "tab", "home", "down", "enter")
        assert "Does not play" in table.text()
        set_up = _find_set_up(table)
        set_up.draft.remove(1)
        set_up.note_change()
        await table.keys("5")
        assert set_up.draft.players == ["Anna", "Ben", "Eva"]
        assert "What you typed was dropped." in " ".join(table.text().split())
        assert "Does not play" not in table.text()


async def test_a_wrong_number_in_a_list_is_refused_until_the_next_key() -> None:
    async with start_table(None) as table:
        await table.type("Anna, Kurt")
        await table.keys("enter", "tab", "enter", "9")
        assert "There is no choice 9 now" in table.text()
        assert "Does not play" in table.text()
        await table.keys("1")
        assert "Kurt  (crown)" in table.text()
        assert "There is no choice" not in table.text()


async def test_who_is_marked_stays_marked_when_a_phone_removes_somebody_else() -> None:
    async with start_table(None) as table:
        await table.type("Anna, Kurt, Ben, Eva")
        await table.keys("enter", "tab", "home", "down", "down")
        set_up = _find_set_up(table)
        set_up.draft.remove(1)
        set_up.note_change()
        await table.keys("delete")
        assert set_up.draft.players == ["Anna", "Eva"]


def _find_set_up(table: Driver) -> SetUp:
    return next(s.set_up for s in table.app.screen_stack if isinstance(s, SetupScreen))


async def test_the_unfinished_game_is_offered_and_goes_on() -> None:
    async with start_table(NAMES, moves=["faceup bishop merchant"]) as table:
        await table.keys("a")
    async with start_table(None) as table:
        assert "Continue game" in table.text()
        words = " ".join(table.text().split())
        assert "Citadels Classic (2016), Anna, Kurt, Ashley and Ben." in words
        assert "Round 1, Anna to play; last played 20" in words
        await table.keys("enter")
        assert table.session.view.phase == "calling"
    async with start_table(resume=True) as table:
        assert table.session.view.phase == "calling"
        await table.keys("u")
        assert table.session.view.phase == "selection"


async def test_three_doors_stand_above_the_names_and_a_letter_there_begins_a_name() -> None:
    async with start_table(None) as table:
        assert "● Play" in table.text()
        assert isinstance(table.app.focused, Input)
        await table.keys("shift+tab", "right", "enter")
        assert "● Explain it to us" in table.text()
        assert "Explain the first round? → yes" in table.text()
        await table.keys("shift+tab")
        for name in NAMES[:2]:
            await table.enter(name)
        await table.keys("f5")
        assert table.session.setup.players == NAMES[:2]
        assert table.session.teacher.on


async def test_only_the_points_are_counted_by_the_list_of_districts() -> None:
    async with start_table(None) as table:
        await table.keys("shift+tab", "right", "right", "enter")
        assert "● Only count the points" in table.text()
        assert "Who calls" not in table.text()
        assert "F7" not in table.text()  # no crown is worth a point
        for name in NAMES[:2]:
            await table.enter(name)
        await table.keys("tab", "tab", "down", "enter")
        assert "How are ties broken?" in table.text()
        assert "Warlord" not in table.text()  # what he may destroy changes no points
        await table.keys("f5")
        assert "Anna. Which districts are in your city?" in table.text()
        assert not {"Round 1", "1 Assassin", "gold", "crown"} & set(table.text().split("  "))
        assert "Crown" not in table.text()
        await table.type("palac")
        await table.keys("enter", "9")
        await table.type("castl")
        await table.keys("enter", "ctrl+z")
        await table.type("mano")
        await table.keys("enter", "9")
        assert table.session.over
        cities = [[card.id for card in seat.city.cards] for seat in table.session.view.seats]
        assert cities == [["palace"], ["manor"]]
    async with start_table(None) as table:  # which plays again
        assert "● Play" in table.text()
        assert _find_set_up(table).draft.door == "play"


async def test_a_killed_caller_loses_no_accepted_move() -> None:
    script = (
        "import asyncio, os, signal\n"
        "from tests.app.driving import Driver, start_table\n"
        "async def main():\n"
        "    async with start_table() as table:\n"
        "        await table.line('faceup bishop merchant')\n"
        "        await table.keys('a')\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    result = subprocess.run([sys.executable, "-c", script], env=os.environ, check=False, cwd=_top())
    assert result.returncode == -signal.SIGKILL
    async with start_table(resume=True) as table:
        assert [m.verb for m in table.session.referee.moves] == ["faceup", "call"]


async def test_a_game_open_elsewhere_is_one_clear_sentence() -> None:
    with Store(settings.load().games) as other:
        session = Session.begin(other, Setup("classic_2016", NAMES, "Anna"))
        async with start_table(None) as table:
            await table.keys("f6")
            assert "is open in another window" in " ".join(table.text().split())
            assert table.app.session is None
        session.close()


async def test_a_new_game_begins_with_the_same_players() -> None:
    async with start_table(NAMES) as table:
        first = table.session
        await table.keys("ctrl+n")
        assert "Ashley" in table.text()
        await table.keys("f5")
        assert table.session is not first
        assert table.session.setup.players == NAMES
        assert table.app.screen is table.app.table


async def test_who_played_before_is_offered_by_name() -> None:
    async with start_table(NAMES):
        pass
    async with start_table(None, options=PlayOptions()) as table:
        row = next(row for row in table.rows() if "+   Kurt" in row)
        await table.pilot.click(offset=(row.index("Kurt"), table.rows().index(row)))
        await table.settle()
        assert "1   Kurt" in table.text()
        assert "+   Kurt" not in table.text()
        assert "+   Anna" in table.text()


async def test_only_the_questions_of_the_cards_in_the_game_are_asked() -> None:
    async with start_table(None, options=PlayOptions(edition="deluxe_2016")) as table:
        await table.type("Anna, Ben, Kurt, Eva")
        await table.keys("enter", "tab", "tab", "end", "enter")
        assert "Alchemist" not in table.text()
        draft = table.app.screen.draft  # type: ignore[attr-defined]
        questions = {row.name for row in draft.rows()}
        casting.choose_character(draft, "alchemist")
        assert {row.name for row in draft.rows()} - questions == {"alchemist_refund"}


async def test_a_printed_cast_is_chosen_by_name_and_changed_rank_by_rank() -> None:
    async with start_table(None, options=PlayOptions(edition="deluxe_2016")) as table:
        await table.type("Anna, Ben, Kurt, Eva")
        await table.keys("enter", "tab", "tab", *["down"] * 3, "enter", "enter")
        assert "Which characters?" in table.text()
        printed_cast = next(iter(casts.list_printed(editions()["deluxe_2016"]).values()))
        await table.enter(printed_cast.title)
        words = " ".join(table.text().split())
        assert f"Characters → {printed_cast.title}" in words
        assert "Unique districts → those of the cast" in words
        await table.keys("enter")
        await table.enter("seer")
        assert "type to search" in table.text()  # ready for the next player
        assert "● 3 Seer" in table.text()
        await table.keys("escape", "f5")
        setup = table.session.setup
        assert setup.characters is not None
        assert "seer" in setup.characters
        assert setup.districts is not None
        assert setup.districts == tuple(sorted(setup.districts, key=list(_districts()).index))
        assert set(setup.districts) == set(printed_cast.districts)
        assert "chosen characters" in table.rows()[0]


async def test_a_random_cast_and_unique_districts_by_hand() -> None:
    async with start_table(None, options=PlayOptions(edition="deluxe_2016")) as table:
        await table.type("Anna, Ben, Kurt, Eva")
        await table.keys("enter", "tab", "tab", *["down"] * 3, "enter", "enter", "down", "enter")
        await table.keys("down", "enter")
        assert "Unique districts: 14 of 14" in table.text()
        await table.enter("laboratory")
        number = 13 if "○ Laboratory" in table.text() else 15
        assert f"Unique districts: {number} of 14" in table.text()
        await table.keys("enter", "escape", "f5")
        assert len(table.session.setup.districts or ()) == 14


async def test_what_is_in_force_is_on_a_sheet() -> None:
    async with start_table(NAMES, house={"city_size": 8}, secrecy="secret") as table:
        await table.keys("o")
        words = " ".join(table.text().split())
        assert "A city is complete with 8 districts." in words
        assert "stays secret until it takes effect" in words
        assert "How are ties broken?" in words


def _districts() -> dict[str, District]:
    return cards.districts("deluxe_2016")


def _top() -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.mark.parametrize("size", [(60, 22), (80, 24), (120, 40)])
async def test_the_bottom_line_names_the_help_and_the_help_the_keys(size: tuple[int, int]) -> None:
    async with start_table(None, size=size) as table:
        assert "F1 help" in table.rows()[-1]
        await table.keys("f1")
        words = " ".join(table.text().split())
        for key in ("F2", "Shift+↑", "Del", "F5", "F6", "F7", "F8"):
            assert key in words


async def test_pasted_lines_are_as_many_players() -> None:
    async with start_table(None) as table:
        field = table.app.screen.query_one("#name", Input)
        field.post_message(events.Paste("Anna\r\nKurt B,\nBen, Eva\n"))
        await table.keys("f5")
        assert table.session.setup.players == ("Anna", "Kurt B", "Ben", "Eva")
