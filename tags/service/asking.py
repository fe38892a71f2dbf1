"""Chips read and written through the service: requests that are under way, and what they bring."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import cast, get_args

from tags.access import SENTENCES, ChipError, DistantChips
from tags.readers.base import Fault, ReaderGone
from tags.sentences import Sentence
from tags.service.protocol import Answer
from tags.service.requests import ChipWork, Deed, work_line

PATIENCE = 20.0
"""Seconds to wait for an answer; the service gives one within 15."""

ENDED = Sentence(
    "The reader service ended while it was at work on the chip. Lay the chip on once more, and "
    "write or read it again: what is on it now is the old content, nothing, or the new one."
)
OUTDATED = Sentence(
    "The reader service is older than this program; start it again: companion daemon."
)
SILENT = Sentence("The reader service does not answer.")


class Requests:
    """The requests of one client, by their numbers; for any thread."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[int | str | None, Future[Answer]] = {}
        self._guard = threading.Lock()

    def ask(
        self, send: Callable[[bytes], None], deed: Deed, reader: str, uid: bytes | None, text: bytes
    ) -> Future[Answer]:
        """Send the request; its answer to come."""
        future: Future[Answer] = Future()
        with self._guard:
            number = next(self._numbers)
            self._waiting[number] = future
        send(work_line(ChipWork(deed, reader, number, uid, text)))
        return future

    def answered(self, answer: Answer) -> None:
        """Take in an answer; one to nothing that was asked is nobody's."""
        with self._guard:
            future = self._waiting.pop(answer.id, None)
        if future is not None:
            future.set_result(answer)

    def fail(self, reason: str) -> None:
        """Tell everybody who waits that no answer will come."""
        with self._guard:
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            future.set_exception(ReaderGone(reason))


class ServedChips(DistantChips):
    """The chips on one reader of the service.

    ``ask`` sends a request and waits for its answer; ``keep`` says whether the reader is borrowed
    for good, so that it need not be given back after each change.
    """

    def __init__(
        self, ask: Callable[[Deed, bytes | None, bytes], Future[Answer]], *, keep: bool
    ) -> None:
        self._ask = ask
        self._keep = keep

    def read(self, uid: bytes) -> bytes:
        """The message on the chip.  Raises ``ChipError`` and ``ReaderGone``, as all here."""
        return self._do("read", uid).message

    def write(self, uid: bytes, message: bytes) -> None:
        """Put ``message`` on the chip."""
        self._change("write", uid, message)

    def erase(self, uid: bytes) -> None:
        """Leave no message on the chip."""
        self._change("erase", uid)

    def lock(self, uid: bytes) -> None:
        """Make the chip read-only for ever."""
        self._change("lock", uid)

    def _change(self, deed: Deed, uid: bytes, message: bytes = b"") -> None:
        self._do("borrow")  # also what was borrowed before: the service may have taken it back
        try:
            self._do(deed, uid, message)
        finally:
            if not self._keep:
                self._ask("return", None, b"")

    def _do(self, deed: Deed, uid: bytes | None = None, message: bytes = b"") -> Answer:
        try:
            answer = self._ask(deed, uid, message).result(PATIENCE)
        except TimeoutError:
            raise ReaderGone(SILENT, "silent") from None
        if not answer.fault:
            return answer
        if answer.fault in SENTENCES:
            raise ChipError(answer.fault)
        known = answer.fault in get_args(Fault)
        raise ReaderGone(answer.text, cast(Fault, answer.fault) if known else "busy")
