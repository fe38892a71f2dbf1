"""The lines of the reader service: any invalid input is just a protocol error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.sentences import Sentence
from tags import service
from tags.service import (
    LONGEST_LINE,
    LONGEST_REQUEST,
    Answer,
    Ask,
    ChipRequest,
    OtherVersion,
    Own,
    ProtocolError,
    ReaderState,
    ServerMessage,
    Snapshot,
    message_line,
    parse_message,
    parse_request,
    request_line,
)
from tags.service.client import ServiceClient, list_readers
from tags.service.endpoint import Endpoint
from tags.service.switchboard import Switchboard
from tags.watch import Event, Lift, ReaderConnected, ReaderDisconnected, ReaderNotice, Tap

TEMPLE = bytes.fromhex("04A2B3C4D5E680")
CASTLE = bytes.fromhex("041122334455AA")


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 900,
        b'{"type":' + b"[" * 900,
        b"1" * 1000,
        b'{"type":"ping","id":' + b"9" * 900 + b"}",
        rb'{"type":"own","owner":"\ud800"}',
        b'{"type":"ping","id":NaN}',
        b'{"type":"ping","id":true}',
        b'{"type":"ping","id":-1}',
        b'{"type":"own"}',
        b'{"type":"own","owner":""}',
        b'{"type":"own","owner":7}',
        b'{"type":"read","reader":"usb"}',
        b'{"type":"read","reader":"usb","uid":"zz"}',
        b'{"type":"write","reader":"usb","uid":"04A2B3C4D5E680"}',
        b'{"type":"write","reader":"usb","uid":"04A2B3C4D5E680","message":"x"}',
        b'{"type":"write","reader":"usb","uid":"04A2B3C4D5E680","message":7}',
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
    older = b'{"v":3,"type":"notice","text":""}'
    for line in (b"[" * LONGEST_LINE, older, b"x" * (LONGEST_LINE + 1)):
        with pytest.raises(ProtocolError):
            parse_message(line)
    with pytest.raises(OtherVersion):
        parse_message(older)


def test_requests() -> None:
    assert parse_request(b'{"type":"ping","id":"a"}\n') == Ask("ping", "a")
    for request in (
        Own("companion play (7)"),
        Own("companion tags write (8)", over=True),
        ChipRequest("read", "usb", TEMPLE, id="a"),
        ChipRequest("write", "usb", TEMPLE, b"\xd0\x00\x00"),
        ChipRequest("lock", "usb", TEMPLE),
    ):
        assert parse_request(request_line(request)) == request


@given(st.text(max_size=400), st.text(max_size=40))
def test_what_is_sent_is_what_is_read_and_drives_no_terminal(text: str, name: str) -> None:
    for event in (
        Tap(TEMPLE, name, chip=text[:300], found=True),
        Lift(TEMPLE, name, 7.5),
        ReaderState(name, name, "lost", reason=text[:300], fault="busy"),
        ReaderState(name, name, "ready", TEMPLE, text[:300]),
        ReaderNotice(text[:300]),
        Snapshot((), name),
        Answer(7, "busy", text[:300]),
        Answer(name, message=text.encode()),
    ):
        line = message_line(event)
        assert all(32 <= byte < 127 for byte in line[:-1])
        assert line.endswith(b"\n")
        assert repr(parse_message(line)) == repr(event)


def test_a_reason_can_be_said_in_another_language() -> None:
    reader_lost = ReaderDisconnected(
        "usb", Sentence("The reader {name} is gone.", name='a"b{c}'), "missing"
    )
    shared = Service()
    shared.switchboard.take(reader_lost)
    (state,) = shared.news()
    assert isinstance(state, ReaderState)
    for reason in (shared.snapshot().readers[0].reason, state.reason):
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
        service.encode_line("snapshot", service="citadels-reader", readers=[reader])
    )
    assert isinstance(message, Snapshot)
    assert type(message.readers[0].reason) is str
    assert message.readers[0].reason == "Gone."


# -- what a client makes of it ----------------------------------------------------------------


class Service:
    """One run of a service, and the messages to a client."""

    def __init__(self, *readers: str) -> None:
        self.switchboard = Switchboard({name: name for name in readers or ("usb",)})
        self._lines: list[bytes] = []
        self.switchboard.join(self)

    def send(self, line: bytes) -> None:
        self._lines.append(line)

    def news(self) -> list[ServerMessage]:
        """The messages since the last call."""
        messages, self._lines = [parse_message(line) for line in self._lines], []
        return [message for message in messages if not isinstance(message, Snapshot)]

    def snapshot(self) -> Snapshot:
        message = parse_message(self.switchboard.snapshot(self))
        assert isinstance(message, Snapshot)
        return message

    def happens(self, *events: Tap | Lift | ReaderConnected | ReaderDisconnected) -> Service:
        for event in events:
            self.switchboard.take(event)
        return self


class Client(ServiceClient):
    """A client without a connection, and its events."""

    def __init__(self, name: str = "usb", present: bytes | None = None) -> None:
        self.events: list[Event] = []
        super().__init__(Endpoint("/nowhere"), self.events.append, name=name, present=present)

    def hear(self, *messages: ServerMessage) -> list[Event]:
        """Process the messages; returns the events."""
        self.events.clear()
        for message in messages:
            self.take(message)
        return [*self.events]


def test_a_chip_that_stayed_over_a_restart_gives_no_new_tap() -> None:
    client, new = Client(present=TEMPLE), Service()
    assert client.hear(new.snapshot()) == []
    new.happens(Tap(TEMPLE, "usb", found=True), ReaderConnected("usb"))
    assert client.hear(*new.news()) == [ReaderConnected("usb")]
    assert client.hear(*new.happens(Lift(TEMPLE, "usb")).news()) == [Lift(TEMPLE)]


def test_a_chip_that_left_during_a_restart_is_lifted_once_that_is_certain() -> None:
    client, new = Client(present=TEMPLE), Service()
    assert client.hear(new.snapshot()) == []
    events = client.hear(*new.happens(ReaderConnected("usb")).news())
    assert events == [ReaderConnected("usb"), Lift(TEMPLE)]


def test_a_chip_exchanged_during_a_restart_is_lifted_and_the_other_found() -> None:
    new = Service().happens(Tap(CASTLE, "usb"), ReaderConnected("usb"))
    came, lift, tap = Client(present=TEMPLE).hear(new.snapshot())
    assert (came, lift, tap) == (ReaderConnected("usb"), Lift(TEMPLE), Tap(CASTLE))
    assert isinstance(tap, Tap)
    assert tap.found


def test_a_reader_that_a_new_run_does_not_have_is_lost() -> None:
    client = Client()
    client.hear(Service().happens(ReaderConnected("usb")).snapshot())
    assert [type(event) for event in client.hear(Snapshot(()))] == [ReaderDisconnected]


def test_nothing_is_told_twice_when_the_connection_breaks_and_comes_back() -> None:
    shared, client = Service(), Client()
    client.hear(shared.snapshot())
    shared.happens(ReaderConnected("usb"), Tap(TEMPLE, "usb", chip="district temple 1"))
    assert client.hear(*shared.news()) == [ReaderConnected("usb"), Tap(TEMPLE)]
    assert client.hear(shared.snapshot()) == []
    shared.happens(ReaderDisconnected("usb", "Gone."))
    assert client.hear(*shared.news(), shared.snapshot()) == [ReaderDisconnected("usb", "Gone.")]


def test_only_the_reader_that_counts_is_told_of() -> None:
    shared, client = Service("usb", "anna"), Client("anna")
    for name in ("usb", "anna"):
        shared.happens(ReaderConnected(name), Tap(TEMPLE, name))
    events = client.hear(shared.snapshot())
    assert events == [ReaderConnected("anna"), Tap(TEMPLE)]
    assert [event.reader for event in events if isinstance(event, Tap)] == ["anna"]


def test_a_snapshot_tells_how_readers_are() -> None:
    shared = Service().happens(ReaderConnected("usb"), Tap(TEMPLE, "usb", chip="crown"))
    state = ReaderState("usb", "usb", "ready", uid=TEMPLE, chip="crown")
    assert shared.snapshot() == Snapshot((state,))


@pytest.mark.outer
def test_nobody_is_there() -> None:
    assert list_readers(Endpoint("/nowhere/at/all")) == {}
