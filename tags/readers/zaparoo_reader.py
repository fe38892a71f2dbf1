"""A reader of another computer, through Zaparoo's WebSocket API. Needs the extra ``zaparoo``."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tags.presence import Road
from tags.readers.addresses import parse_address
from tags.readers.faults import explain_error, explain_fault
from tags.readers.sightings import Sightings, parse_id

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

log = logging.getLogger(__name__)

PATH = "/api/v0.1"
CONNECTING = 3.0
"""Most seconds to connect."""

LARGEST = 65536
"""The most bytes in a message."""

MOST_MESSAGES = 100
"""The most messages read at one poll."""

ROAD = Road(interval=0.3, sees_two=False, writes=False)
"""The interval is Zaparoo's own patience with a chip that flickers."""


class ZaparooReader:
    """A ``Reader`` of the Zaparoo service at ``url`` (``zaparoo://HOST[:PORT]``)."""

    road = ROAD

    def __init__(self, url: str, name: str | None = None) -> None:
        self.path = url
        self._address = parse_address(url)
        self._name = name or url
        self._connection: ClientConnection | None = None
        self._sightings = Sightings(ROAD)

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Connect; no-op when open. Raises ``ReaderGone``."""
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
                max_size=LARGEST,
                proxy=None,
            )
        except TimeoutError as error:
            raise explain_fault("silent", self.name, "zaparoo") from error
        except Exception as error:
            raise explain_error(error, self.name, "zaparoo") from error
        self._sightings.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip last reported; never waits. Raises ``ReaderGone``."""
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
