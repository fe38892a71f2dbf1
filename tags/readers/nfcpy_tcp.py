"""A PN532 behind a bridge from the network to its serial line (Tasmota's `TCPStart`, ESPHome's
stream server, ser2net): the bytes of the line over a socket, at the speed set on the bridge.

pyserial's own `socket://` hides the number of an error, waits 5 seconds for a silent host and 0.3
to close; the standard library's socket does neither.
"""

from __future__ import annotations

import errno
import logging
import os
import select
import socket
import sys
from typing import Any

from tags.readers.nfcpy_serial import SPEED, SerialLine, open_on_line

log = logging.getLogger(__name__)

CONNECTING = 3.0
"""Most seconds to connect."""

UNANSWERED_MS = 2500
"""Milliseconds without an acknowledgement after which the system gives up the connection."""

DELAY = 0.8
"""Seconds a frame, or the rest of it, may be under way: a bridge sends single bytes over a Wi-Fi
that can delay each by 0.2 seconds."""


class TcpLine(SerialLine):
    """The line behind a bridge; ``port`` is ``HOST:PORT``."""

    attempts = ((SPEED, 500), (SPEED, 1500))  # the bridge sets the speed
    gap = DELAY

    def open(self, path: str, baudrate: int = SPEED) -> None:
        """Connect to ``HOST:PORT``, closing what was open before.  Raises ``OSError``."""
        self.close()
        self._path = path
        self._unread.clear()
        self._port = _SocketPort(path)

    def _receive(self, port: Any, seconds: float) -> bytes:
        ready, _, _ = select.select([port.socket], [], [], seconds)
        if not ready:
            return b""
        data: bytes = port.socket.recv(512)
        if not data:
            raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        _acknowledge(port.socket)
        return data

    def _send(self, port: Any, frame: bytes) -> None:
        port.socket.sendall(frame)


class _SocketPort:
    """A socket with those methods of pyserial's port that a line calls."""

    baudrate = SPEED

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host.strip("[]"), int(port)), CONNECTING)
        self.socket.settimeout(DELAY)
        _notice_silence(self.socket)

    def reset_input_buffer(self) -> None:
        """Discard what has arrived. Raises ``OSError`` if the other end has hung up."""
        while select.select([self.socket], [], [], 0)[0]:
            if not self.socket.recv(4096):
                raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))

    def flush(self) -> None:
        """Nothing: a frame is sent at once."""

    def close(self) -> None:
        """Hang up."""
        self.socket.close()


def _notice_silence(connection: socket.socket) -> None:
    """Send every frame at once, and have the system notice a bridge that vanished: on a connection
    it still holds for open nothing would arrive for ever."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        for option, value in (
            (socket.TCP_KEEPIDLE, 1),
            (socket.TCP_KEEPINTVL, 1),
            (socket.TCP_KEEPCNT, 2),
            (socket.TCP_USER_TIMEOUT, UNANSWERED_MS),
        ):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)


def _acknowledge(connection: socket.socket) -> None:
    """Have the system acknowledge at once what has arrived: many a bridge holds the answer to a
    command back until then (Nagle's algorithm), and the system would wait 40 milliseconds for
    something to send along. The option lasts for one acknowledgement, so it is set each time."""
    if sys.platform == "linux":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def open_pn532(address: str) -> Any:
    """An nfcpy device for the PN532 behind the bridge at ``HOST:PORT``.  Raises ``OSError``."""
    return open_on_line(TcpLine(address))
