"""A table with phones in this process, without a network: requests in, answers out."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode

from starlette.responses import Response, StreamingResponse

from companion.game import hand_telling
from companion.phones.phone_table import PhoneTable
from companion.phones.serving.guard import RateLimit, RejectionCounter
from companion.phones.serving.http_messages import FORM, JSON, HttpRequest
from companion.phones.serving.seat_keys import SeatKeys
from companion.phones.serving.site import Site
from companion.phones.serving.stream import GameThread, Streams
from companion.phones.serving.taps_key import TapsKey
from companion.phones.serving.web import Web
from companion.phones.serving.where import Where
from engine import record
from tests.companion.talking import FOUR, Talk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SELECTED = "faceup bishop merchant"


SETUP = {"players": list(FOUR), "crown": "Kurt", "secrecy": "secret"}


@dataclass
class Answer:
    """A response as it arrives: a body, or the parts of a stream."""

    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    parts: Any = None

    @classmethod
    def of(cls, answer: Response) -> Answer:
        """That of a handler."""
        if isinstance(answer, StreamingResponse):
            return cls(answer.status_code, answer.headers.items(), parts=answer.body_iterator)
        return cls(answer.status_code, answer.headers.items(), bytes(answer.body))


def list_codes(door: SeatKeys) -> list[str]:
    return [door.now.own_codes[name] for name in door.now.players]


class Table(Talk):
    """A game, by default of four with secret targets and Kurt crowned, and a door at 127.0.0.1."""

    def __init__(
        self,
        folder: Path,
        moves: str = "",
        *,
        code: str = "ABCD2345",
        port: int = 8420,
        kept: dict[str, Any] | None = None,
        setup: dict[str, Any] = SETUP,
        calls: bool = False,
        forced: bool = True,
        clock: Callable[[], float] = time.monotonic,
        is_public: bool = False,
        is_hosted: bool = True,
    ) -> None:
        """`kept` is the saved state of the seats' keys; `clock` is the rate limit's. With `calls`
        the ranks are called without a caller, and `forced` plays forced moves."""
        super().__init__(folder, record.read_setup(setup), moves, plays_forced=forced)
        self.kept: dict[str, Any] = {}
        self.has_chips = False
        self.told: list[str] = []
        self.messages: list[str] = []
        self.code, self.port = code, port
        self.meanwhile: Callable[[], object] = lambda: None  # called before a body has arrived
        players = self.session.setup.players
        codes = {name: f"SEAT{number}SEAT" for number, name in enumerate(players, start=1)}
        self.door = SeatKeys(players, kept or {"code": code, "codes": codes}, self.keep)
        where = self.where = Where(socket.socket(), "127.0.0.1", port)
        self.socket = where.socket
        self.asked = 0  # calls into the game's thread
        desk = GameThread(self._do)
        self.phones = PhoneTable(
            self._changed,
            calls=calls,
            has_phone=lambda seat: seat in self.door.now.taken,
            has_chips=lambda: self.has_chips,
            on_hand=lambda seat: self.streams.tell_hand(
                seat, hand_telling.data(self.session.notebook, seat)
            ),
            later=lambda seconds, work: (
                asyncio.get_running_loop().call_later(seconds, self._do, work).cancel
            ),
        )
        self.streams = Streams(self.phones, desk)
        self.phones.follow(self.conversation, forced=forced)
        self.site = Site(
            *(self.phones, self.door, desk, self.streams, where, self.told.append),
            self.messages.append,
            is_public=is_public,
            is_hosted=is_hosted,
            taps=TapsKey(str(folder / "taps-key.txt")),
        )
        self.rejections = RejectionCounter()
        self.web = Web(self.site, self.rejections, RateLimit(clock))

    def redraw(self) -> None:
        """As `Phones.redraw`."""
        self.streams.tell_door()

    def _changed(self) -> None:
        self.streams.wake()

    def _do(self, work: Callable[[], None]) -> None:
        self.asked += 1
        work()

    def keep(self, keys: dict[str, Any]) -> None:
        self.kept = keys

    def close(self) -> None:
        self.socket.close()
        self.session.close()
        self.store.close()

    async def ask(
        self,
        method: str,
        target: str,
        body: bytes = b"",
        **headers: str,
    ) -> Answer:
        async def receive() -> dict[str, Any]:
            self.meanwhile()
            return {"type": "http.request", "body": body}

        names = {name.replace("_", "-"): value for name, value in headers.items()}
        options = {"host": f"127.0.0.1:{self.port}", **names}
        path, _mark, query = target.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [(key.encode(), value.encode("latin-1")) for key, value in options.items()],
            "state": {"address": "10.0.0.1", "own": lambda owner: None},
        }
        return Answer.of(await self.web.answer(HttpRequest(scope, receive)))

    async def get(self, target: str, cookie: str = "", **headers: str) -> Answer:
        return await self.ask("GET", target, b"", cookie=cookie, **headers)

    async def post(self, target: str, cookie: str = "", /, **fields: str) -> Answer:
        """Send a form from a page of this table."""
        return await self.ask(
            "POST",
            target,
            urlencode(fields).encode(),
            cookie=cookie,
            content_type=FORM,
            origin=f"http://127.0.0.1:{self.port}",
        )

    async def send(self, target: str, key: str = "", **fields: Any) -> tuple[int, Any]:
        """POST JSON as a program; returns the status and the answer."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        body = json.dumps(fields).encode()
        answer = await self.ask("POST", target, body, content_type=JSON, **headers)
        return answer.status, json.loads(answer.body)

    async def read(self, target: str, key: str = "") -> tuple[int, Any]:
        """GET JSON as a program; returns the status and the answer."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = await self.ask("GET", target, b"", **headers)
        return answer.status, json.loads(answer.body)

    async def join(self, seat: int) -> str:
        """Join that seat, from 1; returns its key. One that holds secrets opens with its own code
        alone."""
        code = list_codes(self.door)[seat - 1] if self.phones.is_private(seat - 1) else self.code
        status, answer = await self.send("/api/join", code=code, seat=seat)
        assert status == 200, answer
        key: str = answer["key"]
        return key


def cookies(answer: Answer) -> dict[str, str]:
    """The cookies set by the answer, each with its attributes."""
    records = [value for name, value in answer.headers if name == "set-cookie"]
    return {cookie.partition("=")[0]: cookie.partition("=")[2] for cookie in records}


def read_cookies(answer: Answer) -> str:
    """The value of the Cookie header that the browser then sends."""
    return "; ".join(f"{name}={value.partition(';')[0]}" for name, value in cookies(answer).items())


def header(answer: Answer, target: str) -> str | None:
    return next((value for name, value in answer.headers if name == target.lower()), None)
