"""What we put on a chip, and what we believe of what one says.

Three records: a web link first (phones open the first one), then the machine record, an NFC Forum
external type, then the card's name.  Only the machine record is ever read: an id that is looked up
in the catalogue.  The link and the name are for people and other programs.
"""

from __future__ import annotations

import re

from tags.entries import Entry, KnownCards, parse_entry
from tags.sentences import Sentence

DEFAULT_BASE = "https://citadels.example/c/"
"""What links begin with unless the settings say otherwise; ``.example`` is nobody's (RFC 2606)."""

RECORD_TYPE = "urn:nfc:ext:citadels.example:card"
VERSION = "1"

LARGEST = 1024
"""Longer messages are none of ours, in bytes; the largest chip in use holds 868."""

_RECORDS = 16
_BASE = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?[/=?#]?", re.ASCII)
_KINDS = {"d": "district", "c": "character", "p": "player", "k": "crown", "a": "action",
          "r": "reference"}  # fmt: skip
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
_MACHINE = re.compile(rb"([0-9]{1,3}):([dcpkar])((?::[a-z0-9_]{1,40}){0,2})")


class ContentError(ValueError):
    """The message is none of ours, or says something that does not exist; one sentence."""


def check_base(base: str) -> str | None:
    """Why links cannot begin with ``base``, as one sentence, or None if they can."""
    if _BASE.fullmatch(base) and len(base) <= 60:
        return None
    return Sentence("A chip's link begins like https://host/path/, with 60 letters at most.")


def encode(entry: Entry, name: str, language: str = "en", base: str = DEFAULT_BASE) -> bytes:
    """The message for a chip that stands for ``entry``, called ``name`` in ``language``.

    Some 90 bytes with the default base.  Raises ``ValueError`` for a base that is no link.
    """
    problem = check_base(base)
    if problem:
        raise ValueError(problem)
    import ndef

    words = str(entry).split()
    machine = ":".join((VERSION, _LETTERS[words[0]], *words[1:]))
    return b"".join(
        ndef.message_encoder(
            [
                ndef.UriRecord(base + "/".join(words)),
                ndef.Record(RECORD_TYPE, "", machine.encode("ascii")),
                ndef.TextRecord(name[:60], language),
            ]
        )
    )


def decode(message: bytes, known: KnownCards | None = None) -> Entry | None:
    """What the message says the chip stands for, or None for an empty one.

    Raises ``ContentError``: no message at all, none of ours, several of ours, of a later version,
    or an id that is not among ``known``.  Nothing the chip says is repeated in the sentence.
    """
    if not message or message == b"\xd0\x00\x00":
        return None
    machine = _MACHINE.fullmatch(_payload(message))
    if machine is None:
        raise ContentError(Sentence("The chip's record is damaged."))
    if machine[1] != VERSION.encode():
        raise ContentError(Sentence("The chip was written by a later version of this program."))
    words = [_KINDS[machine[2].decode()], *machine[3].decode().split(":")[1:]]
    try:
        entry = parse_entry(" ".join(words), known)
    except ValueError:
        raise ContentError(Sentence("The chip names a card that is not known here.")) from None
    if ":".join((VERSION, _LETTERS[words[0]], *str(entry).split()[1:])) != machine[0].decode():
        raise ContentError(
            Sentence("The chip's record is damaged.")
        )  # one way to write each, no other
    return entry


def _payload(message: bytes) -> bytes:
    """The content of the one machine record.  Raises ``ContentError``."""
    if len(message) > LARGEST:
        raise ContentError(Sentence("The chip holds something else."))
    import ndef

    found: list[bytes] = []
    try:
        # Without known types no record is interpreted: type and bytes are all we want.
        for number, record in enumerate(ndef.message_decoder(message, known_types={})):
            if number >= _RECORDS:
                raise ContentError(Sentence("The chip holds something else."))
            if record.type == RECORD_TYPE:
                found.append(bytes(record.data))
    except ContentError:
        raise
    except Exception:  # ndeflib lets slips of its own through on hostile input
        raise ContentError(Sentence("What the chip holds cannot be read.")) from None
    if len(found) != 1:
        raise ContentError(Sentence("The chip holds something else."))
    return found[0]
