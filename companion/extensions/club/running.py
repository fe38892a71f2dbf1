"""A hub that runs: its server, its connection to a broker, and the end of both."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.extensions.club import messages
from companion.extensions.club.broker_link import CONNECTING, FORBIDDEN, KEEP_ALIVE, log_in
from companion.extensions.club.hub import ClubHub
from companion.extensions.club.wall import Wall
from companion.files import locations
from companion.phones.serving.guard import Connections, RejectionCounter
from companion.phones.serving.phones import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.extensions.club.address import ClubAddress
    from companion.phones.serving.where import Where


FIRST_DELAY, LONGEST_DELAY = 1, 2
"""Seconds between two tries to connect."""


class HubBroker:
    """Connects in the client's own thread, again and again until it is stopped."""

    def __init__(
        self,
        address: ClubAddress,
        hub: ClubHub,
        call: Callable[[Callable[[], object]], object],
        tell: Callable[[str], object],
    ) -> None:
        """`call` runs work in the hub's thread."""
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        self._address, self._hub, self._call, self._tell = address, hub, call, tell
        self._said = ""
        client = self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        client.connect_timeout = CONNECTING
        client.reconnect_delay_set(FIRST_DELAY, LONGEST_DELAY)
        client.on_connect = self._hear_connected
        client.on_connect_fail = self._hear_failed
        client.on_disconnect = self._hear_disconnected
        client.on_publish = self._hear_published
        client.on_message = self._hear
        log_in(client, address)
        hub.publish = self._publish
        hub.directory.is_fresh = False

    def start(self) -> None:
        host, port = self._address.host, self._address.port
        self._client.connect_async(host, port, KEEP_ALIVE, clean_start=True)
        self._client.loop_start()

    def stop(self) -> None:
        """Disconnect; never raises."""
        with suppress(Exception):
            self._client.disconnect()
            self._client.loop_stop()

    def _publish(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, 1, retain=True)

    # -- in the client's thread ------------------------------------------------------------------

    def _hear_connected(
        self, client: Any, _data: object, _flags: object, code: Any, _properties: object
    ) -> None:
        if code.is_failure:
            self._say(
                Sentence(
                    "The broker does not accept this hub's name or password ({reason}).",
                    reason=str(code),
                )
            )
            return
        self._said = ""
        tables = f"{messages.ROOT}/{self._address.club}/+"
        kinds = ("status", "meta", "state", "call", "result/#")  # the wall first
        client.subscribe([(f"{tables}/{kind}", 1) for kind in kinds])
        self._call(lambda: self._hub.directory.set_fresh(True))
        self._call(self._hub.publish_own)

    def _hear_failed(self, _client: Any, _data: object) -> None:
        self._say(say_gone_to_hub(self._address))

    def _hear_disconnected(
        self, _client: Any, _data: object, _flags: object, code: Any, _properties: object
    ) -> None:
        self._call(lambda: self._hub.directory.set_fresh(False))
        if code.is_failure:
            self._say(say_gone_to_hub(self._address))

    def _hear_published(
        self, _client: Any, _data: object, _mid: int, code: Any, _properties: object
    ) -> None:
        if int(code.value) == FORBIDDEN:
            self._say(Sentence("The broker does not let this hub write; check its access list."))

    def _hear(self, _client: Any, _data: object, message: Any) -> None:
        self._hub.note_from_broker(
            message.topic, bytes(message.payload), bool(message.retain), self._call
        )

    def _say(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._tell(sentence)


def say_gone_to_hub(address: ClubAddress) -> str:
    """That the broker does not answer; the wall shows what it knows."""
    return Sentence(
        "The broker at {place} does not answer; the wall shows what it knows until it is back.",
        place=address.location,
    )


class Running:
    """A hub with its server, at the broker of that address. Stop it at the end."""

    def __init__(
        self,
        data: str,
        where: Where,
        *,
        tell: Callable[[str], object],
        language: str,
        address: ClubAddress,
    ) -> None:
        """`data` is the folder with the club's games. `tell` shows the judge one line, in any
        thread."""
        self.where = where
        self.hub = ClubHub(address.club, locations.games_file(data), tell=tell)
        self.table_address = address.name_table("TABLE")
        """What each table is started with, after `--club`; TABLE stands for its name."""
        wall = Wall(self.hub, where, language, table_address=self.table_address)
        self.server = Server(wall.answer, Connections(RejectionCounter()), where)
        self._broker = HubBroker(address, self.hub, self.server.call, tell)
        self._task: asyncio.Task[Any] | None = None

    def start(self) -> None:
        self.server.start()
        self.server.call(self._begin)
        self._broker.start()

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self.hub.run())

    def wait_for_tables(self, number: int, seconds: float) -> None:
        """Wait until so many tables are on the wall, or that long."""
        end = time.monotonic() + seconds
        while len(self.hub.directory.tables) < number and time.monotonic() < end:
            time.sleep(0.02)

    def stop(self) -> None:
        """Disconnect everybody; what was taken is on the disk."""
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
