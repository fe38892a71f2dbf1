"""Tables and hubs for tests of a club: a real game with a publisher, and a real hub over HTTP."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.club.publisher import Publisher
from companion.club.running import Running
from companion.game import playing
from companion.game.session import Session
from companion.log.store import Store
from companion.phones.serving import where
from companion.settings import config
from companion.settings.services import ClubAddress
from tests.waiting import PATIENCE

CODE = "ABCDEFGH"


def wait_until(is_so: Callable[[], object]) -> None:
    """Wait until that is so; fails the test if it never is."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never was so"
        time.sleep(0.01)


class Table:
    """The demonstration's game at a table of a club."""

    def __init__(self, folder: Path, url: str, **how: Any) -> None:
        self.config = config.load({"COMPANION_DATA": str(folder)}, options={"club": url})
        self.store = Store(self.config.games)
        self.told: list[str] = []
        self.moves = list(playing.record().moves)
        last = self.store.find_last_game()
        self.session = (
            Session.begin(self.store, playing.record().setup)
            if last is None
            else Session.resume(self.store)
        )
        self.publisher = Publisher(self.config, self.told.append, **how)
        self.publisher.follow(self.session)

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

    def __init__(
        self, folder: Path, address: ClubAddress | None = None, *, port: int = 0, **how: Any
    ) -> None:
        self.told: list[str] = []
        self.running = Running(
            "pub",
            str(folder),
            where.find("127.0.0.1", port),
            tell=self.told.append,
            language="en",
            address=address,
            judge_code=CODE,
            **how,
        )
        self.running.start()
        self.url = self.running.where.url
        self.port = self.running.where.port

    def address(self, table: str) -> str:
        return f"http://{table}@127.0.0.1:{self.port}/pub"

    def get(self, path: str = "") -> str:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
            return text

    def table(self, name: str) -> dict[str, Any]:
        """What programs are told of that table; empty before it has come."""
        matches: list[dict[str, Any]] = json.loads(self.get("api/tables"))
        return next((one for one in matches if one["table"] == name), {})

    def results(self) -> list[dict[str, Any]]:
        matches: list[dict[str, Any]] = json.loads(self.get("api/results"))
        return matches

    def put(
        self, topic: str, payload: bytes, *, login: str = "t1:", session: str = "a-1"
    ) -> tuple[int, Any]:
        """Send a message as a table; returns the status and the answer."""
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Basic {b64encode(login.encode()).decode()}",
            "Citadels-Session": session,
        }
        url = f"{self.url}citadels/v1/{topic}"
        request = urllib.request.Request(url, payload, headers, method="PUT")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def judge(self, **fields: str) -> str:
        """What the judge's page says after these fields were sent."""
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        headers = {"Origin": self.url.rstrip("/")}
        for form in ({"say": "enter", "code": CODE}, fields):
            data = "&".join(f"{k}={quote(v)}" for k, v in form.items())
            request = urllib.request.Request(f"{self.url}judge", data.encode(), headers)
            if form:
                try:
                    with opener.open(request, timeout=PATIENCE) as answer:
                        page: str = answer.read().decode()
                except urllib.error.HTTPError as error:
                    with error:
                        page = error.read().decode()
        return page

    def close(self) -> None:
        self.running.stop()


@contextmanager
def run_hub(folder: Path, address: ClubAddress | None = None, **how: Any) -> Iterator[Hub]:
    """A hub that ends with the block."""
    hub = Hub(folder, address, **how)
    try:
        yield hub
    finally:
        hub.close()


@contextmanager
def run_table(folder: Path, url: str, **how: Any) -> Iterator[Table]:
    """A table that ends with the block."""
    table = Table(folder, url, **how)
    try:
        yield table
    finally:
        table.close()
