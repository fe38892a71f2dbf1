"""One reader of this table: a running reader service is asked; without one, it is opened here.

When the service ends, the reader is opened here; when one starts that serves it, it is closed here
and the service is asked from then on.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.files import locations
from companion.language import _
from tags.presence import DROPOUT
from tags.readers.auto_reader import reader_for
from tags.service import OtherVersion, Own
from tags.service.client import SERVICE_ERRORS, ServiceClient, list_readers, read_snapshot
from tags.service.endpoint import Endpoint
from tags.watch import Event, Lift, ReaderConnected, ReaderDisconnected, ReaderNotice, Tap, Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from companion.settings.named_readers import ReaderSetting
    from tags.access import Operation
    from tags.service import ReaderState

CLOSING = 3.0
"""Seconds to close a reader here before the service is asked for it."""


def endpoint(data: str) -> Endpoint:
    return Endpoint(locations.service_dir(data))


def make_owner(program: str, *, over: bool = False) -> Own:
    """The request of this process, by the name of its command, for the service's readers."""
    return Own(f"{program} ({os.getpid()})", over)


def list_served(data: str) -> dict[str, ReaderState]:
    """That service's readers by name; empty, without delay, if none is running."""
    place = endpoint(data)
    return list_readers(place) if os.path.exists(place.socket_path) else {}


class SharedReader:
    """The reader of that setting, with what a `tags.watch.ReaderSource` has.

    `data` is the data folder, whose service is asked for the readers, as `own` says; a service that
    is away for `grace` seconds counts as none. `confirm`, `dropout` and `backoff` are as for a
    watcher.
    Raises ValueError for an invalid reader.
    """

    def __init__(
        self,
        data: str,
        setting: ReaderSetting,
        on_event: Callable[[Event], None],
        *,
        own: Own,
        confirm: Callable[[bytes], bool] | None = None,
        dropout: float = DROPOUT,
        backoff: tuple[float, float] = (1.0, 10.0),
        grace: float = 2.0,
    ) -> None:
        self.name = setting.name
        self._path = setting.path
        self._place = endpoint(data)
        self._on_event = on_event
        self._own = own
        self._confirm = confirm
        self._dropout = dropout
        self._backoff = backoff
        self._grace = grace
        self._guard = threading.Lock()
        self._stopped = False
        self._is_lost = False  # whether the reader cannot be opened here
        self._is_handed_over = False  # whether the service may find it still in use here
        self._last_service = self._identify_service()  # the one asked last
        served_as = find_served_name(list_served(data), setting.path)
        self._source = self._open(None) if served_as is None else self._ask(served_as, None)

    @property
    def present(self) -> bytes | None:
        return self._source.present

    def start(self) -> None:
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
        self._source.retry_now()

    def perform(self, operation: Operation, uid: bytes, message: bytes = b"") -> Future[bytes]:
        """Do it with that chip; returns a future for the message read."""
        return self._source.perform(operation, uid, message)

    def signal(self, is_accepted: bool) -> None:
        """Sound the reader's buzzer, if it is open here."""
        self._source.signal(is_accepted)

    def look_for_service(self) -> None:
        """Ask a service started in the meantime from now on, if it serves this reader.

        Takes some seconds if there is one; call it in any thread but the reader's own.
        """
        service = self._identify_service()
        if isinstance(self._source, ServiceClient) or service is None:
            return
        if service == self._last_service and not self._is_lost:
            return
        self._last_service = service
        readers = list_readers(self._place)
        name = find_served_name(readers, self._path)
        if name is None or (readers[name].state == "ready" and not self._is_lost):
            return  # another reader that may have the same name
        self._source.stop()
        self._source.join(CLOSING)
        self._on_event(
            ReaderNotice(_("The reader service is now reading {name}.").format(name=self.name))
        )
        self._is_handed_over = True
        self._begin(self._ask(name, self._source.present))

    def _ask(self, name: str, present: bytes | None) -> ServiceClient:
        return ServiceClient(
            self._place,
            self._pass_on,
            name=name,
            present=present,
            own=self._own,
            on_end=lambda: self._begin(self._open(self._source.present)),
            grace=self._grace,
        )

    def _open(self, present: bytes | None) -> Watcher:
        self._is_lost = False
        return Watcher(
            reader_for(self._path, self.name, self._is_known),
            self._pass_on,
            settles=True,
            confirm=self._confirm,
            dropout=self._dropout,
            backoff=self._backoff,
            present=present,
        )

    def _is_known(self, uid: bytes) -> bool:
        return self._confirm is not None and not self._confirm(uid)

    def _begin(self, source: ServiceClient | Watcher) -> None:
        with self._guard:
            if not self._stopped:
                self._source = source
                source.start()

    def _pass_on(self, event: Event) -> None:
        if isinstance(event, Tap | Lift):
            event = replace(event, reader=self.name)
        elif isinstance(event, ReaderConnected | ReaderDisconnected):
            self._is_lost = isinstance(event, ReaderDisconnected)
            self._is_handed_over = self._is_handed_over and self._is_lost
            event = replace(event, name=self.name)
        if isinstance(event, ReaderDisconnected) and event.fault == "busy":
            event = replace(event, reason=self._explain_busy(event.reason))
        self._on_event(event)

    def _explain_busy(self, reason: str) -> str:
        """The reason, or that the service takes the reader over, or has it and hangs."""
        if self._is_handed_over:
            return Sentence("The reader service is taking over the reader {name}.", name=self.name)
        number = None if isinstance(self._source, ServiceClient) else self._place.find_holder()
        try:
            if number is None or read_snapshot(self._place).readers:
                return reason
        except OtherVersion:
            return Sentence(
                "The reader service is of another version; restart it with systemctl --user "
                "restart citadels-reader, or end its process {number}.",
                number=number,
            )
        except SERVICE_ERRORS:
            pass  # it hangs
        return Sentence(
            "The reader service has the reader {name} and does not answer; restart it with "
            "systemctl --user restart citadels-reader, or end its process {number}.",
            name=self.name,
            number=number,
        )

    def _identify_service(self) -> object:
        """An identity for this run of the service; None if there is none."""
        try:
            status = os.stat(self._place.socket_path)
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns


def find_served_name(readers: Mapping[str, ReaderState], path: str) -> str | None:
    """The name of the reader at `path` among the service's readers; None if it is not there."""
    for name, state in readers.items():
        if is_same_reader(path, state.path):
            return name
    return None


def is_same_reader(setting: str, path: str) -> bool:
    """Whether the reader at `path` matches the `setting`: `usb` is any on USB; for one
    that `auto` found, `usb` and `pcsc`; a device file by any of its names."""
    if setting == path or (setting == "usb" and re.match("usb[:@]", path)):
        return True
    if path == "auto":
        return setting in ("usb", "pcsc")
    both = setting.startswith("/") and path.startswith("/")
    return both and os.path.realpath(setting) == os.path.realpath(path)
