"""An emulated PN532 board on a pseudo terminal, plugged in and out under a stable path.

The real serial driver opens ``path`` as it would ``/dev/ttyUSB0``. Line speed matters: input at a
speed other than the chip's is not understood.
"""

from __future__ import annotations

import os
import pty
import select
import termios
import threading
import tty
from pathlib import Path

from tests.rigs.pn532 import SPEEDS, Pn532
from tests.rigs.pn532_board import Board

_BAUD = {getattr(termios, f"B{speed}", None): speed for speed in SPEEDS}


class PtyDevice:
    """The board with its cable; ``link`` is the path at which it appears while plugged in.

    ``wired`` and ``adapter`` are those of ``Board``.
    ``plug``, ``unplug`` and ``close`` are for one thread; the chips are laid on through ``chip``.
    """

    def __init__(
        self, chip: Pn532, link: Path, *, wired: bool = False, adapter: float = 0.0
    ) -> None:
        self.chip = chip
        self.path = str(link)
        self._link = link
        self._wired = wired
        self._adapter = adapter
        self._cable: _Cable | None = None

    @property
    def plugged(self) -> bool:
        """Whether the board can be reached at its path."""
        return self._cable is not None and not self._cable.out

    def plug(self) -> None:
        """Plug the board in; no-op if it is. Raises ``OSError`` without a free terminal."""
        if self.plugged:
            return
        self.unplug()
        self.chip.power_up()
        board = Board(self.chip, wired=self._wired, adapter=self._adapter)
        self._cable = _Cable(board, self._link)
        self._cable.start()

    def unplug(self) -> None:
        """Pull the cable, which fails current reads and writes. No-op if it is out."""
        cable, self._cable = self._cable, None
        if cable is not None:
            cable.pull()

    close = unplug


class _Cable(threading.Thread):
    """One connection: a pseudo terminal and the thread that serves it and owns its files."""

    def __init__(self, board: Board, link: Path) -> None:
        super().__init__(name="emulated reader", daemon=True)
        self._board = board
        self._chip = board.chip
        self._link = link
        self.out = False
        # The board's own end of the line stays open, or the first close would hang it up.
        self._master, self._slave = pty.openpty()
        self._wake_read, self._wake_write = os.pipe()
        tty.setraw(self._slave)
        self._link.symlink_to(os.ttyname(self._slave))

    def pull(self) -> None:
        """End the thread and wait until it has closed its files."""
        os.write(self._wake_write, b"x")
        self.join(60)
        os.close(self._wake_read)
        os.close(self._wake_write)

    def run(self) -> None:
        try:
            while self._serve():
                pass
        finally:
            self.out = True
            self._link.unlink(missing_ok=True)
            # Only here: closed in another thread, their numbers could be reused.
            for file in (self._slave, self._master):
                os.close(file)

    def _serve(self) -> bool:
        """Answer the next input; False when the cable has been pulled."""
        ready, _, _ = select.select([self._master, self._wake_read], [], [])
        if self._wake_read in ready:
            return False
        data = os.read(self._master, 4096)
        data, is_pulled = self._chip.faults.cut(data)
        if is_pulled:
            return False
        if self._chip.faults.stall or not self._is_readable():
            return True
        return all(self._send(piece) for piece in self._board.receive(data))

    def _is_readable(self) -> bool:
        """Whether the computer sends at a speed that the chip understands."""
        return self._board.hears_at(_BAUD.get(termios.tcgetattr(self._slave)[5]))

    def _send(self, data: bytes) -> bool:
        """Send ``data``; False when the cable is pulled in the middle of it."""
        content, is_pulled = self._chip.faults.cut(data)
        os.write(self._master, content)
        return not is_pulled
