"""Clients that do harm to a host: one is greedy, one stalls, one lies."""

from __future__ import annotations

import random
import socket
import time
from collections import deque
from contextlib import suppress

from tests.soak.visitor import Figures, Gone, Visitor

AT_ONCE = 120  # connections that each greedy client keeps, if it is allowed to
SLOW = 24  # connections of each client that stalls
CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


class _Crowd:
    """Connections that one client keeps open, oldest first."""

    def __init__(self, port: int, key: str, most: int) -> None:
        self._port, self._most = port, most
        self.header = f"Authorization: Bearer {key}\r\n" if key else ""
        self._open: deque[socket.socket] = deque()

    def send(self, head: str, *, buffer: int = 0) -> None:
        """Send this over one more connection. Raises Gone."""
        client = socket.socket()
        if buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.settimeout(5)
        try:
            client.connect(("127.0.0.1", self._port))
            client.sendall(head.format(port=self._port, header=self.header).encode())
        except OSError as error:
            client.close()
            raise Gone from error
        self._open.append(client)
        if len(self._open) > self._most:
            self._open.popleft().close()

    def close(self) -> None:
        while self._open:
            self._open.pop().close()


class Greedy:
    """Keeps as many connections as it gets, and asks over new ones all the time."""

    def __init__(self, port: int, key: str) -> None:
        self._crowd = _Crowd(port, key, AT_ONCE)

    def ask(self) -> None:
        """Ask over one more connection. Raises Gone."""
        path = "/api/table" if self._crowd.header else "/"
        self._crowd.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{{port}}\r\n{{header}}\r\n")
        time.sleep(0.1)


class Stalled:
    """Never finishes a request, or never reads what it has asked for."""

    def __init__(self, port: int, key: str) -> None:
        self._crowd = _Crowd(port, key, SLOW)

    def stall(self) -> None:
        """Stall over one more connection. Raises Gone."""
        head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{header}"
        self._crowd.send(f"{head}\r\n" if self._crowd.header else head, buffer=2048)
        time.sleep(0.3)


class Liar:
    """A player who records what he does not hold, makes others' moves, asks for their seats, tries
    codes and sends rubbish."""

    def __init__(self, port: int, code: str, key: str, name: str, figures: Figures) -> None:
        self._port, self._code, self._name = port, code, name
        self._seat, self._stranger = Visitor(port, key, figures), Visitor(port, "", figures)
        self._chance = random.Random(port)
        self.moves: list[str] = []

    def lie(self) -> None:
        """Try one thing. Raises Gone."""
        self._chance.choice((self._record, self._act_for_another, self._join, self._send_rubbish))()
        time.sleep(0.15)

    def _record(self) -> None:
        self._move(f"choose {self._name} {self._chance.choice(CAST)}")

    def _act_for_another(self) -> None:
        self._move(self._chance.choice(("reveal Anna", "choose Kurt king", "end", "gold", "kill")))

    def _move(self, move: str) -> None:
        if self._seat.ask("POST", "/api/moves", move=move)[0] == 200:
            self.moves.append(move)

    def _join(self) -> None:
        code = self._chance.choice((self._code, "WRONG234"))
        self._stranger.ask("POST", "/api/join", code=code, seat=self._chance.randint(0, 5))

    def _send_rubbish(self) -> None:
        rubbish = self._chance.choice(
            (
                b"\x16\x03\x01\x02\x00\x01\x00" + bytes(200),
                b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 5000,
                b"POST /api/moves HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                b"Content-Length: 3\r\n\r\n0\r\n\r\n",
                self._chance.randbytes(2000),
            )
        )
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 5) as client:
            client.sendall(rubbish)
            client.recv(1000)
