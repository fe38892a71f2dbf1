"""The open door: what each line says, whatever program sends it."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.chips.entries import KINDS
from tags.chip_lines import (
    LONGEST,
    NAMED,
    ChipLine,
    NotUnderstood,
    is_made,
    parse_line,
    shorten,
)
from tags.links import LENGTHS

CHIP = bytes.fromhex("04A1B2C3D4E5F6")

IDS = [
    "04A1B2C3D4E5F6",
    "04a1b2c3d4e5f6",
    "04:A1:B2:C3:D4:E5:F6",
    '"04A1B2C3D4E5F6"',
    '{"uid": "04A1B2C3D4E5F6"}',
    r'{"Time":"2026-01-15T19:26:06","PN532":{"UID":"04A1B2C3D4E5F6","DATA":"\x14\x01"}}',
    '{"id": "kitchen-2", "token": "04A1B2C3D4E5F6"}',
    # boards and their libraries, as they print it
    "UID Value: 0x04 0xA1 0xB2 0xC3 0xD4 0xE5 0xF6",
    "UID (NFCID1): 04  a1  b2  c3  d4  e5  f6",
    "Found card with UID: ['0x4', '0xa1', '0xb2', '0xc3', '0xd4', '0xe5', '0xf6']",
    "Card read UID: 4,161,178,195,212,229,246",
    "Type2Tag 'NXP NTAG213' ID=04A1B2C3D4E5F6",
    "[12:34:56][D][pn532:149]: Found new tag '04-A1-B2-C3-D4-E5-F6'",
    "Tag ID: 04A1B2C3D4E5F6",
    "4 A1 B2 C3 D4 E5 F6",
    "04,A1,B2,C3,D4,E5,F6",
    'sak: 08, uid: "04A1B2C3D4E5F6"',
    "０４Ａ１Ｂ２Ｃ３Ｄ４Ｅ５Ｆ６",
    # programs on the way
    '{"tst":"2026-01-15T19:26:06","topic":"pn532/tag","payload":"04-A1-B2-C3-D4-E5-F6"}',
    '{"uid":{"type":"Buffer","data":[4,161,178,195,212,229,246]}}',
    '{"type":"ndef","tag":{"id":[4,-95,-78,-61,-44,-27,-10],"maxSize":137}}',
    '{"nfca":{"identifier":[4,161,178,195,212,229,246],"atqa":[68,0]}}',
    '{"data":{"tag_id":"04A1B2C3D4E5F6","device_id":"9f1c2d3e"},"context":{"id":"01JHQ2S7F0"}}',
    "uid=04A1B2C3D4E5F6&reader=anna",
    "http://anna.local:8420/t/04A1B2C3D4E5F6",
    # with its kind, a label or a time beside it
    "04:a1:b2:c3:d4:e5:f6 NTAG213",
    "UID: 04 A1 B2 C3 D4 E5 F6  SAK: 00  ATQA: 00 44",
    "CSN: 04A1B2C3D4E5F6",
    "NFCID1:04A1B2C3D4E5F6",
    "20261129141512 04A1B2C3D4E5F6 MIFARE Ultralight EV1",
    "ISO/IEC 14443 Type A: 04A1B2C3D4E5F6",
    "04A1B2C3D4E5F6h",
    '{"uid": ["04", "a1", "b2", "c3", "d4", "e5", "f6"]}',
]


@pytest.mark.parametrize("text", IDS)
def test_an_id_however_it_is_written(text: str) -> None:
    assert parse_line(text) == ChipLine("tap", CHIP)
    assert parse_line("04A1B2C3D4E5F6", lambda _uid: True) == ChipLine("tap", CHIP)


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        ("0004287935", "00416DBF"),
        ("12345", "00003039"),
        ("135410774", "08123456"),  # a fob's number: no phone
        ("0004287935 065,28095", "00416DBF"),
    ],
)
def test_numbers_and_short_ids(text: str, uid: str) -> None:
    assert parse_line(text) == ChipLine("tap", bytes.fromhex(uid))


@pytest.mark.parametrize(
    "text",
    [
        "DD17380AF8",
        "136-4-110-81-179",
        "55 67 23 2D 11",
        "PROX-0042",
        "065,28095",
    ],
)
def test_another_word_with_a_digit_is_an_id_of_its_own(text: str) -> None:
    line = parse_line(text)
    assert line is not None
    assert is_made(line.uid)
    assert parse_line(text.lower()) == parse_line(f"{text} \r\n") == line


ABSENT = [
    "none",
    "None",
    "null",
    "offline",
    "unavailable",
    "removed",
    "no tag",
    "lift",
    '{"uid": null}',
    '{"uid": ""}',
    '{"method":"tokens.removed"}',
    "not:",
    "undefined",
    "N/A",
    "absent",
    "no card present",
    "tag_off",
    "0",
    "00000000",
    '{"removed": "04A1B2C3D4E5F6"}',
]
GOING = [
    "not:04-A1-B2-C3-D4-E5-F6",
    "-04A1B2C3D4E5F6",
    "removed 04A1B2C3D4E5F6",
    '{"uid":"04A1B2C3D4E5F6","state":"removed"}',
    '{"uid":"-04A1B2C3D4E5F6"}',
    '{"uid":"04A1B2C3D4E5F6","isPresent":"false"}',
    '{"uid":"04A1B2C3D4E5F6","state":false}',
    '{"event":"cardRemoved","card":{"uid":"04A1B2C3D4E5F6"}}',
    "{'uid': '04A1B2C3D4E5F6', 'present': False}",
    "rfid/removed 04-A1-B2-C3-D4-E5-F6",
    "Tag 04A1B2C3D4E5F6 removed",
]


@pytest.mark.parametrize("text", ABSENT)
def test_absence_is_no_chip(text: str) -> None:
    assert parse_line(text) == ChipLine("lift")


@pytest.mark.parametrize("text", GOING)
def test_a_chip_that_goes_is_no_tap(text: str) -> None:
    assert parse_line(text) == ChipLine("lift", CHIP)


@pytest.mark.parametrize("text", ["", "  \r", "# 04A1B2C3D4E5F6", "{", "}", "---", "[]"])
def test_what_says_nothing(text: str) -> None:
    assert parse_line(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "TypeError: 04A1B2C3D4E5F6",
        "faded 04A1B2C3D4E5F6",
        "0 04A1B2C3D4E5F6",
        "123",
        "wait 61",
        "wait a moment",
        "hold on",
        '{"uid": true}',
        "Found chip PN532",
        '{"id": "kitchen-2", "status": "online"}',
        '{"jsonrpc": "2.0", "id": 12345, "result": {"version": "2.5.0"}}',
        "x" * (LONGEST + 1),
        "[" * 4000 + "1",
        "\x1b[2J\x1b[1;1Hgold",
    ],
)
def test_the_rest_is_not_understood(text: str) -> None:
    with pytest.raises(NotUnderstood) as raised:
        parse_line(text)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) <= 61


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("hold 04A1B2C3D4E5F6", ChipLine("hold", CHIP)),
        ("wait 1.5", ChipLine("wait", seconds=1.5)),
        ("lift @anna", ChipLine("lift", reader="anna")),
        ("04A1B2C3D4E5F6 @Anna", ChipLine("tap", CHIP, reader="Anna")),
        ('{"uid":"04A1B2C3D4E5F6"} @2', ChipLine("tap", CHIP, reader="2")),
    ],
)
def test_words_and_readers(text: str, line: ChipLine) -> None:
    assert parse_line(text) == line


def test_names_of_labels_are_chips_of_their_own() -> None:
    assert set(NAMED) == set(KINDS)
    lines = [parse_line(text) for text in ("district tavern 3", "district tavern 2", "crown")]
    assert [line.name for line in lines if line] == [
        "district tavern 3",
        "district tavern 2",
        "crown",
    ]
    assert len({line.uid for line in lines if line}) == 3


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        ("0A1B2C3D4E", "FF00000000" + "0A1B2C3D4E"),  # once typed by a reader
        ("123456789", "FF000000000" + "123456789"),
        ("1-2-3-4-5", "00003039"),  # once sent to a broker
        ("NFCID1:04A1B2C3D4E5F6", "FFB80141884D060F8706"),  # once taken for a word
    ],
)
def test_chips_learned_by_an_earlier_version_stay(text: str, uid: str) -> None:
    learned = bytes.fromhex(uid)
    line = parse_line(text, lambda one: one == learned)
    assert line == ChipLine("tap", learned)
    assert parse_line(text) != line


def test_a_word_without_a_digit_is_a_chip_only_when_learned() -> None:
    made = parse_line("tavern-b-1")
    assert made is not None
    with pytest.raises(NotUnderstood):
        parse_line("tavernb")
    known = parse_line("tavernb", is_made)
    assert known is not None
    assert is_made(known.uid)


@pytest.mark.parametrize(
    "part",
    ["uid:", "-", "tag ", "a/b ", "not ", "{uid: ", "'a':", "uid=\t,;&|", "0x", "0:0", "00 ", "a"],
)
def test_no_line_takes_long(part: str) -> None:
    for begin, end in (("", ""), ("04A1B2C3D4E5F6 ", "x")):
        middle = (part * LONGEST)[: LONGEST - len(begin) - len(end)]
        with suppress(NotUnderstood):
            parse_line(begin + middle + end)  # neither a recursion nor all ways to split it


EVERY_KIND = [*IDS, *ABSENT, *GOING]
JUNK = st.text(max_size=12)
SENT = st.sampled_from(EVERY_KIND) | st.builds(
    "{}{}{}".format, JUNK, st.sampled_from(EVERY_KIND), JUNK
)


@given(SENT | st.text() | st.from_regex(r'\{"(uid|id|tag)": ?[^}]*\}?', fullmatch=True))
def test_every_line_is_a_chip_its_going_nothing_or_not_understood(text: str) -> None:
    try:
        line = parse_line(text)
    except NotUnderstood:
        return
    if line is not None and line.what in ("tap", "hold"):
        assert len(line.uid) in LENGTHS
        assert (
            any(sign.isdigit() for sign in text)
            or line.name is not None
            or "[" in text
            or (re.search("[0-9A-Fa-f]{2}", text))
        )


@given(st.sampled_from(EVERY_KIND), st.binary(max_size=40))
def test_damage_never_makes_another_chip_of_an_absence(text: str, junk: bytes) -> None:
    shown = shorten(junk.decode("utf-8", "replace"))
    assert shown.isprintable() or not shown
    assert len(shown) <= 61
    if text in (*ABSENT, *GOING):
        line = parse_line(f"  {text}\t")
        assert line is None or line.what == "lift"
