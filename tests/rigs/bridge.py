"""A bridge from TCP to an emulated PN532, as an ESP with Tasmota or ESPHome is: bytes go through
as they come, delayed by the Wi-Fi between."""

from __future__ import annotations

import random
import select
import socket
import threading
import time
from collections.abc import Iterator

from tags.simulator import SimulatedReader
from tests.rigs.board import Board
from tests.rigs.pn532 import Faults, Pn532


class TcpBridge:
    """Listens on a port of 127.0.0.1 and serves one connection at a time.

    ``delays`` are the least and the most seconds of a round trip. While
    ``silent``, connections are held and nothing comes through; while not
    ``plugged``, which the chip's faults can cause, every connection is closed.
    """

    def __init__(self, chip: Pn532, delays: tuple[float, float] = (0, 0), seed: int = 1) -> None:
        self.chip = chip
        self.silent = False
        self.plugged = True
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
                    if self.plugged:
                        self.chip.power_up()
                        self._relay(connection, Board(self.chip))

    def _relay(self, connection: socket.socket, board: Board) -> None:
        while self.plugged and not self._ending.is_set():
            if not select.select([connection], [], [], 0.05)[0]:
                continue
            try:
                data = connection.recv(4096)
                if not data:
                    return
                time.sleep(self._random.uniform(*self._delays))
                for piece in self._pass_on(data, board):
                    connection.sendall(piece)
            except OSError:
                return

    def _pass_on(self, data: bytes, board: Board) -> Iterator[bytes]:
        """The board's answer, as far as the faults let it through."""
        faults = self.chip.faults
        data, is_pulled = faults.cut(data)
        if not (self.silent or faults.stall or is_pulled):
            for piece in board.receive(data):
                content, is_pulled = faults.cut(piece)
                yield content
                if is_pulled:
                    break
        self.plugged = self.plugged and not is_pulled


class BridgedReader(SimulatedReader):
    """A simulated reader whose taps go through an emulated PN532 behind such a bridge."""

    def __init__(self, delays: tuple[float, float]) -> None:
        self.faults = Faults()
        self._bridge = TcpBridge(Pn532(rf_delay=0, poll_time=0, faults=self.faults), delays)
        super().__init__(antenna=self._bridge.chip)

    @property
    def path(self) -> str:
        """The reader's path in settings."""
        return self._bridge.path

    @property
    def plugged(self) -> bool:
        """Whether the bridge is there; a fault may have taken its power."""
        return self._bridge.plugged

    def plug(self) -> None:
        """Give the bridge its power again."""
        self._bridge.plugged = True

    def __enter__(self) -> BridgedReader:
        self._bridge.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bridge.__exit__(*error)
