"""What the hub knows of its tables now, and who looks at it.

States, not deltas: a newer state replaces the one before, and a message is never needed twice. A
will that a broker says late (`lost` of an earlier connection) changes nothing.

Each viewer has a stream of events, which says which tables have changed. A slow one costs a name
for each table, and gets the newest picture of each.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.extensions.club import messages
from companion.phones.serving.stream import HEARTBEAT, HEARTBEAT_SECONDS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from companion.extensions.club.messages import Topic


MOST_TABLES = 500
"""More are not shown."""

MOST_CALLS, MOST_CALLS_OF_TABLE = 50, 3
"""Calls for a judge that are open, of all tables and of one; later ones are dropped."""

SILENT = 25.0
"""Seconds without a sign of life after which a table counts as lost; a broker reports a lost table
sooner, unless it was away when the table died."""


class ClubTable:
    """One table: its last status, meta and state, as `messages.read` has cleaned them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.status = messages.INIT
        self.birth = 0
        self.meta: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.calls: list[dict[str, Any]] = []
        self.tiles: dict[str, str] = {}  # its picture on the wall, by language, until it changes
        self.heard = 0.0  # the hub's own clock, when the table said something last

    @property
    def is_there(self) -> bool:
        return self.status in (messages.INIT, messages.READY, messages.ALERT)

    @property
    def view(self) -> dict[str, Any]:
        """The public view of its game; empty before the first."""
        state: dict[str, Any] = self.state.get("state", {})
        return state


class TableDirectory:
    """All tables by name. Use it from one thread; `changed` is called there with each table whose
    picture has changed."""

    def __init__(
        self, changed: Callable[[ClubTable], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._changed, self._clock = changed, clock
        self.tables: dict[str, ClubTable] = {}
        self.is_fresh = True  # False while the broker is away: everything may be old

    def list_tables(self) -> list[ClubTable]:
        """All tables, in the order of their names and numbers."""
        return sorted(self.tables.values(), key=lambda table: _order(table.name))

    def take(self, topic: Topic, payload: bytes, *, is_kept: bool = False) -> dict[str, Any]:
        """Take a table's message, or what the broker has kept of it (`is_kept`), which is no sign
        of life; returns it cleaned. Raises messages.MessageProblem."""
        message = messages.read(topic.kind, payload)
        table = self.tables.get(topic.table)
        is_first = table is None
        if table is None:
            if len(self.tables) >= MOST_TABLES:
                raise messages.MessageProblem(f"more than {MOST_TABLES} tables")
            table = self.tables[topic.table] = ClubTable(topic.table)
            table.heard = self._clock()  # it has some time to say that it is there
        if not is_kept:
            table.heard = self._clock()
        match topic.kind:
            case "status":
                is_new = self._take_status(table, message, is_kept=is_kept)
            case "meta":
                is_new, table.meta = table.meta != message, message
            case "state":
                is_new = self._take_state(table, message)
            case "call":
                is_new = self._has_room(table)
                table.calls += [message] if is_new else []
            case _:
                is_new = False
        if is_new or is_first:
            self._show(table)
        return message

    def _has_room(self, table: ClubTable) -> bool:
        """Whether another call of that table is shown."""
        count = sum(len(one.calls) for one in self.tables.values())
        return count < MOST_CALLS and len(table.calls) < MOST_CALLS_OF_TABLE

    def _take_status(self, table: ClubTable, message: dict[str, Any], *, is_kept: bool) -> bool:
        state, birth = message["state"], message["birth"]
        if is_kept and birth == table.birth and not table.is_there:
            return False  # known, from before the broker was away
        if state in (messages.LOST, messages.DISCONNECTED) and birth < table.birth:
            return False  # said by a connection before this one
        is_new = bool(state != table.status)
        table.status, table.birth = state, birth
        if state == messages.READY and table.calls:  # the table plays on
            table.calls, is_new = [], True
        return is_new

    def _take_state(self, table: ClubTable, message: dict[str, Any]) -> bool:
        birth, old = message["birth"], table.state
        if birth < table.birth:
            return False
        is_same = bool(old) and (old["game"], old["birth"]) == (message["game"], birth)
        if is_same and int(message["seq"]) < int(old["seq"]):
            return False
        if birth > table.birth and not table.is_there:
            table.status = messages.READY  # a will of the connection before was said late
        table.birth, table.state = birth, message
        return True

    def note_silence(self) -> None:
        """Count tables that have said nothing for a while as lost; call it every second."""
        for table in self.tables.values():
            silent = self.is_fresh and self._clock() - table.heard > SILENT
            if silent and table.is_there:
                table.status = messages.LOST
                self._show(table)

    def set_fresh(self, fresh: bool) -> None:
        """Note that the broker is there or gone. Once it is back each of its tables must say
        something before it is there again: it may have died without anybody to tell of it."""
        if fresh != self.is_fresh:
            self.is_fresh = fresh
            for table in self.tables.values():
                if fresh and table.is_there:
                    table.status = messages.LOST
                self._show(table)

    def _show(self, table: ClubTable) -> None:
        table.tiles.clear()
        self._changed(table)


def _order(name: str) -> list[str | int]:
    """The order in which table-2 comes before table-10."""
    return [int(part) if part.isdecimal() else part for part in re.split("([0-9]+)", name)]


# -- who looks at it -------------------------------------------------------------------------------


MOST_VIEWERS = 100


class Viewers:
    """All viewers; call everything in the server's thread. `wake("")` reports a change of
    something else than a table: the results, the draw."""

    def __init__(self) -> None:
        self._all: set[_Viewer] = set()
        self._version = 0

    @property
    def is_full(self) -> bool:
        return len(self._all) >= MOST_VIEWERS

    def wake(self, table: str) -> None:
        self._version += 1
        for viewer in self._all:
            viewer.note(table)

    async def follow(
        self, draw: Callable[[str], str | None], *, only: str | None = None
    ) -> AsyncGenerator[bytes, None]:
        """The events of one viewer: `tile` with the table's picture by `draw`, None for one that is
        gone; `message` for anything else. With `only` that table's changes alone, as `message`."""
        viewer = _Viewer()
        self._all.add(viewer)
        try:
            yield b"retry: 2000\n\n"
            while True:
                names = await viewer.wait()
                if names is None:
                    yield HEARTBEAT
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
