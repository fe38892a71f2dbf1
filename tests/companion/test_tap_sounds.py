"""An ACR122U's sounds for taps: accepted, refused, and none that reveal a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from companion.chips.entries import ActionChip, CharacterChip, Entry, PlayerChip
from companion.game.session import Session
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.plain.devices import hand_over_tap
from companion.readers.table_reader import TableReader
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from engine.record import Setup
from tags.watch import Tap
from tests.tags.emulated_acr122 import Acr122, usb_with

pytestmark = pytest.mark.outer

NAMES = ("Anna", "Kurt", "Ashley", "Ben")
UID, UNKNOWN = bytes.fromhex("04A2B3C4D5E680"), bytes.fromhex("041122334455AA")
YES, NO = 1, 3  # tenths of a second

Sounds = Callable[[Tap], list[int]]


@contextmanager
def at_the_table(
    device: Acr122, *moves: str, secrecy: str = "announced"
) -> Iterator[tuple[Caller, Sounds]]:
    """A line caller with that reader after those moves, and a function for the sounds of a tap."""
    config = settings.load(options={"reader": "usb", "secrecy": secrecy})
    with Store(config.games) as store:
        session = Session.begin(store, Setup("classic_2016", NAMES, "Kurt", secrecy=secrecy))
        for move in moves:
            session.play(move)
        caller = Caller(session, store, config, Inbox())
        table = caller.reader = TableReader.open(
            config, session.setup.ruleset(), on_event=lambda event: None
        )
        assert table is not None
        table.start()

        def sounds(tap: Tap) -> list[int]:
            hand_over_tap(caller, tap)
            table.perform("read", tap.uid).exception(60)  # done after the sound
            heard, device.sounds = device.sounds, []
            return heard

        try:
            yield caller, sounds
        finally:
            table.stop()
            session.close()


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Acr122:
    acr122 = Acr122()
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(acr122))
    return acr122


def learned(caller: Caller, entry: Entry) -> Tap:
    """A tap of a chip learned as that entry."""
    assert caller.reader is not None
    caller.reader.learn(UID, entry)
    return Tap(UID)


BISHOP_UP = ("faceup bishop merchant", "call")


def test_yes_and_no_sound_different(device: Acr122) -> None:
    with at_the_table(device, *BISHOP_UP) as (caller, sounds):
        assert sounds(learned(caller, CharacterChip("king"))) == []  # its card is shown
        assert sounds(learned(caller, ActionChip("gold"))) == [NO]
        assert sounds(learned(caller, PlayerChip(4))) == [YES]
        assert caller.session.referee.moves[-1].text == "reveal Ben"
        assert sounds(Tap(UNKNOWN)) == [NO]
        assert sounds(Tap(UNKNOWN, found=True)) == []  # unintended


def test_the_sounds_can_be_switched_off(device: Acr122, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_SOUNDS", "false")
    with at_the_table(device, *BISHOP_UP) as (caller, sounds):
        assert sounds(learned(caller, PlayerChip(4))) == []


@pytest.mark.parametrize("target", ["thief", "assassin", "bishop"])
def test_a_secret_target_is_not_to_be_heard(device: Acr122, target: str) -> None:
    at_the_kill = *BISHOP_UP, "reveal Ben"
    with at_the_table(device, *at_the_kill, secrecy="secret") as (caller, sounds):
        assert sounds(Tap(UNKNOWN)) == []
        assert sounds(learned(caller, CharacterChip(target))) == []


@pytest.mark.parametrize(("entry", "ends"), [("assassin", True), ("bishop", False)])
def test_a_private_choice_is_silent_whatever_comes_of_it(
    device: Acr122, entry: str, ends: bool
) -> None:
    with at_the_table(device, "faceup bishop merchant") as (caller, sounds):
        caller.talk.line("choose Ben")
        assert caller.talk.chooser is not None
        assert sounds(learned(caller, CharacterChip(entry))) == []
        assert (caller.talk.chooser is None) == ends
