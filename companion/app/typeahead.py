"""Dispatches keys one at a time: each waits until the one before is fully handled.

A terminal delivers several keys at once when somebody types fast or the line is slow. Each is meant
for what the key before it opens: without waiting, a number typed after the key of a list would
still take a row of the list behind it, and the first letters of a line would be lost while the line
opens. There is no time limit: on a busy computer it may open late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App
    from textual.events import Key
    from textual.message_pump import MessagePump


class TypeAhead:
    """The queued keys of an app."""

    def __init__(self, app: App[int], hand_on: Callable[[Key], Awaitable[None]]) -> None:
        """`hand_on` passes a key to whatever has the focus at that moment."""
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Key] = deque()
        self._handling = False  # whether a dispatched key is not fully handled yet

    async def take(self, key: Key) -> None:
        """Dispatch a typed key, now or in its turn."""
        self._waiting.append(key)
        if not self._handling:
            await self._dispatch_next()

    async def _dispatch_next(self) -> None:
        self._handling = bool(self._waiting)
        if self._waiting:
            path = self._find_path()
            await self._hand_on(self._waiting.popleft())
            await self._follow(path, path, again=True)

    def _find_path(self) -> Sequence[MessagePump]:
        """What a key bubbles through now: from the focused widget, or the screen, up to the app."""
        return list((self._app.focused or self._app.screen).ancestors_with_self)

    async def _follow(
        self, path: Sequence[MessagePump], rest: Sequence[MessagePump], again: bool
    ) -> None:
        """Dispatch the next key once each of `rest` has processed its queue; one that is closing
        processes nothing more.

        A key can cause messages, which bubble behind it, and they can open a screen: the path is
        followed `again`, and once more if it has become another one meanwhile.
        """
        for place, pump in enumerate(rest, start=1):
            if pump.call_later(self._follow, path, rest[place:], again):
                return
        now = self._find_path()
        if again or now != path:
            await self._follow(now, now, again=now != path)
        else:
            await self._dispatch_next()
