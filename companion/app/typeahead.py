"""Dispatches keys one at a time: each waits until the one before is fully handled.

A terminal delivers several keys at once when somebody types fast or the line is slow. Each is meant
for what the key before it opens: without waiting, a number typed after the key of a list would
still take a row of the list behind it.
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
    """The queued keys of an app."""

    def __init__(self, app: App[int], hand_on: Callable[[Key], Awaitable[None]]) -> None:
        """`hand_on` passes a key to whatever has the focus at that moment."""
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Key] = deque()
        self._since: float | None = None  # when the key still being handled was dispatched

    async def take(self, key: Key) -> None:
        """Dispatch a typed key, now or in its turn."""
        self._waiting.append(key)
        if self._since is None or time.monotonic() - self._since > PATIENCE:
            await self._dispatch_next()

    async def _dispatch_next(self) -> None:
        self._since = None
        if not self._waiting:
            return
        self._since = time.monotonic()
        first = self._app.focused or self._app.screen
        path = list(first.ancestors_with_self)  # the path that a key bubbles, up to the app
        await self._hand_on(self._waiting.popleft())
        await self._dispatch_after(path)

    async def _dispatch_after(self, path: Sequence[MessagePump]) -> None:
        """Dispatch the next key once each of these has processed its queue; one that is closing
        processes nothing more."""
        for place, pump in enumerate(path, start=1):
            if pump.call_later(self._dispatch_after, path[place:]):
                return
        await self._dispatch_next()
