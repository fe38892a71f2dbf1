"""Server-sent events: what happens at the table, for every phone and program that listens.

Listeners with the same view and language get the same bytes, which are made once. A listener that
cannot keep up is disconnected; it reconnects with the id of its last event.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from companion import language
from companion.phones.serving.http_messages import Rejected

if TYPE_CHECKING:
    from companion.phones.phone_table import PhoneTable


PATIENCE = 10.0  # seconds; the game's thread is slower only when it is closing

Post = Callable[[Callable[[], None]], None]
T = TypeVar("T")


class GameThread:
    """Hands work to the game's thread through `post`, which the playing face provides."""

    def __init__(self, post: Post) -> None:
        self._post = post

    async def ask(self, work: Callable[[], T]) -> T:
        """The result of `work`, run in the game's thread; its exception is raised here. Raises
        Rejected if the game does not answer."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: Exception | None) -> None:
            if answer.done():
                return  # the request was cancelled
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(result)  # type: ignore[arg-type]  # T may itself be None

        def do() -> None:
            result, wrong = None, None
            try:
                result = work()
            except Exception as error:
                wrong = error
            with suppress(RuntimeError):  # the server was closed in the meantime
                loop.call_soon_threadsafe(settle, result, wrong)

        self._post(do)
        try:
            async with asyncio.timeout(PATIENCE):
                return await answer
        except TimeoutError:
            raise Rejected(503) from None


HEARTBEAT_SECONDS = 5.0  # of silence; a page takes its connection for lost after 12
HEARTBEAT = b"event: beat\ndata: {}\n\n"  # an event: pages do not see comments
AGAIN = b"event: again\ndata: {}\n\n"  # the last event, for whoever sits elsewhere now
RETRY = 2000  # milliseconds until a browser reconnects
MOST_WAITING = 16  # events queued for a slow listener
MOST_LISTENERS = 250  # of the public view; those of a seat are as many as its connections

_END = -2  # instead of a version: the stream ends, and its listener reconnects
_NEW_GAME = -1  # instead of a version: another game began, whose versions may be lower

Kin = tuple[int | None, str]
"""Listeners that get the same bytes: the viewer and the language."""


class _Listener:
    """One stream's queue of events."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[tuple[int, bytes] | None] = asyncio.Queue(MOST_WAITING)
        self._late = False

    def put(self, version: int, event: bytes) -> None:
        try:
            self._waiting.put_nowait((version, event))
        except asyncio.QueueFull:
            self._late = True

    async def wait_for_next(self) -> tuple[int, bytes] | None:
        """The next event: without bytes after a while in which nothing happened, None if the queue
        overflowed."""
        if self._late:
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                return await self._waiting.get()
        return 0, b""


class _Group:
    """Listeners that get the same bytes, and the last version they were sent."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.listeners: set[_Listener] = set()
        self.asking: asyncio.Task[None] | None = None
        self.again = False


class Streams:
    """All streams; call `wake` and `tell_door` in the server's event loop."""

    def __init__(self, table: PhoneTable, desk: GameThread) -> None:
        self._table = table
        self._desk = desk
        self._groups: dict[Kin, _Group] = {}

    def wake(self) -> None:
        """Send every listener what has changed at the table."""
        for kin, group in self._groups.items():
            if group.asking is None or group.asking.done():
                group.asking = asyncio.create_task(self._tell(kin, group))
            else:
                group.again = True

    def begin_anew(self) -> None:
        for group in self._groups.values():
            for listener in group.listeners:
                listener.put(_NEW_GAME, b"")

    def tell_door(self, tell: Callable[[], list[str]] = lambda: []) -> None:
        """Notify every listener of a change at the door, those waiting for a seat too; `tell` gives
        the sentences about it in the current language."""
        for (_viewer, code), group in self._groups.items():
            with language.speaking(code):
                lines = tell()
            data = json.dumps({"lines": lines} if lines else {})
            for listener in group.listeners:
                listener.put(0, f"event: door\ndata: {data}\n\n".encode())

    def tell_hand(self, viewer: int, hand: dict[str, Any]) -> None:
        """Notify the listeners of that seat of its told hand; nobody else gets anything."""
        event = f"event: hand\ndata: {json.dumps(hand)}\n\n".encode()
        for (one, _code), group in self._groups.items():
            for listener in group.listeners if one == viewer else ():
                listener.put(0, event)

    def is_heard(self, viewer: int) -> bool:
        groups = tuple(self._groups.items())
        return any(one == viewer and group.listeners for (one, _code), group in groups)

    def listen(
        self, viewer: int | None, code: str, after: int | None, may_hear: Callable[[], bool]
    ) -> AsyncGenerator[bytes, None]:
        """The events for that viewer after version `after` (None: first the current table), until
        `may_hear` returns False: then whoever listens has to ask anew, at once. Raises Rejected if
        too many listen."""
        public = [group for (one, _code), group in self._groups.items() if one is None]
        if viewer is None and sum(len(group.listeners) for group in public) >= MOST_LISTENERS:
            raise Rejected(503)
        return self._events((viewer, code), after, may_hear)

    async def _events(
        self, kin: Kin, after: int | None, may_hear: Callable[[], bool]
    ) -> AsyncGenerator[bytes, None]:
        viewer, code = kin
        group = self._groups.setdefault(kin, _Group(self._table.version))
        listener = _Listener()
        group.listeners.add(listener)
        try:
            yield f"retry: {RETRY}\n\n".encode()
            try:
                count, first = await self._desk.ask(lambda: self._begin(viewer, code, after))
            except Rejected:
                return  # the game is closing
            yield first
            while (item := await listener.wait_for_next()) is not None:
                if not may_hear():
                    yield AGAIN
                    return
                version, event = item
                if version == _END:
                    return
                if version == _NEW_GAME:
                    count = 0
                elif not event:
                    yield HEARTBEAT
                elif version == 0:
                    yield event
                elif version > count:
                    count = version
                    yield event
        finally:
            group.listeners.discard(listener)
            if not group.listeners and self._groups.get(kin) is group:
                del self._groups[kin]

    def _begin(self, viewer: int | None, code: str, after: int | None) -> tuple[int, bytes]:
        """A new listener's first version and event; call it in the game's thread."""
        table = self._table
        if after is None or not 0 <= after <= table.version:
            return table.version, _event(table.version, table.view(viewer), ())
        happenings = table.events(viewer, code, after)
        return table.version, b"".join(
            _event(one.version, one.view, one.lines) for one in happenings
        )

    async def _tell(self, kin: Kin, group: _Group) -> None:
        viewer, code = kin
        group.again = True
        while group.again:
            group.again = False
            news = partial(self._table.events, viewer, code, group.version)
            try:
                happenings = await self._desk.ask(news)
            except Rejected:  # the game is closing, or slow: then they come back, and hear it
                for listener in group.listeners:
                    listener.put(_END, b"")
                return
            for one in happenings:
                event = _event(one.version, one.view, one.lines)
                group.version = one.version
                for listener in group.listeners:
                    listener.put(one.version, event)


def _event(version: int, view: dict[str, Any], lines: Any) -> bytes:
    data = json.dumps({"version": version, "view": view, "lines": list(lines)})
    return f"id: {version}\ndata: {data}\n\n".encode()
