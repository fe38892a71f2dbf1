"""Programs that nobody here wrote drive the emulated PN532, each from cold, and get what a board
gives."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from scripts.install import find_installers
from tests.rigs.antenna import text_message
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import TEMPLE
from tests.waiting import PATIENCE

pytestmark = pytest.mark.soak

UID = "  ".join(f"{byte:02x}" for byte in TEMPLE)


@pytest.fixture(params=[None, 0.001], ids=["at once", "with line times"])
def emulator(request: pytest.FixtureRequest) -> Iterator[EmulatedReader]:
    """A cold board with a chip on it."""
    adapter: float | None = request.param
    with EmulatedReader(wired=adapter is not None, adapter=adapter or 0.0) as reader:
        reader.hold(TEMPLE, text_message("Temple"))
        yield reader


TRIES = 5
"""How often a program is started: they wait for as long as a board needs, 10 to 100 ms, and a busy
machine may let the emulated one be later."""


def run(*words: str, path: str) -> str:
    """What a program prints, with its errors; it must end well."""
    environment = {**os.environ, "LIBNFC_DEFAULT_DEVICE": f"pn532_uart:{path}"}
    for _ in range(TRIES):
        result = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=2 * PATIENCE, env=environment,
        )  # fmt: skip
        if result.returncode == 0:
            break
    assert result.returncode == 0, result.stdout
    return result.stdout


def run_python(program: str, path: str) -> list[str]:
    return run(sys.executable, "-c", program, path, path=path).splitlines()


NFCPY = """
import sys, nfc
from nfc.clf import pn532, transport
frontend = nfc.ContactlessFrontend()
frontend.device = pn532.init(transport.TTY(sys.argv[1]))
frontend.device._path = sys.argv[1]
tag = frontend.connect(rdwr={"on-connect": lambda tag: False})
print(tag)
print(*(record.text for record in tag.ndef.records))
frontend.close()
"""
"""What nfcpy's `tagtool.py show` does; that takes no path outside of /dev."""


def test_nfcpy_without_our_workarounds(emulator: EmulatedReader) -> None:
    for _ in range(3):
        assert run_python(NFCPY, emulator.path) == [
            f"Type2Tag 'NXP NTAG213' ID={TEMPLE.hex().upper()}",
            "Temple",
        ]


@pytest.mark.needs("libnfc")
def test_libnfc_lists_and_reads_a_chip(
    emulator: EmulatedReader, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for _ in range(2):
        answer = run("nfc-list", path=emulator.path)
        assert f"UID (NFCID1): {UID}" in answer
        assert "ATQA (SENS_RES): 00  44" in answer
    file = tmp_path_factory.mktemp("libnfc") / "dump"
    assert "45 of 45 pages read" in run("nfc-mfultralight", "r", str(file), path=emulator.path)
    assert file.read_bytes()[:3] == TEMPLE[:3]
    assert b"Temple" in file.read_bytes()
    emulator.lift()
    assert "ISO14443A" not in run("nfc-list", path=emulator.path)


@pytest.mark.needs("libnfc")
def test_libnfc_selects_a_chip_by_hand(emulator: EmulatedReader) -> None:
    answer = run("nfc-anticol", path=emulator.path)
    assert f"UID: {TEMPLE.hex()}" in answer
    assert "ATQA: 0044" in answer


@pytest.mark.needs("libnfc")
def test_libnfc_polls_until_a_chip_comes_and_goes(emulator: EmulatedReader) -> None:
    emulator.lift()
    answers: list[str] = []
    poll = threading.Thread(
        target=lambda: answers.append(run("nfc-poll", path=emulator.path)), daemon=True
    )
    poll.start()
    while not emulator.chip.search:  # it polls
        assert poll.is_alive(), answers
        poll.join(0.01)
    emulator.hold(TEMPLE)
    exchanges = emulator.chip.exchanges
    while emulator.chip.exchanges < exchanges + 2:  # it asks whether the chip is still there
        assert poll.is_alive(), answers
        poll.join(0.01)
    emulator.lift()
    poll.join(2 * PATIENCE)
    (answer,) = answers
    assert f"UID (NFCID1): {UID}" in answer
    assert "Waiting for card removing" in answer


ADAFRUIT = """
import sys, serial
from adafruit_pn532.uart import PN532_UART
reader = PN532_UART(serial.Serial(sys.argv[1], baudrate=115200, timeout=1))
print(*reader.firmware_version)
reader.SAM_configuration()
uid = reader.read_passive_target(timeout=5)
print(uid and bytes(uid).hex())
if uid:
    print(reader.ntag2xx_write_block(10, b"test"), reader.ntag2xx_read_block(10))
    print(reader.power_down())
"""


LIBRARIES = ("adafruit-circuitpython-pn532==2.4.9", "pn532pi==1.7")
STAND_INS = {
    "digitalio": "Direction = DigitalInOut = None\n",
    "micropython": "const = int\n",
    "circuitpython_typing": "ReadableBuffer = bytes\n",
    "busio": "UART = None\n",
}
"""For the modules of CircuitPython of which adafruit's library needs these names."""


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder with these libraries; skips where they cannot be had.

    They are no extra: what they depend on includes a `typing` that hides Python's own.
    """
    folder = tmp_path_factory.mktemp("libraries")
    for installer in find_installers():
        result = subprocess.run(
            [*installer.words, "--no-deps", "--target", str(folder), *LIBRARIES],
            env={**os.environ, **({"PYTHONPATH": installer.path} if installer.path else {})},
            capture_output=True, timeout=300,
        )  # fmt: skip
        if result.returncode == 0:
            for module, text in STAND_INS.items():
                (folder / f"{module}.py").write_text(text)
            return str(folder)
    pytest.skip(f"{' and '.join(LIBRARIES)} cannot be installed here")


def test_adafruit_s_library_reads_and_writes(
    emulator: EmulatedReader, libraries: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", libraries)
    uid = TEMPLE.hex()
    assert run_python(ADAFRUIT, emulator.path) == ["50 1 6 7", uid, "True b'test'", "True"]
    assert run_python(ADAFRUIT, emulator.path)[1] == uid, "woken from its sleep"
    emulator.lift()
    empty = ADAFRUIT.replace("timeout=5)", "timeout=0.5)")
    assert run_python(empty, emulator.path) == ["50 1 6 7", "None"]


PN532PI = """
import sys, serial
from pn532pi import Pn532, pn532
from pn532pi.interfaces import pn532hsu
from pn532pi.interfaces.pn532hsu import Pn532Hsu
pn532hsu.PN532_ACK_WAIT_TIME = 1000  # ms instead of 10: on a busy machine the board may be late
class Line(Pn532Hsu):
    def __init__(self, port):
        self.port, self.command = port, 0
    def begin(self):
        self._serial = serial.Serial(self.port, baudrate=115200, timeout=1)
line = Line(sys.argv[1])
reader = Pn532(line)
reader.begin()
print(hex(reader.getFirmwareVersion()))
print(reader.SAMConfig())
print(reader.readPassiveTargetID(pn532.PN532_MIFARE_ISO14443A_106KBPS)[1].hex())
print(reader.mifareultralight_WritePage(10, b"abcd"), reader.mifareultralight_ReadPage(10)[1][:4])
"""
"""Its own class for a serial port knows the names of a Raspberry Pi's ports only."""


def test_pn532pi_reads_and_writes(
    emulator: EmulatedReader, libraries: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", libraries)
    assert run_python(PN532PI, emulator.path) == [
        "0x32010607", "True", TEMPLE.hex(), "True b'abcd'"
    ]  # fmt: skip
