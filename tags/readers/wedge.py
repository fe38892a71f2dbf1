"""Readers that type a chip's id like a keyboard, through evdev (the extra ``wedge``; Linux), and
scanners that type the chip's name from a label's code.

What is typed is a line (``tags.chip_lines``), without its end on some readers. They report taps
only, not lifts. The reader is grabbed, so that its keys reach no terminal and no game.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

from tags.chip_lines import IsKnown
from tags.readers.line_reader import LineReader, Script

log = logging.getLogger(__name__)

GAP = 0.3
"""Seconds after a key that end a burst."""

LONGEST = 100
"""The most keys in one burst; a longer one is not a chip."""

_DIGITS = {11: "0", **{1 + digit: str(digit) for digit in range(1, 10)}}
_KEYPAD = {82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9"}
_ROWS = {16: "qwertyuiop", 30: "asdfghjkl", 44: "zxcvbnm"}  # of a US keyboard
_SIGNS = {39: ":", 51: ",", 52: ".", 53: "/", 57: " ", 74: "-", 83: "."}
_KEYS = {
    **{code + place: key for code, keys in _ROWS.items() for place, key in enumerate(keys)},
    **_DIGITS,
    **_KEYPAD,
    **_SIGNS,
    12: "-",
}
_SHIFTED = {12: "_", 39: ":"}
_SHIFTS = (42, 54)
_PASSED_OVER = (*_SHIFTS, 29, 97, 56, 100, 125, 126, 58, 69)  # Ctrl, Alt, Windows, locks
_HEX_AND_Q = re.compile(r"[0-9a-fq]+")

_EV_KEY, _DOWN, _UP = 1, 1, 0


class BurstDecoder:
    """Decodes keys into lines. Pure: the times are passed with the keys, in seconds."""

    def __init__(self) -> None:
        self._text = ""
        self._last = float("-inf")
        self._is_shifted = False

    def press(self, code: int, when: float) -> str | None:
        """Process a press of the key with this Linux code; returns the text typed if it ends a
        burst: with Enter or another key that is no sign, or with the pause before it."""
        ended = self.end(when)
        self._last = when
        if code in _SHIFTS:
            self._is_shifted = True
        if code in _PASSED_OVER:
            return ended
        sign = (_SHIFTED if self._is_shifted else {}).get(code) or _KEYS.get(code)
        if sign is None:
            return ended or self.end(float("inf"))
        self._text = (self._text + sign)[: LONGEST + 1]
        return ended

    def release(self, code: int) -> None:
        """Process the release of the key with this Linux code."""
        if code in _SHIFTS:
            self._is_shifted = False

    def end(self, now: float) -> str | None:
        """The text typed, if the pause since its last key has ended it."""
        if not self._text or now - self._last <= GAP:
            return None
        text, self._text = self._text.strip(), ""
        if _HEX_AND_Q.fullmatch(text):
            text = text.replace("q", "a")  # where a French keyboard has its A
        return text if 0 < len(text) <= LONGEST else None


class WedgeReader(LineReader):
    """A ``Reader`` of the keyboard-like device at ``path``, best one of ``/dev/input/by-id``.

    ``open_device`` opens a device file, by default evdev's.
    """

    road = "wedge"

    def __init__(
        self,
        path: str,
        name: str | None = None,
        is_known: IsKnown = lambda uid: False,
        *,
        open_device: Callable[[str], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name or f"wedge:{path}", is_known, clock)
        self._script = Script()
        self.path = path
        self._heard = float("-inf")  # when the last keys were read
        self._open_device = open_device or _open_with_evdev
        self._device: Any = None
        self._decoder = BurstDecoder()

    def open(self) -> None:
        self._device, self._decoder = self._open_device(self.path), BurstDecoder()
        self._device.grab()
        self._script.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip whose id was typed, for a few polls; never waits."""
        self._listen()
        return self._script.poll()

    def close(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        try:
            device.close()  # closing releases the grab, even if the device is gone
        except Exception:
            log.debug("a keyboard did not close cleanly", exc_info=True)

    def _listen(self) -> None:
        """Process the keys pressed since the last poll, and the pause after them."""
        try:
            for event in self._device.read():
                self._heard = self._clock()
                if event.type == _EV_KEY and event.value == _DOWN:
                    self._handle_typed(self._decoder.press(event.code, event.timestamp()))
                elif event.type == _EV_KEY and event.value == _UP:
                    self._decoder.release(event.code)
        except BlockingIOError:
            pass  # no more keys
        if self._clock() - self._heard > GAP:
            self._handle_typed(self._decoder.end(float("inf")))

    def _handle_typed(self, text: str | None) -> None:
        line = self._parse(text) if text else None
        if line is not None and line.what == "tap":
            self._script.tap(line.uid)


def _open_with_evdev(path: str) -> Any:
    os.stat(path)  # for a missing file, evdev only reports that it is not a device
    return importlib.import_module("evdev").InputDevice(path)
