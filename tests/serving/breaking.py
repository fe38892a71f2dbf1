"""A connection between a browser and a table that breaks off, or dies without a word."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

AT_ONCE = 64 * 1024  # bytes


class Proxy:
    """Passes on what a table at that port of this machine and its browsers send each other, until
    it goes silent without closing a connection, as a router does that forgets a phone."""

    def __init__(self, port: int) -> None:
        self._behind = port
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.breaks = b""
        """The beginning of a request, the next answer to which ends in the middle of its body."""
        self._is_deaf = self._is_mute = False
        self._silences = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self, *, hears: bool = False) -> None:
        """Let nothing through any more, on new connections neither; if it `hears`, what browsers
        send still reaches the table."""
        self._is_deaf, self._is_mute = not hears, True
        self._silences += 1

    def speak(self) -> None:
        """Let new connections through; those from before the silence stay dead."""
        self._is_deaf = self._is_mute = False

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self._socket.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        here, there = f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self._behind}".encode()
        silences = self._silences
        address = ("127.0.0.1", self._behind)
        with suppress(OSError), client, socket.create_connection(address) as table:
            asked: list[bytes] = []

            def answer() -> None:
                with suppress(OSError):
                    while data := table.recv(AT_ONCE):
                        if self._is_mute or silences != self._silences:
                            continue
                        if self.breaks and asked and asked[-1].startswith(self.breaks):
                            self.breaks = b""
                            client.sendall(data[: data.index(b"\r\n\r\n") + 100])
                            break
                        client.sendall(data)
                    if silences == self._silences:
                        client.shutdown(socket.SHUT_RDWR)

            threading.Thread(target=answer, daemon=True).start()
            while data := client.recv(AT_ONCE):
                asked.append(data)
                if not self._is_deaf:
                    table.sendall(data.replace(here, there))
