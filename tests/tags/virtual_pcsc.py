"""A PC/SC service of the test's own, with a virtual contactless reader (Debian's vsmartcard-vpcd).

A card connects to the reader over a socket: connecting lays a chip on, disconnecting lifts it.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import os
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

from tests.tags.emulated_pcsc import Firmware
from tests.waiting import PATIENCE

PORT = 35963

_SOCKET = Path("/run/pcscd/pcscd.comm")
_CONFIG = Path("/etc/reader.conf.d/vpcd")
_LOCK = Path(tempfile.gettempdir()) / "citadels-tests-pcscd.lock"


def explain_absence() -> str:
    """Why this computer cannot run it; empty if it can."""
    if shutil.which("pcscd") is None or not _CONFIG.exists():
        return "pcscd or vsmartcard-vpcd is not installed"
    if os.geteuid() != 0:
        return "starting pcscd takes root"
    if not is_stopped():
        return "a pcscd runs already"
    return ""


@contextlib.contextmanager
def lock_service() -> Iterator[None]:
    """Take a machine-wide lock on the service. Skips the test if the service cannot be run."""
    pytest.importorskip("smartcard.scard", reason="the extra pcsc is not installed")
    with _LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if reason := explain_absence():
            pytest.skip(reason)
        yield


def _answers() -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(_SOCKET))
        except OSError:
            return False
    return True


@contextlib.contextmanager
def service() -> Iterator[None]:
    """Run pcscd within the block; raises ``TimeoutError`` if it does not start."""
    process = subprocess.Popen(
        ["pcscd", "--foreground"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + PATIENCE
        while not (_answers() and _is_listening()):
            if time.monotonic() > end or process.poll() is not None:
                raise TimeoutError("pcscd did not start")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(60)


def _is_listening() -> bool:
    """Whether the virtual reader is listening for a card, checked without connecting."""
    sockets = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    return any(f":{PORT:04X} " in path.read_text() for path in sockets if path.exists())


class VirtualChip:
    """A chip on the virtual reader until ``lift``, or until its exchanges are used up.

    ``lift`` waits until the service has noticed: it polls slowly, and does not notice a chip
    replaced between two polls.
    """

    def __init__(self, firmware: Firmware) -> None:
        self.firmware = firmware
        self._line = socket.create_connection(("127.0.0.1", PORT), timeout=60)
        self._line.settimeout(None)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def lift(self) -> None:
        """Take it away."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join(60)
        self._line.close()
        end = time.monotonic() + PATIENCE
        while _sees_chip():
            assert time.monotonic() < end, "the service never noticed that the chip was lifted"
            time.sleep(0.02)

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
        taken = b""
        while len(taken) < count:
            more = self._line.recv(count - len(taken))
            if not more:
                raise OSError("the reader hung up")
            taken += more
        return taken


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


def is_stopped() -> bool:
    """Whether no pcscd is running."""
    return not (_SOCKET.exists() and _answers())
