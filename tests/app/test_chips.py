"""The full screen by chips, which the simulated reader and its tray lay on, without a driver."""

from __future__ import annotations

import threading

import pytest

from companion.chips.entries import CALLER_ACTIONS, CharacterChip
from companion.settings import config as settings
from tags.watch import Watcher
from tests.app.driving import start_table
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer


async def test_a_scanner_that_types_a_colon_first_taps() -> None:
    async with start_table(moves=["faceup bishop merchant", "call"]) as table:
        for code in ("player 4", "action gold", "district school_of_magic 1", "district tavern 3"):
            await table.enter(f":{code}")
            await table.keys("escape")  # closes a card that was only shown
        moves = [move.text for move in table.session.referee.moves]
        assert moves[2:] == ["reveal Ben", "gold", "build tavern"]


async def test_two_quick_taps_never_race() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        crown, ben = await table.uid("crown"), await table.uid("Ben")
        for uid in (crown, ben):  # both are sent before the first is answered
            table.app.take_chip(uid)
        await table.settle()
        assert [m.text for m in table.session.referee.moves][1:] == ["call", "reveal Ben"]


async def test_several_meanings_open_a_choice_and_a_further_tap_takes_one() -> None:
    moves = ["faceup bishop merchant", "call"]
    async with start_table(reader="simulated", moves=moves) as table:
        await table.tap("reference 4")
        assert "Which one?" in table.text()
        assert "Ashley is the Assassin" in table.text()
        await table.tap("Ashley")
        assert table.session.view.acting.name == "Ashley"
        assert "Ashley is the Assassin. U undoes it." in " ".join(table.text().split())


async def test_a_card_that_means_nothing_now_is_shown_and_explained() -> None:
    async with start_table(reader="simulated") as table:
        await table.tap("smithy")
        assert "Smithy" in table.text()
        assert "gold" in table.text()
        assert not table.session.referee.moves
        assert "Enter opens the card" in table.text()
        await table.keys("enter")
        assert "The cards" in table.text()
        await table.tap("laboratory")  # the next card comes in its place
        assert "Laboratory" in table.text()
        await table.tap("bishop")
        await table.keys("escape")
        await table.tap("bishop")
        assert "Face up so far: Bishop." in table.text()


async def test_an_unknown_chip_is_announced_and_learned_on_the_spot() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        await table.tap("chip 04:a1:b2:c3:d4:e5:f6")
        assert "Unknown chip 04A1B2C3D4E5F6" in table.text()
        await table.keys("l")
        await table.enter("warlord")
        assert "is now: Warlord" in table.text()
        await table.line("call")
        await table.line("reveal Anna")
        await table.tap("chip 04:a1:b2:c3:d4:e5:f6")
        assert table.session.view.marks.killed == "warlord"
        with open(settings.load().chips, encoding="utf-8") as file:
            assert str(CharacterChip("warlord")) in file.read()


async def test_a_lost_reader_is_seen_at_once_and_until_it_is_back() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        await table.tap("chip 04:a1:b2:c3:d4:e5:f6")
        assert "Unknown chip 04A1B2C3D4E5F6" in table.text()
        await table.unplug()
        assert "Lost reader" in table.text()
        assert "Unknown chip" not in table.text()
        await table.line("call castle")
        assert "I don't understand" in table.text(), "other notices stand above it meanwhile"
        assert "Lost reader" in table.text()
        await table.line("call")
        assert "Lost reader" in table.text()
        await table.plug()
        assert "Lost reader" not in table.text()
        assert "is ready" in table.text()


async def test_the_tray_is_a_line_that_taps_the_card_it_names() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        await table.wait_until(lambda: "T tray" in table.rows()[-1], "the bottom line's tray")
        await table.keys("t")
        await table.enter("crown")
        await table.wait_until(
            lambda: table.session.view.phase == "calling", "the tap of the crown"
        )
        await table.keys("t")
        await table.enter("anna")
        await table.wait_until(lambda: table.session.view.phase == "turn", "the tap of a token")
        await table.keys("t")
        await table.enter("nothing like it")
        assert "no card called “nothing like it”" in table.text()


