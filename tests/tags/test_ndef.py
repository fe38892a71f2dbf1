"""What is put on chips, and how little is believed of what they say."""

from __future__ import annotations

import ndef
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    KnownCards,
    PlayerChip,
    ReferenceChip,
)
from tags.ndef import LARGEST, RECORD_TYPE, ContentError, check_base, decode, encode

KNOWN = KnownCards(frozenset({"king"}), {"temple": 3}, frozenset({"end"}))
ENTRIES = [DistrictChip("temple", 2), CharacterChip("king"), PlayerChip(8), CrownChip(),
           ActionChip("end"), ReferenceChip(1)]  # fmt: skip


def machine(payload: bytes, kind: str = RECORD_TYPE) -> bytes:
    return b"".join(ndef.message_encoder([ndef.Record(kind, "", payload)]))


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_what_was_written_is_read(entry: Entry) -> None:
    message = encode(entry, "Храм", "ru")
    assert decode(message, KNOWN) == entry
    assert len(message) <= 137
    link, _record, name = ndef.message_decoder(message)
    assert link.uri == "https://citadels.example/c/" + str(entry).replace(" ", "/")
    assert (name.text, name.language) == ("Храм", "ru")


@pytest.mark.parametrize("message", [b"", b"\xd0\x00\x00"])
def test_an_empty_chip_says_nothing(message: bytes) -> None:
    assert decode(message) is None


@pytest.mark.parametrize(
    "payload",
    [b"", b"1", b"2:d:temple:2", b"1:d:temple:4", b"1:d:temple", b"1:d:temple:02", b"1:d:tempel:1",
     b"1:c:temple", b"1:k:1", b"1:x:temple", b"1:d:temple:2\n", b"1:d:temple:2:3", b"1:a:quit",
     b"1:d:\x1b[2J:1", "1:p:٣".encode(), b"1:d: temple:1", b"1:d:temple:2" * 20],
)  # fmt: skip
def test_what_is_not_exactly_ours_is_refused(payload: bytes) -> None:
    with pytest.raises(ContentError, match=r"\.$"):
        decode(machine(payload), KNOWN)


def test_other_records_stand_for_nothing() -> None:
    link = b"".join(ndef.message_encoder([ndef.UriRecord("https://citadels.example/c/crown")]))
    ours = ndef.Record(RECORD_TYPE, "", b"1:k")
    for message in (
        link,
        machine(b"1:k", "urn:nfc:ext:other.example:card"),
        b"".join(ndef.message_encoder([ours, ours])),
        b"".join(ndef.message_encoder([ours] + [ndef.UriRecord("x:y")] * 20)),
        machine(b"1:k") + bytes(LARGEST),
    ):
        with pytest.raises(ContentError):
            decode(message)


@given(st.binary(max_size=300))
def test_no_bytes_crash_or_are_repeated(message: bytes) -> None:
    try:
        entry = decode(message, KNOWN)
    except ContentError as error:
        said = str(error)
    else:
        said = str(entry)
    assert said.isascii()
    assert said.isprintable()


@given(st.data(), st.sampled_from(ENTRIES))
def test_a_damaged_message_is_another_known_card_at_worst(
    data: st.DataObject, entry: Entry
) -> None:
    message = bytearray(encode(entry, "Temple"))
    for _ in range(data.draw(st.integers(1, 4))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = decode(bytes(message), KNOWN)
    except ContentError:
        return
    assert (
        found is None
        or str(found).split()[1:2] in ([], ["temple"], ["king"], ["end"])
        or (isinstance(found, PlayerChip | ReferenceChip))
    )


@pytest.mark.parametrize("base", ["javascript:x", "https://", "https://a/\x1b", "https://a b/",
                                  "https://h/" + "x" * 60])  # fmt: skip
def test_links_begin_with_links_only(base: str) -> None:
    assert check_base(base)
    with pytest.raises(ValueError, match="begins"):
        encode(CrownChip(), "x", base=base)
