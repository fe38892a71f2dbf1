"""Keys one at a time: the next is handed on when all that the one before does has been done.

A terminal hands over several keys at once when somebody types fast or the line is slow. Each of
them belongs to what the key before it has opened: without waiting, the number typed after the key
of a list would still take a row of the list behind it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App
    from textual.events import Key
    from textual.message_pump import MessagePump

PATIENCE = 0.5
"""Seconds after which a key no longer waits for the one before it."""


class TypeAhead:
    """The keys of an app that wait for their turn."""

    def __init__(self, app: App[int], hand_on: Callable[[Key], Awaitable[None]]) -> None:
        """`hand_on` gives a key to whatever has the focus at that moment."""
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Key] = deque()
        self._since: float | None = None  # when the key was handed on that is not done yet

    async def take(self, key: Key) -> None:
        """Hand on a key that was typed, now or in its turn."""
        self._waiting.append(key)
        if self._since is None or time.monotonic() - self._since > PATIENCE:
            await self._next()

    async def _next(self) -> None:
        self._since = None
        if not self._waiting:
            return
        self._since = time.monotonic()
        first = self._app.focused or self._app.screen
        path = list(first.ancestors_with_self)  # the way that a key takes, up to the app
        await self._hand_on(self._waiting.popleft())
        await self._after(path)

    async def _after(self, path: Sequence[MessagePump]) -> None:
        """Go on to the next key once each of these has dealt with what came to it until now; one
        that is closing deals with nothing more."""
        for place, pump in enumerate(path, start=1):
            if pump.call_later(self._after, path[place:]):
                return
        await self._next()
