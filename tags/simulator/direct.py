"""The emulated reader as a reader driver, for systems without pseudo terminals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from common.sentences import Sentence
from tags.readers.base import ReaderGone
from tags.simulator.pn532 import Pn532
from tags.type2 import ChipSilent, Exchange, UnfitError

_UNPLUGGED = Sentence("The simulated reader is unplugged; plug it in again.")


class DirectReader:
    """A ``Reader`` that reads the emulated antenna without a cable or driver."""

    def __init__(self, chip: Pn532, name: str) -> None:
        self.plugged = True
        self._chip = chip
        self._name = name

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Open it. Raises ``ReaderGone`` while the reader is unplugged."""
        if not self.plugged:
            raise ReaderGone(_UNPLUGGED, "missing")

    def poll(self) -> Sequence[bytes]:
        """The uids of the first two chips, after the time of one search.  Raises ``ReaderGone``."""
        self.open()
        self._chip.clock.sleep(self._chip.rf_delay)
        seen = tuple(chip.uid for chip in self._chip.find(2))
        self._chip.switch_off()
        return seen

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Exchange | None]:
        """Select exactly the chip ``uid``, or None if it is not there. Raises ``ReaderGone``."""
        self.open()
        found = self._chip.find(1, uid)
        if not found:
            yield None
            return
        (chip,) = found

        def exchange(command: bytes) -> bytes:
            if chip.sel_res != b"\x00":
                raise UnfitError("unsupported")
            self._chip.clock.sleep(self._chip.rf_delay)
            if self._chip.faults.chip_dies():
                self._chip.field = ()
            answer = chip.command(command) if chip in self._chip.field else None
            if answer is None:
                raise ChipSilent
            return answer

        yield exchange
        self._chip.switch_off()

    def close(self) -> None:
        """Nothing to close."""
