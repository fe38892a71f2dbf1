"""Gold that moves: what each player has, what the last move changed, and counting up to it.

The change (`+2`) stays until the next move, for whoever looks up late. The counting is motion and
only there where motion is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

STEPS = 6  # that many steps at most lead to the new amount


class Purse:
    """The gold of all seats as it is shown; `step` brings it nearer to what it is."""

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.changes: list[int] = []
        self._true: list[int] = []

    def becomes(self, gold: Sequence[int], *, moving: bool) -> None:
        """The seats have so much gold now."""
        known = self._true if len(self._true) == len(gold) else list(gold)
        self.changes = [now - before for now, before in zip(gold, known, strict=True)]
        self.shown = list(known) if moving else list(gold)
        self._true = list(gold)

    @property
    def at_rest(self) -> bool:
        """Whether what is shown is what is there."""
        return self.shown == self._true

    def step(self) -> None:
        """Count one step further."""
        for seat, (now, true) in enumerate(zip(self.shown, self._true, strict=True)):
            far = true - now
            stride = max(1, abs(self.changes[seat]) // STEPS)
            self.shown[seat] = now + max(-stride, min(stride, far))
