"""The NDEF message on a chip: what we write, and what of it we trust.

Three records: a web link (phones open the first record), the machine record, an NFC Forum external
type, and the card's name. Only the machine record says what a chip stands for: an id that is looked
up in the catalogue. The name is for people and other programs; the link is read only if it is a
table's, to check it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from common import own_files
from common.sentences import Sentence
from companion.chips import ChipsError, load_catalogue
from companion.chips.entries import KINDS, CardChip, Entry, PieceCatalogue, list_pieces, parse_entry
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.language import _
from tags import links
from tags.chip_lines import ChipLine, NotUnderstood, parse_line
from tags.links import NO_ID, ChipLink, Start, format_uid, parse_uid

_LARGEST = 1_000_000  # bytes; a deck takes 4,000


class Written:
    """The list in the file at `path`, which need not exist; invalid lines are skipped."""

    def __init__(self, path: str) -> None:
        """Raises ChipsError if the file cannot be read."""
        self._path = path
        self._entries: dict[bytes, str] = {}
        try:
            lines = own_files.read(path, _LARGEST).decode(errors="replace").splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            raise ChipsError([cannot_be_read(path, error)]) from None
        for line in lines:
            uid, _, entry = line.partition(" ")
            try:
                self._entries[parse_uid(uid)] = entry.strip()
            except ValueError:
                continue

    def holds(self, uid: bytes, entry: Entry, start: Start) -> bool:
        """Whether this was last written on the chip, with a link of that start."""
        return self._entries.get(uid) == _words(entry, start)

    def note(self, uid: bytes, entry: Entry, start: Start) -> None:
        """Save what is on the chip now.  Raises ChipsError if that fails."""
        self._keep(uid, _words(entry, start))

    def forget(self, uid: bytes) -> None:
        """Save that the chip is empty.  Raises as `note` does."""
        self._keep(uid, "")

    def _keep(self, uid: bytes, text: str) -> None:
        if self._entries.get(uid, "") == text:
            return
        self._entries[uid] = text
        try:
            own_files.make_folder(os.path.dirname(self._path))
            with open(self._path, "a", encoding="utf-8", opener=own_files.open_private) as file:
                file.write(f"{format_uid(uid)} {text}".rstrip() + "\n")
        except OSError as error:
            raise ChipsError([cannot_be_saved(self._path, error)]) from None


def _words(entry: Entry, start: Start) -> str:
    """The entry, with the table of its link; links to custom pages are not distinguished."""
    return f"{entry} {start.text}" if start.host else str(entry)


def parse_touch(fields: dict[str, Any], lookup: Callable[[bytes], Entry | None]) -> ChipLine | None:
    """Parse what a program reports as touched, as any line (`tags.chip_lines`); None if it says
    that no chip is there. Raises ValueError with one sentence, which does not repeat it."""
    if fields:
        with suppress(NotUnderstood):
            line = parse_line(json.dumps(fields), lambda uid: lookup(uid) is not None)
            return line if line is not None and line.what == "tap" else None
    raise ValueError(NO_ID)


def find_named(line: ChipLine, lookup: Callable[[bytes], Entry | None]) -> Entry:
    """The entry of the chip in that line, by its name or its id. Raises ValueError as
    `find_entry`."""
    if line.name is not None:
        with suppress(ValueError):  # an unknown card is like an unknown id
            return parse_entry(line.name, load_catalogue())
    return find_entry(line.uid, lookup)


def find_entry(uid: bytes, lookup: Callable[[bytes], Entry | None]) -> Entry:
    """The chip's entry; `lookup` knows the table's chips. Raises ValueError with one sentence, in
    the current language, if it has none."""
    entry = lookup(uid)
    if entry is None:
        sentence = _("This table doesn't know chip {uid}. Tap it at the table's reader first.")
        raise ValueError(sentence.format(uid=format_uid(uid)))
    return entry


RECORD_TYPE = "urn:nfc:ext:citadels.example:card"
VERSION = "1"

ROOM = 137
"""Bytes of message on an NTAG213: 144, minus a lock control block of 5 and the message header of 2
(NXP data sheet NTAG213/215/216 rev. 3.2, 8.5)."""

LARGEST = 1024
"""Bytes; longer messages are not ours: the largest chip in use holds 868."""

_RECORDS = 16
_SCHEMES = {b"\x03": "http://", b"\x04": "https://"}  # NFC Forum URI RTD 1.0, table 3
_MACHINE = re.compile(rb"([0-9]{1,3}):([a-z])((?::[a-z0-9_]{1,40}){0,2})")


_KINDS = {chip.letter: kind for kind, chip in KINDS.items()}


def _encode_machine(entry: Entry) -> bytes:
    """The machine record: the version, the kind's letter, and what follows the kind in text."""
    return ":".join((VERSION, entry.letter, *str(entry).split()[1:])).encode("ascii")


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

    records = [
        ndef.UriRecord(start.link(uid, str(entry).split())),
        ndef.Record(RECORD_TYPE, "", _encode_machine(entry)),
    ]
    nameless = b"".join(ndef.message_encoder(records))
    whole = b"".join(ndef.message_encoder([*records, ndef.TextRecord(name[:60], language)]))
    return whole if name and len(whole) <= ROOM else nameless


def count_lacking(start: Start, catalogue: PieceCatalogue) -> int:
    """How many bytes an NTAG213, with its 7-byte id, is short for the longest card with such a link
    and no name; zero or negative if every card fits."""
    cards = [entry for entry in list_pieces(catalogue) if isinstance(entry, CardChip)]
    return max(len(encode(card, "", start=start, uid=bytes(7))) for card in cards) - ROOM


def decode(message: bytes, catalogue: PieceCatalogue | None = None) -> Entry | None:
    """The entry that the message stands for, or None for an empty message. Raises ``ContentError``
    for: no message, not ours, several of ours, a later version, an id that is not in ``catalogue``.
    The sentence never echoes the chip's content."""
    if not message or message == b"\xd0\x00\x00":
        return None
    machine = _MACHINE.fullmatch(_payload(message))
    if machine is None:
        raise ContentError(Sentence("The chip's record is damaged."))
    if machine[1] != VERSION.encode():
        raise ContentError(Sentence("The chip was written by a later version of this program."))
    kind = _KINDS.get(machine[2].decode())
    if kind is None:
        raise ContentError(Sentence("The chip's record is damaged."))
    try:
        entry = parse_entry(kind + machine[3].decode().replace(":", " "), catalogue)
    except ValueError:
        raise ContentError(
            Sentence("The chip names a card that this companion does not know.")
        ) from None
    if _encode_machine(entry) != machine[0]:
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

    contents: list[bytes] = []
    try:
        # Without known types ndeflib decodes no record: we only need type and bytes.
        for number, record in enumerate(ndef.message_decoder(message, known_types={})):
            if number >= _RECORDS:
                raise ContentError(Sentence("The chip holds something else."))
            if record.type == RECORD_TYPE:
                contents.append(bytes(record.data))
    except ContentError:
        raise
    except Exception:  # ndeflib raises other errors too on hostile input
        raise ContentError(Sentence("What is on the chip cannot be read.")) from None
    if len(contents) != 1:
        raise ContentError(Sentence("The chip holds something else."))
    return contents[0]
