"""The NDEF message on a chip: what we write, and what of it we trust.

Three records: a web link (phones open the first record), the machine record, an NFC Forum external
type, and the card's name. Only the machine record says what a chip stands for: an id that is looked
up in the catalogue. The name is for people and other programs; the link is read only if it is a
table's, to check it.
"""

from __future__ import annotations

import re

from common.sentences import Sentence
from companion.chips.entries import (
    CharacterChip,
    DistrictChip,
    Entry,
    KnownCards,
    parse_entry,
)
from tags import links
from tags.links import ChipLink, Start

RECORD_TYPE = "urn:nfc:ext:citadels.example:card"
VERSION = "1"

ROOM = 137
"""Bytes of message on an NTAG213: 144, minus a lock control block of 5 and the message header of 2
(NXP data sheet NTAG213/215/216 rev. 3.2, 8.5)."""

LARGEST = 1024
"""Bytes; longer messages are not ours: the largest chip in use holds 868."""

_RECORDS = 16
_SCHEMES = {b"\x03": "http://", b"\x04": "https://"}  # NFC Forum URI RTD 1.0, table 3
_KINDS = {"d": "district", "c": "character", "p": "player", "k": "crown", "a": "action",
          "r": "reference"}  # fmt: skip
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
_MACHINE = re.compile(rb"([0-9]{1,3}):([dcpkar])((?::[a-z0-9_]{1,40}){0,2})")


class ContentError(ValueError):
    """The message is not ours, or its id does not exist; one sentence."""


def encode(
    entry: Entry,
    name: str,
    language: str = "en",
    start: Start = links.NOWHERE,
    uid: bytes = b"",
) -> bytes:
    """The message for the chip ``uid`` that stands for ``entry``, called ``name`` in ``language``.

    About 90 bytes. A message longer than `ROOM` leaves out the name, as does an empty ``name``.
    """
    import ndef

    words = str(entry).split()
    machine = ":".join((VERSION, _LETTERS[words[0]], *words[1:]))
    records = [
        ndef.UriRecord(start.link(uid, words)),
        ndef.Record(RECORD_TYPE, "", machine.encode("ascii")),
    ]
    nameless = b"".join(ndef.message_encoder(records))
    whole = b"".join(ndef.message_encoder([*records, ndef.TextRecord(name[:60], language)]))
    return whole if name and len(whole) <= ROOM else nameless


def count_lacking(start: Start, known: KnownCards) -> int:
    """How many bytes an NTAG213, with its 7-byte id, is short for the longest card with such a link
    and no name; zero or negative if every card fits."""
    cards: list[Entry] = [
        *(DistrictChip(id_, copies) for id_, copies in known.districts.items()),
        *map(CharacterChip, known.characters),
    ]
    return max(len(encode(card, "", start=start, uid=bytes(7))) for card in cards) - ROOM


def decode(message: bytes, known: KnownCards | None = None) -> Entry | None:
    """The entry that the message stands for, or None for an empty message.

    Raises ``ContentError`` for: no message, not ours, several of ours, a later version, an id that
    is not in ``known``. The sentence never echoes the chip's content.
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
        raise ContentError(
            Sentence("The chip names a card that this companion does not know.")
        ) from None
    if ":".join((VERSION, _LETTERS[words[0]], *str(entry).split()[1:])) != machine[0].decode():
        raise ContentError(
            Sentence("The chip's record is damaged.")
        )  # only the canonical form is valid
    return entry


def decode_link(message: bytes) -> ChipLink | None:
    """The table's link at the beginning of the message; None for any other beginning."""
    import ndef

    if not message or len(message) > LARGEST:
        return None
    try:
        record = next(ndef.message_decoder(message, known_types={}))
    except Exception:  # as in `_payload`
        return None
    data = bytes(record.data)
    scheme = _SCHEMES.get(data[:1]) if record.type == "urn:nfc:wkt:U" else None
    return links.read(scheme + data[1:].decode("ascii", "replace")) if scheme else None


def _payload(message: bytes) -> bytes:
    """The content of the single machine record. Raises ``ContentError``."""
    if len(message) > LARGEST:
        raise ContentError(Sentence("The chip holds something else."))
    import ndef

    found: list[bytes] = []
    try:
        # Without known types ndeflib decodes no record: we only need type and bytes.
        for number, record in enumerate(ndef.message_decoder(message, known_types={})):
            if number >= _RECORDS:
                raise ContentError(Sentence("The chip holds something else."))
            if record.type == RECORD_TYPE:
                found.append(bytes(record.data))
    except ContentError:
        raise
    except Exception:  # ndeflib raises other errors too on hostile input
        raise ContentError(Sentence("What is on the chip cannot be read.")) from None
    if len(found) != 1:
        raise ContentError(Sentence("The chip holds something else."))
    return found[0]
