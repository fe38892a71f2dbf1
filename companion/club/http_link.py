"""A table's link to the hub itself, where there is no broker: a message is a PUT to its topic."""

from __future__ import annotations

import base64
import http.client
import json
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.club import links, messages

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from companion.club.messages import Topic
    from companion.settings.services import ClubAddress

BEAT = 5.0
"""Seconds between two signs of life over HTTP, where nobody else notices that a table is gone."""


class HubLink:
    """A table's connection to the hub itself: each message is a PUT to its topic, and each answer
    says which result the hub has taken last."""

    beat: float | None = BEAT

    def __init__(self, address: ClubAddress) -> None:
        self._address = address
        self._connection: http.client.HTTPConnection | None = None
        self._session = secrets.token_hex(8)
        self._seen: list[tuple[str, str]] = []

    def open(self, birth: int, before: Collection[int]) -> None:
        """Connect. Raises LinkLost."""
        del before  # the hub refuses an earlier computer itself
        place = self._address.place
        try:
            password = place.read_password() or ""
            if place.is_encrypted:
                self._connection = http.client.HTTPSConnection(
                    place.host, place.port, timeout=links.ANSWERING, context=place.make_context()
                )
            else:
                self._connection = http.client.HTTPConnection(
                    place.host, place.port, timeout=links.ANSWERING
                )
            self._connection.connect()
        except (OSError, ValueError) as error:
            raise links.LinkLost(links.say_gone(self._address, error)) from error
        login = base64.b64encode(f"{self._address.table}:{password}".encode()).decode()
        self._headers = {
            "Authorization": f"Basic {login}",
            "Content-Type": "application/json",
            "Citadels-Session": f"{self._session}-{birth}",
        }

    def send(self, topic: Topic, payload: bytes, *, retain: bool) -> None:
        """Send, and read the answer. Raises LinkLost and NotTaken."""
        del retain  # the hub knows which kinds last
        status, body = self._ask("PUT", topic.text, payload)
        match status:
            case 200:
                self._note(body)
            case 401:
                raise links.LinkLost(links.say_refused(self._address), links.REFUSED)
            case 403:
                raise links.LinkLost(links.say_forbidden(self._address, topic.text), links.REFUSED)
            case 422 if topic.kind == "result":
                raise links.NotTaken
            case 409:
                raise links.LinkLost(links.say_taken_over(self._address), links.TAKEN)
            case _:
                raise links.LinkLost(
                    Sentence(
                        "The club's hub does not take this table's messages (HTTP {status}); "
                        "perhaps it is of another version.",
                        status=status,
                    ),
                    links.REFUSED,
                )

    def _ask(self, method: str, topic: str, payload: bytes | None = None) -> tuple[int, bytes]:
        """The status and body of the hub's answer. Raises LinkLost."""
        assert self._connection is not None
        try:
            self._connection.request(method, f"/{topic}", payload, self._headers)
            answer = self._connection.getresponse()
            return answer.status, answer.read(messages.LARGEST)
        except (OSError, http.client.HTTPException) as error:
            raise links.LinkLost(links.say_gone(self._address, error)) from error

    def _note(self, body: bytes) -> None:
        with suppress(ValueError, RecursionError, messages.MessageProblem):
            view = json.loads(body)["seen"]
            if view is not None:
                self._seen.append(links.read_seen(json.dumps(view).encode()))

    def check(self) -> None:
        """Nothing is known between two messages."""

    def list_players(self) -> Mapping[str, str]:
        """Ask the hub. Raises LinkLost."""
        status, body = self._ask("GET", messages.name_hub(self._address.club, "players"))
        with suppress(messages.MessageProblem):
            return links.read_players(body) if status == 200 else {}
        return {}

    def take_seen(self) -> list[tuple[str, str]]:
        """What has come."""
        matches, self._seen = self._seen, []
        return matches

    def close(self) -> None:
        """Disconnect; never raises."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError):
                connection.close()
