"""Readers that write a line for each chip on a serial port: `SCAN`, a tab and `uid=04A2…`, the
protocol of Zaparoo's simple serial readers, which a few lines make of any Arduino with an RC522.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from tags.presence import Road
from tags.readers.faults import explain_error, explain_fault
from tags.readers.sightings import Sightings, parse_id

log = logging.getLogger(__name__)

SPEED = 115200

LONGEST = 512
"""The most bytes in a line; what is longer is no scan."""

ROAD = Road(sees_lifts=False, interval=0.4, sees_two=False, writes=False)


class LineReader:
    """A ``Reader`` of the serial port at ``path``. Lines that are no scan are ignored: boards
    print other things as they start."""

    road = ROAD

    def __init__(self, path: str, name: str | None = None) -> None:
        self.path = path
        self._name = name or f"serial-line:{path}"
        self._port: Any = None
        self._unread = b""
        self._sightings = Sightings(ROAD)

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Open the port; no-op when open. Raises ``ReaderGone``."""
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
        """The chip last reported; never waits. Raises ``ReaderGone``."""
        if self._port is None:
            raise explain_fault("missing", self.name, "line")
        try:
            data = self._port.read(4096)
        except Exception as error:
            self.close()
            raise explain_error(error, self.name, "line") from error
        *lines, self._unread = (self._unread + data).split(b"\n")
        self._unread = self._unread[-LONGEST - 1 :]
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
        if kind != "SCAN" or len(line) > LONGEST:
            return
        values = dict(field.partition("=")[::2] for field in fields)
        uid = parse_id(values.get("uid", ""))
        if uid is None:
            log.warning("%s sent a scan without an id", self.name)
        else:
            self._sightings.see(uid)
