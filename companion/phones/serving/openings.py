"""Chips' pages that were opened and not yet used: each is good for one tap.

Whoever reloads a page, goes back to it or sends its form twice taps once. A page that was only
fetched in advance is one that was never used.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import NamedTuple

MOST = 16
"""Pages kept for each seat; older ones have to be opened again."""


class Opening(NamedTuple):
    """A page as it was shown: which chip it is about, and what it said that a tap does."""

    uid: bytes
    told: tuple[str, ...]


class Openings:
    """The open pages of every seat; for one thread."""

    def __init__(self) -> None:
        self._of_seat: dict[int, OrderedDict[str, Opening]] = {}

    def add(self, seat: int, opening: Opening) -> str:
        """The word that the page's form carries."""
        pages = self._of_seat.setdefault(seat, OrderedDict())
        while len(pages) >= MOST:
            pages.popitem(last=False)
        word = secrets.token_urlsafe(16)
        pages[word] = opening
        return word

    def use(self, seat: int, word: str) -> Opening | None:
        """The page with that word, once; None if it was used, is too old or never was."""
        return self._of_seat.get(seat, OrderedDict()).pop(word, None)
