"""The emulated PN532 as a reader of its own, in a test or as a program.

``python -m tests.rigs.simulator`` prints the path of the reader, then obeys lines on standard
input: those of ``EmulatedReader.obey``, and ``quit``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tags.links import parse_uid
from tags.readers.nfcpy_reader import NfcpyReader
from tests.rigs.antenna import Hand, text_message
from tests.rigs.pn532 import Faults, Pn532

TAP_SIGHTINGS = 5
"""Consecutive sightings without other commands to the chip: a driver reads an unknown chip twice to
confirm it, and may then read its content."""

AWAY = 1.0
"""Seconds that a lifted chip stays away: longer than any dropout time."""

PATIENCE = 60.0
"""Seconds after which an unread tap or an unnoticed lift ends anyway."""


class EmulatedReader(Hand):
    """An emulated PN532 on a pseudo terminal, and the chips that are laid on it.

    ``rf_delay`` is the length of a radio exchange and ``poll_time`` how much longer an empty search
    takes, both in seconds; ``wired`` and ``adapter`` those of ``pn532_board.Board``. Raises
    ``ImportError`` or ``OSError`` without pseudo terminals.
    """

    def __init__(
        self,
        *,
        rf_delay: float = 0.005,
        poll_time: float = 0.01,
        wired: bool = False,
        adapter: float = 0.0,
    ) -> None:
        from tests.rigs.pty_device import PtyDevice  # not on every system

        self.faults = Faults()
        self.chip = Pn532(rf_delay=rf_delay, poll_time=poll_time, faults=self.faults)
        super().__init__(self.chip)
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
        return NfcpyReader(self.path)

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
        self._cleanup.close()

    def __enter__(self) -> EmulatedReader:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def commands(self) -> dict[str, Callable[[str], None]]:
        """The typed commands; each gets the rest of its line, and may raise ``ValueError``."""
        return {
            "hold": self._hold_typed,
            "tap": self._tap_typed,
            "add": lambda words: self.add(parse_uid(words)),
            "away": lambda _words: self._take_away(),
            "lift": lambda _words: self.lift(),
            "unplug": lambda _words: self.unplug(),
            "plug": lambda _words: self.plug(),
            "stall": lambda _words: self._stall(),
        }

    def obey(self, line: str) -> str:
        """Carry out a typed command; returns ``ok`` and the second on this computer's performance
        counter at which it took effect, or ``error`` and a sentence.

        ``hold UID [TEXT]`` lays a chip on the reader, with the text on it when it is new; ``tap``
        is the same, and lifts it once it has been read; ``add UID`` lays one beside the others;
        ``away`` lifts the chips and returns once the reader must have noticed; ``stall`` lets the
        reader answer nothing, and again.
        """
        word, _, words = line.strip().partition(" ")
        if word not in self.commands:
            return f"error: {word!r} is none of {', '.join(self.commands)}, quit"
        try:
            self.commands[word](words)
        except ValueError as error:
            return f"error: {error}"
        return f"ok {time.perf_counter():.6f}"

    def _hold_typed(self, words: str) -> None:
        uid, _, text = words.partition(" ")
        self.hold(parse_uid(uid), text_message(text) if text else b"")

    def _tap_typed(self, words: str) -> None:
        sightings, end = self.sightings, time.monotonic() + PATIENCE
        exchanges = self.antenna.exchanges
        self._hold_typed(words)
        while self.sightings < sightings + TAP_SIGHTINGS and time.monotonic() < end:
            time.sleep(0.005)
            if self.antenna.exchanges != exchanges:
                sightings, exchanges = self.sightings, self.antenna.exchanges
        self.lift()

    def _take_away(self) -> None:
        self.lift()
        end = time.monotonic() + PATIENCE
        time.sleep(AWAY)
        misses = self.misses
        while self.misses < misses + 2 and time.monotonic() < end:
            time.sleep(0.005)

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
