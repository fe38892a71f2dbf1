"""One reader of a running reader service, instead of a reader opened here.

A chip that stays on its reader while the service is away gives no new tap, a missing one is lifted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import cast

from common.sentences import Sentence
from tags.access import SENTENCES, ChipError, Operation
from tags.presence import Lift, Tap
from tags.readers import Fault, ReaderError
from tags.service import (
    LONGEST_REQUEST,
    Answer,
    ChipRequest,
    Other,
    Own,
    ProtocolError,
    ReaderState,
    ServerMessage,
    Snapshot,
    encode_line,
    request_line,
)
from tags.service.endpoint import Endpoint, Link, NoService
from tags.watch import Event, ReaderConnected, ReaderDisconnected, ReaderNotice, ReaderSource

AWAY = Sentence("The reader service does not answer; carry on by keyboard.")
STOPPED = Sentence("The reader service was stopped; carry on by keyboard.")
BROKEN_OFF = Sentence("The reader service ended before it was done; check what is on the chip.")

QUIET = 3.0
"""Seconds of silence after which the service is pinged and must answer."""

STEADY = 3.0
"""Seconds after which a connection counts as stable: a service that hangs up earlier counts as
away."""

log = logging.getLogger(__name__)


SERVICE_ERRORS = (NoService, OSError, ProtocolError)
"""What a service that is none, hangs or is of another version raises."""


def read_snapshot(endpoint: Endpoint) -> Snapshot:
    """How the readers of the service are now. Raises one of `SERVICE_ERRORS` unless it answers
    within a second."""
    with Link(endpoint, 1.0) as link:
        return link.snapshot


def list_readers(endpoint: Endpoint) -> dict[str, ReaderState]:
    """The readers of the service at ``endpoint``, by name; empty if no service answers within a
    second."""
    try:
        return {state.reader: state for state in read_snapshot(endpoint).readers}
    except SERVICE_ERRORS as error:
        log.debug("no service at %s: %s", endpoint.socket_path, error)
        return {}


class ServiceClient(ReaderSource):
    """The reader called ``name`` of the service at ``endpoint``.

    ``present`` is the chip last reported to lie on it. With ``own`` the readers are this program's
    alone. ``on_end`` is called in the client's thread, which then ends, when the service has been
    away for ``grace`` seconds; without it the client keeps trying every ``backoff`` seconds. A
    service that hangs counts as away: after ``quiet`` seconds of silence it is pinged, and has as
    long to answer.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        on_event: Callable[[Event], None],
        *,
        name: str,
        present: bytes | None = None,
        own: Own | None = None,
        on_end: Callable[[], None] | None = None,
        grace: float = 2.0,
        backoff: tuple[float, float] = (0.1, 2.0),
        timeout: float = 2.0,
        quiet: float = QUIET,
    ) -> None:
        super().__init__(on_event, "reader service")
        self.name = name
        self.present = present
        self._endpoint = endpoint
        self._own = own
        self._on_end = on_end
        self._grace = grace
        self._backoff = backoff
        self._timeout = timeout
        self._quiet = quiet
        self._was_stopped = False
        self._state: ReaderConnected | ReaderDisconnected | None = None
        self._link: Link | None = None
        self._requests: dict[int, Future[bytes]] = {}
        self._last_request = 0
        self._guard = threading.RLock()

    def stop(self) -> None:
        super().stop()
        with self._guard:
            if self._link is not None:
                self._link.hang_up()

    def retry_now(self) -> None:
        """Have the service retry its lost readers at once, or retry the connection at once."""
        super().retry_now()
        self._send(encode_line("retry"))

    def perform(self, operation: Operation, uid: bytes, message: bytes = b"") -> Future[bytes]:
        future: Future[bytes] = Future()
        with self._guard:
            self._last_request += 1
            line = request_line(ChipRequest(operation, self.name, uid, message, self._last_request))
            if len(line) > LONGEST_REQUEST:  # more than any chip holds
                future.set_exception(ChipError("small"))
            elif self._link is None:
                future.set_exception(ReaderError(AWAY))
            else:
                self._requests[self._last_request] = future
                self._send(line)
        return future

    def take(self, message: ServerMessage) -> None:
        match message:
            case Snapshot(readers):
                reason = Sentence(
                    "The reader service has no reader {name}; start it with it, or use another.",
                    name=self.name,
                )
                missing = ReaderState(self.name, state="lost", reason=reason)
                state = next((one for one in readers if one.reader == self.name), missing)
                self._take_state(state, is_new=False)
                if state.state == "lost":
                    self._send(encode_line("retry"))
            case ReaderState(reader=self.name):
                self._take_state(message, is_new=True)
            case Other("stopped"):
                self._was_stopped = True
            case ReaderNotice():
                self._emit(message)
            case Tap(reader=self.name):
                self._put(message)
            case Lift(self.present, self.name):
                self.present = None
                self._emit(message)
            case Answer(id=int(number)) if (future := self._requests.pop(number, None)) is not None:
                _answer(future, message)

    def _take_state(self, state: ReaderState, *, is_new: bool) -> None:
        if state.state == "lost":
            self._tell(ReaderDisconnected(self.name, state.reason, state.fault), is_new=is_new)
        elif state.state == "ready":
            self._tell(ReaderConnected(self.name), is_new=False)
        if state.uid is not None:
            # This client did not see it come, so it may have been there for long.
            self._put(Tap(state.uid, self.name, chip=state.chip, found=True))
        elif state.state == "ready":
            self._put(None)

    def _put(self, tap: Tap | None) -> None:
        """Report that now the chip of ``tap``, or none, is on the reader."""
        before, self.present = self.present, None if tap is None else tap.uid
        if before != self.present:
            if before is not None:
                self._emit(Lift(before, self.name))
            if tap is not None:
                self._emit(tap)

    def _tell(self, state: ReaderConnected | ReaderDisconnected, *, is_new: bool) -> None:
        if is_new or state != self._state:
            self._state = state
            self._emit(state)

    def _run(self) -> None:
        since, delay = None, self._backoff[0]
        while not self._stopping.is_set():
            start = time.monotonic()
            is_connected = self._follow()
            now = time.monotonic()
            if is_connected and now - start >= STEADY:
                since, delay = None, self._backoff[0]
            since = now if since is None else since
            is_gone = now - since >= self._grace
            if is_gone or (self._state is not None and not is_connected):
                reason = STOPPED if self._was_stopped else AWAY
                self._tell(ReaderDisconnected(self.name, reason), is_new=False)
            if is_gone and self._on_end is not None:
                self._stopping.set()
                self._on_end()
                return
            self._wake.wait(delay)
            self._wake.clear()
            delay = min(delay * 2, self._backoff[1])

    def _follow(self) -> bool:
        """Follow one connection to its end; returns whether there was one."""
        try:
            with Link(self._endpoint, self._timeout) as link:
                with self._guard:
                    self._link = link
                self._was_stopped = False
                if self._stopping.is_set():
                    link.hang_up()
                link.wait(self._quiet)
                if self._own is None:
                    self.take(link.snapshot)
                else:
                    self._send(request_line(self._own))  # answered with a snapshot
                is_answered = self._own is None
                while (message := link.receive_or_ask()) is not None:
                    is_answered = is_answered or isinstance(message, Snapshot)
                    # What lies there before the answer comes with it, after the reader's state.
                    if is_answered or not isinstance(message, ReaderState | Tap | Lift):
                        self.take(message)
        except NoService as error:
            log.debug("no service: %s", error)
        except (OSError, ProtocolError) as error:
            log.debug("the service broke off: %s", error)
        with self._guard:
            is_connected = self._link is not None
            self._link, requests, self._requests = None, self._requests, {}
        for future in requests.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(ReaderError(BROKEN_OFF))
        return is_connected

    def _send(self, line: bytes) -> None:
        with self._guard:
            if self._link is not None:
                self._link.send(line)


def _answer(future: Future[bytes], answer: Answer) -> None:
    """Give the future its result, unless it was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    if not answer.fault:
        future.set_result(answer.message)
    elif answer.fault in SENTENCES:
        future.set_exception(ChipError(answer.fault))
    else:
        future.set_exception(ReaderError(answer.text, cast(Fault, answer.fault)))
