"""The input of a guided test: a reader's events, and typed lines.

With the simulated reader, typed lines move its chips, each once the reader has seen the last.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, vocabulary
from companion.terminal import lines
from tags.watch import Lift, ReaderCame, ReaderLost, Tap

if TYPE_CHECKING:
    from tags.simulator import SimulatedReader
    from tags.watch import Event

_PATIENCE = 10.0  # seconds for the simulated reader to see a chip moved by typing
_SEEN_AS = {"hold": Tap, "tap": Lift, "lift": Lift, "unplug": ReaderLost, "plug": ReaderCame}


class LeftOut(Exception):
    """Enter was pressed to skip the step."""


class Ended(Exception):
    """The input ended, or the person quit."""


class Awaited:
    """A queue of events and lines in order of arrival; `put` is thread-safe, the rest is not.

    `say` gets messages for the person.
    """

    def __init__(self, say: Callable[[str], None], simulated: SimulatedReader | None) -> None:
        self._say = say
        self._simulated = simulated
        self._arrived: queue.SimpleQueue[Event | str | None] = queue.SimpleQueue()
        self._events: deque[Event] = deque()
        self._lines: deque[str | None] = deque()

    def put(self, item: Event | str | None) -> None:
        """Add an event, a typed line, or None for the end of the input."""
        self._arrived.put(item)

    def start(self) -> None:
        """Start reading standard input in a daemon thread."""
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    def wait_for_first(self) -> None:
        """Wait for the first event; typed lines are ignored."""
        while not self._events:
            self._sort(self._arrived.get())

    def wait(self, *kinds: type, can_skip: bool = True) -> Event:
        """The next event of these kinds. Raises LeftOut on Enter, Ended at the end of the input."""
        while True:
            while self._events:
                event = self._events.popleft()
                if isinstance(event, kinds):
                    return event
                if isinstance(event, ReaderLost):
                    self._say(event.reason)
            if self._lines:
                self._take_line(self._lines.popleft(), can_skip=can_skip)
            else:
                self._sort(self._arrived.get())

    def gather(self, seconds: float) -> list[Event]:
        """The taps and lifts of the next `seconds`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                item = self._arrived.get(timeout=left)
            except queue.Empty:
                break
            if not isinstance(item, str) or self._simulated is not None:
                self._sort(item)  # lines typed during this belong to no step
        touches: list[Event] = [one for one in self._events if isinstance(one, Tap | Lift)]
        self._events.clear()
        return touches

    def _sort(self, item: Event | str | None) -> None:
        if item is None or isinstance(item, str):
            self._lines.append(item)
        else:
            self._events.append(item)

    def _take_line(self, line: str | None, *, can_skip: bool) -> None:
        if line is None or vocabulary.match_word(line, "quit", "q"):
            raise Ended
        if not line.strip():
            if can_skip:
                raise LeftOut
            return
        if self._simulated is None:
            self._say(_("Press Enter to skip this step, or type quit."))
        else:
            self._obey(self._simulated, line)

    def _obey(self, simulated: SimulatedReader, line: str) -> None:
        """Carry out a typed command for the simulated reader, and wait until it was seen."""
        answer = simulated.obey(line)
        kind = _SEEN_AS.get(line.split()[0])
        if not answer.startswith("ok"):
            self._say(answer)
        elif kind is not None:
            end = time.monotonic() + _PATIENCE
            while not any(isinstance(event, kind) for event in self._events):
                try:
                    self._sort(self._arrived.get(timeout=max(end - time.monotonic(), 0)))
                except queue.Empty:
                    return

    def _read(self) -> None:
        while (line := lines.read()) is not None:
            self._arrived.put(line)
        self._arrived.put(None)
