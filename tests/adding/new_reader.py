"""The made-up reader: a program repeats the ids of the chips that lie there."""

from __future__ import annotations

from tests.adding.edits import Thing, create, end, replace

_ROAD = """\
    "port": Road(
        words="port:NUMBER",
        about="a program on that port of this computer that repeats the ids of the chips there",
        read=_after("port", r"\\d{1,5}"),
        reader="port_reader.PortReader",
        faults=dict.fromkeys(
            ("missing", "failed"),
            N_("No program tells chips at {name}; start the one that does."),
        ),
    ),
"""

READER = Thing(
    {"name": "port_reader"},
    {
        "tags/readers/<name>.py": create('''\
"""A reader through a program that listens on a port, and repeats which chips lie there."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence

from tags.chip_lines import LONGEST, IsKnown
from tags.presence import DROPOUT
from tags.readers.line_reader import LineReader

SILENCE = 1.0
"""Seconds without its line after which a chip has been lifted."""


class PortReader(LineReader):
    """A ``Reader`` of the program that listens on that port of this computer."""

    road = "port"

    def __init__(
        self,
        port: str,
        name: str,
        is_known: IsKnown,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name, is_known, clock)
        self._port = int(port)
        self._socket: socket.socket | None = None
        self._unread = b""
        self._lying: dict[bytes, float] = {}  # when the last line of each chip came

    def open(self) -> None:
        """Connect; what lies there has told itself before the first poll, so it is no tap."""
        self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=1)
        self._socket.setblocking(False)
        self._unread, self._lying = b"", {}
        time.sleep(SILENCE)

    def poll(self) -> Sequence[bytes]:
        """The chips whose line came lately; they are lifted when no poll has seen them for
        ``DROPOUT``."""
        now = self._clock()
        for text in self._receive():
            line = self._parse(text.decode("utf-8", "replace"))
            if line is not None and line.what == "tap":
                self._lying[line.uid] = now
        lasting = SILENCE - DROPOUT
        self._lying = {uid: at for uid, at in self._lying.items() if now - at < lasting}
        return tuple(self._lying)

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _receive(self) -> list[bytes]:
        """The lines that have come whole."""
        assert self._socket is not None
        try:
            more = self._socket.recv(LONGEST)
        except BlockingIOError:
            return []
        if not more:
            raise ConnectionResetError
        *lines, rest = (self._unread + more).split(b"\\n")
        self._unread = rest[-LONGEST:]
        return lines
'''),
        "tags/readers/roads.py": replace("ROADS = {\n", f"ROADS = {{\n{_ROAD}"),
        "docs/reference/readers.md": end(
            "\n`port:NUMBER` is a program here that repeats the ids of the chips that lie there.\n"
        ),
        "tests/tags/test_<name>.py": create('''\
"""Chips that a program tells over a real connection."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from tags.links import format_uid
from tags.readers.port_reader import PortReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer


@pytest.fixture
def program() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)
        yield listening


def reader_of(program: socket.socket, now: list[float]) -> PortReader:
    port = str(program.getsockname()[1])
    return PortReader(port, "anna", lambda uid: True, clock=lambda: now[0])


def tell(program: socket.socket, uid: bytes) -> socket.socket:
    """Wait for the reader, and tell it of that chip."""
    connection, _address = program.accept()
    line = json.dumps({"uid": format_uid(uid)})
    connection.sendall(f"{line}\\n".encode())
    return connection


def test_a_chip_lies_there_while_its_line_comes(program: socket.socket) -> None:
    now = [0.0]
    reader = reader_of(program, now)
    reader.open()
    with tell(program, TEMPLE):
        wait_until(lambda: reader.poll() == (TEMPLE,))
        now[0] = 0.6
        assert reader.poll() == (TEMPLE,)
        now[0] = 0.8
        assert reader.poll() == ()
    reader.close()


def test_a_program_that_ends_is_told_and_connected_to_again(
    program: socket.socket, watch: Callable[..., Recorder]
) -> None:
    now = [0.0]
    events = watch(reader_of(program, now))
    with tell(program, TEMPLE):
        assert [events.wait_for_next() for _ in range(2)] == [ReaderConnected("anna"), Tap(TEMPLE)]
    lost = events.wait_for_next()
    assert isinstance(lost, ReaderDisconnected)
    assert lost.reason == "No program tells chips at anna; start the one that does."
    now[0] = 10.0
    with tell(program, CASTLE):
        told = [events.wait_for_next() for _ in range(3)]
    assert told == [ReaderConnected("anna"), Lift(TEMPLE), Tap(CASTLE)]
    assert isinstance(told[-1], Tap)
    assert told[-1].found  # it lay there already
'''),
    },
    ("tests/tags", "tests/companion/test_config.py", "tests/test_surface.py"),
)
