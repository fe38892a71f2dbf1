"""Readers that report chips by messages, over a network or a line of text: from messages to polls.

Such a reader says that a chip has come; some also say that it has gone, others repeat the chip for
as long as it lies there, others do neither. Here are those that write a line for each chip on a
serial port (`SCAN`, a tab and `uid=04A2…`, the protocol of Zaparoo's simple serial readers, which a
few lines make of any Arduino with an RC522), and those of another computer, through Zaparoo's
WebSocket API, which needs the extra ``zaparoo``.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tags.links import LENGTHS
from tags.presence import Road
from tags.readers import explain_error, explain_fault
from tags.readers.file_reader import Script
from tags.readers.paths import parse_address

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection


_SEPARATORS = re.compile(r"[\s:.-]+")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_MADE = b"\xff"
"""The first byte of ids made here: no chip's id begins with it (ISO 14443-3)."""

log = logging.getLogger(__name__)

SPEED = 115200

LONGEST_LINE = 512
"""The most bytes in a line; what is longer is no scan."""

PATH = "/api/v0.1"
CONNECTING = 3.0
"""Most seconds to connect."""

LARGEST_MESSAGE = 65536
"""The most bytes in a message."""

MOST_MESSAGES = 100
"""The most messages read at one poll."""


class Sightings:
    """The chip on one reader at the end of ``road``, from its messages; ``clock`` counts seconds.

    A chip that is reported again within ``road.hold`` is still lying there, also when another was
    reported in between: of two chips in a pile a reader reports now one, now the other. So is one
    that is reported again within 1.5 intervals after its going.
    """

    def __init__(self, road: Road, clock: Callable[[], float] = time.monotonic) -> None:
        self._hold = road.hold
        self._grace = 1.5 * road.interval
        self._clock = clock
        self._script = Script()
        self._lying: dict[bytes, float] = {}  # until when each chip counts as lying
        self._last: bytes | None = None  # the one that polls see
        self._reports_going = False

    def begin(self) -> None:
        """Start after opening."""
        self._script.begin()

    def see(self, uid: bytes) -> None:
        """The reader reports this chip."""
        now = self._clock()
        self._end_if_due(now)
        until = now + self._hold
        self._lying = {other: min(end, until) for other, end in self._lying.items()}
        if uid not in self._lying:
            self._script.hold(uid)
            self._last = uid
        self._lying[uid] = math.inf if self._reports_going else until

    def leave(self, uid: bytes | None = None) -> None:
        """The reader reports that this chip, or whichever lay there, has gone."""
        self._reports_going = True
        until = self._clock() + self._grace
        for other in self._lying if uid is None else self._lying.keys() & {uid}:
            self._lying[other] = until

    def poll(self) -> Sequence[bytes]:
        """The chips of the next poll."""
        self._end_if_due(self._clock())
        return self._script.poll()

    def _end_if_due(self, now: float) -> None:
        self._lying = {uid: until for uid, until in self._lying.items() if now < until}
        if self._last is not None and self._last not in self._lying:
            self._script.lift()
            self._last = None


def parse_id(text: str) -> bytes | None:
    """The id of a chip as readers write it; None if it cannot be one.

    8, 14 or 20 hex digits, with any separators, are the id itself; 5 to 10 decimal digits are a
    125 kHz chip's number below 2^32, which becomes 4 bytes. Readers of other makes send other
    numbers, and Home Assistant's tags a UUID: any other 4 to 64 letters, digits and separators
    become an id of 10 bytes that begins with FF, the same for the same text.
    """
    text = text.strip()
    digits = _SEPARATORS.sub("", text)
    if _HEX.fullmatch(digits) and len(digits) in {2 * length for length in LENGTHS}:
        return bytes.fromhex(digits)
    if digits.isascii() and digits.isdecimal() and 5 <= len(digits) <= 10 and int(digits) < 1 << 32:
        return int(digits).to_bytes(4, "big")
    if digits.isascii() and digits.isalnum() and 4 <= len(digits) <= 64:
        return _MADE + hashlib.sha256(digits.lower().encode()).digest()[:9]
    return None


