"""Chips tapped so far; apart from what a tap means, which takes long to import."""

from __future__ import annotations


class Chips:
    """Chips tapped so far: for one move that needs several, in private, and as districts built."""

    def __init__(self) -> None:
        self.pending: tuple[str, ...] = ()
        self.private_round = 0  # the last round in which somebody chose in private
        self.built: dict[bytes, str] = {}

    def forget(self) -> bool:
        """Forget what was tapped so far for a move; whether there was anything."""
        was = bool(self.pending)
        self.pending = ()
        return was
