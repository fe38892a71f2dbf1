"""The invariants of `targets.py`, checked with nearly valid input: built by the format's rules,
then damaged. `make fuzz` goes further with atheris."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.chips.entries import DistrictChip
from tests.fuzz import run, targets

NASTY = (
    "\x1b[2J",
    "\x9b31m",
    "\u202e",
    "\u2066",
    "\u200b",
    "\x00",
    "\ud800",
    "\U000e0041",
    "é",
    "﷽",
)
token = st.sampled_from(targets.TOKENS) | st.sampled_from(NASTY).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """`whole` with up to four parts deleted, duplicated, flipped or overwritten."""
    data = draw(whole)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        piece = data[start:end]
        content = bytes(byte ^ draw(st.integers(1, 255)) for byte in piece)
        new = draw(st.sampled_from([b"", piece * 2, content]) | token | st.binary(max_size=4))
        data = data[:start] + new + data[end:]
    return data


# -- messages: records whose heads and lengths may lie ----------------------------------------


@st.composite
def record(draw: st.DrawFn) -> bytes:
    """One NDEF record, mostly with correct lengths."""
    kind = draw(st.sampled_from([b"citadels.example:card", b"U", b"T", b"Sp", b"x:y", b""]))
    words = st.sampled_from(["1", "2", "d", "c", "k", "p", "temple", "king", "8", "0", "end", "٣"])
    payload = draw(
        st.lists(words, max_size=5).map(lambda parts: ":".join(parts).encode())
        | token
        | st.binary(max_size=300)
    )
    name = draw(st.just(b"") | st.binary(max_size=3))
    short = len(payload) < 256
    head = draw(st.integers(0, 7)) | 0x10 * short | 0x08 * bool(name)
    head |= draw(st.sampled_from([0xC0, 0x80, 0x40, 0x00, 0xE0]))
    size = len(payload) + draw(st.sampled_from([0, 0, 0, 0, 1, 255]))
    length = bytes((size & 0xFF,)) if short else size.to_bytes(4, "big")
    return (
        bytes((head, len(kind))) + length + bytes((len(name),)) * bool(name) + kind + name + payload
    )


@given(damaged(st.sampled_from(targets.TARGETS["message"].seeds)))
def test_a_damaged_message(data: bytes) -> None:
    targets.message(data)


@given(st.lists(record(), max_size=20).map(b"".join))
@example(b"\xd4\x15\x03citadels.example:card1:k")
def test_a_message_of_records_that_lie(data: bytes) -> None:
    targets.message(data)


# -- memories: blocks in any order, any length, around any message -----------------------------


block = st.sampled_from([b"\x00", bytes.fromhex("0103A00C34"), bytes.fromhex("0203A00C34")])


def message_block(data: bytes, long: bool) -> bytes:
    """A message with its length before it, in one byte or in three."""
    long = long or len(data) > 254
    return (
        b"\x03" + (b"\xff" + len(data).to_bytes(2, "big") if long else bytes((len(data),))) + data
    )


@st.composite
def sound(draw: st.DrawFn) -> bytes:
    """A chip with some message on it, laid out as it should be, which goes away once."""
    area = b"".join(draw(st.lists(block, max_size=3)))
    area += message_block(draw(st.binary(min_size=1, max_size=60)), draw(st.booleans())) + b"\xfe"
    return bytes((draw(st.integers(1, 40)), 0, 0)) + targets.DATA_AREA + area.ljust(144, b"\0")


@st.composite
def layout(draw: st.DrawFn) -> bytes:
    """A chip's memory from its capability container on, with how it is to misbehave before it."""
    size = draw(st.sampled_from([0x12, 0x3E, 0x6D, 0, 1, 0xFF]))
    container = bytes((draw(st.sampled_from([0xE1, 0xE1, 0xE1, 0])), 0x10, size))
    container += bytes((draw(st.sampled_from([0, 0, 0, 0x0F, 0xF0])),))
    area = b"".join(draw(st.lists(block | st.binary(max_size=6), max_size=4)))
    data = draw(st.sampled_from(targets.TARGETS["message"].seeds) | st.binary(max_size=280))
    area += message_block(data, draw(st.booleans())) + draw(st.sampled_from([b"\xfe", b""]))
    area += bytes(draw(st.sampled_from([0, 40, 144])))
    return bytes((draw(st.integers(0, 60)), draw(st.integers(0, 255)), 0)) + container + area


@given(sound())
def test_a_write_broken_off_anywhere(data: bytes) -> None:
    targets.memory(data)


