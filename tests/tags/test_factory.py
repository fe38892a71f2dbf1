"""Creating the right reader for a path, without loading its driver."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tags.readers import nfcpy_open
from tags.readers.auto_reader import reader_for
from tags.readers.file_reader import FileReader
from tags.readers.nfcpy_reader import NfcpyReader
from tags.readers.pcsc_reader import PcscReader
from tags.readers.roads import ReaderPlace, parse_place
from tags.readers.wedge import WedgeReader


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("usb", NfcpyReader),
        ("usb@1-2.3", NfcpyReader),
        ("/dev/ttyUSB0", NfcpyReader),
        ("pcsc", PcscReader),
        ("pcsc:ACR1252", PcscReader),
        ("wedge:/dev/input/by-id/usb-Reader-event-kbd", WedgeReader),
        ("file:taps.txt", FileReader),
        ("file:-", FileReader),
    ],
)
def test_each_path_has_its_reader(path: str, kind: type) -> None:
    assert isinstance(reader_for(path), kind)
    assert reader_for(path).name == path
    assert reader_for(path, "left").name == "left"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("usb@1-2.3", ReaderPlace("usb", "usb@1-2.3")),
        ("pcsc", ReaderPlace("pcsc", "")),
        ("pcsc:OMNIKEY CL", ReaderPlace("pcsc", "OMNIKEY CL")),
        ("wedge:/dev/input/by-id/x", ReaderPlace("wedge", "/dev/input/by-id/x")),
        ("file:a:b", ReaderPlace("file", "a:b")),
        ("usb", ReaderPlace("usb", "usb")),
        ("usb:072f:2200", ReaderPlace("usb", "usb:072f:2200")),
        ("usb:001:005", ReaderPlace("usb", "usb:001:005")),
        ("tty:USB0:pn532", ReaderPlace("serial", "/dev/ttyUSB0")),
        ("tty:ACM0", ReaderPlace("serial", "/dev/ttyACM0")),
        ("tty:/dev/pts/3", ReaderPlace("serial", "/dev/pts/3")),
        ("/dev/serial/by-id/usb-1a86:x", ReaderPlace("serial", "/dev/serial/by-id/usb-1a86:x")),
        ("COM3", ReaderPlace("serial", "COM3")),
    ],
)
def test_places(path: str, place: ReaderPlace) -> None:
    assert parse_place(path) == place


@pytest.mark.parametrize(
    "path",
    ["", "pcsc:", "pcsc: ", "pcs", "wedge:", "wedge:x", "file:", "udp:x:1", "usb@",
     "usb@1", "usb@1-", "tty", "tty:", "usb:zz", "usb:072f:", "tty:USB0:pn533", "tty:USB0:arygon",
     "x"],
)  # fmt: skip
def test_what_is_no_reader(path: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        reader_for(path)


@pytest.mark.outer
def test_no_driver_is_loaded_before_a_reader_is_opened() -> None:
    program = """
import sys
from tags.readers.auto_reader import reader_for
for path in ("usb", "pcsc", "wedge:/dev/x", "file:x"): reader_for(path)
print(*{"nfc", "serial", "usb1", "smartcard", "evdev"} & set(sys.modules))
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout == "\n"


def test_a_usb_port_is_found_by_its_number_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    port = tmp_path / "1-2.3"
    port.mkdir()
    (port / "busnum").write_text("1\n")
    (port / "devnum").write_text("17\n")
    assert nfcpy_open.find_address("usb@1-2.3", tmp_path) == "usb:001:017"
    (port / "devnum").write_text("18\n")
    assert nfcpy_open.find_address("usb@1-2.3", tmp_path) == "usb:001:018"
    assert nfcpy_open.find_address("usb:072f", tmp_path) == "usb:072f"
    with pytest.raises(OSError, match="No such device"):
        nfcpy_open.find_address("usb@1-9", tmp_path)
