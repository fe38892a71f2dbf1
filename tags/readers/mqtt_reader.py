"""Scanners that publish the chips they see on an MQTT broker: ESPHome, Tasmota, and whatever
announces itself by Home Assistant's tag discovery. Needs the extra ``mqtt``.

Retained scans are ignored: a broker would play them again at every start.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from tags.presence import Road
from tags.readers import explain_error, explain_fault
from tags.readers.paths import parse_address
from tags.readers.sightings import Sightings, parse_id

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

log = logging.getLogger(__name__)

KEEP_ALIVE = 5
"""Seconds without a packet after which the broker, or we, count the other as lost."""

CONNECTING = 3.0
"""Most seconds to connect and be accepted."""

LARGEST = 65536
"""The most bytes in a payload that is looked at."""

MOST_SCANNERS = 64
"""The most scanners that may announce themselves."""

DISCOVERY = ("homeassistant/tag/+/config", "homeassistant/tag/+/+/config")
KEYS = (("uid",), ("UID",), ("tag_uid",), ("PN532", "UID"), ("tag_id",))
"""Where scanners put the id in a JSON object."""

_TEMPLATE = re.compile(r"\{\{\s*value(?:_json((?:\.[A-Za-z_]\w*)+))?\s*\}\}")
_REFUSED = {4, 5, 134, 135}
"""Answers of a broker to a wrong name or password, of MQTT 3.1.1 and 5."""


class Scanner(NamedTuple):
    """A source of scans: the path of the id in its JSON, or None to look for it."""

    topic: str
    path: tuple[str, ...] | None = None


class MqttReader:
    """A ``Reader`` of the scanners on the broker at ``url`` (see ``addresses.parse_address``).

    Nothing runs in the background: each poll reads what has arrived. Raises ``ValueError`` with one
    sentence for an invalid URL.
    """

    def __init__(self, url: str, name: str | None = None) -> None:
        self.path = url
        self._address = parse_address(url)
        self._name = name or url.partition("?")[0]
        self._client: Client | None = None
        self._answer: int | None = None
        self._scanners: dict[str, Scanner] = {}
        self._last_topic = ""
        self.road = Road(
            sees_lifts=False, interval=self._address.interval, sees_two=False, writes=False
        )
        self._sightings = Sightings(self.road)

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Connect and subscribe; no-op when open. Raises ``ReaderError``."""
        if self._client is not None:
            return
        try:
            self._connect()
        except Exception as error:
            self.close()
            raise explain_error(error, self.name, "mqtt") from error
        self._sightings.begin()

    def poll(self) -> Sequence[bytes]:
        """The chip last reported; never waits. Raises ``ReaderError``."""
        if self._client is None:
            raise explain_fault("missing", self.name, "mqtt")
        self._work(0)
        return self._sightings.poll()

    def signal(self, is_accepted: bool) -> None:
        """Publish ``is_accepted`` or ``refused`` below the topic of the last scan, for a light or a
        buzzer. Raises ``ReaderError``."""
        if self._client is not None and self._last_topic:
            word = "accepted" if is_accepted else "refused"
            self._client.publish(f"{self._last_topic}/result", word)
            self._work(0)

    def close(self) -> None:
        """Disconnect; never raises."""
        client, self._client = self._client, None
        if client is None:
            return
        try:
            client.disconnect()
            client.loop(0)
        except Exception:
            log.debug("%s did not disconnect cleanly", self.name, exc_info=True)

    def list_scanners(self) -> list[str]:
        """The topics of scans, those announced so far or the one in the URL."""
        return sorted({scanner.topic for scanner in self._scanners.values()})

    def _connect(self) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        address = self._address
        client = Client(CallbackAPIVersion.VERSION2)
        client.connect_timeout = CONNECTING
        client.on_connect = self._hear_answer
        client.on_message = self._hear
        if address.user:
            client.username_pw_set(address.user, address.read_password())
        if address.is_encrypted:
            client.tls_set_context(address.make_context())
        self._client, self._answer = client, None
        client.connect(address.host, address.port, KEEP_ALIVE)
        answer = self._await_answer()
        if answer in _REFUSED:
            raise explain_fault("permission", self.name, "mqtt")
        if answer:
            raise OSError(errno.EIO, f"the broker answers {answer}")
        self._subscribe(client)

    def _await_answer(self) -> int:
        """The broker's answer to the connection, 0 if it is accepted. Raises ``OSError``."""
        end = time.monotonic() + CONNECTING
        while (left := end - time.monotonic()) > 0:
            self._work(left)
            if self._answer is not None:
                return self._answer
        raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))

    def _subscribe(self, client: Client) -> None:
        self._scanners = {}
        topic = self._address.topic
        if topic:
            self._add(client, "", Scanner(topic))
        else:
            for pattern in DISCOVERY:
                client.subscribe(pattern, 1)

    def _add(self, client: Client, key: str, scanner: Scanner) -> None:
        self._scanners[key] = scanner
        client.subscribe([(scanner.topic, 1), (f"{scanner.topic}_removed", 1)])

    def _work(self, seconds: float) -> None:
        """Send and receive for at most that long. Raises ``ReaderError``."""
        assert self._client is not None
        code = self._client.loop(seconds)
        if code and self._answer not in _REFUSED:
            self.close()
            raise explain_fault("failed", self.name, "mqtt")

    def _hear_answer(
        self, client: Client, _data: object, _flags: object, reason: Any, _properties: object
    ) -> None:
        self._answer = int(reason.value)

    def _hear(self, client: Client, _data: object, message: MQTTMessage) -> None:
        if len(message.payload) > LARGEST:
            log.warning("%s: a message of %d bytes", self.name, len(message.payload))
        elif message.topic.endswith("/config") and not self._address.topic:
            self._discover(client, message.topic, bytes(message.payload))
        elif not message.retain:
            self._hear_scan(message.topic, bytes(message.payload))

    def _hear_scan(self, topic: str, payload: bytes) -> None:
        for scanner in self._scanners.values():
            if topic == f"{scanner.topic}_removed":
                self._sightings.leave(find_id(payload, scanner.path))
                return
            if topic == scanner.topic:
                uid = find_id(payload, scanner.path)
                if uid is not None:
                    self._last_topic = topic
                    self._sightings.see(uid)
                return

    def _discover(self, client: Client, key: str, payload: bytes) -> None:
        """Follow a scanner's announcement; an empty one takes it back."""
        old = self._scanners.pop(key, None)
        if old is not None:
            client.unsubscribe([old.topic, f"{old.topic}_removed"])
        scanner = read_announcement(payload)
        if scanner is None:
            return
        if len(self._scanners) >= MOST_SCANNERS:
            log.warning("%s: more than %d scanners", self.name, MOST_SCANNERS)
        else:
            self._add(client, key, scanner)