@given(layout())
def test_a_memory_laid_out_by_somebody_else(data: bytes) -> None:
    targets.memory(data)


@given(damaged(layout() | st.sampled_from(targets.TARGETS["memory"].seeds)))
def test_a_damaged_memory(data: bytes) -> None:
    targets.memory(data)


# -- mapping files: almost valid lines ------------------------------------------------

uid = st.sampled_from(
    ["04A2B3C4D5E680", '"04A2B3C4D5E681"', "04:a2:b3:c4", "08112233", "0411", "4E12", "true", "?"]
)
entry = st.sampled_from(
    ["district temple 2", "district tempel 1", "character king", "crown", "player 9", "reference 1",
     "[crown]", "{a: b}", "*a", "&a crown", "!!str crown", "|", ">", "'", "null", "1e999", "- x"]
)  # fmt: skip
text = st.sampled_from(NASTY).map(lambda odd: json.dumps(odd)) | st.text(max_size=8)
line = st.one_of(
    st.just("chips:"),
    st.just("references:"),
    st.builds("  {}: {}".format, uid | text, entry | text),
    st.builds("  {}: [keep, {}]".format, st.integers(-1, 100), entry | text),
    text,
)


@given(
    st.lists(line, max_size=12).map(
        lambda lines: "\n".join(["chips:", *lines]).encode("utf-8", "replace")
    )
)
def test_a_mapping_written_in_haste(data: bytes) -> None:
    targets.mapping(data)


@given(damaged(st.sampled_from(targets.TARGETS["mapping"].seeds)))
@example(b"chips: " + b"[" * 900)
@example("chips:\n  \u202e: crown\n  \u202e: crown\n  2: *\u2066\n".encode())
@example(b"chips:\n  '\\u202e': crown\n  \"\\e[2J\": crown\n")
def test_a_damaged_mapping(data: bytes) -> None:
    targets.mapping(data)


# -- the socket: objects that are nearly requests and events ------------------------------------

value = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 5), st.sampled_from([2**53, 1e308, "04A2B3C4D5E680"]),
    st.sampled_from(["session", "usb", "ready", "lost", "busy", "new", *NASTY]),
    st.lists(st.none() | st.dictionaries(st.just("reader"), st.text(max_size=3)), max_size=2),
)  # fmt: skip


@st.composite
def conversation(draw: st.DrawFn, lines: tuple[bytes, ...]) -> bytes:
    """Those lines in any order, some with a field dropped, added or changed."""
    sent = []
    for original in draw(st.lists(st.sampled_from(lines), min_size=1, max_size=12)):
        fields = json.loads(original)
        for key in draw(st.lists(st.sampled_from(sorted(fields)), max_size=2, unique=True)):
            del fields[key]
        keys = st.sampled_from(["type", "v", "uid", "reader", "readers", "chip", "id"])
        fields |= draw(st.dictionaries(keys, value, max_size=2))
        sent.append(json.dumps(fields).encode())
    return draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"])).join([*sent, b""])


def lines_of(name: str) -> tuple[bytes, ...]:
    return tuple(line for seed in targets.TARGETS[name].seeds for line in seed.splitlines())


@given(conversation(lines_of("requests")) | damaged(conversation(lines_of("requests"))))
@example(b'{"type":"ping","id":"\\u202e\\u001b"}\n' * 20)
def test_a_client_that_is_nearly_one(data: bytes) -> None:
    targets.requests(data)


@given(conversation(lines_of("events")) | damaged(conversation(lines_of("events"))))
def test_a_service_that_is_nearly_one(data: bytes) -> None:
    targets.events(data)


# -- the targets and the fuzzer themselves ------------------------------------------------------


@pytest.mark.outer
@pytest.mark.parametrize("name", sorted(targets.TARGETS))
def test_what_is_right_is_survived(name: str) -> None:
    for seed in targets.TARGETS[name].seeds:
        targets.TARGETS[name].check(seed)


def test_a_broken_promise_would_be_noticed() -> None:
    with pytest.raises(AssertionError, match="would reach a terminal"):
        targets.assert_harmless("Temple\u202e")
    with pytest.raises((AssertionError, KeyError)):
        targets.assert_listed(DistrictChip("volcano", 1))


@pytest.mark.soak
@pytest.mark.needs("fuzz")
def test_the_fuzzer_runs(tmp_path: object, capfd: pytest.CaptureFixture[str]) -> None:
    is_held, name = run.fuzz("message", 1, tmp_path)  # type: ignore[arg-type]
    assert is_held, name
    assert "all promises held" in name
