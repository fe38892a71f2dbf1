"""Fuzz targets: the entry points of external bytes, and the invariants of each.

A target takes any bytes and returns, or raises: `AssertionError` for a broken invariant, else the
uncaught exception. `run.py` drives them with atheris, `test_targets.py` with hypothesis.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from companion import chips
from companion.chips.entries import (
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
    ReferenceChip,
)
from companion.chips.ndef import ContentError, decode, decode_link, encode
from companion.chips.registry import Registry
from companion.errors.output import flatten, print_error
from tags import links
from tags.links import LENGTHS
from tags.service import (
    LONGEST_LINE,
    LONGEST_REQUEST,
    Answer,
    ChipRequest,
    ProtocolError,
    parse_message,
    parse_request,
)
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.service.server import Connection
from tags.service.switchboard import Switchboard
from tags.type2 import ChipSilent, Type2, UnsuitableChip
from tags.watch import Event, Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.fuzz import doors

KNOWN = chips.load_catalogue()
TEMPLE = bytes.fromhex("04A2B3C4D5E680")
OURS = encode(DistrictChip("temple", 2), "Temple")
LINKED = encode(CrownChip(), "Crown", "en", links.parse("anna.local"), TEMPLE)

_DRIVES = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that control a terminal or change the text direction, by Unicode's properties."""


def assert_harmless(text: str) -> None:
    """Assert that `text` is safe to send to a terminal."""
    match = _DRIVES.search(text)
    assert match is None, f"U+{ord(match.group()):04X} would reach a terminal in {text!a}"


def assert_listed(entry: Entry) -> None:
    """Assert that the catalogue has the entry."""
    match entry:
        case DistrictChip(card, copy):
            assert 1 <= copy <= KNOWN.districts[card]
        case CharacterChip(card):
            assert card in KNOWN.characters
        case PlayerChip(seat):
            assert 1 <= seat <= 8
        case ReferenceChip(number, cards):
            assert 1 <= number <= 99
            assert set(cards) <= KNOWN.cards
        case CrownChip():
            pass
        case _:
            assert entry.name in KNOWN.actions


# -- chip contents ----------------------------------------------------------------------------


def message(data: bytes) -> None:
    """A chip's message is an entry of the catalogue, nothing, or one of our sentences; its link is
    one that we would write, or none."""
    link = decode_link(data)
    assert link is None or links.read(str(link)) == link
    assert_harmless(str(link))
    try:
        entry = decode(data, KNOWN)
    except ContentError as error:
        text = str(error)
        assert text.endswith(".")
    else:
        if entry is not None:
            assert_listed(entry)
        text = str(entry)
    assert text.isascii()
    assert_harmless(text)


class HostileChip:
    """A chip with any memory, which disappears after `dies` exchanges and then comes back.

    `lies`, if not empty, replaces every third answer.
    """

    def __init__(self, memory: bytes, dies: int, lies: bytes) -> None:
        self.memory = bytearray(memory + bytes(-len(memory) % 4))
        self.dies = dies
        self.lies = lies
        self.exchanges = 0
        self.written: set[int] = set()

    def exchange(self, command: bytes) -> bytes:
        """The answer to a command. Raises ChipSilent, and AssertionError for endless commands."""
        self.exchanges += 1
        assert self.exchanges < 4000, "the chip is asked without end"
        if self.exchanges == self.dies:
            raise ChipSilent
        if self.lies and self.exchanges % 3 == 0:
            return self.lies
        start = command[1] * 4 if len(command) > 1 else 0
        if command[0] not in (0x30, 0xA2) or start >= len(self.memory):
            return b"\x00"
        if command[0] == 0x30:
            return bytes((self.memory + self.memory)[start : start + 16]).ljust(16, b"\0")
        self.written.add(command[1])
        self.memory[start : start + 4] = command[2:]
        return b"\x0a"


