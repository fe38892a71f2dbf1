"""What strangers wrote on a chip drives nothing."""

from __future__ import annotations

import ndef
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.companion.listening import companion
from tests.companion.simulated_chips import FIRST, kept, learned, put, walk
from tests.rigs.chips import Ntag
from tests.rigs.kept_chips import ChipFile

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("kept_chips")]


def _record(type_: bytes, payload: bytes) -> bytes:
    """A record (NDEF) that is a whole message."""
    header = b"\xd4" if b":" in type_ else b"\xd1"  # an external type, or one that is well known
    return header + bytes((len(type_), len(payload))) + type_ + payload


PAYLOADS = st.one_of(
    st.binary(max_size=90),
    st.sampled_from(
        (b"1:d:temple:1", b"1:d:temple:99", b"1:d:nowhere:1", b"1:a:undo", b"1:p:9",
         b"1:d:temple:1\x1b[2J", b"\x02en\x1b]0;title\x07[/][@click=app.quit]",
         b"\x04javascript:alert(1)", b"\x02en\xe2\x80\xaegnorw",
         b"\x04companion.example/../../etc/passwd")
    ),
)  # fmt: skip
MESSAGES = st.one_of(
    st.binary(min_size=1, max_size=130),
    st.builds(
        _record,
        st.sampled_from((b"U", b"T", b"Sp", b"citadels.example:card", b"\x00")),
        PAYLOADS,
    ),
)


@given(st.lists(MESSAGES, min_size=10, max_size=10), st.binary(min_size=16, max_size=144))
@settings(max_examples=3, deadline=None)
def test_whatever_is_on_chips_learning_goes_on(messages: list[bytes], memory: bytes) -> None:
    learned()
    uids = [f"04A2B3C4D5{number:02X}80" for number in range(len(messages) + 1)]
    for uid, content in zip(uids, messages, strict=False):
        put(uid, content)
    raw = bytes(Ntag(bytes.fromhex(uids[-1])).memory)
    ChipFile(kept()).save(
        Ntag.with_memory(bytes.fromhex(uids[-1]), raw[:12] + memory + raw[12 + len(memory) :])
    )
    lines = walk("learn", *(line for uid in uids for line in (f"tap chip {uid}", "yes", "undo")))
    assert lines[-1] == "0 chips are known."


HOSTILE = {
    "escapes": b"".join(ndef.message_encoder([ndef.TextRecord("\x1b[2J\x07\u202eevil")])),
    "script": b"".join(ndef.message_encoder([ndef.UriRecord("javascript:alert(1)")])),
    "markup": b"".join(ndef.message_encoder([ndef.TextRecord("[bold]x[/] <b>{player}</b>")])),
    "ours, with an escape": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:king\x1b[2J")]
    )),
    "ours, with an unknown card": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:kingx")]
    )),
    "ours, from later": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"2:c:king")]
    )),
    "twice ours": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:king")] * 2
    )),
    "a record longer than the chip": b"\xc1\x01\xff\xff\xff\xffT\x02en",
    "rubbish": bytes(range(100)),
    "giant": b"".join(ndef.message_encoder([ndef.TextRecord("x" * 800)])),
    "many records": b"\x51\x00\x00" * 200,
    "full": b"".join(ndef.message_encoder([ndef.TextRecord("x" * 120)])),
}  # fmt: skip


def hostile_chips() -> tuple[list[str], list[str]]:
    """Put these messages on simulated chips; their ids, and the lines that tap them."""
    uids = [f"04A2B3C4D5E6{number:02X}" for number in range(len(HOSTILE))]
    for uid, message in zip(uids, HOSTILE.values(), strict=True):
        put(uid, message)
    return uids, [f"tap chip {uid}" for uid in uids]


def assert_never_repeated(*lines: str) -> None:
    for word in ("evil", "javascript", "bold", "\x1b", "\u202e", "xxx", "kingx"):
        assert not any(word in line for line in lines)


def test_what_a_chip_says_drives_nothing_and_is_never_repeated() -> None:
    uids, taps = hostile_chips()
    lines = walk("check", *taps, code=1)
    read = [
        line.startswith(f"Chip {uid} was read. ") for line, uid in zip(lines, uids, strict=False)
    ]
    assert read == [True] * len(uids)
    names = walk("lock", taps[0], "yes", "yes", taps[0], taps[3], "yes", "yes", taps[3])
    assert names[-1] == "0 chips were changed."
    result = companion("tags", "check", "--reader", "simulated", stdin="\n".join(taps))
    assert f"{len(uids)} hold something else." in result.stdout
    assert_never_repeated(*lines, *names, result.stdout, result.stderr)


@pytest.mark.parametrize("half", [0, 1])
def test_what_a_chip_says_is_never_repeated_when_it_is_overwritten(half: int) -> None:
    uids, taps = (each[half::2] for each in hostile_chips())
    lines = walk("write", *(line for tap in taps for line in (tap, "yes", tap)))
    assert lines.count("The chip holds something else.") == len(uids)
    assert len([line for line in walk("check", *taps) if line.startswith("Correct: ")]) == len(uids)
    assert_never_repeated(*lines)


def test_of_a_chip_of_ours_only_the_machine_record_is_believed() -> None:
    ours = ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:king")
    chip_records = [
        ndef.UriRecord("javascript:x"),
        ours,
        ndef.TextRecord("\x1b[2J\u202e[b]Thief[/b]"),
    ]
    put(FIRST, b"".join(ndef.message_encoder(chip_records)))
    assert walk("check", f"tap chip {FIRST}", code=1, words=("--edition", "classic_2016"))[0] == (
        "Correct: King."
    )
