"""``udp:HOST:PORT``: a chip that another process plays, through nfcpy's own network driver."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tags.readers.factory import reader_for
from tags.watch import Lift, ReaderCame, Tap
from tests.tags.conftest import TEMPLE, Recorder

CHIP = """
import sys, nfc.clf, nfc.clf.udp
device = nfc.clf.udp.init("127.0.0.1", int(sys.argv[1]))
target = nfc.clf.LocalTarget("106A")
target.sens_res, target.sel_res = bytearray.fromhex("4400"), bytearray.fromhex("00")
target.sdd_res = bytearray.fromhex(sys.argv[2])
while True:
    device.listen_tta(target, 1.0)
"""


@contextmanager
def chip(port: int, uid: bytes) -> Iterator[None]:
    """A process that is this chip until the block ends."""
    process = subprocess.Popen([sys.executable, "-c", CHIP, str(port), uid.hex()])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_chip_in_another_process_comes_and_goes(watch: Callable[..., Recorder]) -> None:
    port = free_port()
    with chip(port, TEMPLE):
        events = watch(reader_for(f"udp:127.0.0.1:{port}"))
        assert events.next() == ReaderCame(f"udp:127.0.0.1:{port}")
        assert events.next() == Tap(TEMPLE)
    assert events.next() == Lift(TEMPLE)
    with chip(port, TEMPLE):
        assert events.next() == Tap(TEMPLE)
