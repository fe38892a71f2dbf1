"""From the messages of network readers to polls, with a clock of the test's own; and the ids and
addresses that they use."""

from __future__ import annotations

import re

import pytest

from tags.presence import Road
from tags.readers.paths import parse_address, parse_place
from tags.readers.sightings import Sightings, parse_id
from tests.tags.conftest import CASTLE, TEMPLE


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def poll(sightings: Sightings, times: int = 4) -> list[bytes]:
    """The chips of the next polls, each change once."""
    entries: list[bytes] = []
    for _ in range(times):
        for uid in sightings.poll() or [b""]:
            if not entries or entries[-1] != uid:
                entries.append(uid)
    return entries


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sightings(clock: Clock) -> Sightings:
    result = Sightings(Road(interval=1.0), clock)
    result.begin()
    assert poll(result) == [b""]
    return result


def test_a_repeated_chip_lies_there(sightings: Sightings, clock: Clock) -> None:
    for _ in range(5):  # every second look of a second each
        sightings.see(TEMPLE)
        assert poll(sightings) == [TEMPLE]
        clock.now += 2
    clock.now += 0.6
    assert poll(sightings) == [b""]


def test_a_chip_whose_going_is_reported_lies_until_then(sightings: Sightings, clock: Clock) -> None:
    sightings.see(TEMPLE)
    sightings.leave(TEMPLE)
    clock.now += 5
    assert poll(sightings, 8) == [TEMPLE, b""]
    sightings.see(CASTLE)
    clock.now += 600
    assert poll(sightings) == [CASTLE]
    sightings.leave()
    clock.now += 2
    assert poll(sightings, 8) == [CASTLE, b""] or poll(sightings) == [b""]


def test_a_flickering_chip_is_one(sightings: Sightings, clock: Clock) -> None:
    for _ in range(5):
        sightings.see(TEMPLE)
        clock.now += 1
        sightings.leave(TEMPLE)
        clock.now += 1
        assert poll(sightings) == [TEMPLE]


def test_another_chip_replaces_it_at_once(sightings: Sightings) -> None:
    sightings.see(TEMPLE)
    sightings.see(CASTLE)
    sightings.leave(TEMPLE)  # late, and of no interest
    assert poll(sightings, 6) == [TEMPLE, CASTLE]


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        ("74-10-37-94", "74103794"),
        ("04:A2:B3:C4:D5:E6:80", "04A2B3C4D5E680"),
        (" 04a2b3c4d5e680\n", "04A2B3C4D5E680"),
        ("1946157056", "74000000"),  # rdm6300: a decimal number
        ("", None),
        ("12", None),
        ("<b>04</b>", None),
        ("4294967296000", None),
    ],
)
def test_ids_as_readers_write_them(text: str, uid: str | None) -> None:
    data = bytes.fromhex(uid) if uid else None
    content = parse_id(text)
    assert content == data or (data is None and content is not None and len(content) == 10)
    if uid is None and len(text.strip()) < 4:
        assert content is None


def test_a_uuid_becomes_the_same_id_each_time() -> None:
    tag = "2f0c4f5e-3a52-4c9b-9e0d-0d4d9d2b1c11"
    assert parse_id(tag) == parse_id(tag.upper())
    assert len(parse_id(tag) or b"") == 10


@pytest.mark.parametrize(
    ("path", "bus"),
    [
        ("tcp://192.0.2.7:8888", "tcp"),
        ("tcp://[2001:db8::7]:8888", "tcp"),
        ("mqtt://pi.local/pn532/tag", "mqtt"),
        ("mqtts://anna@pi.local:8884/pn532/tag?interval=0.1&ca-file=/ca.pem", "mqtt"),
        ("zaparoo://mister.local", "zaparoo"),
        ("serial-line:/dev/ttyACM0", "line"),
    ],
)
def test_paths_of_network_readers(path: str, bus: str) -> None:
    assert parse_place(path).bus == bus


def test_everything_in_an_address_is_read() -> None:
    url = "mqtts://anna@pi.local:8884/a/b%20c?interval=0.1&password-file=/secret&ca-file=/ca.pem"
    address = parse_address(url)
    assert address[:5] == ("mqtts", "pi.local", 8884, "anna", "a/b c")
    assert address[5:] == (0.1, "/secret", "/ca.pem")


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("tcp://192.0.2.7", "tcp://HOST:PORT"),
        ("tcp://:8888", "is not the address of a reader"),
        ("tcp://host:99999", "is not the address of a reader"),
        ("tcp://host:1/path", "leave out the rest"),
        ("mqtt://anna:secret@pi/tag", "Write no password"),
        ("mqtt://pi/+/tag", "several topics"),
        ("mqtt://pi/tag?colour=red", "colour"),
        ("mqtt://pi/tag?interval=never", "0.02 to 60"),
        ("gopher://pi", "is not the address of a reader"),
        ("serial-line:ttyACM0", "is not a reader"),
    ],
)
def test_a_wrong_address_is_said_in_a_sentence(path: str, part: str) -> None:
    with pytest.raises(ValueError, match=re.escape(part)) as exception_info:
        parse_place(path)
    assert "secret" not in str(exception_info.value)
