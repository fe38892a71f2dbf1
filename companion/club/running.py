"""A hub that runs: its server, its connection to a broker, and the end of both."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.club import messages
from companion.club.hub import ClubHub
from companion.club.wall import Wall
from companion.files import locations
from companion.phones.serving import guard
from companion.phones.serving.connections import Connections, RejectionCounter
from companion.phones.serving.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.club.broker import HubBroker
    from companion.club.folder import Passwords
    from companion.phones.serving.where import Where
    from companion.settings.club import ClubAddress


class Running:
    """A hub with its server, and with a broker if `address` is one. Stop it at the end."""

    def __init__(
        self,
        club: str,
        data: str,
        where: Where,
        *,
        tell: Callable[[str], object],
        language: str,
        address: ClubAddress | None = None,
        passwords: Passwords | None = None,
        judge_code: str = "",
    ) -> None:
        """`data` is the folder with the club's games. `tell` shows the judge one line, in any
        thread."""
        self.where = where
        self.judge_code = judge_code or guard.make_code()
        self.hub = ClubHub(club, locations.games_file(data), tell=tell)
        wall = Wall(self.hub, where, passwords, self.judge_code, language)
        self.server = Server(
            wall.answer, Connections(RejectionCounter()), where, longest_body=messages.LARGEST
        )
        self._broker: HubBroker | None = None
        if address is not None:
            from companion.club.broker import HubBroker  # of the extra `club`

            self._broker = HubBroker(address, self.hub, self.server.call, tell)
        self._task: asyncio.Task[Any] | None = None

    def start(self) -> None:
        """Serve, and listen to the broker."""
        self.server.start()
        self.server.call(self._begin)
        if self._broker is not None:
            self._broker.start()

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self.hub.run())

    def wait_for_tables(self, number: int, seconds: float) -> None:
        """Wait until so many tables are on the wall, or that long."""
        end = time.monotonic() + seconds
        while len(self.hub.board.tables) < number and time.monotonic() < end:
            time.sleep(0.02)

    def stop(self) -> None:
        """Disconnect everybody; what was taken is on the disk."""
        if self._broker is not None:
            self._broker.stop()
        self.server.stop()
        self.hub.stop()


def wait_for_end() -> None:
    """Wait until the program is interrupted or terminated."""
    event = threading.Event()
    for name in ("SIGTERM", "SIGINT"):
        with suppress(ValueError):  # not in the main thread
            signal.signal(getattr(signal, name), lambda *_: event.set())
    while not event.wait(3600):
        pass