def read_announcement(payload: bytes) -> Scanner | None:
    """The scanner of a Home Assistant tag discovery message; None if it is not understood.

    Of templates only ``{{ value }}`` and ``{{ value_json.a.b }}`` are: a template of strangers is
    not run.
    """
    data = _read_json(payload)
    if not isinstance(data, dict):
        return None
    topic = data.get("topic") or data.get("t")
    template = data.get("value_template") or data.get("val_tpl") or "{{ value }}"
    match = _TEMPLATE.fullmatch(template.strip()) if isinstance(template, str) else None
    if not isinstance(topic, str) or not 0 < len(topic) <= 256 or {*topic} & {*"+#\0"}:
        return None
    if match is None:
        log.warning("a scanner's template is not understood: %.100r", template)
        return None
    return Scanner(topic, tuple(match[1][1:].split(".")) if match[1] else None)


def find_id(payload: bytes, path: tuple[str, ...] | None = None) -> bytes | None:
    """The chip's id in a scan: at that path of a JSON object, else at a usual one, else the whole
    payload."""
    data = _read_json(payload)
    if not isinstance(data, dict):
        return parse_id(payload[:200].decode("utf-8", "replace").strip().strip('"'))
    for keys in (path,) if path else KEYS:
        value: object = data
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str | int) and not isinstance(value, bool):
            return parse_id(str(value)[:200])
    return None


def _read_json(payload: bytes) -> object:
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        return None