class LineReader:
    """A ``Reader`` of the serial port at ``path``. Lines that are no scan are ignored: boards
    print other things as they start."""

    road = Road(sees_lifts=False, interval=0.4, sees_two=False, writes=False)

    def __init__(self, path: str, name: str | None = None) -> None:
        self.path = path
        self._name = name or f"serial-line:{path}"
        self._port: Any = None
        self._unread = b""
        self._sightings = Sightings(self.road)

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Open the port; no-op when open. Raises ``ReaderError``."""
        if self._port is not None:
            return
        try:
            import serial

            self._port = serial.Serial(self.path, SPEED, timeout=0, exclusive=True)
        except Exception as error:  # also ImportError, termios.error
            raise explain_error(error, self.name, "line") from error
        self._unread = b""
        self._sightings.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip last reported; never waits. Raises ``ReaderError``."""
        if self._port is None:
            raise explain_fault("missing", self.name, "line")
        try:
            data = self._port.read(4096)
        except Exception as error:
            self.close()
            raise explain_error(error, self.name, "line") from error
        *lines, self._unread = (self._unread + data).split(b"\n")
        self._unread = self._unread[-LONGEST_LINE - 1 :]
        for line in lines:
            self._read(line)
        return self._sightings.poll()

    def close(self) -> None:
        """Close the port; never raises."""
        port, self._port = self._port, None
        if port is None:
            return
        try:
            port.close()
        except Exception:
            log.debug("%s did not close cleanly", self.path, exc_info=True)

    def _read(self, line: bytes) -> None:
        kind, *fields = line.decode("utf-8", "replace").strip().split("\t")
        if kind != "SCAN" or len(line) > LONGEST_LINE:
            return
        values = dict(field.partition("=")[::2] for field in fields)
        uid = parse_id(values.get("uid", ""))
        if uid is None:
            log.warning("%s sent a scan without an id", self.name)
        else:
            self._sightings.see(uid)


class ZaparooReader:
    """A ``Reader`` of the Zaparoo service at ``url`` (``zaparoo://HOST[:PORT]``)."""

    road = Road(interval=0.3, sees_two=False, writes=False)
    """The interval is Zaparoo's own patience with a chip that flickers."""

    def __init__(self, url: str, name: str | None = None) -> None:
        self.path = url
        self._address = parse_address(url)
        self._name = name or url
        self._connection: ClientConnection | None = None
        self._sightings = Sightings(self.road)

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Connect; no-op when open. Raises ``ReaderError``."""
        if self._connection is not None:
            return
        try:
            from websockets.sync.client import connect

            self._connection = connect(
                f"ws://{self._address.location}{PATH}",
                open_timeout=CONNECTING,
                close_timeout=0.2,
                ping_interval=1,
                ping_timeout=2,
                max_size=LARGEST_MESSAGE,
                proxy=None,
            )
        except TimeoutError as error:
            raise explain_fault("silent", self.name, "zaparoo") from error
        except Exception as error:
            raise explain_error(error, self.name, "zaparoo") from error
        self._sightings.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip last reported; never waits. Raises ``ReaderError``."""
        if self._connection is None:
            raise explain_fault("missing", self.name, "zaparoo")
        try:
            for _ in range(MOST_MESSAGES):
                self._hear(self._connection.recv(timeout=0))
        except TimeoutError:
            pass  # nothing more has arrived
        except Exception as error:
            self.close()
            raise explain_error(error, self.name, "zaparoo") from error
        return self._sightings.poll()

    def close(self) -> None:
        """Disconnect; never raises."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.close()
        except Exception:
            log.debug("%s did not disconnect cleanly", self.name, exc_info=True)

    def _hear(self, message: str | bytes) -> None:
        try:
            notification = json.loads(message)
        except (ValueError, RecursionError):
            return
        if not isinstance(notification, dict):
            return
        match notification.get("method"), notification.get("params"):
            case "tokens.removed", _:
                self._sightings.leave()
            case "tokens.added", {"uid": str(text)}:
                uid = parse_id(text[:200])
                if uid is not None:
                    self._sightings.see(uid)
