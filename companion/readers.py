"""The reader of this table: opened as the settings say, its taps looked up in this table's chips.

Nothing here waits for a driver: the reader lives in a thread of its own (`tags.watch`), and with
no reader plugged in the simulated one takes its place, behind the same driver.
"""

from __future__ import annotations

import glob
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import chips
from tags.registry import Registry
from tags.watch import Lift, Tap, Watcher

if TYPE_CHECKING:
    from companion.config import Config
    from engine.ruleset import Ruleset
    from tags.registry import Entry
    from tags.simulator import SimulatedReader
    from tags.watch import Event

# USB ids of the readers that nfcpy drives (its own list of devices)
_USB_READERS = (
    "072f:2200",
    "04e6:5591",
    "04e6:5593",
    "04cc:2533",
    "054c:06c1",
    "054c:06c3",
    "054c:02e1",
    "054c:0193",
    "04cc:0531",
)

_SYSFS = "/sys/bus/usb/devices"


class TableReader:
    """A reader in use, real or simulated, and what the chips of this table stand for."""

    def __init__(
        self, watched: str | SimulatedReader, rules: Ruleset, path: str, registry: Registry
    ) -> None:
        """Use `open`."""
        from tags.readers.nfcpy_reader import NfcpyReader

        self.path = path
        self.registry = registry
        self.simulator = None if isinstance(watched, str) else watched
        self.deck = None if self.simulator is None else chips.SimulatedDeck(rules)
        reader = NfcpyReader(watched) if isinstance(watched, str) else watched.reader()
        self.name = reader.name
        self._on_event: Callable[[Event], None] = lambda event: None
        self._lift_after: bytes | None = None
        self._started = False
        self.lying: bytes | None = None  # the chip that was seen last and not lifted yet
        self._watcher = Watcher(reader, self._pass_on)

    @classmethod
    def open(
        cls, config: Config, rules: Ruleset, *, on_event: Callable[[Event], None]
    ) -> TableReader | None:
        """The reader that the settings ask for, not started yet; None where they ask for none.

        `on_event` is called from the reader's own thread. Raises ChipsError for a broken mapping
        file and ValueError for a reader that is none.
        """
        if config.reader == "none":
            return None
        wanted: str | SimulatedReader = config.reader
        if wanted == "auto":
            wanted = "usb" if usb_reader_present() else "simulated"
        if wanted == "simulated":
            from tags.simulator import SimulatedReader

            wanted = SimulatedReader()
        reader = cls(wanted, rules, config.chips, chips.load(config.chips))
        reader._on_event = on_event
        return reader

    @property
    def simulated(self) -> bool:
        """Whether this is the simulated reader, whose deck is known."""
        return self.simulator is not None

    def start(self) -> None:
        """Begin to read; harmless when called again."""
        if not self._started:
            self._started = True
            self._watcher.start()

    def stop(self) -> None:
        """Stop reading, without waiting for the driver."""
        self._watcher.stop()
        if self.simulator is not None:
            self._watcher.join(timeout=1.0)
            self.simulator.close()

    def lookup(self, uid: bytes) -> Entry | None:
        """What the chip stands for: as learned at this table, else as in the simulated deck."""
        learned = self.registry.lookup(uid)
        if learned is None and self.deck is not None:
            return self.deck.chips.get(uid)
        return learned

    def learn(self, uid: bytes, entry: Entry) -> None:
        """Remember what a chip stands for. Raises ChipsError if it cannot be saved."""
        self.restore(self.registry.with_chip(uid, entry))

    def restore(self, registry: Registry) -> None:
        """Take that mapping into use. Raises ChipsError, and changes nothing, if it isn't saved."""
        chips.save(self.path, registry)
        self.registry = registry

    def lay(self, uid: bytes) -> None:
        """Lay the simulated chip on the reader until it has been seen. Returns at once."""
        self._lift_after = uid
        self._simulator.hold(uid)

    def hold(self, uid: bytes) -> None:
        """Lay the simulated chip on the reader and leave it there."""
        self._lift_after = None
        self._simulator.hold(uid)

    def lift(self) -> None:
        """Take the simulated chip away."""
        self._lift_after = None
        self._simulator.lift()

    def unplug(self) -> None:
        """Pull the simulated reader's cable."""
        self._simulator.unplug()

    def plug(self) -> None:
        """Plug the simulated reader in again."""
        self._simulator.plug()
        self._watcher.retry_now()

    @property
    def plugged(self) -> bool:
        """Whether the simulated reader is plugged in; a real one says so by its events."""
        return self.simulator is None or self.simulator.plugged

    @property
    def _simulator(self) -> SimulatedReader:
        if self.simulator is None:
            raise LookupError("only the simulated reader can be told what lies on it")
        return self.simulator

    def _pass_on(self, event: Event) -> None:
        if isinstance(event, Tap) and event.uid == self._lift_after:
            self._lift_after = None
            self._simulator.lift()
        if isinstance(event, Tap | Lift):
            self.lying = event.uid if isinstance(event, Tap) else None
        self._on_event(event)


def usb_reader_present() -> bool:
    """Whether a USB reader that nfcpy can drive is plugged in."""
    if "linux" in sys.platform:  # no driver needs to be loaded to see
        return any(_usb_id(device) in _USB_READERS for device in glob.glob(f"{_SYSFS}/*"))
    try:
        from nfc.clf import transport

        return bool(transport.USB.find("usb"))
    except Exception:  # whatever is missing or broken: there is no reader to be used
        return False


def _usb_id(device: str) -> str:
    parts = []
    for name in ("idVendor", "idProduct"):
        try:
            with open(f"{device}/{name}", encoding="ascii") as file:
                parts.append(file.read().strip())
        except OSError:
            return ""
    return ":".join(parts)
