"""Readers that type a chip's id as a keyboard does, through evdev (the extra ``wedge``; Linux), and
scanners that type what a code on a label says: the chip's name.

They tell of taps only: nobody types that a chip was taken away.  The reader is grabbed, so that
what it types reaches no terminal and no game.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from tags.readers.faults import gone, told
from tags.readers.script import Script
from tags.uids import LENGTHS

log = logging.getLogger(__name__)

GAP = 0.3
"""Seconds between two keys after which what was typed before counts as broken off."""

LONGEST = 40
"""Keys of one burst; a longer one is a cat on the keyboard, not a chip."""

_DIGITS = {11: "0", **{1 + digit: str(digit) for digit in range(1, 10)}}
_LETTERS = {30: "A", 48: "B", 46: "C", 32: "D", 18: "E", 33: "F"}
_KEYPAD = {82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9"}
_KEYS = _DIGITS | _LETTERS | _KEYPAD
_ROWS = {16: "qwertyuiop", 30: "asdfghjkl", 44: "zxcvbnm"}  # of an American keyboard
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
    """Key presses in, ids and names out.  Pure: the times come with the keys, in seconds."""

    def __init__(self, gap: float = GAP) -> None:
        self._gap = gap
        self._typed = self._name = ""
        self._last = float("-inf")

    def press(self, code: int, when: float) -> str | None:
        """Take in that the key with this Linux code went down; what was typed when it ends a burst.

        That is a name where it looks like one (`is_name`), else its digits: keys that are neither
        digits, A to F nor an end (colons, Shift) are passed over.
        """
        if when - self._last > self._gap:
            self._typed = self._name = ""
        self._last = when
        if code in _ENDS:
            typed = self._name if is_name(self._name) else self._typed
            self._typed = self._name = ""
            return typed if 0 < len(typed) <= LONGEST else None
        self._typed = (self._typed + _KEYS.get(code, ""))[: LONGEST + 1]
        self._name = (self._name + _NAME_KEYS.get(code, ""))[: LONGEST + 1]
        return None


def is_name(typed: str) -> bool:
    """Whether that names a chip (`district tavern 3`, `crown`) rather than being an id."""
    return _NAME.fullmatch(typed) is not None


def uid_of(typed: str) -> bytes | None:
    """The id of a chip from what its reader types; None for what cannot be one.

    8, 14 or 20 hex digits are the id itself and 10 decimal digits one of 4 bytes, as most
    readers type it.  Makers differ in much else (byte order, length, digits cut off): 4 to 18
    digits of any other kind become an id of 10 bytes that begins with FF and ends with them.
    It stands for the same chip for as long as the same kind of reader is used.  A name gets such an
    id as well, always the same.
    """
    if is_name(typed):
        return _OUR_OWN + hashlib.sha256(typed.encode()).digest()[:9]
    if len(typed) == 10 and typed.isdecimal() and int(typed) < 1 << 32:
        return int(typed).to_bytes(4, "big")
    if len(typed) in {2 * length for length in LENGTHS}:
        return bytes.fromhex(typed)
    if 4 <= len(typed) <= 18:
        return _OUR_OWN + bytes.fromhex(typed.zfill(18))
    return None


class WedgeReader:
    """A ``Reader`` of the keyboard-like device at ``path``, best one of ``/dev/input/by-id``.

    ``open_device`` opens a device file and is evdev's own by default.
    """

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
        """What people call this reader."""
        return self._name

    def open(self) -> None:
        """Take the device for ourselves; harmless when open already.  Raises ``ReaderGone``."""
        if self._device is not None:
            return
        device = None
        try:
            device = self._open_device(self.path)
            device.grab()
        except Exception as error:
            if device is not None:
                _close(device)
            raise gone(error, self.name, "wedge") from error
        self._device, self._decoder = device, BurstDecoder()
        self._script.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip whose id was typed, for some polls; never waits.  Raises ``ReaderGone``."""
        if self._device is None:
            raise told("missing", self.name, "wedge")
        try:
            self._listen()
        except Exception as error:
            self.close()
            raise gone(error, self.name, "wedge") from error
        return self._script.poll()

    def says(self, uid: bytes) -> str | None:
        """What a code that was scanned called the chip of that id."""
        return self._names.get(uid)

    def close(self) -> None:
        """Give the keyboard back; never raises."""
        device, self._device = self._device, None
        if device is not None:
            _close(device)

    def _listen(self) -> None:
        """Take in the keys that have been pressed since the last poll."""
        try:
            for event in self._device.read():
                if event.type == _EV_KEY and event.value == _DOWN:
                    self._typed(self._decoder.press(event.code, event.timestamp()))
        except BlockingIOError:
            return

    def _typed(self, typed: str | None) -> None:
        if not typed:
            return
        uid = uid_of(typed)
        if uid is None:
            log.warning("%s typed %r, which is not a chip's id", self.name, typed)
        else:
            if is_name(typed):
                self._names[uid] = typed
            self._script.tap(uid)


def _open_with_evdev(path: str) -> Any:
    os.stat(path)  # evdev says of a missing file only that it is not a device
    return importlib.import_module("evdev").InputDevice(path)


def _close(device: Any) -> None:
    try:
        device.close()  # closing gives up the grab, also when the device is gone
    except Exception:
        log.debug("a keyboard did not close cleanly", exc_info=True)
