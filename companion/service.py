"""The reader service as this table uses it: where it is, what its chips are called, who reads.

A running service is used without being asked for; when it ends, the reader is opened here, and when
it comes back first, it is used again.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from companion import chips, locations
from tags.service.client import ServiceClient, readers_served
from tags.service.endpoint import Endpoint
from tags.watch import Lift, ReaderCame, ReaderLost, Tap, Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tags.readers.base import Reader
    from tags.watch import Event


def endpoint(data: str) -> Endpoint:
    """Where the service of this user is; `data` is the data folder."""
    return Endpoint(locations.service_dir(data))


class ChipNames:
    """What the chips of a mapping file are called, read anew whenever the file has changed.

    A file that is broken, or gone, changes nothing: what was read last stays in force.
    """

    def __init__(self, path: str) -> None:
        """Nothing is known before the first `refresh`."""
        self._path = path
        self._seen: object = ()
        self._names: dict[bytes, str] = {}

    def lookup(self, uid: bytes) -> str | None:
        """What the chip is called, None for an unknown one; for any thread."""
        return self._names.get(uid)

    def refresh(self) -> str | None:
        """Read the file if it has changed. What is wrong with it, nothing if all is well, and None
        if it is as it was."""
        seen = self._look()
        if seen == self._seen:
            return None
        self._seen = seen
        if seen is None and self._names:
            return f"{self._path} is gone; the chips known before stay in force."
        try:
            registry = chips.load(self._path)
        except chips.ChipsError as error:
            return f"{error.problems[0]} Until that is mended, the chips known before count."
        self._names = {uid: str(entry) for uid, entry in registry}
        return ""

    def _look(self) -> object:
        """What tells one state of the file from another; None if there is none."""
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


class SharedReader:
    """Events of a reader that the service has, or, once the service is gone, of this program's own.

    Starts, stops and reports as `tags.watch.Watcher` does.
    """

    def __init__(
        self,
        place: Endpoint,
        on_event: Callable[[Event], None],
        open_own: Callable[[], Reader],
        *,
        name: str,
        served_as: str,
        grace: float = 2.0,
    ) -> None:
        """Events call the reader `name`; the service calls it `served_as`. `open_own` makes the
        reader to use after the service has been away for `grace` seconds."""
        self._place = place
        self._on_event = on_event
        self._open_own = open_own
        self._name = name
        self._served_as = served_as
        self._grace = grace
        self._guard = threading.Lock()
        self._stopped = False
        self._source: ServiceClient | Watcher = self._client(None)

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

    def _client(self, present: bytes | None) -> ServiceClient:
        return ServiceClient(
            self._place,
            self._pass_on,
            reader=self._served_as,
            lying={} if present is None else {self._served_as: present},
            on_end=self._service_is_gone,
            grace=self._grace,
        )

    def _service_is_gone(self) -> None:
        """Open the reader here; called in the client's last moment."""
        assert isinstance(self._source, ServiceClient)
        present = self._source.lying.get(self._served_as)
        self._begin(Watcher(self._open_own(), self._own_event, present=present))

    def _own_event(self, event: Event) -> None:
        """Pass it on; but a reader that the service has taken back is used through the service."""
        held = isinstance(event, ReaderLost) and event.fault in ("busy", "failed")
        if held and self._served_as in readers_served(self._place):
            assert isinstance(self._source, Watcher)
            present = self._source.present
            self._source.stop()
            self._begin(self._client(present))
        else:
            self._pass_on(event)

    def _pass_on(self, event: Event) -> None:
        match event:
            case Tap(uid=uid):
                event = Tap(uid, self._name)
            case Lift(uid=uid):
                event = Lift(uid, self._name)
            case ReaderCame():
                event = ReaderCame(self._name)
            case ReaderLost():
                event = replace(event, name=self._name)
        self._on_event(event)

    def _begin(self, source: ServiceClient | Watcher) -> None:
        with self._guard:
            if not self._stopped:
                self._source = source
                source.start()


def served_as(served: Mapping[str, str], path: str) -> str | None:
    """What a service that has these readers (name and path) calls the one at `path`, if any."""
    for name, where in served.items():
        if same_reader(path, where):
            return name
    return None


def same_reader(wanted: str, path: str) -> bool:
    """Whether the reader at `path` is the one that is wanted: any on USB for `usb`, and a device
    file by any of its names."""
    if wanted == path or (wanted == "usb" and re.match("usb[:@]", path)):
        return True
    both = wanted.startswith("/") and path.startswith("/")
    return both and os.path.realpath(wanted) == os.path.realpath(path)
