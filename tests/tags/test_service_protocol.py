"""The lines of the reader service: any invalid input is just a protocol error."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.sentences import Sentence
from tags.service import protocol
from tags.service.client import Following
from tags.service.hub import Hub
from tags.service.protocol import (
    LONGEST_LINE,
    LONGEST_REQUEST,
    Ask,
    Message,
    Notice,
    ProtocolError,
    ReaderState,
    Settled,
    Snapshot,
    Wish,
    message_line,
    parse_message,
    parse_request,
)
from tags.watch import Event, Lift, ReaderCame, ReaderLost, Tap
from tests.sizes import pick_size

TEMPLE = bytes.fromhex("04A2B3C4D5E680")
CASTLE = bytes.fromhex("041122334455AA")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = ("v", "reader", "uid", "chip", "readers", "state", "id", "reason", "fault", "text", "token",
        "service", "settled", "path", "notice", "sentence", "found")  # fmt: skip
KINDS = ("snapshot", "tap", "lift", "came", "lost", "settled", "notice", "ping", "hold", "release",
         "return", "retry", "auth", "pong", "error", "done", "refused", "later")  # fmt: skip
VALUES = JSON | st.integers(0, 9) | st.sampled_from(("04A2B3C4", "citadels-reader"))
NEARLY = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS), "v": st.just(2)},
    optional={key: VALUES for key in KEYS if key != "v"},
)


@given(st.binary(max_size=200) | NEARLY.map(lambda data: json.dumps(data).encode()))
def test_a_line_is_understood_or_rubbish(line: bytes) -> None:
    with suppress(ProtocolError):
        parse_request(line)
    with suppress(ProtocolError):
        parse_message(line)


LINES = pick_size(4, 10, 10)


@given(st.lists(NEARLY.map(lambda data: json.dumps(data).encode()), max_size=LINES))
def test_a_client_survives_whatever_a_service_says(lines: list[bytes]) -> None:
    following = Following(None, {})
    for line in lines:
        with suppress(ProtocolError):
            following.take(parse_message(line))


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 900,
        b'{"type":' + b"[" * 900,
        b"1" * 1000,
        b'{"type":"ping","id":' + b"9" * 900 + b"}",
        b'{"type":"ping","id":true}',
        b'{"type":"ping","id":-1}',
        b'{"type":"hold"}',
        b'{"type":"release","reader":7}',
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
    with pytest.raises(ProtocolError):
        parse_request(line)


def test_deep_nesting_and_other_versions_are_rubbish_to_a_client() -> None:
    older = b'{"v":1,"type":"came","reader":"usb"}'
    for line in (b"[" * LONGEST_LINE, older, b"x" * (LONGEST_LINE + 1)):
        with pytest.raises(ProtocolError):
            parse_message(line)


def test_requests() -> None:
    assert parse_request(b'{"type":"ping","id":"a"}\n') == Ask("ping", "a")
    wish = parse_request(b'{"type":"hold","reader":"usb","id":3}')
    assert wish == Wish("hold", "usb", 3)


@given(st.text(max_size=400), st.text(max_size=40))
def test_what_is_sent_is_what_is_read_and_drives_no_terminal(text: str, name: str) -> None:
    for event in (
        Tap(TEMPLE, name, chip=text[:300], found=True),
        ReaderLost(name, text[:300], "busy"),
        Notice(text[:300]),
    ):
        line = message_line(event)
        assert all(32 <= byte < 127 for byte in line[:-1])
        assert line.endswith(b"\n")
        assert repr(parse_message(line)) == repr(event)


def test_a_reason_can_be_said_in_another_language() -> None:
    reader_lost = ReaderLost(
        "usb", Sentence("The reader {name} is gone.", name='a"b{c}'), "missing"
    )
    service = Service()
    service.hub.take(reader_lost)
    (heard,) = service.news()
    assert isinstance(heard, ReaderLost)
    for reason in (service.snapshot().readers[0].reason, heard.reason):
        assert reason == reader_lost.reason
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
    message = parse_message(
        protocol.encode_line("snapshot", service="citadels-reader", readers=[reader])
    )
    assert isinstance(message, Snapshot)
    assert type(message.readers[0].reason) is str
    assert message.readers[0].reason == "Gone."


# -- what a client makes of it ----------------------------------------------------------------


class Service:
    """One run of a service, and the messages to a client."""

    def __init__(self, *readers: str) -> None:
        self.hub = Hub({name: name for name in readers or ("usb",)})
        self._heard: list[bytes] = []
        self.hub.join(self)

    def tell(self, line: bytes) -> None:
        self._heard.append(line)

    def news(self) -> list[Message]:
        """The messages since the last call."""
        heard, self._heard = [parse_message(line) for line in self._heard], []
        return [message for message in heard if not isinstance(message, Snapshot)]

    def snapshot(self) -> Snapshot:
        message = parse_message(self.hub.snapshot(self))
        assert isinstance(message, Snapshot)
        return message

    def happens(self, *events: Tap | Lift | ReaderCame | ReaderLost | Settled) -> Service:
        for event in events:
            self.hub.take(event)
        return self


def heard(following: Following, *messages: Message) -> list[Event]:
    return [event for message in messages for event in following.take(message)]


def followed(before: bytes | None) -> Following:
    """A client that remembers this chip from another run of the service."""
    following, old = Following(None, {}), Service()
    heard(following, old.snapshot())
    old.happens(ReaderCame("usb"))
    if before is not None:
        old.happens(Tap(before, "usb"))
    heard(following, *old.happens(Settled("usb")).news())
    return following


def test_a_chip_that_stayed_over_a_restart_gives_no_new_tap() -> None:
    following, new = followed(TEMPLE), Service()
    assert heard(following, new.snapshot()) == []
    new.happens(ReaderCame("usb"), Tap(TEMPLE, "usb", found=True), Settled("usb"))
    assert heard(following, *new.news()) == []
    assert heard(following, *new.happens(Lift(TEMPLE, "usb")).news()) == [Lift(TEMPLE)]


def test_a_chip_that_left_during_a_restart_is_lifted_once_that_is_certain() -> None:
    following, new = followed(TEMPLE), Service().happens(ReaderCame("usb"))
    new.news()
    assert heard(following, new.snapshot()) == []
    assert heard(following, *new.happens(Settled("usb")).news()) == [Lift(TEMPLE)]


def test_a_chip_exchanged_during_a_restart_is_lifted_and_the_other_found() -> None:
    following = followed(TEMPLE)
    new = Service().happens(ReaderCame("usb"), Tap(CASTLE, "usb"))
    lift, tap = heard(following, new.snapshot())
    assert (lift, tap) == (Lift(TEMPLE), Tap(CASTLE))
    assert isinstance(tap, Tap)
    assert tap.found


def test_a_reader_that_a_new_run_does_not_have_is_lost() -> None:
    events = heard(followed(None), Snapshot(()))
    assert [type(event) for event in events] == [ReaderLost]


def test_nothing_is_told_twice_when_the_connection_breaks_and_comes_back() -> None:
    service, following = Service(), Following(None, {})
    heard(following, service.snapshot())
    service.happens(ReaderCame("usb"), Tap(TEMPLE, "usb", chip="district temple 1"))
    assert heard(following, *service.news()) == [ReaderCame("usb"), Tap(TEMPLE)]
    assert [type(event) for event in following.service_lost()] == [ReaderLost]
    assert following.service_lost() == []
    assert heard(following, service.snapshot()) == [ReaderCame("usb")]
    assert heard(following, service.snapshot()) == []


def test_only_the_reader_that_counts_is_told_of() -> None:
    service, following = Service("usb", "anna"), Following("anna", {})
    for name in ("usb", "anna"):
        service.happens(ReaderCame(name), Tap(TEMPLE, name))
    entries = heard(following, service.snapshot())
    assert entries == [ReaderCame("anna"), Tap(TEMPLE)]
    assert [event.reader for event in entries if isinstance(event, Tap)] == ["anna"]


def test_a_snapshot_tells_how_readers_are() -> None:
    service = Service().happens(ReaderCame("usb"), Tap(TEMPLE, "usb", chip="crown"))
    state = ReaderState("usb", "usb", "ready", uid=TEMPLE, chip="crown")
    assert service.snapshot() == Snapshot((state,))
