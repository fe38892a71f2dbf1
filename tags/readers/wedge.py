"""Readers that type a chip's id like a keyboard, through evdev (the extra ``wedge``; Linux), and
scanners that type the chip's name from a label's code.

They report taps only, not lifts. The reader is grabbed, so that its keys reach no terminal and no
game.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from tags.links import LENGTHS
from tags.presence import Road
from tags.readers import explain_error, explain_fault
from tags.readers.file_reader import Script

log = logging.getLogger(__name__)

GAP = 0.3
"""Seconds between two keys after which the earlier ones are discarded."""

LONGEST = 40
"""The most keys in one burst; a longer one is not a chip."""

_DIGITS = {11: "0", **{1 + digit: str(digit) for digit in range(1, 10)}}
_LETTERS = {30: "A", 48: "B", 46: "C", 32: "D", 18: "E", 33: "F"}
_KEYPAD = {82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9"}
_KEYS = _DIGITS | _LETTERS | _KEYPAD
_ROWS = {16: "qwertyuiop", 30: "asdfghjkl", 44: "zxcvbnm"}  # of a US keyboard
_NAME_KEYS = {
    **{code + place: key for code, keys in _ROWS.items() for place, key in enumerate(keys)},
    **_DIGITS,
    **_KEYPAD,
    12: "_",  # with Shift; no name has a hyphen
    57: " ",
}
_NAME = re.compile(r"crown|(?=.*[g-z])[a-z]+(?: [a-z0-9_]+){1,2}")
_ENDS = (28, 96, 15)  # Enter, the keypad's Enter, Tab

_EV_KEY, _DOWN = 1, 1
_OUR_OWN = b"\xff"


class BurstDecoder:
    """Decodes key presses into ids and names. Pure: the times are passed with the keys, in
    seconds."""

    def __init__(self, gap: float = GAP) -> None:
        self._gap = gap
        self._buffer = self._name = ""
        self._last = float("-inf")

    def press(self, code: int, when: float) -> str | None:
        """Process a press of the key with this Linux code; returns the text typed if it ends a
        burst.

        The text is a name if it looks like one (`is_name`), else its hex digits: other keys
        (colons, Shift) are ignored.
        """
        if when - self._last > self._gap:
            self._buffer = self._name = ""
        self._last = when
        if code in _ENDS:
            text = self._name if is_name(self._name) else self._buffer
            self._buffer = self._name = ""
            return text if 0 < len(text) <= LONGEST else None
        self._buffer = (self._buffer + _KEYS.get(code, ""))[: LONGEST + 1]
        self._name = (self._name + _NAME_KEYS.get(code, ""))[: LONGEST + 1]
        return None


def is_name(text: str) -> bool:
    """Whether the text is a chip's name (`district tavern 3`, `crown`) rather than an id."""
    return _NAME.fullmatch(text) is not None


def uid_of(text: str) -> bytes | None:
    """The id of a chip from the text its reader types; None if it cannot be one.

    8, 14 or 20 hex digits are the id itself and 10 decimal digits one of 4 bytes, as most readers
    type it. Other formats vary by maker (byte order, length, truncated digits): any other 4 to 18
    digits become an id of 10 bytes that begins with FF and ends with them. It is stable for one
    kind of reader. A name also gets such an id, always the same.
    """
    if is_name(text):
        return _OUR_OWN + hashlib.sha256(text.encode()).digest()[:9]
    if len(text) == 10 and text.isdecimal() and int(text) < 1 << 32:
        return int(text).to_bytes(4, "big")
    if len(text) in {2 * length for length in LENGTHS}:
        return bytes.fromhex(text)
    if 4 <= len(text) <= 18:
        return _OUR_OWN + bytes.fromhex(text.zfill(18))
    return None


class WedgeReader:
    """A ``Reader`` of the keyboard-like device at ``path``, best one of ``/dev/input/by-id``.

    ``open_device`` opens a device file; by default evdev's.
    """

    road = Road(sees_lifts=False, sees_two=False, writes=False)

    def __init__(
        self,
        path: str,
        name: str | None = None,
        *,
        open_device: Callable[[str], Any] | None = None,
    ) -> None:
        self.path = path
        self._name = name or f"wedge:{path}"
        self._open_device = open_device or _open_with_evdev
        self._device: Any = None
        self._decoder = BurstDecoder()
        self._script = Script()
        self._names: dict[bytes, str] = {}

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Grab the device; no-op when open. Raises ``ReaderError``."""
        if self._device is not None:
            return
        device = None
        try:
            device = self._open_device(self.path)
            device.grab()
        except Exception as error:
            if device is not None:
                _close(device)
            raise explain_error(error, self.name, "wedge") from error
        self._device, self._decoder = device, BurstDecoder()
        self._script.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip whose id was typed, for a few polls; never waits. Raises ``ReaderError``."""
        if self._device is None:
            raise explain_fault("missing", self.name, "wedge")
        try:
            self._listen()
        except Exception as error:
            self.close()
            raise explain_error(error, self.name, "wedge") from error
        return self._script.poll()

    def name_of(self, uid: bytes) -> str | None:
        """The chip's name in the scanned code."""
        return self._names.get(uid)

    def close(self) -> None:
        """Release the keyboard; never raises."""
        device, self._device = self._device, None
        if device is not None:
            _close(device)

    def _listen(self) -> None:
        """Process the keys pressed since the last poll."""
        try:
            for event in self._device.read():
                if event.type == _EV_KEY and event.value == _DOWN:
                    self._handle_typed(self._decoder.press(event.code, event.timestamp()))
        except BlockingIOError:
            return

    def _handle_typed(self, text: str | None) -> None:
        if not text:
            return
        uid = uid_of(text)
        if uid is None:
            log.warning("%s typed %r, which is not a chip's id", self.name, text)
        else:
            if is_name(text):
                self._names[uid] = text
            self._script.tap(uid)


def _open_with_evdev(path: str) -> Any:
    os.stat(path)  # for a missing file, evdev only reports that it is not a device
    return importlib.import_module("evdev").InputDevice(path)


def _close(device: Any) -> None:
    try:
        device.close()  # closing releases the grab, even if the device is gone
    except Exception:
        log.debug("a keyboard did not close cleanly", exc_info=True)
