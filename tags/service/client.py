"""A running reader service as a source of events, instead of a local reader.

Behaves like ``tags.watch.Watcher``: events come from its own thread; a chip that stays on its
reader while the service is away gives no new tap, a missing one is lifted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

from common.sentences import Sentence
from tags.presence import Lift, Tap
from tags.service.endpoint import Endpoint, Link, NoService
from tags.service.protocol import (
    Message,
    ProtocolError,
    ReaderState,
    Settled,
    Snapshot,
    Use,
    Wish,
    encode_line,
    wish_line,
)
from tags.watch import Event, ReaderCame, ReaderLost

AWAY = Sentence("The reader service does not answer; carry on by keyboard.")


class Following:
    """The state that one client has been told.

    ``reader`` is the only reader to follow, None all; ``lying`` the chips that lay on them before.
    """

    def __init__(self, reader: str | None, lying: Mapping[str, bytes]) -> None:
        self._reader = reader
        self._told: dict[str, ReaderCame | ReaderLost] = {}
        self._doubtful: set[str] = set()  # readers whose chip this connection has not reported yet
        self.lying: dict[str, bytes] = dict(lying)

    def take(self, message: Message) -> list[Event]:
        """Process the next line; returns the events that are new to this client."""
        match message:
            case Snapshot(readers):
                return self._snapshot([one for one in readers if self._is_followed(one.reader)])
            case Tap(reader=name) if self._is_followed(name):
                return self._put(name, message)
            case Lift(uid=uid, reader=name) if self.lying.get(name) == uid:
                return self._put(name, None)
            case Settled(name) if name in self._doubtful:
                return self._put(name, None)
            case ReaderCame(name) if self._is_followed(name):
                return self._tell(message)
            case ReaderLost(name) if self._is_followed(name):
                return self._tell(message, again=True)
        return []

    def service_lost(self) -> list[Event]:
        """Handle a lost service; returns one event for each reader that was there."""
        return self._tell_removed(set())

    def _snapshot(self, readers: list[ReaderState]) -> list[Event]:
        """Process the state of all readers; returns the events since the last line."""
        self._doubtful = set(self.lying)
        events = self._tell_removed({state.reader for state in readers})
        for state in readers:
            if state.state == "ready":
                events += self._tell(ReaderCame(state.reader))
            elif state.state == "lost":
                events += self._tell(ReaderLost(state.reader, state.reason, state.fault))
            if state.uid is not None:
                # This client did not see it come, so it may have been there for long.
                tap = Tap(state.uid, state.reader, chip=state.chip, found=True)
                events += self._put(state.reader, tap)
            elif state.settled:
                events += self._put(state.reader, None)
        return events

    def _tell_removed(self, readers: set[str]) -> list[Event]:
        """The events for readers that the service no longer has."""
        there = [name for name, told in self._told.items() if isinstance(told, ReaderCame)]
        names = [name for name in there if name not in readers]
        return [event for name in names for event in self._tell(ReaderLost(name, AWAY))]

    def _is_followed(self, reader: str) -> bool:
        return self._reader is None or reader == self._reader

    def _put(self, name: str, tap: Tap | None) -> list[Event]:
        """The events for the chip of ``tap``, or none, now being on the reader."""
        self._doubtful.discard(name)
        before = self.lying.pop(name, None)
        uid = None if tap is None else tap.uid
        if uid is not None:
            self.lying[name] = uid
        if before == uid:
            return []
        left: list[Event] = [] if before is None else [Lift(before, name)]
        return left if tap is None else [*left, tap]

    def _tell(self, event: ReaderCame | ReaderLost, *, again: bool = False) -> list[Event]:
        if self._told.get(event.name) == event and not again:
            return []
        self._told[event.name] = event
        return [event]


__all__ = ["ServiceClient", "make_ready", "readers_served"]

QUIET = 3.0
"""Seconds of silence after which the service is pinged and must answer."""

STEADY = 3.0
"""Seconds after which a connection counts as stable: a service that hangs up earlier counts as
away."""

log = logging.getLogger(__name__)


def readers_served(endpoint: Endpoint, timeout: float = 1.0) -> dict[str, ReaderState]:
    """The readers of the service at ``endpoint``, by name; empty if no service answers within
    ``timeout`` seconds."""
    try:
        with Link(endpoint, timeout) as link:
            return {state.reader: state for state in link.snapshot.readers}
    except (NoService, OSError, ProtocolError) as error:
        log.debug("no service at %s: %s", endpoint.shown, error)
        return {}


def make_ready(endpoint: Endpoint, reader: str, timeout: float = 3.0) -> bool:
    """Have the service open a reader just released; whether it did within ``timeout`` seconds."""
    try:
        with Link(endpoint, timeout) as link:
            if any((s.reader, s.state) == (reader, "ready") for s in link.snapshot.readers):
                return True
            link.send(encode_line("retry"))
            while (message := link.receive()) is not None:
                if message == ReaderCame(reader):
                    return True
    except (NoService, OSError, ProtocolError) as error:
        log.debug("the service did not open %s: %s", reader, error)
    return False


class ServiceClient:
    """Follows the service at ``endpoint`` and calls ``on_event`` from its own thread.

    ``reader`` is the only reader to follow, None all; ``lying`` the chips last reported to lie on
    them, by the reader's name. ``on_end`` is called in that thread, and the thread ends, when the
    service has been away for ``grace`` seconds; without it the client keeps trying every
    ``backoff`` seconds. With ``alone`` it holds ``reader``, so that no other client gets its taps.
    A service that hangs counts as away: after ``quiet`` seconds of silence it is pinged, and has as
    long to answer.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        on_event: Callable[[Event], None],
        *,
        reader: str | None = None,
        lying: Mapping[str, bytes] | None = None,
        alone: bool = False,
        on_end: Callable[[], None] | None = None,
        grace: float = 2.0,
        backoff: tuple[float, float] = (0.1, 2.0),
        timeout: float = 2.0,
        quiet: float = QUIET,
    ) -> None:
        self._endpoint = endpoint
        self._on_event = on_event
        self._on_end = on_end
        self._grace = grace
        self._backoff = backoff
        self._timeout = timeout
        self._quiet = quiet
        self._following = Following(reader, lying or {})
        self._reader = reader
        self._alone = alone
        self.hangs_up = False  # whether the service greeted the last attempt and then hung up
        self._link: Link | None = None
        self._guard = threading.Lock()
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader service", daemon=True)

    @property
    def lying(self) -> dict[str, bytes]:
        """The chips last reported to lie on each reader; final once the thread has ended."""
        return dict(self._following.lying)

    def start(self) -> None:
        """Start the thread. Raises ``RuntimeError`` when called twice."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the client to end, and return at once; allowed before ``start`` and repeatedly."""
        self._stopping.set()
        self._wake.set()
        with self._guard:
            if self._link is not None:
                self._link.hang_up()

    def join(self, timeout: float | None = None) -> bool:
        """Wait up to ``timeout`` seconds for the thread to end; whether it has."""
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def keep_alone(self, alone: bool) -> None:
        """Reserve the reader's taps for this client from now on, or release them.

        Returns at once; thread-safe. A client that already holds the reader keeps it until it
        releases it.
        """
        with self._guard:
            if alone != self._alone:
                self._alone = alone
                self._wish("hold" if alone else "return")

    def retry_now(self) -> None:
        """Have the service retry its lost readers at once, or retry the connection at once."""
        self._wake.set()
        with self._guard:
            if self._link is not None:
                self._link.send(encode_line("retry"))

    def _wish(self, use: Use) -> None:
        """Request the reader; if refused, it is reported lost."""
        if self._link is not None and self._reader is not None:
            self._link.send(wish_line(Wish(use, self._reader)))

    def _run(self) -> None:
        since, delay = None, self._backoff[0]
        while not self._stopping.is_set():
            duration = time.monotonic()
            self.hangs_up = self._connect()
            if self.hangs_up:
                self._listen()
            now = time.monotonic()
            if self.hangs_up and now - duration >= STEADY:
                since, delay = None, self._backoff[0]
            if since is None:
                since = now if self.hangs_up else duration
            is_gone = now - since >= self._grace
            if is_gone or not self.hangs_up:
                self._emit(self._following.service_lost())
            if is_gone and self._on_end is not None:
                self._stopping.set()
                self._on_end()
                return
            self._wake.wait(delay)
            self._wake.clear()
            delay = min(delay * 2, self._backoff[1])

    def _connect(self) -> bool:
        try:
            link = Link(self._endpoint, self._timeout)
        except (NoService, OSError, ProtocolError) as error:
            log.debug("the service cannot be reached: %s", error)
            return False
        with self._guard:
            self._link = link
        if self._stopping.is_set():
            link.hang_up()
        return True

    def _listen(self) -> None:
        """Follow one connection to its end."""
        link = self._link
        assert link is not None
        try:
            with link:
                self._emit(self._following.take(link.snapshot))
                link.wait(self._quiet)
                self._hold()
                while (message := link.receive_or_ask()) is not None:
                    self._emit(self._following.take(message))
                    if message == ReaderCame(self._reader or ""):
                        self._hold()  # another client may have held it
        except (OSError, ProtocolError) as error:
            log.debug("the service broke off: %s", error)
        finally:
            with self._guard:
                self._link = None

    def _hold(self) -> None:
        with self._guard:
            if self._alone:
                self._wish("hold")

    def _emit(self, events: list[Event]) -> None:
        for event in events:
            if self._stopping.is_set():
                return
            try:
                self._on_event(event)
            except Exception:
                log.exception("nobody took the event %r", event)
