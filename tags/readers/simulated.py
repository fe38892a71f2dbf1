"""A reader for tables without one: typed words and the screen's tray lay chips on it.

It knows only their ids. The chips' memory, for tests of real drivers, is emulated in `tests.rigs`.
"""

from __future__ import annotations

from collections.abc import Sequence

from common.sentences import Sentence
from tags.presence import Traits
from tags.readers import Reader, ReaderError


class SimulatedReader(Reader):
    """A reader, initially plugged in and empty; its cable and its chip may be changed from any
    thread."""

    traits = Traits(writes=False)

    def __init__(self, name: str = "simulated") -> None:
        self.plugged = True
        self.name = name
        self._lying: tuple[bytes, ...] = ()

    def hold(self, uid: bytes) -> None:
        """Lay the chip ``uid`` on the reader, in place of any other."""
        self._lying = (uid,)

    def lift(self) -> None:
        """Take the chip off the reader; no-op if there is none."""
        self._lying = ()

    def unplug(self) -> None:
        """Pull the reader's cable; the chip stays where it is."""
        self.plugged = False

    def plug(self) -> None:
        self.plugged = True

    def open(self) -> None:
        """Open it. Raises ``ReaderError`` while the reader is unplugged."""
        if not self.plugged:
            raise ReaderError(
                Sentence("The simulated reader is unplugged; plug it in again."), "missing"
            )

    def poll(self) -> Sequence[bytes]:
        self.open()
        return self._lying
