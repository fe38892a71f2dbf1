"""The reader service as this table uses it: where it is, and which program reads.

A running service is used automatically. When it ends, the reader is opened here; if it comes back
before that, it is used again.
"""

from __future__ import annotations

import os
import re
import threading
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from common.sentences import Sentence
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
"""Seconds to close a reader here, and again for the service to open it."""


def endpoint(data: str) -> Endpoint:
    """The endpoint of this user's service; `data` is the data folder."""
    return Endpoint(locations.service_dir(data))


def list_served(place: Endpoint) -> dict[str, ReaderState]:
    """The service's readers by name; empty, without delay, if none is running."""
    return readers_served(place) if os.path.exists(place.shown) else {}


def release(reader: Reader, path: str, place: Endpoint) -> Reader:
    """Wrap a reader so that the service releases it while it is open here."""
    return ReleasedReader(reader, place, partial(find_served_name, path=path))


class SharedReader:
    """Events of a reader, from the service while it has the reader, otherwise from our own driver.

    Its interface is that of `tags.watch.Watcher`.
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
        """`name` is the name of the reader at `path` in events, `served_as` its name in the
        service, None if the service does not have it. `open_own` makes the reader to open after the
        service has been away for `grace` seconds, with `confirm` and `dropout` as for a watcher."""
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
        self._refused: object = None  # the service that hung up repeatedly
        self._own_lost = False
        self._source = self._watch_own(None) if served_as is None else self._client(served_as, None)

    def start(self) -> None:
        """Start reporting."""
        self._source.start()

    def stop(self) -> None:
        """Request the end; returns at once."""
        with self._guard:
            self._stopped = True
            self._source.stop()

    def join(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds for the end; returns whether it came."""
        return self._source.join(timeout)

    def retry_now(self) -> None:
        """Retry now instead of waiting for the next attempt."""
        self._source.retry_now()

    def request(self, work: Callable[[Any], Result]) -> Future[Result]:
        """Run `work` with the chips on the reader; returns a future for its result.

        Fails with ChipError while the service has the reader, which then identifies chips.
        """
        if isinstance(self._source, Watcher):
            return self._source.request(work)
        future: Future[Result] = Future()
        future.set_exception(ChipError("reader"))
        return future

    def keep_alone(self, alone: bool) -> None:
        """Hide the taps from other programs from now on, or show them again."""
        with self._guard:
            self._alone = alone
            if isinstance(self._source, ServiceClient):
                self._source.keep_alone(alone)

    def look_for_service(self) -> None:
        """Hand the reader to a service started in the meantime, if it wants this one.

        Takes some seconds if there is one; call it in any thread but the reader's own.
        """
        view = self._look()
        if not isinstance(self._source, Watcher) or view in (None, self._refused):
            return
        if view == self._seen and not self._own_lost:
            return
        self._seen = view
        entries = readers_served(self._place)
        name = find_served_name(entries, self._path)
        if name is None or (entries[name].state == "ready" and not self._own_lost):
            return  # another reader that may have the same name
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

    def _watch_own(self, present: bytes | None) -> Watcher:
        return Watcher(
            self._open_own(),
            self._pass_own_event,
            settles=True,
            confirm=self._confirm,
            dropout=self._dropout,
            present=present,
        )

    def _service_is_gone(self) -> None:
        """Open the reader here; called by the client as its last act."""
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
        self._begin(self._watch_own(self._source.lying.get(self._served_as)))

    def _pass_own_event(self, event: Event) -> None:
        """Pass the event on; if the service has taken the reader back, switch to the service."""
        if isinstance(event, ReaderCame | ReaderLost):
            self._own_lost = isinstance(event, ReaderLost)
        if (
            isinstance(event, ReaderLost)
            and event.fault in ("busy", "failed")
            and self._look() != self._refused
        ):
            entries = readers_served(self._place)
            name = find_served_name(entries, self._path)
            if not entries and (number := self._place.find_holder()) is not None:
                event = ReaderLost(event.name, self._say_hung(number), event.fault)
            elif name is not None:
                assert isinstance(self._source, Watcher)
                present = self._source.present
                self._source.stop()
                self._begin(self._client(name, present))
                return
        self._pass_on(event)

    def _say_hung(self, number: int) -> Sentence:
        return Sentence(
            "The reader service has the reader {name} and does not answer; restart it with "
            "systemctl --user restart citadels-reader, or end its process {number}.",
            name=self.name,
            number=number,
        )

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
        """An identity for this run of the service; None if there is none."""
        try:
            status = os.stat(self._place.shown)
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns


def find_served_name(entries: Mapping[str, ReaderState], path: str) -> str | None:
    """The name of the reader at `path` among the service's readers; None if it is not there."""
    for name, state in entries.items():
        if is_same_reader(path, state.path):
            return name
    return None


def is_same_reader(target: str, path: str) -> bool:
    """Whether the reader at `path` matches the setting `target`: `usb` is any on USB; for one
    that `auto` found, `usb` and `pcsc`; a device file by any of its names."""
    if target == path or (target == "usb" and re.match("usb[:@]", path)):
        return True
    if path == "auto":
        return target in ("usb", "pcsc")
    both = target.startswith("/") and path.startswith("/")
    return both and os.path.realpath(target) == os.path.realpath(path)
