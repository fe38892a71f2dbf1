"""Chip pages that were opened and not yet used: each allows one tap.

Reloading a page, going back to it or submitting its form twice taps once. A page that was only
prefetched is never used.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict

from common import NamedTuple

MOST = 16
"""Pages kept per seat; older ones must be opened again."""


class Opening(NamedTuple):
    """A page as it was shown: its chip, and the effect that it announced."""

    uid: bytes
    told: tuple[str, ...]


class Openings:
    """The open pages of every seat; not thread-safe."""

    def __init__(self) -> None:
        self._of_seat: dict[int, OrderedDict[str, Opening]] = {}

    def add(self, seat: int, opening: Opening) -> str:
        """Add a page; returns the token for its form."""
        pages = self._of_seat.setdefault(seat, OrderedDict())
        while len(pages) >= MOST:
            pages.popitem(last=False)
        word = secrets.token_urlsafe(16)
        pages[word] = opening
        return word

    def use(self, seat: int, word: str) -> Opening | None:
        """Take the page with that token; None if it was used, is too old or never existed."""
        return self._of_seat.get(seat, OrderedDict()).pop(word, None)
