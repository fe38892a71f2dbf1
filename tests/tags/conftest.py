"""Fixtures for tests of chips and readers: two emulated readers below the real drivers."""

from __future__ import annotations

import errno
import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tags.readers.nfcpy_reader import NfcpyReader
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.watch import Event, Watcher
from tests.rigs.chips import Ntag
from tests.rigs.pn532 import Pn532
from tests.rigs.simulator import EmulatedReader
from tests.tags.emulated_acr122 import Acr122, usb_with
from tests.waiting import PATIENCE, wait_until

TEMPLE = bytes.fromhex("04A2B3C4D5E680")
CASTLE = bytes.fromhex("041122334455AA")
E = TypeVar("E", bound=Event)


class Recorder:
    """Receives a watcher's events in its thread and hands them to the test's."""

    def __init__(self) -> None:
        self._events: queue.Queue[Event] = queue.Queue()
        self._seen: list[Event] = []

    def __call__(self, event: Event) -> None:
        self._events.put(event)

    def wait_for_next(self) -> Event:
        """The next event; fails the test if none comes."""
        try:
            event = self._events.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"nothing more came after {self._seen[-5:]}") from None
        self._seen.append(event)
        return event

    def wait_for(self, kind: type[E]) -> E:
        """The next event of this kind; those before it are dropped."""
        while not isinstance(event := self.wait_for_next(), kind):
            pass
        return event

    def drain(self) -> list[Event]:
        """The events not yet handed out."""
        return [self._events.get() for _ in range(self._events.qsize())]


@dataclass
class Rig:
    """One emulated reader below nfcpy's driver for it."""

    reader: NfcpyReader
    chip: Pn532
    unplug: Callable[[], None]
    plug: Callable[[], None]
    busy: Callable[[bool], None]
    """Simulate another program holding or releasing the reader."""

    def wait_until_off(self) -> None:
        """Wait until the field is off, which the serial driver does not do."""
        wait_until(lambda: not self.chip.field_on, 0.001)

    def lay(self, *uids: bytes) -> None:
        self.chip.lay(*map(Ntag, uids))


def _pty_rig() -> Iterator[Rig]:
    pytest.importorskip("termios")
    with EmulatedReader(rf_delay=0, poll_time=0) as emulator:
        assert emulator.path is not None
        other = NfcpyReader(emulator.path)
        yield Rig(
            NfcpyReader(emulator.path),
            emulator.chip,
            emulator.unplug,
            emulator.plug,
            lambda is_held: other.open() if is_held else other.close(),
        )
        other.close()


def _acr122_rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    device = Acr122()
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(device))
    yield Rig(
        NfcpyReader("usb"),
        device.chip,
        lambda: setattr(device, "plugged", False),
        device.plug,
        lambda is_held: setattr(device, "refuses", errno.EBUSY if is_held else 0),
    )


@pytest.fixture(params=["pn532 on a pty", "acr122u"])
def rig(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """Each emulated reader in turn; the reader is not open yet and is closed afterwards."""
    rigs = _pty_rig() if request.param.startswith("pn532") else _acr122_rig(monkeypatch)
    for rig in rigs:
        yield rig
        rig.reader.close()


@pytest.fixture
def emulator() -> Iterator[EmulatedReader]:
    """The emulated PN532 without its delays."""
    with EmulatedReader(rf_delay=0, poll_time=0) as reader:
        yield reader


@pytest.fixture
def watch() -> Iterator[Callable[..., Recorder]]:
    """Start watching a reader with short intervals; all watchers end after the test."""
    watchers: list[Watcher] = []

    def start(reader: NfcpyReader, **options: object) -> Recorder:
        recorder = Recorder()
        settings = {"interval": 0.002, "backoff": (0.01, 0.05), "dropout": 0.01, **options}
        watcher = Watcher(reader, recorder, **settings)  # type: ignore[arg-type]
        watchers.append(watcher)
        watcher.start()
        return recorder

    yield start
    for watcher in watchers:
        watcher.stop()
        assert watcher.join(60)


@pytest.fixture
def place(tmp_path: Path) -> Endpoint:
    """The endpoint of a reader service."""
    return Endpoint(str(tmp_path / "private"))


Follow = Callable[..., tuple[ServiceClient, Recorder]]


@pytest.fixture
def follow(place: Endpoint) -> Iterator[Follow]:
    """Start clients of the service with short intervals; all end after the test."""
    clients: list[ServiceClient] = []

    def start(name: str = "usb", **options: Any) -> tuple[ServiceClient, Recorder]:
        events = Recorder()
        clients.append(ServiceClient(place, events, name=name, backoff=(0.01, 0.05), **options))
        clients[-1].start()
        return clients[-1], events

    yield start
    for client in clients:
        client.stop()
        assert client.join(PATIENCE)
