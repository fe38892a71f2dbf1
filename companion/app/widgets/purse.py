"""Animated gold: each player's amount, the last move's change, and counting up to it.

The change (`+2`) stays until the next move, for whoever looks up late. Counting is an animation,
used only if animation is on.
"""

from __future__ import annotations

from collections.abc import Sequence

STEPS = 6  # the most steps to the new amount


class Purse:
    """The displayed gold of all seats; `step` brings it nearer to the true amount."""

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.changes: list[int] = []
        self._true: list[int] = []

    def set_amounts(self, gold: Sequence[int], *, moving: bool) -> None:
        """Set the true amounts."""
        known = self._true if len(self._true) == len(gold) else list(gold)
        self.changes = [now - before for now, before in zip(gold, known, strict=True)]
        self.shown = list(known) if moving else list(gold)
        self._true = list(gold)

    @property
    def at_rest(self) -> bool:
        """Whether the displayed amounts are the true ones."""
        return self.shown == self._true

    def step(self) -> None:
        """Count one step further."""
        for seat, (now, true) in enumerate(zip(self.shown, self._true, strict=True)):
            far = true - now
            stride = max(1, abs(self.changes[seat]) // STEPS)
            self.shown[seat] = now + max(-stride, min(stride, far))
