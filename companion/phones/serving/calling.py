"""The timer for calling without a caller; only the server has one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from companion.phones.serving.messages import Rejected

if TYPE_CHECKING:
    from companion.phones.serving.game_thread import GameThread
    from companion.phones.table import PhoneTable


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
