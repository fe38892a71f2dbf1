"""What comes in at a line caller: typed lines in their order, and what the reader reports.

Lines wait until they are asked for; a reader's event is handed over as soon as it is taken out.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import lines
from tags.watch import Lift, Tap

if TYPE_CHECKING:
    from companion.readers import TableReader
    from tags.watch import Event

PATIENCE = 5.0
"""Seconds to wait for a simulated chip to be seen through the driver."""


class Inbox:
    """Lines and events of one caller; `put` is for any thread, the rest for the caller's own."""

    def __init__(self, on_event: Callable[[Event], None]) -> None:
        """`on_event` is called with each event while somebody waits here."""
        self._on_event = on_event
        self._arrived: queue.SimpleQueue[Event | str | None] = queue.SimpleQueue()
        self._lines: deque[str | None] = deque()

    def put(self, event: Event) -> None:
        """Take in what the reader reports."""
        self._arrived.put(event)

    def start(self) -> None:
        """Begin to read standard input, in a thread that ends with the program."""
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    def next_line(self) -> str | None:
        """The next typed line; None at the end of the input."""
        while not self._lines:
            self._take(self._arrived.get())
        return self._lines.popleft()

    def lay(self, reader: TableReader, uid: bytes, *, leave: bool) -> bool:
        """Lay a chip on the simulated reader and wait for its tap; whether the reader saw it.

        `leave` leaves it there; otherwise it is lifted, and that is waited for too, so that the
        same chip can be tapped again at once.
        """
        reader.start()
        if reader.lying == uid:
            reader.lift()  # the same chip again: it must leave before it can come
            self._wait_for(Lift(uid))
        if leave:
            reader.hold(uid)
            seen = self._wait_for(Tap(uid))
        else:
            reader.lay(uid)
            seen = self._wait_for(Tap(uid), Lift(uid))
        if not seen:
            reader.lift()
        return seen

    def lift(self, reader: TableReader, uid: bytes) -> None:
        """Take that chip away from the simulated reader and wait until this has been seen."""
        reader.lift()
        if reader.plugged:
            self._wait_for(Lift(uid))

    def _wait_for(self, *awaited: Event) -> bool:
        missing = list(awaited)
        while missing:
            try:
                item = self._arrived.get(timeout=PATIENCE)
            except queue.Empty:
                return False
            self._take(item)
            if item in missing:
                missing.remove(item)
        return True

    def _take(self, item: Event | str | None) -> None:
        if item is None or isinstance(item, str):
            self._lines.append(item)
        else:
            self._on_event(item)

    def _read(self) -> None:
        while (line := lines.read()) is not None:
            self._arrived.put(line)
        self._arrived.put(None)
