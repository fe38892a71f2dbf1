"""Label codes typed by a scanner: as a line, or through a keyboard-like reader."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from companion.chips import load_catalogue
from companion.chips.box import KINDS, Box
from companion.chips.entries import ReferenceChip, parse_entry
from companion.extensions.labels import sheets
from companion.game.session import Session
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.plain.devices import hand_over_tap
from companion.readers.service import SharedReader
from companion.readers.table_reader import TableReader
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from engine.record import Setup
from tags.watch import Tap
from tests.companion.conftest import begin
from tests.companion.talking import FOUR, Begin
from tests.tags.conftest import Recorder
from tests.tags.test_wedge import Keyboard

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["begin"]

CALLED = "faceup thief bishop; call"
LABELS = [label.code for label in sheets.list_labels(Box("classic_2016"), KINDS)]


@pytest.mark.parametrize("people", [True, False])
@pytest.mark.parametrize(
    "moves", ["", CALLED, f"{CALLED}; reveal Kurt", f"{CALLED}; reveal Kurt; gold"]
)
def test_a_scanned_label_is_a_tap_of_its_chip(begin: Begin, moves: str, people: bool) -> None:
    """Each label in turn, undone afterwards: the same output and moves as for its chip."""
    how = {"people": people, "forced": people}
    talk, new_talk = begin(moves, **how), begin(moves, **how)
    count = 0
    for code in LABELS:
        entry = parse_entry(code, load_catalogue())
        if code == "crown" or isinstance(entry, ReferenceChip):
            continue  # words already
        lines = talk.line(code.upper() if code.endswith("1") else code)
        new_talk.face.messages.clear()
        new_talk.conversation.tap(entry)
        assert lines == new_talk.lines(), code
        assert talk.moves() == new_talk.moves(), code
        if len(talk.moves()) != len(moves.split(";")) - (not moves):
            count += 1
            talk.conversation.word("undo")
            new_talk.conversation.word("undo")
        talk.conversation.go_back()
        new_talk.conversation.go_back()
    assert count > 0 or not moves


def test_the_words_that_reference_cards_and_the_crown_have_stay_words(begin: Begin) -> None:
    talk = begin()
    assert talk.line("reference 4")[0] == "Reference card 4: 8 characters."
    assert talk.line("crown") == ["Crown: Kurt."]


def test_a_player_called_like_a_token_is_meant(begin: Begin) -> None:
    talk = begin(CALLED, players=("Player 2", "Ben", "Kurt", "Anna"))
    talk.line("player 2")
    assert talk.moves()[-1] == 'reveal "Player 2"'


@pytest.mark.parametrize("code", ["character king", "player 3"])
def test_a_secret_that_others_have_read_is_not_played(begin: Begin, code: str) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold", secrecy="secret")
    talk.face.messages.clear()
    talk.conversation.line(code, in_public=True)
    lines = talk.lines()
    assert lines == ["Everyone could read that, so it wasn't played. Choose in private."]
    assert talk.moves()[-1] == "gold"


def test_a_public_code_that_others_have_read_is_played(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold", secrecy="secret")
    talk.conversation.line("district tavern 2", in_public=True)
    assert talk.moves()[-1] == "build tavern"


def test_the_same_label_twice_asks_like_the_same_card(begin: Begin) -> None:
    calls = "; ".join(["nobody"] * 6)  # up to the Architect, who builds more than once
    talk = begin(f"{CALLED}; {calls}; reveal Anna; gold", edition="brettspielwelt")
    talk.line("district tavern 2")
    talk.line("district tavern 2")
    assert talk.moves().count("build tavern") == 1
    talk.line("district tavern 3")
    assert talk.moves().count("build tavern") == 2


def test_a_scanner_behind_the_reader_that_types_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard = Keyboard()
    monkeypatch.setattr("tags.readers.wedge._open_with_evdev", lambda path: keyboard)
    path = "wedge:/dev/input/by-id/usb-Scanner-event-kbd"
    # No hand is as fast as this test.
    monkeypatch.setattr(
        "companion.readers.table_reader.SharedReader", partial(SharedReader, dropout=0.0)
    )
    config = settings.load(options={"reader": path})
    events = Recorder()
    with Store(config.games) as store:
        session = Session.begin(store, Setup("classic_2016", FOUR, "Kurt"))
        for move in ("faceup thief bishop", "call", "reveal Kurt", "gold"):
            session.play(move)
        caller = Caller(session, store, config, Inbox())
        caller.reader = reader = TableReader.open(config, session.setup.ruleset(), on_event=events)
        assert reader is not None
        reader.start()
        try:
            scan(keyboard, events, caller, "district tavern 3")
            scan(keyboard, events, caller, "action end")
            scan(keyboard, events, caller, "district nonsense 1")
            assert caller.unknown_chip is not None
        finally:
            reader.stop()
            session.close()
        moves = [move.text for move in session.referee.moves]
    assert moves[4:6] == ["build tavern", "end"]


def scan(keyboard: Keyboard, events: Recorder, caller: Caller, code: str) -> None:
    """Scan a label, and let the caller process the tap."""
    keyboard.type(code)
    hand_over_tap(caller, events.wait_for(Tap))