def memory(data: bytes) -> None:
    """Reading any memory layout terminates; an interrupted write leaves the old message, none, or
    the new one, and changes nothing outside the data area."""
    if len(data) < 3:
        return
    dies, lies = data[0], data[3 : 3 + data[1] % 19] if data[1] > 127 else b""
    chip = HostileChip(bytes(12) + data[3:], 0, lies)
    before = _read(chip)
    if before is not None:
        message(before)
    chip.exchanges, chip.dies = 0, dies
    room = chip.memory[14] * 8 if len(chip.memory) > 14 else 0
    with contextlib.suppress(UnsuitableChip, ChipSilent):
        Type2(chip.exchange).write(OURS)
        assert lies or _read(chip) == OURS, "written, and not there"
    assert all(4 <= page < 4 + room // 4 for page in chip.written)
    if not lies:
        assert _read(chip) in (before, b"", OURS), "half of a message passes for whole"


def _read(chip: HostileChip) -> bytes | None:
    chip.exchanges = chip.dies = 0
    try:
        return Type2(chip.exchange).read()
    except (UnsuitableChip, ChipSilent):
        return None


# -- the mapping file -------------------------------------------------------------------------

_FOLDER = tempfile.TemporaryDirectory(prefix="companion-fuzz-")


def mapping(data: bytes) -> None:
    """A mapping file gives chips of the catalogue, or problems that are safe to print; saving and
    reading it again changes nothing."""
    path = str(Path(_FOLDER.name, "tags.yaml"))
    Path(path).write_bytes(data)
    try:
        registry = chips.load(path)
    except chips.ChipsError as error:
        _assert_printable(error.problems)
        return
    for uid, entry in registry:
        assert len(uid) in LENGTHS
        assert_listed(entry)
    assert Registry.from_data(json.loads(json.dumps(registry.to_data())), KNOWN) == registry
    chips.save(path, registry)
    assert chips.load(path) == registry


def _assert_printable(problems: list[str]) -> None:
    """Assert that there are problems, each safe to print on one line."""
    assert problems
    string_io = io.StringIO()
    with contextlib.redirect_stderr(string_io):
        print_error(problems)
    assert_harmless(string_io.getvalue())
    assert string_io.getvalue().count("\n") == len(problems)


# -- the socket of the reader service ---------------------------------------------------------


class _Sent:
    """The writing half of a connection, which records its output."""

    def __init__(self) -> None:
        self.data = b""
        self.transport = self

    def write(self, data: bytes) -> None:
        self.data += data

    async def drain(self) -> None:
        await asyncio.sleep(0)

    def get_write_buffer_size(self) -> int:
        return 0


class _Listening:
    """A client that records its messages."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def send(self, line: bytes) -> None:
        self.lines.append(line)


def _switchboard(client: _Listening) -> Switchboard:
    """A service with a chip of a hostile name, on a reader of a hostile name."""
    switchboard = Switchboard({"usb": "usb", "\x1b[2J\u202e": "/dev/\x9b"})
    switchboard.join(client)
    switchboard.take(ReaderConnected("usb"))
    switchboard.take(Tap(TEMPLE, "usb", chip="\x1b]0;x\x07\u202e"))
    switchboard.take(ReaderDisconnected("\x1b[2J\u202e", "\x1b[31m\ud800", "busy"))
    return switchboard


def _send_to_clients() -> tuple[bytes, ...]:
    """That service's messages to an existing client and to a new one."""
    early, late = _Listening(), _Listening()
    _switchboard(early).join(late)
    return b"".join(early.lines), b"".join(late.lines)


async def _refuse(client: Connection, request: ChipRequest) -> Answer:
    return Answer(request.id, "busy", request.reader)


async def _talk(data: bytes) -> bytes:
    reader, result, switchboard = (
        asyncio.StreamReader(limit=LONGEST_REQUEST),
        _Sent(),
        _switchboard(_Listening()),
    )
    reader.feed_data(data)
    reader.feed_eof()
    client = Connection(reader, result, switchboard, _refuse, lambda: None)  # type: ignore[arg-type]
    switchboard.join(client)
    await client.serve()
    return result.data


def requests(data: bytes) -> None:
    """For any client input, the service keeps running, and answers in protocol lines without
    terminal control."""
    for line in data.splitlines(keepends=True):
        with contextlib.suppress(ProtocolError):
            parse_request(line)
    content = asyncio.run(_talk(data))
    for line in content.splitlines(keepends=True):
        assert line.endswith(b"\n")
        assert len(line) <= LONGEST_LINE
        assert_harmless(line.decode("ascii"))
        parse_message(line)


def events(data: bytes) -> None:
    """For any service output, a client produces events safe to show, or a protocol error; taps only
    of chips that were absent, lifts only of chips that were present."""
    lying: dict[str, bytes] = {}
    news: list[Event] = []
    client = ServiceClient(Endpoint("/nowhere"), news.append, name="usb")
    for line in data.splitlines(keepends=True):
        try:
            answer = parse_message(line)
        except ProtocolError as error:
            assert_harmless(str(error))
            continue
        client.take(answer)
        while news:
            _hold(news.pop(0), lying)


def _hold(event: Any, lying: dict[str, bytes]) -> None:
    match event:
        case Tap(uid, reader):
            assert reader not in lying
            assert len(uid) in LENGTHS
            lying[reader] = uid
        case Lift(uid, reader):
            assert lying.pop(reader) == uid
        case ReaderDisconnected(name, reason):
            assert_harmless(flatten(name) + flatten(reason))
        case ReaderConnected(name):
            assert_harmless(flatten(name))


# -- all of them ------------------------------------------------------------------------------


class Target(NamedTuple):
    """One target: its check, and examples of sensible input."""

    check: Callable[[bytes], None]
    seeds: tuple[bytes, ...]


_YAML = b"""chips:
  04A2B3C4D5E680: district temple 2
  "04A2B3C4D5E681": character king
  04:A2:B3:C4: player 3
  04A2B3C4D5E682A3A4A5: crown
  04A2B3C4D5E683: action end
  04A2B3C4D5E684: reference 1
references:
  1: [keep, library]
"""
_REQUESTS = (
    b'{"type":"ping","id":7}\n{"type":"snapshot"}\n',
    b'{"type":"private","id":1,"reader":"usb","on":true}\n{"type":"retry"}\n',
    b'{"type":"write","reader":"usb","uid":"04A2B3C4D5E680","message":"d000"}\n',
    b'{"type":"read","reader":"usb","uid":"04A2B3C4"}\n{"type":"format","token":"x"}\n',
    b'{"type":"own","owner":"companion play (7)","over":true}\n{"type":"retry"}\n'
    b'{"type":"erase","reader":"usb","uid":"04A2B3C4"}\n{"type":"lock","reader":"usb"}\n',
)
DATA_AREA = b"\xe1\x10\x12\x00"
"""The capability container of an empty NTAG213."""

_LOCKS = bytes.fromhex("0103A00C34")
_AREAS = (
    DATA_AREA + _LOCKS + b"\x03\x00\xfe" + bytes(136),
    DATA_AREA + _LOCKS + b"\x03" + bytes((len(OURS),)) + OURS + b"\xfe" + bytes(40),
    DATA_AREA + b"\x00\x00\x03\xff\x00" + bytes((len(OURS),)) + OURS + b"\xfe" + bytes(40),
    DATA_AREA + b"\x02\x03\xa0\x0c\x34\xfd\x02ab\x03\x00\xfe" + bytes(136),
)

TARGETS = {
    "message": Target(
        message, (OURS, LINKED, encode(CrownChip(), "Корона", "ru"), b"\xd0\x00\x00")
    ),
    "memory": Target(
        memory, tuple(bytes((n, n * 16, 0)) + area for n in (0, 5, 9) for area in _AREAS)
    ),
    "mapping": Target(mapping, (_YAML, b"chips: {}\n", b"references: {1: [keep]}\n")),
    "requests": Target(requests, _REQUESTS),
    "events": Target(events, _send_to_clients()),
    **{name: Target(check, doors.SEEDS[name]) for name, check in doors.CHECKS.items()},
}
"""Every target, by name."""

TOKENS = (
    *(
        b"\x1b[2J",
        b"\x1b]0;x\x07",
        b"\x9b31m",
        "\u202e".encode(),
        "\u2066".encode(),
        b"\xed\xa0\x80",
    ),
    *(b"urn:nfc:ext:citadels.example:card", b"citadels.example:card", b"1:d:temple:2", b"1:k"),
    *(b"district temple 1", b"character king", b"action end", b"reference 1", b"chips:", b"04A2"),
    *(b'"type":"tap"', b'"uid":', b'"state":"ready"', b'"type":"reader"', b"1e999"),
    *(b"*a", b"&a ", b"!!python/object", b"? ", b"<<: ", b"\\u001b", b"\\ud800", b"NaN"),
)
"""Tokens that a fuzzer would rarely find."""
