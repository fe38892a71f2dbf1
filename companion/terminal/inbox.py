"""What comes in at a line caller: typed lines in their order, and what the reader reports.

Lines wait until they are asked for; a reader's event is handed over as soon as it is taken out.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.terminal import lines
from tags.readers.file_reader import Step, parse_step, pass_on
from tags.watch import Lift, Tap

if TYPE_CHECKING:
    from companion.readers.table_reader import TableReader
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
        self._taps: queue.SimpleQueue[bytes] | None = None
        self._held: bytes | None = None  # what a line has laid on the reader and left there

    def put(self, event: Event) -> None:
        """Take in what the reader reports."""
        self._arrived.put(event)

    def start(self, *, taps: bool = False) -> None:
        """Begin to read standard input, in a thread that ends with the program.

        With `taps` the reader `file:-` shares it: a line that is an id is a tap, the rest is typed.
        To be called before that reader is started.
        """
        if taps:
            self._taps = pass_on()
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    def next_line(self) -> str | None:
        """The next typed line; None at the end of the input."""
        while True:
            while not self._lines:
                self._take(self._arrived.get())
            line = self._lines.popleft()
            if not self._is_for_reader(line):
                return line

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

    def _is_for_reader(self, line: str | None) -> bool:
        """Whether the line was a tap; if so, the reader has seen it by now."""
        if self._taps is None or not line:
            return False
        try:
            step = parse_step(line)
        except ValueError:
            return False
        if step is not None:
            self._taps.put(line.encode() + b"\n")
            self._wait_for(*self._seen_after(step))
        return True

    def _seen_after(self, step: Step) -> list[Event]:
        """What a reader reports after that."""
        held, self._held = self._held, step.uid if step.what == "hold" else None
        if step.what == "lift":
            return [Lift(held)] if held is not None else []
        came: list[Event] = [Tap(step.uid)] if held != step.uid else []
        return [*came, Lift(step.uid)] if step.what == "tap" else came

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
