"""Chip ids as bytes and as the text people read, type and save."""

from __future__ import annotations

import re

from common.sentences import Sentence

LENGTHS = (4, 7, 10)
"""The id lengths of ISO 14443, in bytes."""

_SEPARATORS = re.compile(r"[\s:.-]+")
_HEX = re.compile(r"[0-9A-Fa-f]*")


def format_uid(uid: bytes) -> str:
    """The id as upper-case hex pairs without separators, for example ``04A2B3C4D5E680``."""
    return uid.hex().upper()


def parse_uid(text: str) -> bytes:
    """Parse an id: hex pairs, optionally with colons, spaces, dots or dashes.

    Raises ``ValueError`` with one sentence if it is not an id of 4, 7 or 10 bytes.
    """
    digits = _SEPARATORS.sub("", text)
    if not digits:
        raise ValueError(Sentence("A chip id is missing here."))
    if not _HEX.fullmatch(digits):
        raise ValueError(
            Sentence("The chip id “{text}” may hold only the digits 0-9 and A-F.", text=text)
        )
    if len(digits) % 2 or len(digits) // 2 not in LENGTHS:
        raise ValueError(
            Sentence(
                "The chip id “{text}” has {number} digits; a chip id has 8, 14 or 20.",
                text=text,
                number=len(digits),
            )
        )
    return bytes.fromhex(digits)


def is_random(uid: bytes) -> bool:
    """Whether this id is random and changes at every touch, as with phones and bank cards.

    ISO 14443-3 reserves 4-byte ids that begin with 08h for this.
    """
    return len(uid) == 4 and uid[0] == 0x08
