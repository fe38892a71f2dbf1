"""A PC/SC service of the test's own, with a virtual contactless reader (Debian's vsmartcard-vpcd).

A card connects to the reader over a socket: connecting lays a chip on, disconnecting lifts it. The
service has a `/run` and a port of its own, so that any number of test processes can each run one,
and no other program sees it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import needs
from tests.rigs.ports import find_port
from tests.tags.emulated_pcsc import Firmware
from tests.waiting import PATIENCE, wait_until

_CONFIG = Path("/etc/reader.conf.d/vpcd")
_RUN = Path(tempfile.gettempdir()) / f"citadels-pcscd-{os.getpid()}"
_SOCKET = _RUN / "pcscd" / "pcscd.comm"

# Where PC/SC's library finds the service; it looks only once, in this process and those it starts.
os.environ["PCSCLITE_CSOCK_NAME"] = str(_SOCKET)


def require() -> None:
    """Skip the test if this computer cannot run the service."""
    needs.require("pcsc", "pcscd", "util-linux")
    command = _with_run(tempfile.gettempdir(), "true")
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a process cannot be given a /run of its own here")


def _with_run(folder: str | Path, *command: str) -> list[str]:
    """The command, with that folder as its `/run`."""
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    return [*unshare, "sh", "-c", 'mount --bind "$0" /run && exec "$@"', str(folder), *command]


@contextlib.contextmanager
def service() -> Iterator[int]:
    """Run pcscd within the block, and yield the port for chips; raises ``TimeoutError`` if it does
    not start."""
    port = find_port()
    drivers = _RUN / "drivers"
    drivers.mkdir(parents=True, exist_ok=True)
    text = re.sub(r"\b0x[0-9A-Fa-f]+", f"0x{port:X}", _CONFIG.read_text())
    (drivers / "vpcd").write_text(text)
    process = subprocess.Popen(
        _with_run(_RUN, "pcscd", "--foreground", "--config", f"/run/{drivers.name}"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + PATIENCE
        while not (_answers() and _is_listening(port)):
            if time.monotonic() > end or process.poll() is not None:
                raise TimeoutError("pcscd did not start")
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)
        shutil.rmtree(_RUN)


def _answers() -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(_SOCKET))
        except OSError:
            return False
    return True


def _is_listening(port: int) -> bool:
    """Whether the virtual reader is listening for a card, checked without connecting."""
    sockets = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    return any(f":{port:04X} " in path.read_text() for path in sockets if path.exists())


class VirtualChip:
    """A chip on the virtual reader until ``lift``, or until its exchanges are used up.

    ``lift`` waits until the service has noticed: it polls slowly, and does not notice a chip
    replaced between two polls.
    """

    def __init__(self, firmware: Firmware, port: int) -> None:
        self.firmware = firmware
        self._line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._line.settimeout(None)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def lift(self) -> None:
        """Take it away."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._line.close()
        wait_until(lambda: not _sees_chip(), 0.02)

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                (length,) = struct.unpack(">H", self._take(2))
                message = self._take(length)
                if length == 1 and message[0] in (0, 1, 2):  # power off, power on, reset
                    self.firmware.reset()
                    continue
                answer = self.firmware.atr if length == 1 else self.firmware.answer(message)
                if self.firmware.chip is None:  # this exchange was its last
                    self._line.shutdown(socket.SHUT_RDWR)
                self._line.sendall(struct.pack(">H", len(answer)) + answer)

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._line.recv(count - len(data))
            if not more:
                raise OSError("the reader hung up")
            data += more
        return data


def _sees_chip() -> bool:
    """Whether the service, if it runs, reports a chip on the virtual reader."""
    scard: Any = importlib.import_module("smartcard.scard")
    code, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_USER)
    if code != scard.SCARD_S_SUCCESS:
        return False
    try:
        _code, slots = scard.SCardListReaders(context, [])
        unaware = [(slot, scard.SCARD_STATE_UNAWARE) for slot in slots]
        _code, states = scard.SCardGetStatusChange(context, 0, unaware)
        return any(state & scard.SCARD_STATE_PRESENT for _slot, state, _atr in states)
    finally:
        scard.SCardReleaseContext(context)
