"""What is made once and kept until something changes, however often somebody asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Kept:
    """One thing for each name; for the server's own loop."""

    def __init__(self) -> None:
        self._found: dict[Hashable, tuple[Hashable, asyncio.Task[Any]]] = {}

    async def get(self, name: Hashable, state: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """What was made under that name in the same state; otherwise `make` makes it anew, and the
        one before is dropped. Whoever asks meanwhile waits for the same. What cannot be made is not
        kept."""
        found = self._found.get(name)
        if found is None or found[0] != state:
            found = self._found[name] = state, asyncio.ensure_future(_run(make))
        try:
            # one who hangs up takes nothing from the others who wait
            return cast(T, await asyncio.shield(found[1]))
        except Exception:
            if self._found.get(name) is found:
                del self._found[name]
            raise

    def drop(self, name: Hashable) -> None:
        """What has that name is to be made anew."""
        self._found.pop(name, None)


async def _run(make: Callable[[], Awaitable[T]]) -> T:
    return await make()
