"""The lines of the reader service: nothing that comes in can do more than be rubbish."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.sentences import Sentence
from tags.service import fields
from tags.service.fields import LONGEST_LINE, LONGEST_REQUEST, Rubbish
from tags.service.following import Following
from tags.service.journal import Journal
from tags.service.protocol import Numbered, Snapshot, message_line, parse_message
from tags.service.requests import Ask, Resume, parse_request
from tags.watch import Lift, ReaderCame, ReaderLost, Tap

TEMPLE = bytes.fromhex("04A2B3C4D5E680")
CASTLE = bytes.fromhex("041122334455AA")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = ("v", "seq", "since", "session", "reader", "uid", "chip", "readers", "state", "why", "id",
        "reason", "fault", "text", "token", "service", "settled", "path", "notice",
        "sentence")  # fmt: skip
KINDS = ("hello", "snapshot", "resumed", "tap", "lift", "came", "lost", "settled", "notice", "ping",
         "resume", "retry", "auth", "pong", "error", "later")  # fmt: skip
NEARLY = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS), "v": st.just(1)},
    optional={key: JSON | st.integers(0, 9) | st.just("04A2B3C4") for key in KEYS if key != "v"},
)


@given(st.binary(max_size=200) | NEARLY.map(lambda data: json.dumps(data).encode()))
def test_a_line_is_understood_or_rubbish(line: bytes) -> None:
    with suppress(Rubbish):
        parse_request(line)
    with suppress(Rubbish):
        parse_message(line)


@given(st.lists(NEARLY.map(lambda data: json.dumps(data).encode()), max_size=10))
def test_a_client_survives_whatever_a_service_says(lines: list[bytes]) -> None:
    following = Following(None, {})
    for line in lines:
        with suppress(Rubbish):
            message = parse_message(line)
            if isinstance(message, Numbered):
                following.event(message)
            elif isinstance(message, Snapshot):
                following.snapshot("session", message)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 900,
        b'{"type":' + b"[" * 900,
        b"1" * 1000,
        b'{"type":"resume","session":"a","since":' + b"9" * 900 + b"}",
        b'{"type":"resume","session":"a","since":true}',
        b'{"type":"resume","session":"a","since":-1}',
        b'{"type":"resume","since":1}',
        b'{"type":"ping","id":[1]}',
        b'{"type":"shutdown"}',
        b'{"type":["ping"]}',
        b"\xff\xfe",
        b"null",
        b"",
        b'{"type":"ping","x":"' + b"x" * LONGEST_REQUEST + b'"}',
    ],
)
def test_rubbish_is_rubbish(line: bytes) -> None:
    with pytest.raises(Rubbish):
        parse_request(line)


def test_deep_nesting_and_other_versions_are_rubbish_to_a_client() -> None:
    for line in (b"[" * LONGEST_LINE, b'{"v":2,"type":"tap"}', b"x" * (LONGEST_LINE + 1)):
        with pytest.raises(Rubbish):
            parse_message(line)


def test_requests() -> None:
    assert parse_request(b'{"type":"ping","id":"a"}\n') == Ask("ping", "a")
    assert parse_request(b'{"type":"resume","session":"s","since":3}') == Resume("s", 3)


@given(st.text(max_size=400), st.text(max_size=40))
def test_what_is_sent_is_what_is_read_and_drives_no_terminal(text: str, name: str) -> None:
    for event in (
        Numbered(1, "tap", name, TEMPLE, text[:300]),
        Numbered(2, "lost", name, text=text[:300], fault="busy"),
        Numbered(3, "notice", text=text[:300]),
    ):
        line = message_line(event)
        assert all(32 <= byte < 127 for byte in line[:-1])
        assert line.endswith(b"\n")
        assert parse_message(line) == event


def test_a_reason_can_be_said_in_another_language() -> None:
    told = ReaderLost("usb", Sentence("The reader {name} is gone.", name='a"b{c}'), "missing")
    kept = journal()
    kept.lost("usb", told.reason, told.fault)
    for reason in (snapshot_of(kept).readers[0].reason, events_of(kept, 0)[0].text):
        assert reason == told.reason
        assert isinstance(reason, Sentence)
        assert reason.speak("fr", lambda _: "Plus de {name}.") == 'Plus de a"b{c}.'


@pytest.mark.parametrize(
    "made",
    [
        7,
        {"template": "Gone.", "fields": 7},
        {"template": "Something else.", "fields": {}},
        {"template": "{name:>9999999999}", "fields": {"name": "Gone."}},
        {"template": "{name.__class__}", "fields": {"name": "Gone."}},
        {"template": "{0}", "fields": {}},
        {"template": "{", "fields": {"name": "Gone."}},
    ],
)
def test_a_sentence_that_was_not_said_is_not_taken(made: object) -> None:
    reader = {"reader": "usb", "state": "lost", "reason": "Gone.", "sentence": made}
    found = parse_message(fields.line("snapshot", seq=0, why="new", readers=[reader]))
    assert isinstance(found, Snapshot)
    assert type(found.readers[0].reason) is str
    assert found.readers[0].reason == "Gone."


# -- the journal ------------------------------------------------------------------------------


def journal(ring: int = 1024) -> Journal:
    return Journal("run", {"usb": "usb"}, ring=ring)


@given(st.integers(0, 30), st.integers(1, 10), st.integers(0, 40))
def test_the_ring_gives_what_follows_or_says_that_it_cannot(
    events: int, ring: int, since: int
) -> None:
    kept = journal(ring)
    for _ in range(events):
        kept.came("usb")
    lines = kept.after(since, most=1000)
    numbers = list(range(since + 1, events + 1))
    possible = since <= events and len(numbers) <= ring
    assert lines is None if not possible else lines is not None
    if lines is not None:
        assert [json.loads(line)["seq"] for line in lines] == numbers


# -- what a client makes of it ----------------------------------------------------------------


def snapshot_of(kept: Journal) -> Snapshot:
    found = parse_message(kept.snapshot("new"))
    assert isinstance(found, Snapshot)
    return found


def events_of(kept: Journal, since: int) -> list[Numbered]:
    found = [parse_message(line) for line in kept.after(since) or []]
    assert all(isinstance(event, Numbered) for event in found)
    return [event for event in found if isinstance(event, Numbered)]


def followed(before: bytes | None) -> Following:
    """A client to which it was told that this chip lay on the reader in another run."""
    following = Following(None, {})
    old = Journal("before", {"usb": "usb"})
    following.snapshot("before", snapshot_of(old))
    old.came("usb")
    if before is not None:
        old.tap("usb", before, None)
    old.settled("usb")
    for event in events_of(old, 0):
        following.event(event)
    return following


def test_a_chip_that_stayed_over_a_restart_gives_no_new_tap() -> None:
    following, new = followed(TEMPLE), journal()
    assert following.snapshot("run", snapshot_of(new)) == []
    new.came("usb")
    new.tap("usb", TEMPLE, None)
    new.settled("usb")
    assert [e for event in events_of(new, 0) for e in following.event(event)] == []
    new.lift("usb", TEMPLE)
    assert [e for event in events_of(new, 3) for e in following.event(event)] == [Lift(TEMPLE)]


def test_a_chip_that_left_during_a_restart_is_lifted_once_that_is_certain() -> None:
    following, new = followed(TEMPLE), journal()
    new.came("usb")
    assert following.snapshot("run", snapshot_of(new)) == []
    new.settled("usb")
    assert following.event(events_of(new, 1)[0]) == [Lift(TEMPLE)]


def test_a_chip_exchanged_during_a_restart_is_lifted_and_the_other_tapped() -> None:
    following, new = followed(TEMPLE), journal()
    new.came("usb")
    new.tap("usb", CASTLE, None)
    assert following.snapshot("run", snapshot_of(new)) == [Lift(TEMPLE), Tap(CASTLE)]


def test_a_reader_that_a_new_run_does_not_have_is_lost() -> None:
    following = followed(None)
    events = following.snapshot("run", Snapshot(0, "new", ()))
    assert [type(event) for event in events] == [ReaderLost]


def test_nothing_is_told_twice_when_the_connection_breaks_and_resumes() -> None:
    kept, following = journal(), Following(None, {})
    following.snapshot("run", snapshot_of(kept))
    kept.came("usb")
    kept.tap("usb", TEMPLE, "district temple 1")
    told = [e for event in events_of(kept, 0) for e in following.event(event)]
    assert told == [ReaderCame("usb"), Tap(TEMPLE)]
    assert [type(e) for e in following.service_lost()] == [ReaderLost]
    assert following.service_lost() == []
    assert following.back() == [ReaderCame("usb")]
    assert [e for event in events_of(kept, 0) for e in following.event(event)] == []


def test_only_the_reader_that_counts_is_told_of() -> None:
    kept, following = Journal("run", {"usb": "usb", "anna": "/dev/null"}), Following("anna", {})
    for name in ("usb", "anna"):
        kept.came(name)
        kept.tap(name, TEMPLE, None)
    told = following.snapshot("run", snapshot_of(kept))
    assert told == [ReaderCame("anna"), Tap(TEMPLE)]
    assert [event.reader for event in told if isinstance(event, Tap)] == ["anna"]
