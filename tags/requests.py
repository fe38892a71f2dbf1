"""Work requested by other threads, done in a reader's own thread between polls."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from common.sentences import Sentence
from tags.readers.base import Reader, ReaderGone

Result = TypeVar("Result")

STOPPED = ReaderGone(Sentence("The reader is no longer being watched."))


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

    def work_off(self) -> bool:
        """Do all queued work; whether there was any.

        Raises ``ReaderGone``, with which the request also fails.
        """
        worked = False
        while (asked := self._take_next()) is not None:
            worked = True
            work, future = asked
            try:
                result = work(self._reader)
            except ReaderGone as gone:
                future.set_exception(gone)
                raise
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        return worked

    def fail(self, reason: ReaderGone) -> None:
        """Fail all queued requests with ``reason``."""
        while (asked := self._take_next()) is not None:
            asked[1].set_exception(reason)

    def _take_next(self) -> tuple[Callable[[Any], Any], Future[Any]] | None:
        """The next request that was not cancelled."""
        while True:
            try:
                work, future = self._waiting.popleft()
            except IndexError:
                return None
            if future.set_running_or_notify_cancel():
                return work, future
