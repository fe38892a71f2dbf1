"""Keyboard-like readers: decoding bursts of keys, and grabbing, unplugging or missing a device."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.readers.wedge import GAP, LONGEST, BurstDecoder, WedgeReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.tags.conftest import TEMPLE, Recorder

CODES = dict(zip("1234567890", range(2, 12), strict=True))
ENTER, TAB, SHIFT, COLON, DOWN, LINE_FEED = 28, 15, 42, 39, 108, 101
CODES |= {letter: 16 + place for place, letter in enumerate("qwertyuiop")}
CODES |= {letter: 30 + place for place, letter in enumerate("asdfghjkl")}
CODES |= {letter: 44 + place for place, letter in enumerate("zxcvbnm")}
CODES |= {" ": 57, "_": 12, "-": 12, ":": 39}


def burst(text: str, *, start: float = 0.0, step: float = 0.008, end: int = ENTER) -> list[Any]:
    """The presses of a reader that types this: (code, seconds); end 0 is none."""
    codes = [*(CODES[letter] for letter in text.lower()), *[end][: end > 0]]
    return [(code, start + number * step) for number, code in enumerate(codes)]


def decode(presses: list[tuple[int, float]]) -> list[str]:
    """The lines typed; a shifted sign comes with its Shift."""
    decoder = BurstDecoder()
    lines = [text for press in presses if (text := decoder.press(*press))]
    return [*lines, *[text for text in [decoder.end(float("inf"))] if text]]


@pytest.mark.parametrize("text", ["0005347171", "04a2b3c4d5e680", "deadbeef", "04-a2-b3-c4"])
@pytest.mark.parametrize("end", [ENTER, TAB, 96, LINE_FEED, DOWN, 57, 0])
def test_a_burst_ends_with_any_end_key_or_with_the_pause_after_it(text: str, end: int) -> None:
    assert decode(burst(text, end=end)) == [text]


def test_the_keypad_types_digits_too() -> None:
    codes = [82, 79, 80, 81, 75, 76, 77, 71, 72, 73, 96]
    assert decode([(code, 0.0) for code in codes]) == ["0123456789"]


def test_two_bursts_are_two_chips() -> None:
    assert decode(burst("0005347171") + burst("0005347172", start=0.2)) == [
        "0005347171",
        "0005347172",
    ]


def test_the_pause_ends_a_burst() -> None:
    first, second = burst("04a2b3c4", end=0), burst("0005347171", start=0.5)
    assert decode(first + second) == ["04a2b3c4", "0005347171"]


def test_a_gap_of_just_the_limit_is_none() -> None:
    assert decode(burst("0005347171", step=0.25)) == ["0005347171"]
    assert "0005347171" not in decode(burst("0005347171", step=0.35))


def test_shift_and_locks_are_passed_over() -> None:
    decoder = BurstDecoder()
    for code in (CODES["0"], SHIFT, COLON):
        assert decoder.press(code, 0.0) is None
    decoder.release(SHIFT)
    for code in (58, CODES["4"]):
        assert decoder.press(code, 0.0) is None
    assert decoder.press(ENTER, 0.0) == "0:4"


def test_a_reader_set_to_a_french_keyboard() -> None:
    assert decode(burst("04Q2B3C4")) == ["04a2b3c4"]


def test_enter_alone_and_endless_typing_are_nothing() -> None:
    assert decode([(ENTER, 0.0)]) == []
    assert decode(burst("1" * (LONGEST + 1))) == []
    assert decode(burst("1" * LONGEST)) == ["1" * LONGEST]


@given(st.lists(st.tuples(st.integers(0, 0x2FF), st.floats(0, 1e9))))
def test_no_keys_make_it_fail(presses: list[tuple[int, float]]) -> None:
    for text in decode(presses):
        assert text.isprintable()


@dataclass
class Key:
    """One event as evdev hands it out."""

    code: int
    when: float
    type: int = 1
    value: int = 1

    def timestamp(self) -> float:
        return self.when


@dataclass
class Keyboard:
    """A device as evdev opens it."""

    waiting: list[Key] = field(default_factory=list)
    grabbed: int = 0
    closed: int = 0
    refuses: int = 0
    pulled: bool = False

    def grab(self) -> None:
        if self.refuses:
            raise OSError(self.refuses, os.strerror(self.refuses))
        self.grabbed += 1

    def read(self) -> list[Key]:
        if self.pulled:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        if not self.waiting:
            raise BlockingIOError
        keys, self.waiting = self.waiting, []
        return keys

    def close(self) -> None:
        self.closed += 1

    def type(self, text: str, end: int = ENTER) -> None:
        """Type like a reader: every key down and up."""
        keys = [Key(code, when) for code, when in burst(text, end=end)]
        self.waiting = [event for key in keys for event in (key, Key(key.code, key.when, value=0))]


@pytest.fixture
def keyboard() -> Keyboard:
    return Keyboard()


def reader_of(keyboard: Keyboard, **options: Any) -> WedgeReader:
    path = "/dev/input/by-id/usb-Reader-event-kbd"
    return WedgeReader(path, open_device=lambda path: keyboard, **options)


def test_a_typed_id_is_a_tap_and_a_lift(keyboard: Keyboard, watch: Callable[..., Recorder]) -> None:
    events = watch(reader_of(keyboard), confirm=lambda uid: True)
    assert isinstance(events.wait_for_next(), ReaderConnected)
    for _ in range(2):  # the same chip twice is two taps
        keyboard.type("04A2B3C4D5E680")
        tap = events.wait_for_next()
        assert tap == Tap(TEMPLE)
        assert isinstance(tap, Tap)
        assert tap.reader == "wedge:/dev/input/by-id/usb-Reader-event-kbd"
        assert events.wait_for_next() == Lift(TEMPLE)
    assert keyboard.grabbed == 1


def test_a_scanned_code_tells_what_the_chip_is(
    keyboard: Keyboard, watch: Callable[..., Recorder]
) -> None:
    events = watch(reader_of(keyboard), confirm=lambda uid: True)
    assert isinstance(events.wait_for_next(), ReaderConnected)
    lines = []
    for code in ("district tavern 3", "04A2B3C4D5E680"):
        keyboard.type(code)
        tap = events.wait_for_next()
        assert isinstance(tap, Tap)
        lines.append(tap.chip)
        assert isinstance(events.wait_for_next(), Lift)
    assert lines == ["district tavern 3", None]


def test_what_is_no_id_is_no_tap_and_is_told_once(keyboard: Keyboard) -> None:
    reader = reader_of(keyboard, name="anna")
    reader.open()
    for _ in range(2):
        keyboard.type("12")
        assert [reader.poll() for _ in range(3)] == [()] * 3
    assert reader.take_notice() == "anna sent something that is not understood: 12"
    assert reader.take_notice() is None


def test_an_id_without_an_end_key_is_a_tap_after_the_pause(keyboard: Keyboard) -> None:
    now = [0.0]
    reader = reader_of(keyboard, clock=lambda: now[0])
    reader.open()
    keyboard.type("04A2B3C4D5E680", end=0)
    assert [reader.poll() for _ in range(3)] == [()] * 3
    now[0] = GAP + 0.01
    assert (TEMPLE,) in [reader.poll() for _ in range(3)]


def test_a_pulled_keyboard_is_lost_and_comes_back(
    keyboard: Keyboard, watch: Callable[..., Recorder]
) -> None:
    events = watch(reader_of(keyboard))
    came = events.wait_for_next()
    keyboard.pulled = True
    event = events.wait_for_next()
    assert isinstance(event, ReaderDisconnected)
    assert event.fault == "missing"
    keyboard.pulled = False
    assert events.wait_for_next() == came
    assert keyboard.closed >= 1


@pytest.mark.parametrize(("number", "fault"), [(errno.EACCES, "permission"), (errno.EBUSY, "busy")])
def test_a_keyboard_that_cannot_be_grabbed_is_let_go(
    keyboard: Keyboard, watch: Callable[..., Recorder], number: int, fault: str
) -> None:
    keyboard.refuses = number
    events = watch(reader_of(keyboard))
    assert events.wait_for(ReaderDisconnected).fault == fault
    keyboard.refuses = 0
    events.wait_for(ReaderConnected)
    assert keyboard.closed >= 1


def test_a_missing_device_and_a_missing_package_say_so(
    watch: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    events = watch(WedgeReader("/nowhere/event-kbd"))
    assert events.wait_for(ReaderDisconnected).fault == "missing"
    monkeypatch.setitem(__import__("sys").modules, "evdev", None)
    lost = watch(WedgeReader(os.devnull)).wait_for(ReaderDisconnected)
    assert lost.fault == "software"
    assert "the extra “wedge”; install it with" in lost.reason


def test_closing_twice_closes_once(keyboard: Keyboard) -> None:
    reader = reader_of(keyboard)
    reader.close()
    reader.open()
    reader.close()
    reader.close()
    assert (keyboard.grabbed, keyboard.closed) == (1, 1)
