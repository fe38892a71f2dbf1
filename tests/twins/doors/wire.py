"""The wire: every byte that phones, visitors and programs without the secret receive over HTTP, in
which order and when. Nothing really waits: the event loop's clock jumps to the next event."""

from __future__ import annotations

import asyncio
import hashlib
import re
import selectors
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import h11

from companion.chips.entries import CharacterChip
from companion.game.picks import whose_move
from companion.phones.phone_table import CALLERS_WORDS
from companion.phones.serving import http
from companion.phones.serving.guard import Connections
from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.seat_keys import form_token
from companion.phones.serving.site import SEAT, VISITOR
from engine.moves import Move
from tests.companion.phoning import Touching
from tests.serving.local_table import Answer, Table, header
from tests.twins.pairs import Twins, split

CODE, GUEST = "ABCD2345", "a visitor"
LANGUAGES = ("en", "de")
PAGES = ("/recap",)
AFTERWARDS = ("/share/citadels.svg", "/share/citadels.txt")
PUBLIC_PAGES = ("/table", "/api/table")
ONCE = re.compile(rb'(name="opening" value=")[^"]*')
"""The one-time tokens of a chip's page: they are random."""

Shown = list[tuple[str, Any]]


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Play one of the twins on phones; yields everything sent to strangers meanwhile."""
    loop = _Loop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        yield from runner.run(_play(twins, which, folder, loop.time))


async def _play(twins: Twins, which: int, folder: Path, clock: Callable[[], float]) -> Shown:
    wire = _Wire(twins, folder, clock)
    async with wire.listening():
        for place, text in enumerate(twins.moves(which), start=1):
            await wire.play(text, by_touch=place % 2 == 0)
            if place >= twins.since:
                wire.note(f"after move {place}", None)
                await wire.look()
        await wire.knock()
    return wire.shown


class _Wire(Touching, Table):
    """The twins' table, whose door uses the same keys and codes in both."""

    def __init__(self, twins: Twins, folder: Path, clock: Callable[[], float]) -> None:
        seats = {name: hashlib.sha256(_key(name).encode()).hexdigest() for name in twins.names}
        codes = {name: f"CODE{number}" for number, name in enumerate(twins.names, start=1)}
        super().__init__(
            folder,
            kept={"code": CODE, "visitor": GUEST, "seats": seats, "codes": codes},
            setup=twins.head,
            calls=twins.calls,
            forced=False,
            clock=clock,
        )
        cast = self.session.view.rules.cast
        self.chips = {bytes([4, *[rank] * 6]): CharacterChip(c) for rank, c in enumerate(cast)}
        self.phones.lookup = self.chips.get
        self.twins, self.clock = twins, clock
        self.shown: Shown = []
        self._lines: dict[str, _Line] = {}
        keys: list[tuple[str, int | None]] = [(_key(n), s) for s, n in enumerate(twins.names)]
        self._viewers = {**dict(keys), GUEST: None}
        self._make = http.prepare(self.web.answer, Connections(self.rejections))
        victims = [word for secret in twins.secrets for word in secret.replace(";", "").split()]
        self.named = [uid for uid, chip in self.chips.items() if chip.card in victims]

    def note(self, what: str, view: Any) -> None:
        """Note what strangers receive, and when."""
        self.shown.append((what, (self.clock(), view)))

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Open every stranger's stream within the block."""
        tasks = []
        for viewer in self.twins.strangers():
            line = self._open(self._cookie(viewer))
            tasks.append(asyncio.create_task(self._hear(line, viewer)))
        await asyncio.sleep(0.001)
        try:
            yield
        finally:
            for line in self._lines.values():
                line.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.001)
            self.close()

    async def _hear(self, line: _Line, viewer: int | None) -> None:
        code = LANGUAGES[(viewer or 0) % len(LANGUAGES)]
        headers = {"cookie": self._cookie(viewer), "accept-language": code}
        await line.send("GET", "/api/events", b"", headers)
        while part := await line.read():
            self.note(f"heard by viewer {viewer} in {code}", part)

    def _open(self, cookie: str) -> _Line:
        line = _Line(self._make)
        self._lines[f"{len(self._lines)} {cookie}"] = line
        return line

    async def ask(self, method: str, target: str, body: bytes = b"", **headers: str) -> Answer:
        """Send a request over the phone's kept connection; strangers' answers are noted."""
        names = {name.replace("_", "-"): value for name, value in headers.items() if value}
        who = names.get("cookie") or names.get("authorization", "").removeprefix("Bearer ")
        viewer = self._viewers.get(who.partition("=")[2] or who, -1)
        if who not in self._lines or self._lines[who].is_over:
            self._lines[who] = _Line(self._make)
        line = self._lines[who]
        start, reception = self.clock(), await line.ask(method, target, body, names)
        if viewer in self.twins.strangers():
            raw = ONCE.sub(b"", reception.raw).replace(self.session.name.encode(), b"")
            self.note(f"{method} {target} by viewer {viewer} at {start}", raw)
        return reception.answer

    async def play(self, text: str, *, by_touch: bool) -> None:
        """Make the move on its player's phone, by a touch or as a program; `wait 5` waits 5
        seconds, and a word of the caller is for the crowned player's."""
        verb, _space, seconds = text.partition(" ")
        if verb == "wait":
            await asyncio.sleep(float(seconds))
            return
        if verb == "hand":
            name, word, *districts = text.split()[1:]
            options: str | list[str] = districts if word == "answer" else districts[0]
            status, _hand = await self.send("/api/hand", _key(name), **{word: options})
            assert status == 200, text
            await asyncio.sleep(0.001)
            return
        if text in CALLERS_WORDS:
            await self._move(self.session.view.crown, text)
            return
        move = self.session.referee.read(text)
        if by_touch:
            for seat, as_caller, row, moment in self.find_touches(move):
                fields = {"row": str(row), "moment": moment, "as": "caller" if as_caller else ""}
                answer = await self._send(seat, fields)
                assert header(answer, "Location") == "/seat", answer.body
        if not by_touch or move not in self.session.referee.moves[-1:]:
            await self._move(self._maker_of(move), text)
        await asyncio.sleep(0.001)  # until all streams are notified

    async def look(self) -> None:
        """Request every stranger's pages now; one of them, in turn, requests more."""
        strangers, version = self.twins.strangers(), self.session.version
        for place, viewer in enumerate(strangers):
            paths = ("/seat", "/api/seat", "/api/hand") if viewer is not None else PUBLIC_PAGES
            for path in paths:
                await self._get(viewer, path)
            if viewer is not None:
                await self._open_lists(viewer)
            if place == version % len(strangers):
                pages = PAGES + AFTERWARDS if self.session.over else PAGES
                await self._get(viewer, pages[version // len(strangers) % len(pages)])
                for uid in self.named:
                    await self._get(viewer, f"/t/{uid.hex().upper()}")
                if viewer is not None:
                    await self._try(viewer)
            if viewer is not None and self.session.view.questions:
                await self._answer(viewer)

    async def knock(self) -> None:
        """Join each seat with the table's code, after its phone has left."""
        for seat in self.session.view.rules.seats:
            self.door.leave(seat)
            status, _answer = await self.send("/api/join", code=CODE, seat=seat + 1)
            self.note(f"seat {seat + 1} is joined", status)

    async def _get(self, viewer: int | None, path: str) -> None:
        code = LANGUAGES[(self.session.version + (viewer or 0)) % len(LANGUAGES)]
        answer = await self.get(path, self._cookie(viewer), accept_language=code)
        assert answer.status == 200, path

    async def _try(self, seat: int) -> None:
        """Try to make the secret move on this phone, which is forbidden."""
        if self.twins.secrets[0].startswith("hand"):
            return
        move = self.session.referee.read(split(self.twins.secrets[0])[0])
        if seat not in (self.session.view.crown, self._maker_of(move)):
            await self._move(seat, move.text)

    async def _answer(self, seat: int) -> None:
        """Answer for the Magistrate on this phone; what was done is undone."""
        status, _view = await self._move(seat, "confiscate")
        if status == 200:
            await self._move(self.session.view.crown, "undo")

    async def _open_lists(self, seat: int) -> None:
        """Open the lists behind a phone's rows, including private ones."""
        for as_caller in (False, True) if seat == self.session.view.crown else (False,):
            rows = self._talk(seat, as_caller).asked.offer.rows
            among = [at for at, row in enumerate(rows) if row.private or len(row.moves) > 1]
            for row in among:
                for fields in ({"row": str(row)}, {"word": "back"}):
                    page = self.phones.page(seat, "en")
                    who = {"moment": page.moment, "as": "caller" if as_caller else ""}
                    await self._send(seat, {**who, **fields})
                    await self._get(seat, "/seat")

    async def _move(self, seat: int, text: str) -> Any:
        return await self.send("/api/moves", _key(self.twins.names[seat]), move=text)

    async def _send(self, seat: int, fields: dict[str, str]) -> Answer:
        token = form_token(_key(self.twins.names[seat]))
        return await self.post("/seat", self._cookie(seat), token=token, **fields)

    def _maker_of(self, move: Move) -> int:
        maker = whose_move(self.session.view, move)
        assert maker is not None
        return maker

    def _cookie(self, viewer: int | None) -> str:
        if viewer is None:
            return f"{name_cookie(VISITOR, self.port)}={GUEST}"
        return f"{name_cookie(SEAT, self.port)}={_key(self.twins.names[viewer])}"


def _key(player: str) -> str:
    return f"key-of-{player}"


class _Reception(NamedTuple):
    raw: bytes
    answer: Answer


class _Line:
    """A connection to the phones' server, which serves it in this process."""

    def __init__(self, make: Callable[[], asyncio.Protocol]) -> None:
        self._make = make
        self._here, self._there = socket.socketpair()
        self._http = h11.Connection(h11.CLIENT)
        self._reader: asyncio.StreamReader | None = None
        self.is_over = False

    async def send(self, method: str, target: str, body: bytes, headers: dict[str, str]) -> None:
        """Send a request."""
        if self._reader is None:
            await asyncio.get_running_loop().connect_accepted_socket(self._make, self._there)
            self._reader, self._writer = await asyncio.open_connection(sock=self._here)
        head = {"host": "127.0.0.1:8420", "content-length": str(len(body)), **headers}
        request = h11.Request(method=method, target=target, headers=list(head.items()))
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            self._writer.write(self._http.send(event) or b"")

    async def read(self) -> bytes:
        """The next bytes that arrive; none at the end."""
        assert self._reader is not None
        return await self._reader.read(1 << 20)

    async def ask(
        self, method: str, target: str, body: bytes, headers: dict[str, str]
    ) -> _Reception:
        """Send a request and receive the answer."""
        await self.send(method, target, body, headers)
        raw, answer = b"", Answer()
        while not isinstance(event := self._http.next_event(), h11.EndOfMessage):
            if isinstance(event, h11.Response):
                answer.status = event.status_code
                matches = event.headers.raw_items()
                answer.headers = [
                    (name.decode(), value.decode("latin-1")) for name, value in matches
                ]
            elif isinstance(event, h11.Data):
                answer.body += event.data
            else:
                part = await self.read()
                raw += part
                self._http.receive_data(part)
        self.is_over = self._http.their_state is not h11.DONE
        if self.is_over:
            self._writer.close()
        else:
            self._http.start_next_cycle()
        return _Reception(raw, answer)

    def close(self) -> None:
        """Disconnect."""
        if self._reader is not None:
            self._writer.close()


class _Loop(asyncio.SelectorEventLoop):
    """An event loop with simulated time, advanced only by waits; it has no external events."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Selector(self._skip))

    def time(self) -> float:
        return self._now

    def _skip(self, seconds: float) -> None:
        self._now += seconds

    def run_in_executor(  # type: ignore[override]  # its types are those of no Python in particular
        self, executor: Any, func: Any, *args: Any
    ) -> asyncio.Future[Any]:
        """Run it at once, so that no time passes."""
        future: asyncio.Future[Any] = self.create_future()
        future.set_result(func(*args))
        return future


class _Selector(selectors.DefaultSelector):
    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "nothing comes any more"
            self._skip(max(timeout, 0.0))
        return ready
