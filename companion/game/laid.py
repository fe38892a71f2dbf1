"""Chips tapped so far; separate from their meaning, which is slow to import."""

from __future__ import annotations


class Chips:
    """Chips tapped so far: for one move that needs several, in private, and as districts built."""

    def __init__(self) -> None:
        self.pending: tuple[str, ...] = ()
        self.private_round = 0  # the last round with a private choice
        self.built: dict[bytes, str] = {}

    def forget(self) -> bool:
        """Forget the taps so far for a move; return whether there were any."""
        was = bool(self.pending)
        self.pending = ()
        return was
