"""A chip identified by a phone: by the id in the link that it opened or that its page read.

Neither is trustworthy: the id is only used for a lookup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.language import _
from tags.uids import format_uid, is_random, parse_uid

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry

_LONGEST = 30  # characters: ten bytes in hex, with a separator after each


def parse_chip(text: object) -> bytes:
    """Parse the id in a URL or from a program: hex pairs, with or without separators.

    Raises ValueError with one sentence, which does not echo the input.
    """
    try:
        if isinstance(text, str) and len(text) <= _LONGEST:
            return parse_uid(text)
    except ValueError:
        pass
    raise ValueError(
        Sentence("A chip's id is 8, 14 or 20 digits and letters from A to F, like 04A2B3C4D5E680.")
    )


def refuse_random(uid: bytes) -> str | None:
    """Why a chip with a random id is refused; None for a fixed id."""
    if not is_random(uid):
        return None
    return _("A phone or a bank card can't be used: it changes its id every time.")


def find_entry(uid: bytes, lookup: Callable[[bytes], Entry | None]) -> Entry:
    """The chip's entry; `lookup` knows the table's chips.

    Raises ValueError with one sentence, in the current language, if it has none.
    """
    refused = refuse_random(uid)
    entry = lookup(uid) if refused is None else None
    if entry is None:
        sentence = _("This table doesn't know chip {uid}. Tap it at the table's reader first.")
        raise ValueError(refused or sentence.format(uid=format_uid(uid)))
    return entry
