"""The club: every byte that a table publishes, after which move."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, TypeVar

from companion import language
from companion.extensions.club.address import ClubAddress
from companion.extensions.club.broker_link import BrokerLink
from companion.extensions.club.messages import Topic
from companion.extensions.club.publisher import Publisher
from companion.files import locations
from companion.game.onlooking import Onlookers
from companion.game.session import Session
from companion.log.store import Store
from tests.twins.pairs import Twins
from tests.waiting import PATIENCE, wait_until

URL = "mqtt://table-1@127.0.0.1:9/pub"
NOBODY = "mqtt://t1@127.0.0.1:9/pub"
"""The address of a table whose club nobody has opened."""
_CHANCE = re.compile(rb'"at":"[^"]*"|"birth":\d+')
"""The clock, and the number drawn at a table's first connection."""


class Recorder(BrokerLink):
    """A link that sends to nobody and remembers what it was given."""

    beat = 3600.0

    def __init__(self, address: ClubAddress, wake: Callable[[], None]) -> None:
        super().__init__(address, wake)
        self.wake = wake
        self.sent: list[tuple[str, bytes, bool]] = []
        self.news = threading.Condition()

    def open(self, birth: int, before: Collection[int]) -> None:
        pass

    def send(self, topic: Topic, payload: bytes, *, retain: bool) -> None:
        with self.news:
            self.sent.append((topic.text, payload, retain))
            self.news.notify_all()

    def wait_for(self, *parts: bytes) -> None:
        """Wait for a message with all these parts."""

        def is_there() -> bool:
            return any(all(part in data for part in parts) for _topic, data, _retain in self.sent)

        with self.news:
            assert self.news.wait_for(is_there, PATIENCE), self.sent

    def check(self) -> None:
        pass

    def take_seen(self) -> list[tuple[str, str]]:
        return []

    def list_players(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        pass


Link = TypeVar("Link", bound=BrokerLink)


class Links(list[Link]):
    """Makes a table's links, and remembers them."""

    def __init__(self, make: Callable[[ClubAddress, Callable[[], None]], Link]) -> None:
        super().__init__()
        self._make = make

    def __call__(self, address: ClubAddress, wake: Callable[[], None]) -> Link:
        self.append(self._make(address, wake))
        return self[-1]


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """What is published from the start of one of the twins on."""
    language.use(twins.language)
    links = Links(Recorder)
    publisher = Publisher(URL, str(folder), lambda _line: None, connect=links)
    with Store(locations.games_file(str(folder))) as store:
        session = Session.begin(store, twins.record(which).setup)
        session.attend(Onlookers({"club": publisher}, lambda _line: None))
        for place, text in enumerate(("", *twins.moves(which))):
            if text:
                session.play(text)
            wait_until(lambda: links, 0.001)
            links[0].wait_for(b'"seq":%d,' % place)
            sent = [(t, _CHANCE.sub(b"", p), r) for t, p, r in links[0].sent]
            yield f"after move {place}", [one for one in sent if not one[0].endswith("/status")]
        publisher.close()
        session.close()
