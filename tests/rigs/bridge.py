"""A bridge from TCP to an emulated PN532, as an ESP with Tasmota or ESPHome is: bytes go through
as they come, delayed by the Wi-Fi between."""

from __future__ import annotations

import random
import select
import socket
import threading
import time

from tests.rigs.board import Board
from tests.rigs.pn532 import Pn532


class TcpBridge:
    """Listens on a port of 127.0.0.1 and serves one connection at a time.

    ``delays`` are the least and the most seconds of a round trip. While
    ``silent``, connections are held and nothing comes through.
    """

    def __init__(self, chip: Pn532, delays: tuple[float, float] = (0, 0), seed: int = 1) -> None:
        self.chip = chip
        self.silent = False
        self._delays = delays
        self._random = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="bridge", daemon=True)

    @property
    def path(self) -> str:
        """The reader's path in settings."""
        return "tcp://{}:{}".format(*self._listener.getsockname())

    def __enter__(self) -> TcpBridge:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ending.set()
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while not self._ending.is_set():
            if select.select([self._listener], [], [], 0.05)[0]:
                connection, _address = self._listener.accept()
                with connection:
                    self.chip.power_up()
                    self._relay(connection, Board(self.chip))

    def _relay(self, connection: socket.socket, board: Board) -> None:
        while not self._ending.is_set():
            if not select.select([connection], [], [], 0.05)[0]:
                continue
            try:
                data = connection.recv(4096)
                if not data:
                    return
                time.sleep(self._random.uniform(*self._delays))
                for piece in () if self.silent else board.receive(data):
                    connection.sendall(piece)
            except OSError:
                return
