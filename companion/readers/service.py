"""The reader service as this table uses it: where it is, and who reads.

A running service is used without being asked for; when it ends, the reader is opened here, and when
it comes back first, it is used again.
"""

from __future__ import annotations

import os
import re
import threading
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from companion.files import locations
from companion.language import _
from tags.access import ChipError
from tags.presence import DROPOUT
from tags.service.client import ServiceClient, make_ready, readers_served
from tags.service.endpoint import Endpoint
from tags.service.release import ReleasedReader
from tags.watch import Lift, ReaderCame, ReaderLost, Said, Tap, Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tags.readers.base import Reader
    from tags.service.protocol import ReaderState
    from tags.watch import Event

Result = TypeVar("Result")

HANDING_OVER = 3.0
"""Seconds that a reader has to be let go here, and again to be opened by the service."""


def endpoint(data: str) -> Endpoint:
    """Where the service of this user is; `data` is the data folder."""
    return Endpoint(locations.service_dir(data))


def list_served(place: Endpoint) -> dict[str, ReaderState]:
    """The readers of the service there, by their names; none, at once, where none runs."""
    return readers_served(place) if os.path.exists(place.shown) else {}


def release(reader: Reader, path: str, place: Endpoint) -> Reader:
    """That reader, of which the service there lets go for as long as it is open here."""
    return ReleasedReader(reader, place, partial(find_served_name, path=path))


class SharedReader:
    """Events of a reader, from the service while it has that reader, else from this program's own.

    Starts, stops, reports and takes work as `tags.watch.Watcher` does.
    """

    def __init__(
        self,
        place: Endpoint,
        on_event: Callable[[Event], None],
        open_own: Callable[[], Reader],
        *,
        name: str,
        path: str,
        served_as: str | None,
        confirm: Callable[[bytes], bool] | None = None,
        dropout: float = DROPOUT,
        grace: float = 2.0,
    ) -> None:
        """Events call the reader at `path` by its `name`; the service calls it `served_as`, None
        if it does not have it. `open_own` makes the reader to use after the service has been away
        for `grace` seconds, with `confirm` and `dropout` as for a watcher."""
        self.name = name
        self._place = place
        self._on_event = on_event
        self._open_own = open_own
        self._path = path
        self._confirm = confirm
        self._dropout = dropout
        self._served_as = served_as
        self._alone = False
        self._grace = grace
        self._guard = threading.Lock()
        self._stopped = False
        self._seen = self._look()  # the service that was asked last
        self._refused: object = None  # the one that hung up again and again
        self._own_lost = False
        self._source = self._own(None) if served_as is None else self._client(served_as, None)

    def start(self) -> None:
        """Begin to report."""
        self._source.start()

    def stop(self) -> None:
        """Ask it to end, and return at once."""
        with self._guard:
            self._stopped = True
            self._source.stop()

    def join(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds for it to end; whether it has."""
        return self._source.join(timeout)

    def retry_now(self) -> None:
        """Try at once instead of waiting for the next attempt."""
        self._source.retry_now()

    def request(self, work: Callable[[Any], Result]) -> Future[Result]:
        """Have `work` done with the chips on the reader; its result to come.

        Fails with ChipError while the service has the reader: it says itself what a chip is.
        """
        if isinstance(self._source, Watcher):
            return self._source.request(work)
        refused: Future[Result] = Future()
        refused.set_exception(ChipError("reader"))
        return refused

    def keep_alone(self, alone: bool) -> None:
        """Keep the taps from other programs from now on, or let them have these again."""
        with self._guard:
            self._alone = alone
            if isinstance(self._source, ServiceClient):
                self._source.keep_alone(alone)

    def look_for_service(self) -> None:
        """Let a service that was started meanwhile have the reader, if it wants this very one.

        Takes some seconds when there is one; for any thread but the reader's own.
        """
        seen = self._look()
        if not isinstance(self._source, Watcher) or seen in (None, self._refused):
            return
        if seen == self._seen and not self._own_lost:
            return
        self._seen = seen
        served = readers_served(self._place)
        name = find_served_name(served, self._path)
        if name is None or (served[name].state == "ready" and not self._own_lost):
            return  # not this one, but another that may be called the same
        self._source.stop()
        self._source.join(HANDING_OVER)
        make_ready(self._place, name, HANDING_OVER)
        self._on_event(Said(_("The reader service is now reading {name}.").format(name=self.name)))
        self._begin(self._client(name, self._source.present))

    def _client(self, name: str, present: bytes | None) -> ServiceClient:
        self._served_as = name
        return ServiceClient(
            self._place,
            self._pass_on,
            reader=name,
            lying={} if present is None else {name: present},
            alone=self._alone,
            on_end=self._service_is_gone,
            grace=self._grace,
        )

    def _own(self, present: bytes | None) -> Watcher:
        return Watcher(
            self._open_own(),
            self._own_event,
            confirm=self._confirm,
            dropout=self._dropout,
            present=present,
        )

    def _service_is_gone(self) -> None:
        """Open the reader here; called in the client's last moment."""
        assert isinstance(self._source, ServiceClient)
        assert self._served_as is not None
        if self._source.hangs_up:
            self._refused = self._look()  # until another one is started
            self._on_event(
                Said(
                    _(
                        "The reader service keeps disconnecting; carrying on without "
                        "it. To restart it: companion daemon."
                    )
                )
            )
        self._begin(self._own(self._source.lying.get(self._served_as)))

    def _own_event(self, event: Event) -> None:
        """Pass it on; but a reader that the service has taken back is used through the service."""
        if isinstance(event, ReaderCame | ReaderLost):
            self._own_lost = isinstance(event, ReaderLost)
        held = isinstance(event, ReaderLost) and event.fault in ("busy", "failed")
        if held and self._look() != self._refused:
            name = find_served_name(readers_served(self._place), self._path)
            if name is not None:
                assert isinstance(self._source, Watcher)
                present = self._source.present
                self._source.stop()
                self._begin(self._client(name, present))
                return
        self._pass_on(event)

    def _pass_on(self, event: Event) -> None:
        if isinstance(event, Tap | Lift):
            event = replace(event, reader=self.name)
        elif isinstance(event, ReaderCame | ReaderLost):
            event = replace(event, name=self.name)
        self._on_event(event)

    def _begin(self, source: ServiceClient | Watcher) -> None:
        with self._guard:
            if not self._stopped:
                self._source = source
                source.start()

    def _look(self) -> object:
        """What tells one run of a service from the next; None while there is none."""
        try:
            found = os.stat(self._place.shown)
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns


def find_served_name(served: Mapping[str, ReaderState], path: str) -> str | None:
    """What a service that has these readers calls the one at `path`, if it has it."""
    for name, state in served.items():
        if same_reader(path, state.path):
            return name
    return None


def same_reader(wanted: str, path: str) -> bool:
    """Whether the reader at `path` is the one that is wanted: any on USB for `usb`, whatever was
    found (`auto`) for `usb` and `pcsc`, and a device file by any of its names."""
    if wanted == path or (wanted == "usb" and re.match("usb[:@]", path)):
        return True
    if path == "auto":
        return wanted in ("usb", "pcsc")
    both = wanted.startswith("/") and path.startswith("/")
    return both and os.path.realpath(wanted) == os.path.realpath(path)