async def test_the_tray_waits_one_key_away_where_no_reader_was_found() -> None:
    async with start_table(reader="auto", moves=["faceup bishop merchant"]) as table:
        await table.wait_until(lambda: table.app.reader is not None, "the end of the search")
        assert "tray" not in table.text()
        await table.keys("t")
        await table.enter("crown")
        await table.wait_until(
            lambda: table.session.view.phase == "calling", "the tap of the crown"
        )


async def test_the_reader_is_spoken_of_in_the_language_of_the_table() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        await table.wait_until(lambda: "Simulated reader (T: tray)" in table.text())
        await table.keys("r")
        assert "Nothing to redo." in table.text()
        table.app.use_language("fr")
        await table.wait_until(lambda: "Lecteur simulé (T" in table.text())
        assert "Nothing to redo." not in table.text()
        await table.tap("crown")
        await table.keys("escape")  # what the tap did is shown over it
        assert "Le lecteur simulé est prêt." in table.text()


async def test_the_tray_takes_names_in_the_language_of_the_table() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        table.app.use_language("fr")
        await table.wait_until(lambda: table.app.reader is not None)
        await table.keys("t")
        await table.enter("couronne")
        await table.wait_until(
            lambda: table.session.view.phase == "calling", "the tap of the crown"
        )


async def test_keys_are_answered_while_the_driver_blocks() -> None:
    """The caller never waits for the reader, neither for keys nor when leaving."""
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        await table.tap("smithy")
        await table.keys("escape")
        assert table.app.reader is not None
        blocks, unblock = threading.Event(), threading.Event()

        def block(*_: object) -> None:
            blocks.set()
            unblock.wait(PATIENCE)

        (source,) = table.app.reader._sources
        assert isinstance(source, Watcher)
        source.request(block)
        await table.wait_until(blocks.is_set, "the driver's blocking")
        await table.keys("a")
        assert table.session.view.phase == "calling"
        assert not unblock.is_set()
    unblock.set()


async def test_what_a_tap_would_do_is_shown_before_it_is_done() -> None:
    async with start_table(reader="simulated") as table:
        await table.wait_until(lambda: "to discard it face up" in table.text(), "the hint")


async def test_numbers_above_nine_are_tapped_digit_by_digit() -> None:
    names = ["Anna", "Kurt", "Ashley", "Ben"]
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold"]
    async with start_table(names, reader="simulated", moves=moves) as table:
        await table.tap("1")
        assert "1: tap another digit, or the enter chip." in table.text()
        await table.tap("2")
        assert table.session.view.seats[0].city.ids == {"castle"}
        await table.tap("undo")
        await table.tap("9")  # the end of the turn, in every list
        assert "You can still choose “Murder a character”" in table.text()
        await table.tap("9")
        assert table.session.view.called == 2


async def test_every_chip_that_the_caller_answers_is_answered() -> None:
    async with start_table(reader="simulated", moves=["faceup bishop merchant"]) as table:
        for name in CALLER_ACTIONS:
            if name != "next":
                await table.tap(name)
                await table.keys("escape")
        assert table.session.view.phase == "calling"  # 9 carries on


async def test_a_tap_at_the_own_reader_of_who_is_not_awaited_changes_nothing() -> None:
    moves = ["faceup bishop merchant", "call"]
    async with start_table(reader="simulated", moves=moves) as table:
        table.app.take_chip(await table.uid("assassin"), 1)  # Kurt
        await table.settle()
        assert table.session.view.acting.name == "Kurt"
        table.app.take_chip(await table.uid("king"), 2)
        await table.settle()
        assert "Ashley tapped out of turn; nothing changed." in table.text()
        assert table.session.view.marks.killed is None
        table.app.take_chip(await table.uid("king"), 1)
        await table.settle()
        assert table.session.view.marks.killed == "king"
