"""Faults that can be switched on in the emulated reader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Faults:
    """The active faults; may be changed at any time from any thread.

    ``die_after``: the chip is lifted when this many more exchanges with it have been made.
    ``corrupt``: this many of the chip's next answers arrive with a wrong checksum.
    ``unseen_until``: no chip is detected before this second of the emulation's clock. ``garble``:
    this many of the reader's next answers to the computer arrive damaged. ``stall``: the reader
    receives commands but does not answer. ``late``: seconds by which every answer is late, as on a
    busy computer. ``held_until``: the converter keeps what it receives until that second of the
    clock. ``unplug_after``: the cable is pulled after this many more bytes in either direction.
    """

    die_after: int | None = None
    corrupt: int = 0
    unseen_until: float = float("-inf")
    garble: int = 0
    stall: bool = False
    late: float = 0.0
    held_until: float = float("-inf")
    unplug_after: int | None = None

    def chip_dies(self) -> bool:
        """Count one exchange; whether the chip is lifted before it can answer."""
        if self.die_after is None:
            return False
        if self.die_after > 0:
            self.die_after -= 1
            return False
        self.die_after = None
        return True

    def spoil_answer(self) -> bool:
        """Count one answer of the chip; whether its checksum is wrong."""
        hit = self.corrupt > 0
        self.corrupt -= hit
        return hit

    def spoil_frame(self) -> bool:
        """Count one frame to the computer; whether it is damaged."""
        hit = self.garble > 0
        self.garble -= hit
        return hit

    def cut(self, data: bytes) -> tuple[bytes, bool]:
        """The part of ``data`` that still passes through the cable, and whether it is pulled
        now."""
        if self.unplug_after is None:
            return data, False
        passed = data[: self.unplug_after]
        self.unplug_after -= len(passed)
        if self.unplug_after > 0:
            return passed, False
        self.unplug_after = None
        return passed, True
