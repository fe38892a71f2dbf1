"""A cache of values made asynchronously, each until its state changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class AsyncCache:
    """One value per name; only for the server's event loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, tuple[Hashable, asyncio.Task[Any]]] = {}

    async def get(self, name: Hashable, state: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """The value cached for that name and state; if there is none, `make` makes it and it
        replaces the old one. Concurrent callers wait for the same task. Failures are not cached."""
        match = self._tasks.get(name)
        if match is None or match[0] != state:
            match = self._tasks[name] = state, asyncio.ensure_future(_run(make))
        try:
            # a caller that is cancelled must not cancel the task for the others
            return cast(T, await asyncio.shield(match[1]))
        except Exception:
            if self._tasks.get(name) is match:
                del self._tasks[name]
            raise

    def drop(self, name: Hashable) -> None:
        """Forget the value of that name."""
        self._tasks.pop(name, None)


async def _run(make: Callable[[], Awaitable[T]]) -> T:
    return await make()
