"""The emulated reader behind the reader protocol, where pseudo terminals do not exist."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tags.readers.base import ReaderGone
from tags.sentences import Sentence
from tags.simulator.pn532 import Pn532
from tags.type2 import ChipSilent, Exchange

_UNPLUGGED = Sentence("The simulated reader is unplugged; plug it in again.")


class DirectReader:
    """A ``Reader`` that looks at the emulated antenna without any cable or driver."""

    def __init__(self, chip: Pn532, name: str) -> None:
        self.plugged = True
        self._chip = chip
        self._name = name

    @property
    def name(self) -> str:
        """What people call this reader."""
        return self._name

    def open(self) -> None:
        """Raises ``ReaderGone`` while the reader is unplugged."""
        if not self.plugged:
            raise ReaderGone(_UNPLUGGED, "missing")

    def poll(self) -> bytes | None:
        """The first chip's uid, after the time a radio exchange takes.  Raises ``ReaderGone``."""
        self.open()
        time.sleep(self._chip.rf_delay)
        field = self._chip.field
        self._chip.sightings += bool(field)
        return field[0].uid if field else None

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Exchange | None]:
        """Exactly the chip ``uid``, or None when it does not lie there.  Raises ``ReaderGone``."""
        self.open()
        chip = next((chip for chip in self._chip.field if chip.uid == uid), None)
        if chip is None:
            yield None
            return
        chip.select()

        def exchange(command: bytes) -> bytes:
            time.sleep(self._chip.rf_delay)
            if self._chip.faults.chip_dies():
                self._chip.field = ()
            answer = chip.command(command) if chip in self._chip.field else None
            if answer is None:
                raise ChipSilent
            return answer

        yield exchange
        chip.field_off()

    def close(self) -> None:
        """Nothing to let go."""
