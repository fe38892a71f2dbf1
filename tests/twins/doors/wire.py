"""The wire: every byte sent to phones, visitors and programs without the secret, and when. Nothing
really waits: the event loop's clock jumps to the next event."""

from __future__ import annotations

import asyncio
import hashlib
import re
import selectors
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.chips.entries import CharacterChip
from companion.game.picks import find_maker
from companion.phones.serving.door import form_token
from companion.phones.serving.house import SEAT, VISITOR
from companion.phones.serving.messages import Answer
from companion.phones.table import CALLERS_WORDS
from engine.moves import Move
from tests.companion.phoning import Touching
from tests.serving.table import Table, header
from tests.twins.pairs import Twins, split

CODE, GUEST = "ABCD2345", "a visitor"
LANGUAGES = ("en", "de")
PAGES = ("/recap", "/games")
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
    shown: Shown = []
    async with wire.listening(shown):
        for place, text in enumerate(twins.moves(which), start=1):
            await wire.play(text, by_touch=place % 2 == 0)
            if place >= twins.since:
                shown += [(f"after move {place}: {what}", sent) async for what, sent in wire.look()]
    return shown


class _Wire(Touching, Table):
    """The twins' table, whose door uses the same keys in both."""

    def __init__(self, twins: Twins, folder: Path, clock: Callable[[], float]) -> None:
        seats = {name: hashlib.sha256(_key(name).encode()).hexdigest() for name in twins.names}
        super().__init__(
            folder,
            kept={"code": CODE, "visitor": GUEST, "seats": seats},
            setup=twins.head,
            calls=twins.calls,
            forced=False,
            clock=clock,
        )
        cast = self.session.view.rules.cast
        self.chips = {bytes([4, *[rank] * 6]): CharacterChip(c) for rank, c in enumerate(cast)}
        self.phones.lookup = self.chips.get
        self.twins, self.clock = twins, clock
        victims = [word for secret in twins.secrets for word in secret.replace(";", "").split()]
        self.named = [uid for uid, chip in self.chips.items() if chip.card in victims]

    @asynccontextmanager
    async def listening(self, shown: Shown) -> AsyncIterator[None]:
        """Record every event sent to strangers within the block: its bytes and time."""
        tasks = []
        for viewer in self.twins.strangers():
            code = LANGUAGES[(viewer or 0) % len(LANGUAGES)]
            answer = await self.get("/api/events", self._cookie(viewer), accept_language=code)
            who = f"to viewer {viewer} in {code}"
            tasks.append(asyncio.create_task(self._hear(answer, who, shown)))
        try:
            yield
        finally:
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.close()

    async def _hear(self, answer: Answer, who: str, shown: Shown) -> None:
        assert answer.parts is not None
        async for part in answer.parts:
            shown.append((f"heard {who}", (self.clock(), part)))

    async def play(self, text: str, *, by_touch: bool) -> None:
        """Make the move on its player's phone, by a touch or as a program; `wait 5` waits 5
        seconds, and a word of the caller is for the crowned player's."""
        verb, _space, seconds = text.partition(" ")
        if verb == "wait":
            await asyncio.sleep(float(seconds))
            return
        if text in CALLERS_WORDS:
            await self._move(self.session.view.crown, text)
            return
        move = self.session.referee.read(text)
        if by_touch:
            for seat, as_caller, row, moment in self.find_touches(move):
                sent = {"row": str(row), "moment": moment, "as": "caller" if as_caller else ""}
                answer = await self._send(seat, sent)
                assert header(answer, "Location") == "/seat", answer.body
        if not by_touch or move not in self.session.referee.moves[-1:]:
            await self._move(self._maker_of(move), text)
        await asyncio.sleep(0.001)  # until all streams are notified

    async def look(self) -> AsyncIterator[tuple[str, Any]]:
        """The responses to every stranger's request now; one of them, in turn, requests more."""
        strangers, version = self.twins.strangers(), self.session.version
        for place, viewer in enumerate(strangers):
            for path in ("/seat", "/api/seat") if viewer is not None else ("/table", "/api/table"):
                yield await self._get(viewer, path)
            if viewer is not None:
                async for what in self._open_lists(viewer):
                    yield what
            if place == version % len(strangers):
                yield await self._get(viewer, PAGES[version // len(strangers) % len(PAGES)])
                for uid in self.named:
                    yield await self._get(viewer, f"/t/{uid.hex().upper()}")
                if viewer is not None:
                    yield await self._try(viewer)
            if viewer is not None and self.session.view.questions:
                yield f"viewer {viewer} answers", await self._answer(viewer)

    async def _get(self, viewer: int | None, path: str) -> tuple[str, Any]:
        code = LANGUAGES[(self.session.version + (viewer or 0)) % len(LANGUAGES)]
        answer = await self.get(path, self._cookie(viewer), accept_language=code)
        assert answer.status == 200, path
        body = ONCE.sub(b"", answer.body).replace(self.session.name.encode(), b"")
        return f"{path} to viewer {viewer} in {code}", (body, answer.headers)

    async def _try(self, seat: int) -> tuple[str, Any]:
        """The response when this phone tries to make the secret move itself, which is forbidden."""
        move = self.session.referee.read(split(self.twins.secrets[0])[0])
        if seat in (self.session.view.crown, self._maker_of(move)):
            return f"viewer {seat} may", None
        return f"viewer {seat} tries", await self._move(seat, move.text)

    async def _answer(self, seat: int) -> Any:
        """What this phone hears when it answers for the Magistrate; what was done is undone."""
        heard = await self._move(seat, "confiscate")
        if heard[0] == 200:
            await self._move(self.session.view.crown, "undo")
        return heard

    async def _open_lists(self, seat: int) -> AsyncIterator[tuple[str, Any]]:
        """The lists behind a phone's rows, including private ones."""
        for as_caller in (False, True) if seat == self.session.view.crown else (False,):
            rows = self._talk(seat, as_caller).asked.offer.rows
            among = [at for at, row in enumerate(rows) if row.private or len(row.moves) > 1]
            for row in among:
                for done in ({"row": str(row)}, {"word": "back"}):
                    page = self.phones.page(seat, "en")
                    who = {"moment": page.moment, "as": "caller" if as_caller else ""}
                    await self._send(seat, {**who, **done})
                    yield await self._get(seat, "/seat")

    async def _move(self, seat: int, text: str) -> Any:
        return await self.send("/api/moves", _key(self.twins.names[seat]), move=text)

    async def _send(self, seat: int, fields: dict[str, str]) -> Answer:
        token = form_token(_key(self.twins.names[seat]))
        return await self.post("/seat", self._cookie(seat), token=token, **fields)

    def _maker_of(self, move: Move) -> int:
        maker = find_maker(self.session.view, move)
        assert maker is not None
        return maker

    def _cookie(self, viewer: int | None) -> str:
        if viewer is None:
            return f"{VISITOR}={GUEST}"
        return f"{SEAT}={_key(self.twins.names[viewer])}"


def _key(player: str) -> str:
    return f"key-of-{player}"


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
        done: asyncio.Future[Any] = self.create_future()
        done.set_result(func(*args))
        return done


class _Selector(selectors.DefaultSelector):
    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing comes any more"
            self._skip(max(timeout, 0.0))
        return found
