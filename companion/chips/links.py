"""A chip that a phone names: by the id in the link that it opened, or that its page has read.

Anybody may have written either: an id is nothing but a thing to look up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.language import _
from tags.uids import format_uid, is_random, parse_uid

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry

_LONGEST = 30  # characters: an id of ten bytes, with a separator after each


def parse_chip(text: object) -> bytes:
    """The id that an address or a program gives, in hex pairs, with or without separators.

    Raises ValueError with one sentence, which repeats nothing of it.
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
    """Why that chip is never used; None for one that keeps its id."""
    if not is_random(uid):
        return None
    return _("A phone or a bank card can't be used: it changes its id every time.")


def find_entry(uid: bytes, lookup: Callable[[bytes], Entry | None]) -> Entry:
    """What that chip stands for, where `lookup` knows the table's chips.

    Raises ValueError with one sentence, in the language in force, for one that stands for nothing.
    """
    refused = refuse_random(uid)
    entry = lookup(uid) if refused is None else None
    if entry is None:
        sentence = _("This table doesn't know chip {uid}. Tap it at the table's reader first.")
        raise ValueError(refused or sentence.format(uid=format_uid(uid)))
    return entry
