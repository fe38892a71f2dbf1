"""How a table reaches its club: over an MQTT broker.

A link is used by one thread, the publisher's, which may wait in it; a game never does. Whatever
fails is a `LinkLost` with one sentence for the table.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.extensions.club import messages
from companion.files import reason
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from paho.mqtt.client import Client

    from companion.extensions.club.address import ClubAddress
    from companion.extensions.club.messages import Topic

KEEP_ALIVE = 15
"""Seconds of silence after which a broker asks; after one and a half of them a table is lost."""

BEAT = 10.0
"""Seconds between two signs of life: a hub must notice a table that has died while the broker was
away, and could not tell of it."""

CONNECTING = 3.0
ANSWERING = 10.0
"""Seconds in which the other side must accept a connection, and answer."""

LOOKING = 1.0
"""Seconds to wait for what a broker has kept about this table."""

EXPIRES = 30 * 24 * 3600
"""Seconds after which a broker forgets a result."""

FORBIDDEN, TAKEN_OVER = 135, 142
_REFUSED = (4, 5, 134, FORBIDDEN)
"""Answers of a broker to a wrong name or password, of MQTT 3.1.1 and 5."""


GONE, REFUSED, TAKEN = "gone", "refused", "taken"


class LinkLost(Exception):
    """The connection failed: a sentence, and its kind, of which one is told until it is solved.
    After TAKEN, trying again would be wrong."""

    def __init__(self, sentence: str, kind: str = GONE) -> None:
        super().__init__(sentence)
        self.sentence, self.kind = sentence, kind


def say_gone(address: ClubAddress, error: Exception | None = None) -> str:
    """That the club cannot be reached; the game goes on."""
    place = address.location
    if isinstance(error, OSError) and error.errno is not None:
        return Sentence(
            "The club at {place} cannot be reached: {reason}. The game continues; its result is "
            "sent later.",
            place=place,
            reason=reason(error),
        )
    return Sentence(
        "The club at {place} does not answer. The game continues; its result is sent later.",
        place=place,
    )


def say_refused(address: ClubAddress) -> str:
    return Sentence(
        "The club does not accept the name or the password of table {table}; ask its judge for "
        "the table's card.",
        table=address.table,
    )


def say_forbidden(address: ClubAddress, topic: str) -> str:
    return Sentence(
        "The club forbids table {table} to write {topic}; ask its judge for the table's card.",
        table=address.table,
        topic=topic,
    )


def say_taken_over(address: ClubAddress) -> str:
    return Sentence(
        "Another computer is table {table} of the club now; this one sends nothing more. Give each "
        "table a name of its own.",
        table=address.table,
    )


def log_in(client: Client, address: ClubAddress) -> None:
    """Give that client the name, the password and the encryption of the address. Raises OSError and
    ValueError for files that cannot be used."""
    if address.user:
        client.username_pw_set(address.user, address.read_password())
    if address.is_encrypted:
        client.tls_set_context(address.make_context())


class BrokerLink:
    """A table's connection to an MQTT 5 broker. The client library has a thread; what it hears is
    only noted."""

    beat = BEAT
    """Seconds after which a sign of life is due."""

    def __init__(self, address: ClubAddress, wake: Callable[[], None]) -> None:
        self._address, self._wake = address, wake
        self._client: Client | None = None
        self._news = threading.Condition()
        self._answers: dict[int, int] = {}  # reason codes by message id
        self._code: int | None = None  # of the connection: the answer to it, or of its end
        self._is_open = False
        self._status: dict[str, Any] = {}  # the table's own, as the broker has kept it
        self._seen: deque[tuple[str, str]] = deque(maxlen=1000)
        self._players: dict[str, str] = {}

    def open(self, birth: int, before: Collection[int]) -> None:
        """Connect; whoever notices a loss says `lost` for this birth. `before` has those with which
        this program has spoken. Raises LinkLost."""
        client = self._client = self._make_client(birth)
        address = self._address
        try:
            log_in(client, address)
            client.connect(address.host, address.port, KEEP_ALIVE, clean_start=True)
        except (OSError, ValueError) as error:
            raise LinkLost(say_gone(self._address, error)) from error
        client.loop_start()
        with self._news:
            self._news.wait_for(lambda: self._code is not None, ANSWERING)
            code = self._code
        if code is None:
            raise LinkLost(say_gone(self._address))
        if code:
            self._raise(code)
        if before:
            self._check_alone(client, before)
        for levels in (("seen", self._address.table), ("players",)):
            client.subscribe(messages.name_hub(self._address.club, *levels), 1)

    def _check_alone(self, client: Client, before: Collection[int]) -> None:
        """Raises LinkLost if another computer has become this table since the connection before:
        not every broker says so (mosquitto 2.0.11 only closes the older connection, and keeps its
        will)."""
        status = messages.Topic(self._address.club, self._address.table, "status").text
        client.subscribe(status, 1)
        with self._news:
            self._news.wait_for(lambda: self._status or not self._is_open, LOOKING)
            told = self._status
        client.unsubscribe(status)
        if told and told["birth"] not in before:
            raise LinkLost(say_taken_over(self._address), TAKEN)

    def _make_client(self, birth: int) -> Client:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        address = self._address
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"citadels-{address.club}-{address.table}",
            protocol=MQTTv5,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECTING
        client.on_connect = self._hear_connected
        client.on_disconnect = self._hear_disconnected
        client.on_publish = self._hear_published
        client.on_message = self._hear
        will = messages.write({"state": messages.LOST, "birth": birth})
        topic = messages.Topic(address.club, address.table, "status")
        client.will_set(topic.text, will, 1, retain=True)
        return client

    def send(self, topic: Topic, payload: bytes, *, retain: bool) -> None:
        """Publish, and wait for the broker's answer. Raises LinkLost."""
        assert self._client is not None
        info = self._client.publish(
            topic.text, payload, 1, retain=retain, properties=_expire(topic)
        )  # fmt: skip
        end = time.monotonic() + ANSWERING
        with self._news:
            self._news.wait_for(
                lambda: info.mid in self._answers or not self._is_open, end - time.monotonic()
            )
            code = self._answers.pop(info.mid, None)
        if code is None:
            self.check()
            raise LinkLost(say_gone(self._address))
        if code >= 128:
            raise LinkLost(say_forbidden(self._address, topic.text), REFUSED)

    def check(self) -> None:
        """Raises LinkLost if the connection is gone."""
        if not self._is_open:
            self._raise(self._code or 0)

    def _raise(self, code: int) -> None:
        if code == TAKEN_OVER:
            raise LinkLost(say_taken_over(self._address), TAKEN)
        if code in _REFUSED:
            raise LinkLost(say_refused(self._address), REFUSED)
        raise LinkLost(say_gone(self._address))

    def list_players(self) -> Mapping[str, str]:
        """The club's players: the id of each name, as `fold` has it."""
        return self._players

    def take_seen(self) -> list[tuple[str, str]]:
        """The results that the hub has confirmed since the last call: game and hash."""
        seen = []
        while self._seen:
            seen.append(self._seen.popleft())
        return seen

    def close(self) -> None:
        """Disconnect; never raises."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):
                client.disconnect()
                client.loop_stop()
        self._is_open, self._code = False, None
        self._answers.clear()

    # -- in the client's thread ------------------------------------------------------------------

    def _hear_connected(
        self, _client: Client, _data: object, _flags: object, code: Any, _properties: object
    ) -> None:
        self._note(int(code.value), is_open=not code.is_failure)

    def _hear_disconnected(
        self, _client: Client, _data: object, _flags: object, code: Any, _properties: object
    ) -> None:
        self._note(self._code or int(code.value), is_open=False)

    def _note(self, code: int, *, is_open: bool) -> None:
        with self._news:
            self._code, self._is_open = code, is_open
            self._news.notify_all()
        self._wake()

    def _hear_published(
        self, _client: Client, _data: object, mid: int, code: Any, _properties: object
    ) -> None:
        with self._news:
            self._answers[mid] = int(code.value)
            self._news.notify_all()

    def _hear(self, _client: Client, _data: object, message: Any) -> None:
        payload = bytes(message.payload)
        with suppress(messages.MessageProblem):
            match message.topic.removeprefix(f"{messages.ROOT}/").split("/")[1:]:
                case [_, "status"]:
                    with self._news:
                        self._status = messages.read("status", payload)
                        self._news.notify_all()
                case ["hub", "players"]:
                    players = messages.read("players", payload)["players"]
                    self._players = {fold(name): id_ for id_, name in players.items()}
                case ["hub", "seen", _]:
                    seen = messages.read("seen", payload)
                    self._seen.append((seen.get("game", ""), seen["hash"]))
                    self._wake()


def _expire(topic: Topic) -> Any:
    """The properties that let a broker forget a result after a while; None for other messages."""
    if topic.kind != "result":
        return None
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    properties = Properties(PacketTypes.PUBLISH)
    properties.MessageExpiryInterval = EXPIRES
    return properties
