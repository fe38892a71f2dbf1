"""Running work in the game's thread: only that thread touches the game, and it never waits for the
server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from companion.phones.serving.messages import Rejected

if TYPE_CHECKING:
    from companion.phones.table import PhoneTable


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


# -- the timer for calling without a caller -------------------------------------------------------


class CallingClock:
    """Makes the table's due moves on time; call `wake` in the server's event loop."""

    def __init__(self, table: PhoneTable, desk: GameThread) -> None:
        self._table = table
        self._desk = desk
        self._waiting: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Start again after a change: the pending timer is void."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.create_task(self._wait())

    async def _wait(self) -> None:
        try:
            due = await self._desk.ask(self._table.find_due)
            if due is not None:
                version, seconds = due
                await asyncio.sleep(seconds)
                await self._desk.ask(lambda: self._table.call_on(version))
        except Rejected:
            return  # the game is closing
