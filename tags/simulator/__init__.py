"""A reader and chips for tables without hardware.

With pseudo terminals, taps go through an emulated PN532 and the driver of a real one; elsewhere
through a substitute that implements the reader protocol.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tags.readers.nfcpy_reader import NfcpyReader
from tags.simulator.direct import DirectReader
from tags.simulator.faults import Faults
from tags.simulator.keeping import ChipFile
from tags.simulator.ntag import Chip, Ntag
from tags.simulator.others import Phone, PlainChip
from tags.simulator.pn532 import Pn532
from tags.uids import is_random

if TYPE_CHECKING:
    from tags.simulator.pty_device import PtyDevice

__all__ = ["Faults", "SimulatedReader"]

log = logging.getLogger(__name__)


class SimulatedReader:
    """A reader, initially plugged in, and chips to lay on it.

    ``rf_delay`` is the length of a radio exchange and ``poll_time`` how much longer an empty search
    takes, both in seconds; ``wired`` and ``adapter`` those of ``board.Board``. Chips keep their
    memory as long as this object, or permanently in the file ``kept``: the same uid is the same
    chip. All methods are quick and for one thread; the reader from ``reader`` may be used in
    another.
    """

    def __init__(
        self,
        *,
        rf_delay: float = 0.005,
        poll_time: float = 0.01,
        wired: bool = False,
        adapter: float = 0.0,
        name: str = "simulated",
        use_pty: bool = True,
        kept: str | None = None,
    ) -> None:
        """``use_pty=False`` avoids the terminal and the driver even if they would work.

        Raises ``ValueError`` with one sentence for an invalid file ``kept``.
        """
        self.name = name
        self._file = ChipFile(kept) if kept is not None else None
        self.faults = Faults()
        self.chip = Pn532(rf_delay=rf_delay, poll_time=poll_time, faults=self.faults)
        self._chips: dict[bytes, Chip] = {}
        self._cleanup = contextlib.ExitStack()
        self._device = self._open_pty(wired=wired, adapter=adapter) if use_pty else None
        self._direct = DirectReader(self.chip, name)

    def _open_pty(self, *, wired: bool, adapter: float) -> PtyDevice | None:
        try:
            from tags.simulator.pty_device import PtyDevice
        except ImportError:
            return None
        try:
            folder = self._cleanup.enter_context(
                tempfile.TemporaryDirectory(prefix="reader-", ignore_cleanup_errors=True)
            )
            path = Path(folder) / "pn532"
            device = PtyDevice(self.chip, path, wired=wired, adapter=adapter)
            device.plug()
        except OSError:
            self._cleanup.close()
            return None
        self._cleanup.callback(device.close)
        return device

    @property
    def path(self) -> str | None:
        """The device file of the emulated reader, unchanged by unplugging; None without one."""
        return self._device.path if self._device else None

    def reader(self) -> NfcpyReader | DirectReader:
        """A driver for the emulated reader; only one may be open at a time."""
        return NfcpyReader(self._device.path, self.name) if self._device else self._direct

    def hold(self, uid: bytes, ndef: bytes = b"") -> None:
        """Lay the chip ``uid`` on the reader, replacing any others.

        ``ndef`` is the message on it when this uid is laid on for the first time; later it keeps
        what was written since. An id of 7 bytes is an NTAG213, 4 bytes that begin with 08 a phone,
        any other 4 or 10 bytes a chip with only a readable id. Raises ``ValueError`` for other
        lengths, or a message that does not fit.
        """
        self._lay(self._chip(uid, ndef))

    def add(self, uid: bytes) -> None:
        """Lay the chip ``uid`` on the reader beside any others. Raises ``ValueError``."""
        chip = self._chip(uid, b"")
        if chip not in self.chip.field:
            self.chip.field = (*self.chip.field, chip)

    def lift(self) -> None:
        """Take all chips off the reader; no-op if there are none."""
        self._lay()

    def _chip(self, uid: bytes, ndef: bytes) -> Chip:
        """The chip ``uid``, with that message if it is new."""
        if uid not in self._chips:
            self._chips[uid] = self._make_chip(uid, ndef)
        return self._chips[uid]

    def _make_chip(self, uid: bytes, ndef: bytes) -> Chip:
        if is_random(uid):
            return Phone(uid)
        if len(uid) != 7:
            return PlainChip(uid)
        return self._file.chip(uid, ndef) if self._file is not None else Ntag(uid, ndef)

    def _lay(self, *chips: Chip) -> None:
        left = self.chip.field
        self.chip.lay(*chips)
        self._keep(left)

    def _keep(self, chips: tuple[Chip, ...]) -> None:
        """Save the chips that have left the reader to the file, if there is one."""
        for chip in chips:
            if self._file is not None and isinstance(chip, Ntag):
                try:
                    self._file.keep(chip)
                except (OSError, ValueError) as error:
                    log.warning("a simulated chip could not be kept: %s", error)

    @property
    def sightings(self) -> int:
        """The number of polls so far that saw a chip: grows once a held chip is noticed."""
        return self.chip.sightings

    @property
    def misses(self) -> int:
        """The number of polls so far that saw no chip."""
        return self.chip.misses

    @property
    def plugged(self) -> bool:
        """Whether the reader is plugged in; a fault may have pulled the cable."""
        return self._device.plugged if self._device else self._direct.plugged

    def unplug(self) -> None:
        """Pull the reader's cable; chips stay where they are."""
        self._direct.plugged = False
        if self._device:
            self._device.unplug()

    def plug(self) -> None:
        """Plug the cable in again, at the same path.  Raises ``OSError`` without a terminal."""
        self._direct.plugged = True
        if self._device:
            self._device.plug()

    def close(self) -> None:
        """Unplug permanently; leaves no thread, file or folder behind."""
        self.unplug()
        self._keep(self.chip.field)
        self._cleanup.close()

    def __enter__(self) -> SimulatedReader:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
