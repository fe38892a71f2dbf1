"""The line caller's inbox: typed lines in order, reader events, and work posted by other threads.

Lines wait until they are asked for; events are handled at once, work only between two answers.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from companion import terminal
from companion.terminal import raw_mode
from companion.terminal.keyboard import Keyboard, Keys
from companion.terminal.raw_mode import at_terminal
from tags.chip_lines import ChipLine, parse_typed
from tags.readers.line_sources import pass_on
from tags.watch import Event, Lift, Tap

Work = Callable[[], None]

LINES_AHEAD = 100
"""How many lines are read ahead of the answers; a program that writes more is blocked."""

PATIENCE = 20.0
"""Seconds to wait for a simulated chip to be noticed through the driver."""


class Inbox:
    """Lines and events of one caller; only `put` may be called from other threads."""

    def __init__(self, on_event: Callable[[Event], None] = lambda event: None) -> None:
        """`on_event` is called for each event while the caller waits here."""
        self.on_event = on_event
        self.was_seen = False
        """Whether the terminal has echoed any of the last line."""

        self._keyboard: Keyboard | None = None
        self._queue: queue.SimpleQueue[Event | Keys | Work | str | None] = queue.SimpleQueue()
        self._later: deque[Work] = deque()  # arrived while waiting for a tap
        self._is_waiting = False
        self._at_end = False
        self._lines: deque[str | None] = deque()
        self._ahead = threading.Semaphore(LINES_AHEAD)
        self._taps: queue.SimpleQueue[bytes] | None = None
        self._is_reading = self._is_interrupted = False
        self._chip: bytes | None = None  # the chip that a line has put on the reader and left there

    def put(self, event: Event) -> None:
        self._queue.put(event)

    def post(self, work: Work) -> None:
        """Run work in the caller's thread, between two answers."""
        self._queue.put(work)

    def end(self) -> None:
        """End the input for whoever waits here; safe to call from a signal handler."""
        self._at_end = True
        self._queue.put(None)

    @property
    def has_ended(self) -> bool:
        """Whether no more lines will come."""
        return self._at_end or (bool(self._lines) and self._lines[0] is None)

    @property
    def is_stopped(self) -> bool:
        return self._at_end

    def interrupt(self) -> None:
        """Let whoever reads a line now get None: posted work has answered instead."""
        self._is_interrupted = self._is_reading

    def stay(self) -> None:
        """Handle events until `end` or `interrupt`, although no more lines will come."""
        self._is_reading = True
        while not self._at_end and not self._is_interrupted:
            self._take(self._queue.get())
        self._is_reading = self._is_interrupted = False

    def start(self, *, taps: bool = False, keys: bool = False) -> None:
        """Start reading standard input, in a daemon thread.

        For `taps` see `share`. With `keys` a terminal is read key by key: `may_show` decides what
        is echoed, and `close` must restore the terminal.
        """
        if taps:
            self.share()
        keyboard = Keyboard()
        if keys and keyboard.begin():
            self._keyboard = keyboard
        raw_mode.listen_for_signals(self._wake)
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    def share(self) -> None:
        """Share standard input with the reader `file:-`: a line that is an id is a tap, the rest is
        typed. Call it before starting that reader."""
        self._taps = pass_on()

    def close(self) -> None:
        """Restore the terminal and stop listening for signals."""
        raw_mode.ignore_signals(self._wake)
        if self._keyboard is not None:
            self._keyboard.close()

    @contextmanager
    def limit_echo(
        self, may_show: Callable[[str], bool], find_asked: Callable[[], object]
    ) -> Iterator[None]:
        """Show typed text within the block only if `may_show` allows it, and only as long as
        `find_asked` finds what was asked when its line began."""
        if (keyboard := self._keyboard) is None:
            yield
            return
        before = keyboard.may_show, keyboard.find_asked
        keyboard.may_show, keyboard.find_asked = may_show, find_asked
        try:
            yield
        finally:
            keyboard.may_show, keyboard.find_asked = before

    @property
    def begun(self) -> object:
        """What was asked when the last line began; None for a line that did not come key by key: it
        begins when it is read."""
        return self._keyboard.editing.begun if self._keyboard is not None else None

    @property
    def has_prompt(self) -> bool:
        """Whether a question can stand before the cursor: keys are read and shown by terminals."""
        return self._keyboard is not None and sys.stdout.isatty()

    def ask(self, question: str) -> None:
        """Leave that before the cursor: there a braille display looks."""
        assert self._keyboard is not None
        *lines, last = terminal.break_line(question, sys.stdout)
        print(*(f"{line}\n" for line in lines), sep="", end="", flush=True)
        self._keyboard.editing.ask(f"{last} ")

    def ask_no_more(self) -> None:
        """Begin a new line below a question that has gone."""
        if self._keyboard is not None:
            self._keyboard.editing.ask_no_more()

    def step_aside(self, *, is_sure: bool = True) -> AbstractContextManager[None]:
        """Print other output while a line is being typed; `is_sure` if there certainly is any."""
        return (
            self._keyboard.editing.step_aside(is_sure=is_sure) if self._keyboard else nullcontext()
        )

    def read_line(self) -> str | None:
        """The next typed line; None at end of input."""
        while True:
            line = self._read_next()
            if not self._is_for_reader(line):
                return line

    def _read_next(self) -> str | None:
        while self._later:
            self._take(self._later.popleft())
        self._is_reading = True
        while not self._lines and not self._is_interrupted:
            if self._keyboard is not None:
                self._lines += self._keyboard.line()
            if not self._lines:
                self._take(self._queue.get())
        is_interrupted, self._is_interrupted, self._is_reading = self._is_interrupted, False, False
        if is_interrupted:
            return None
        self.was_seen = self._keyboard.was_seen if self._keyboard else at_terminal()
        line = self._lines.popleft()
        if line is None:
            self._lines.append(None)  # for the next call
        self._ahead.release()
        return line

    def _is_for_reader(self, line: str | None) -> bool:
        """Whether the line was a tap; if so, the reader has noticed it by now."""
        if self._taps is None or not line:
            return False
        if line.startswith("#"):
            return True
        if (step := parse_typed(line)) is None:
            return False
        self._taps.put(line.encode() + b"\n")
        self.wait_for(*self._list_seen_after(step))
        return True

    def _list_seen_after(self, step: ChipLine) -> list[Event]:
        """What a reader reports after that step."""
        if step.what == "wait":
            return []
        uid, self._chip = self._chip, step.uid if step.what == "hold" else None
        if step.what == "lift":
            return [Lift(uid)] if uid is not None else []
        came: list[Event] = [Tap(step.uid)] if uid != step.uid else []
        return [*came, Lift(step.uid)] if step.what == "tap" else came

    def wait_for(self, *events: Event) -> bool:
        missing = list(events)
        self._is_waiting = True
        try:
            while missing:
                item = self._queue.get(timeout=PATIENCE)
                self._take(item)
                if item in missing:
                    missing.remove(item)
        except queue.Empty:
            return False
        finally:
            self._is_waiting = False
        return True

    def _take(self, item: Event | Keys | Work | str | None) -> None:
        if item is None or isinstance(item, str):
            self._lines.append(item)
        elif callable(item):
            if self._is_waiting:
                self._later.append(item)
            else:
                item()
        elif not isinstance(item, Keys):
            with self.step_aside(is_sure=not isinstance(item, Lift)):  # of which nothing is told
                self.on_event(item)
        elif self._keyboard is not None:
            self._keyboard.take(item)

    def _wake(self, number: int) -> None:
        """Wake a caller waiting here so that it runs the signal's handler."""
        self._queue.put(lambda: None)

    def _read(self) -> None:
        if self._keyboard is not None:
            self._keyboard.listen(self._queue.put)
            return
        line: str | None = ""
        while line is not None:
            self._ahead.acquire()
            line = terminal.read_line()
            self._queue.put(line)
