"""One connection to a running service: lines out, lines in, and keep-alive."""

from __future__ import annotations

import logging
import socket

from tags.service.endpoint import Endpoint
from tags.service.fields import LONGEST_LINE, ProtocolError, line
from tags.service.protocol import Message, Snapshot, parse_message

log = logging.getLogger(__name__)


class Link:
    """A connection after the greeting, which is ``snapshot``.

    Raises ``NoService``, ``OSError`` or ``ProtocolError`` without a greeting in time.
    """

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._socket = endpoint.connect(timeout)
        self._heard = b""
        try:
            snapshot = self.receive()
            if not isinstance(snapshot, Snapshot):
                raise ProtocolError("The reader service did not greet.")
        except BaseException:
            self.close()
            raise
        self.snapshot = snapshot

    def receive(self) -> Message | None:
        """The service's next message; None if it has hung up.

        Raises ``ProtocolError``, and ``OSError``: ``TimeoutError`` if nothing came in time.
        """
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise ProtocolError("The reader service sends a line without end.")
            more = self._socket.recv(LONGEST_LINE)
            if not more:
                return None
            self._heard += more
        raw, end, self._heard = self._heard.partition(b"\n")
        return parse_message(raw + end)

    def receive_or_ask(self) -> Message | None:
        """Like ``receive``, but ping a silent service once."""
        try:
            return self.receive()
        except TimeoutError:
            self.send(line("ping"))
            return self.receive()

    def wait(self, seconds: float) -> None:
        """Set the timeout for each line from now on."""
        self._socket.settimeout(seconds)

    def send(self, request: bytes) -> None:
        """Send a request; a lost service is noticed on the next ``receive``."""
        try:
            self._socket.sendall(request)
        except OSError as error:
            log.debug("not sent: %s", error)

    def hang_up(self) -> None:
        """Make a waiting ``receive`` return; thread-safe."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError as error:
            log.debug("hung up already: %s", error)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
