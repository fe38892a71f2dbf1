"""Run one reader in its own thread: open, poll, reconnect, report.

Drivers block, sometimes for seconds; the caller never waits for one.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from common.sentences import Sentence
from tags import access
from tags.links import is_random
from tags.presence import DROPOUT, Clock, Lift, Presence, Tap
from tags.readers import INTERVAL, Fault, Reader, ReaderError
from tags.readers.faults import explain_error

__all__ = [
    "Event",
    "Lift",
    "ReaderConnected",
    "ReaderDisconnected",
    "ReaderNotice",
    "ReaderSource",
    "Tap",
    "Watcher",
]

log = logging.getLogger(__name__)

Result = TypeVar("Result")

STOPPED = ReaderError(Sentence("The reader is no longer being watched."))

ASLEEP = 2.0
"""Seconds without a poll that mean that the program was stopped or the computer asleep."""


@dataclass(frozen=True)
class ReaderConnected:
    """The reader called ``name`` is open and being polled."""

    name: str


@dataclass(frozen=True)
class ReaderDisconnected:
    """The reader cannot be used; ``reason`` is a sentence for users, ``fault`` its kind.

    Sent at once when a reader fails, at the first failed attempt to open, again when the reason
    changes, and after every attempt requested with ``retry_now``.
    """

    name: str
    reason: str
    fault: Fault = "failed"


@dataclass(frozen=True)
class ReaderNotice:
    """A sentence for users about readers or chips, other than a reader's state."""

    text: str


Event: TypeAlias = Tap | Lift | ReaderConnected | ReaderDisconnected | ReaderNotice


class ReaderSource:
    """One reader in use: ``on_event`` gets its events, from a thread of its own.

    A ``Watcher`` opens the reader here; a ``tags.service.client.ServiceClient`` asks the service
    that has opened it. An exception in ``on_event`` is logged, and nothing ends.
    """

    def __init__(self, on_event: Callable[[Event], None], thread: str) -> None:
        self._on_event = on_event
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name=thread, daemon=True)

    def start(self) -> None:
        """Start the thread. Raises ``RuntimeError`` when called twice."""
        self._thread.start()

    def stop(self) -> None:
        """Ask for the end, and return at once; allowed before ``start`` and repeatedly."""
        self._stopping.set()
        self._wake.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait up to ``timeout`` seconds for the thread to end; whether it has."""
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def retry_now(self) -> None:
        """Retry a lost reader at once instead of waiting for the next attempt."""
        self._wake.set()

    def perform(
        self, operation: access.Operation, uid: bytes, message: bytes = b""
    ) -> Future[bytes]:
        """Do it with the chip (``tags.access.perform``); returns a future for the message read.

        Fails with ``ChipError`` or ``ReaderError``; only a result says that it was done.
        Thread-safe.
        """
        raise NotImplementedError

    def signal(self, is_accepted: bool) -> None:
        """Sound the reader's buzzer, if it has one and is open here. Returns at once."""

    def _run(self) -> None:
        raise NotImplementedError

    def _emit(self, event: Event) -> None:
        if self._stopping.is_set():
            return
        try:
            self._on_event(event)
        except Exception:
            log.exception("nobody took the event %r", event)


