"""The content written to chips, and the validation of content read from them."""

from __future__ import annotations

import ndef
import pytest

from companion.chips import load_catalogue
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PieceCatalogue,
    PlayerChip,
    ReferenceChip,
)
from companion.chips.ndef import (
    LARGEST,
    RECORD_TYPE,
    ROOM,
    ContentError,
    count_lacking,
    decode,
    decode_link,
    encode,
)
from tags import links

KNOWN = PieceCatalogue(frozenset({"king"}), {"temple": 3}, frozenset({"end"}))
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


def table(host: str) -> links.Start:
    return links.parse(host)


@pytest.mark.parametrize(
    ("written", "start"),
    [("anna.local", "http://anna.local:8420/t/"),
     (" Anna.Local:9000 ", "http://anna.local:9000/t/"),
     ("anna.local.", "http://anna.local:8420/t/"),
     ("http://anna.local:8420/", "http://anna.local:8420/t/"),
     ("http://anna.local:8420/t/04A2B3C4D5E680", "http://anna.local:8420/t/"),
     ("https://Anna.local", "https://anna.local:8420/t/"),
     ("192.168.1.20", "http://192.168.1.20:8420/t/"),
     ("192.168.1.20:80", "http://192.168.1.20:80/t/"),
     ("fd00::5", "http://[fd00::5]:8420/t/"),
     ("[fd00:0:0::5]:443", "http://[fd00::5]:443/t/")],
)  # fmt: skip
def test_a_table_is_a_name_or_an_address_with_or_without_a_port(written: str, start: str) -> None:
    assert links.parse(written).text == start
    assert links.parse(start) == links.parse(written)


@pytest.mark.parametrize(
    ("written", "problem"),
    [("javascript:x", "must look like"), ("", "must look like"), ("https://", "must look like"),
     ("https://a/\x1b", "must look like"), ("https://a b/", "must look like"),
     ("https://h/" + "x" * 60, "must look like"), ("a..b", "must look like"),
     ("-a.local", "must look like"), ("a_b", "must look like"), ("müller.local", "must look like"),
     ("\u212a.local", "must look like"), ("256.1.1.1", "must look like"),
     ("192.168.1", "must look like"), ("a@b", "must look like"), ("[fd00::5", "must look like"),
     ("x" * 64, "must look like"), (".".join(["x" * 63] * 5), "must look like"),
     ("x" * 1_000, "must look like"),
     ("anna.local:0", "from 1 to 65535"), ("anna.local:65536", "from 1 to 65535"),
     ("localhost", "cannot reach"), ("x.localhost:8420", "cannot reach"),
     ("127.0.0.1", "cannot reach"), ("0.0.0.0", "cannot reach"), ("[::1]:8420", "cannot reach"),
     ("fe80::1", "cannot reach"), ("fd00::1%eth0", "cannot reach"), ("224.0.0.1", "cannot reach")],
)  # fmt: skip
def test_what_no_phone_could_open_is_refused(written: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        links.parse(written)


@pytest.mark.parametrize("uid", ["04A2B3C4", "04A2B3C4D5E680", "04A2B3C4D5E680112233"])
@pytest.mark.parametrize("host", ["anna.local", "https://[fd00::5]:443", "192.168.1.20"])
def test_the_link_of_a_table_carries_the_chips_id_and_is_read_again(host: str, uid: str) -> None:
    message = encode(CrownChip(), "Crown", "en", table(host), bytes.fromhex(uid))
    link = decode_link(message)
    assert link is not None
    assert (link.start, link.uid.hex().upper()) == (table(host), uid)
    first = next(ndef.message_decoder(message))
    assert first.uri == str(link) == f"{table(host).text}{uid}"
    assert decode(message, KNOWN) == CrownChip()


@pytest.mark.parametrize(
    "uri",
    ["http://anna.local:8420/t/", "http://anna.local:8420/t/04a2b3c4d5e680",
     "http://anna.local:8420/t/04A2B3C4D5E68", "http://anna.local/t/04A2B3C4D5E680",
     "http://Anna.local:8420/t/04A2B3C4D5E680", "http://anna.local:8420/x/04A2B3C4D5E680",
     "http://anna.local:08420/t/04A2B3C4D5E680", "http://127.0.0.1:8420/t/04A2B3C4D5E680",
     "http://anna.local:8420/t/04A2B3C4D5E680\x1b[2J", "javascript:alert(1)",
     "https://citadels.example/c/crown", "http://" + "x" * 900]
)  # fmt: skip
def test_only_exactly_a_tables_link_is_ever_repeated(uri: str) -> None:
    assert decode_link(b"".join(ndef.message_encoder([ndef.UriRecord(uri)]))) is None


def test_every_card_has_room_under_a_name_of_the_length_that_is_told() -> None:
    catalogue = load_catalogue()
    cards: list[Entry] = [*(DistrictChip(id_, n) for id_, n in catalogue.districts.items()),
             *map(CharacterChip, catalogue.characters)]  # fmt: skip
    host = "x" * 60 + ".local"
    lacking = count_lacking(table(host), catalogue)
    assert lacking == 3
    longest = table(host[lacking:])
    assert count_lacking(longest, catalogue) == 0
    sizes = [len(encode(card, "Ж" * 60, "ru", longest, bytes(7))) for card in cards]
    assert max(sizes) == ROOM
    for card in cards:
        assert decode(encode(card, "Ж" * 60, "ru", longest, bytes(7)), catalogue) == card


def test_a_name_is_left_out_where_it_has_no_room() -> None:
    short = encode(DistrictChip("temple", 2), "Temple", "en", table("anna.local"), bytes(7))
    assert [record.type for record in ndef.message_decoder(short)][2:] == ["urn:nfc:wkt:T"]
    data = encode(DistrictChip("temple", 2), "Ж" * 40, "ru", table("x" * 40), bytes(7))
    assert len(list(ndef.message_decoder(data))) == 2
