"""Tables and hubs for tests of a club: a real game with a publisher, a real hub, a real broker."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.extensions.club.publisher import Publisher
from companion.extensions.club.running import Running
from companion.game.demonstration import read_demo
from companion.game.onlooking import Onlookers
from companion.game.session import Session
from companion.log.store import Store
from companion.phones.serving import where
from companion.settings import config
from tests.club.programs import Broker
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from paho.mqtt.client import Client


class Table:
    """The demonstration's game at a table of a club."""

    def __init__(self, folder: Path, url: str, **how: Any) -> None:
        self.config = config.load({"COMPANION_DATA": str(folder)})
        self.store = Store(self.config.games)
        self.told: list[str] = []
        self.moves = list(read_demo().moves)
        last = self.store.find_last_game()
        self.session = (
            Session.begin(self.store, read_demo().setup)
            if last is None
            else Session.resume(self.store)
        )
        self.publisher = Publisher(url, str(folder), self.told.append, **how)
        self.session.attend(Onlookers({"club": self.publisher}, self.told.append))

    def play(self, number: int | None = None) -> None:
        """Play so many moves more, or all."""
        count = len(self.session.referee.moves)
        for text in self.moves[count : None if number is None else count + number]:
            self.session.play(text)

    def close(self) -> None:
        self.publisher.close()
        self.session.close()
        self.store.close()


class Hub:
    """A hub at a free port of this computer, and what its visitors see."""

    def __init__(self, broker: Broker) -> None:
        self.told: list[str] = []
        self.running = Running(
            str(broker.path),
            where.find("127.0.0.1", 0),
            tell=self.told.append,
            language="en",
            address=broker.club.address(str(broker.path)),
        )
        self.running.start()
        self.url = self.running.where.url

    def get(self, path: str = "") -> str:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
            return text

    def table(self, name: str) -> dict[str, Any]:
        """What programs are told of that table; empty before it has come."""
        tables: list[dict[str, Any]] = json.loads(self.get("api/tables"))
        return next((one for one in tables if one["table"] == name), {})

    def results(self) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = json.loads(self.get("api/results"))
        return results

    def close(self) -> None:
        self.running.stop()


class Pub(Broker):
    """A club whose broker, hub and tables can be started and stopped."""

    @contextmanager
    def open(self) -> Iterator[None]:
        """The broker, until the end of the block."""
        self.start()
        try:
            yield
        finally:
            self.kill()

    @contextmanager
    def hub(self) -> Iterator[Hub]:
        hub = Hub(self)
        try:
            yield hub
        finally:
            hub.close()
            print(f"The hub has told: {hub.told}")  # shown if the test fails

    def put(self, table: str, kind: str, payload: bytes) -> None:
        """Send a message as that table."""
        assert self.write(table, self.find_word(table), [f"pub/{table}/{kind}"], payload) == {0}

    def write(
        self,
        name: str,
        word: str,
        topics: Sequence[str],
        payload: bytes = b'{"state":"lost","birth":99}',
    ) -> set[int]:
        """The broker's answers to somebody who writes that to these topics."""
        client = self._connect(name, word)
        codes: dict[int, int] = {}
        client.on_publish = lambda _c, _d, mid, code, _p: codes.update({mid: code.value})
        client.loop_start()
        for topic in topics:
            client.publish(f"citadels/v1/{topic}", payload, 1, retain=True)
        wait_until(lambda: len(codes) == len(topics))
        client.disconnect()
        client.loop_stop()
        return {code if code >= 128 else 0 for code in codes.values()}

    def hear(self, table: str, topic: str, word: str = "") -> Any:
        """What a table hears at that topic of the club, once there is something."""
        heard: list[bytes] = []
        client = self._connect(table, word or self.find_word(table))
        client.on_message = lambda _c, _d, message: heard.append(message.payload)
        client.on_connect = lambda *_: client.subscribe(f"citadels/v1/pub/{topic}")
        client.loop_start()
        try:
            wait_until(lambda: heard)
        finally:
            client.disconnect()
            client.loop_stop()
        return json.loads(heard[0])

    def find_word(self, table: str) -> str:
        return (self.path / f"{table}.word").read_text()

    def _connect(self, name: str, word: str) -> Client:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        client.username_pw_set(name, word)
        client.connect("127.0.0.1", self.club.port)
        return client


@contextmanager
def run_table(folder: Path, url: str, **how: Any) -> Iterator[Table]:
    table = Table(folder, url, **how)
    try:
        yield table
    finally:
        table.close()
