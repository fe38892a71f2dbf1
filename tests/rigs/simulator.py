"""The emulated PN532 as a reader of its own, in a test or as a program.

``python -m tests.rigs.simulator`` prints the path of the reader, then obeys lines on standard
input: those of ``SimulatedReader.obey``, ``stall`` (on and off) and ``quit``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tags.readers.nfcpy_reader import NfcpyReader
from tags.simulator import SimulatedReader
from tests.rigs.pn532 import Faults, Pn532


class EmulatedReader(SimulatedReader):
    """A simulated reader whose taps go through an emulated PN532 on a pseudo terminal and the
    driver of a real one.

    ``rf_delay`` is the length of a radio exchange and ``poll_time`` how much longer an empty search
    takes, both in seconds; ``wired`` and ``adapter`` those of ``board.Board``. Raises
    ``ImportError`` or ``OSError`` without pseudo terminals.
    """

    def __init__(
        self,
        *,
        rf_delay: float = 0.005,
        poll_time: float = 0.01,
        wired: bool = False,
        adapter: float = 0.0,
        name: str = "simulated",
    ) -> None:
        from tests.rigs.pty_device import PtyDevice  # not on every system

        self.faults = Faults()
        self.chip = Pn532(rf_delay=rf_delay, poll_time=poll_time, faults=self.faults)
        super().__init__(name=name, antenna=self.chip)
        with ExitStack() as stack:
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="reader-", ignore_cleanup_errors=True)
            )
            link = Path(folder) / "pn532"
            self._device = PtyDevice(self.chip, link, wired=wired, adapter=adapter)
            self._device.plug()
            stack.callback(self._device.close)
            self._cleanup = stack.pop_all()

    @property
    def path(self) -> str:
        """The device file, unchanged by unplugging."""
        return self._device.path

    def reader(self) -> NfcpyReader:
        """A driver for the emulated reader; only one may be open at a time."""
        return NfcpyReader(self.path, self.name)

    @property
    def plugged(self) -> bool:
        """Whether the reader is plugged in; a fault may have pulled the cable."""
        return self._device.plugged

    def unplug(self) -> None:
        """Pull the reader's cable; chips stay where they are."""
        self._device.unplug()

    def plug(self) -> None:
        """Plug the cable in again, at the same path. Raises ``OSError`` without a terminal."""
        self._device.plug()

    def close(self) -> None:
        """Unplug permanently; leaves no thread, file or folder behind."""
        super().close()
        self._cleanup.close()

    def __enter__(self) -> EmulatedReader:
        return self

    @property
    def commands(self) -> dict[str, Callable[[str], None]]:
        """Those of every simulated reader, and ``stall``."""
        return {**super().commands, "stall": lambda _words: self._stall()}

    def _stall(self) -> None:
        self.faults.stall = not self.faults.stall


def main() -> int:
    """Run until ``quit`` or the end of input; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.rigs.simulator", description=__doc__)
    parser.add_argument(
        "--rf", type=float, default=0.005, help="how many seconds one radio exchange takes"
    )
    parser.add_argument(
        "--poll",
        type=float,
        default=0.01,
        help="how many seconds a search takes that finds nothing",
    )
    parser.add_argument(
        "--adapter",
        type=float,
        help="be as slow as a real line with a USB converter that has this latency timer, in ms",
    )
    options = parser.parse_args()
    with EmulatedReader(
        rf_delay=options.rf,
        poll_time=options.poll,
        wired=options.adapter is not None,
        adapter=(options.adapter or 0) / 1000,
    ) as reader:
        print(reader.path, flush=True)
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            if line.strip():
                print(reader.obey(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
