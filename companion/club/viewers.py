"""Who looks at the wall: each viewer's stream of events, which says which tables have changed.

A slow viewer costs a name for each table, and gets the newest picture of each.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

MOST_VIEWERS = 100
HEARTBEAT_SECONDS = 15.0


class Viewers:
    """All viewers; call everything in the server's thread. `wake("")` reports a change of
    something else than a table: the results, the draw."""

    def __init__(self) -> None:
        self._all: set[_Viewer] = set()
        self._version = 0

    @property
    def is_full(self) -> bool:
        """Whether nobody else can look."""
        return len(self._all) >= MOST_VIEWERS

    def wake(self, table: str) -> None:
        """Tell every viewer that this table has changed."""
        self._version += 1
        for viewer in self._all:
            viewer.note(table)

    def follow(
        self, draw: Callable[[str], str | None], *, only: str | None = None
    ) -> AsyncGenerator[bytes, None]:
        """The events of one viewer: `tile` with the table's picture by `draw`, None for one that is
        gone; `message` for anything else. With `only` that table's changes alone, as `message`."""
        return self._events(draw, only)

    async def _events(
        self, draw: Callable[[str], str | None], only: str | None
    ) -> AsyncGenerator[bytes, None]:
        viewer = _Viewer()
        self._all.add(viewer)
        try:
            yield b"retry: 2000\n\n"
            while True:
                names = await viewer.wait()
                if names is None:
                    yield b":\n\n"
                elif only is not None:
                    if only in names or "" in names:
                        yield _event("message", self._version, {})
                else:
                    yield b"".join(
                        _event("tile", self._version, {"table": name, "html": draw(name)})
                        if name
                        else _event("message", self._version, {})
                        for name in names
                    )
        finally:
            self._all.discard(viewer)


class _Viewer:
    def __init__(self) -> None:
        self._changes: dict[str, None] = {}
        self._news = asyncio.Event()

    def note(self, table: str) -> None:
        self._changes[table] = None
        self._news.set()

    async def wait(self) -> list[str] | None:
        """What has changed, each once; None after a while without a change."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await self._news.wait()
        if not self._changes:
            return None
        names, self._changes = list(self._changes), {}
        self._news.clear()
        return names


def _event(name: str, version: int, data: dict[str, object]) -> bytes:
    return f"id: {version}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode()