class RequestQueue:
    """A FIFO queue of requests for ``reader``; every one is answered."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._waiting: deque[tuple[Callable[[Any], Any], Future[Any]]] = deque()

    def put(self, work: Callable[[Any], Result]) -> Future[Result]:
        """Queue ``work(reader)``."""
        future: Future[Result] = Future()
        self._waiting.append((work, future))
        return future

    def work_next(self) -> bool:
        """Do the next queued work; whether there was any. Raises ``ReaderError``, with which the
        request also fails."""
        if (request := self._take_next()) is None:
            return False
        work, future = request
        try:
            result = work(self._reader)
        except ReaderError as failure:
            future.set_exception(failure)
            raise
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        return True

    def fail(self, reason: ReaderError) -> None:
        """Fail all queued requests with ``reason``."""
        while (request := self._take_next()) is not None:
            request[1].set_exception(reason)

    def _take_next(self) -> tuple[Callable[[Any], Any], Future[Any]] | None:
        """The next request that was not cancelled."""
        while True:
            try:
                work, future = self._waiting.popleft()
            except IndexError:
                return None
            if future.set_running_or_notify_cancel():
                return work, future


class Watcher(ReaderSource):
    """Watches ``reader`` and calls ``on_event`` from its own thread.

    ``interval`` is the time from one poll to the next in seconds; ``backoff`` the first and the
    longest wait in seconds between attempts to open; with ``settles`` the reader counts as ready
    only when a chip that lay there before has been seen; ``dropout``, ``confirm`` and ``present``
    are those of ``Presence``; ``clock`` is the real one by default.
    """

    def __init__(
        self,
        reader: Reader,
        on_event: Callable[[Event], None],
        *,
        interval: float = INTERVAL,
        backoff: tuple[float, float] = (1.0, 10.0),
        settles: bool = False,
        dropout: float = DROPOUT,
        confirm: Callable[[bytes], bool] | None = None,
        present: bytes | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(on_event, f"reader {reader.name}")
        self._reader = reader
        self._interval = interval
        self._backoff = backoff
        self._clock = clock or Clock()
        self._traits = reader.traits
        self._settling = dropout if settles and self._traits.by_hand else 0
        self._presence = Presence(
            traits=self._traits, dropout=dropout, confirm=confirm, present=present
        )
        self._is_asked = False
        self._has_ended = False  # whether the thread answers no more requests
        self._delay = backoff[0]
        self._loss: ReaderDisconnected | None = None
        self._requests = RequestQueue(reader)

    @property
    def name(self) -> str:
        return self._reader.name

    def stop(self) -> None:
        """The thread closes the reader as soon as the driver allows; an event in progress may still
        arrive."""
        super().stop()
        if self._thread.ident is None:
            self._requests.fail(STOPPED)

    def request(self, work: Callable[[Any], Result]) -> Future[Result]:
        """Run ``work(reader)`` in the reader's thread between two polls; returns a future.

        Fails with ``ReaderError`` if the reader is missing or lost meanwhile, and with any
        exception of ``work``. Thread-safe, but do not wait for it in the reader's own thread.
        """
        future = self._requests.put(work)
        if self._has_ended or (self._stopping.is_set() and self._thread.ident is None):
            self._requests.fail(STOPPED)
        elif (reader_lost := self._loss) is not None:
            self._requests.fail(ReaderError(reader_lost.reason, reader_lost.fault))
        else:
            self._wake.set()
        return future

    def perform(
        self, operation: access.Operation, uid: bytes, message: bytes = b""
    ) -> Future[bytes]:
        return self.request(lambda reader: access.perform(reader, operation, uid, message))

    def signal(self, is_accepted: bool) -> None:
        self.request(lambda reader: reader.signal(is_accepted))

    @property
    def present(self) -> bytes | None:
        return self._presence.present

    def retry_now(self) -> None:
        self._is_asked = True
        super().retry_now()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._reader.open()
                self._loss, self._is_asked = None, False
                self._poll_on()
            except Exception as error:
                if not isinstance(error, ReaderError | OSError | ImportError):
                    log.exception("the driver of reader %s is at fault", self._reader.name)
                self._report(explain_error(error, self._reader.name, self._reader.road))
            finally:
                self._reader.close()
            self._presence.reader_failed()
            self._pause()
        self._has_ended = True
        self._requests.fail(STOPPED)

    def _poll_on(self) -> None:
        """Poll until the watch ends or the reader fails."""
        last = self._clock.moment()
        ready_at: float | None = self._clock.seconds() + self._settling
        while not self._stopping.is_set():
            at, began = self._clock.moment(), self._clock.seconds()
            if ready_at is not None and began >= ready_at:
                self._emit(ReaderConnected(self._reader.name))
                ready_at = None
            if at - last > ASLEEP:
                self._presence.reader_failed()
            for touch in self._presence.see(self._reader.poll(), began, self._clock.seconds()):
                if isinstance(touch, Tap):
                    touch = self._describe(touch)
                self._emit(replace(touch, reader=self._reader.name, at=at))
            while (text := self._reader.take_notice()) is not None:
                self._emit(ReaderNotice(text))
            # Only a reader that worked gets a quick retry when it fails again.
            self._delay = self._backoff[0]
            last = self._serve(at, began + self._interval)

    def _describe(self, tap: Tap) -> Tap:
        """The tap with what the reader knows of the chip."""
        name, kind = self._reader.name_of(tap.uid), self._reader.find_kind(tap.uid)
        if self._traits.reads_bytes and is_random(tap.uid):
            kind = "random"
        return replace(tap, chip=name, kind=kind)

    def _serve(self, last: float, due: float) -> float:
        """Do requested work until the next poll is due; returns when the reader was last used."""
        while not self._stopping.is_set():
            if self._requests.work_next():
                last = self._clock.moment()
                if self._clock.seconds() >= due:
                    return last  # however many are waiting, chips are still polled for in between
            elif self._clock.wait(self._wake, due - self._clock.seconds()):
                self._wake.clear()
            else:
                return last
        return last

    def _report(self, failure: ReaderError) -> None:
        reader_lost = ReaderDisconnected(self._reader.name, str(failure), failure.fault)
        if reader_lost != self._loss or self._is_asked:
            self._emit(reader_lost)
        self._loss, self._is_asked = reader_lost, False
        self._requests.fail(failure)

    def _pause(self) -> None:
        """Wait before the next attempt, longer each time, unless woken."""
        if self._stopping.is_set():
            return
        if self._clock.wait(self._wake, self._delay):
            self._wake.clear()
            self._delay = self._backoff[0]
        else:
            self._delay = min(self._delay * 2, self._backoff[1])
