"""The doctor, on computers that are made up of files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from companion.commands import CommandError, doctor
from companion.wording.diagnosis import sentence
from tags.readers.base import Fault, ReaderGone
from tags.readers.finding import BROKEN, UNKNOWN, USABLE, Cause, Computer, Finding, find
from tests.tags import virtual_pcsc


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def computer(
    root: Path,
    *,
    may: bool = True,
    libusb: bool = True,
    extras: bool = True,
    slots: Sequence[str] | Fault = "software",
    platform: str = "linux",
    devices: Sequence[tuple[str, str]] = (),
    ports: Sequence[str] = (),
) -> Computer:
    def asked() -> list[str]:
        if isinstance(slots, str):
            raise ReaderGone("PC/SC does not answer.", slots)
        return list(slots)

    return Computer(
        root,
        lambda path: may,
        lambda name: name if libusb else None,
        lambda name: extras,
        asked,
        lambda: list(devices),
        lambda: list(ports),
        platform,
    )


def plug(
    root: Path, usb_id: str, port: str = "1-2", *, driver: str = "", release: str = "0214"
) -> None:
    """Plug a USB device in."""
    device = root / "sys/bus/usb/devices" / port
    device.mkdir(parents=True)
    vendor, product = usb_id.split(":")
    facts = {"idVendor": vendor, "idProduct": product, "busnum": "1", "devnum": "7",
             "bcdDevice": release}  # fmt: skip
    for name, value in facts.items():
        (device / name).write_text(f"{value}\n")
    if driver:
        target = root / "sys/bus/usb/drivers" / driver
        target.mkdir(parents=True, exist_ok=True)
        (device / f"{port}:1.0").mkdir()
        (device / f"{port}:1.0/driver").symlink_to(target)


def start(root: Path, program: str) -> None:
    process = root / "proc/42"
    process.mkdir(parents=True)
    (process / "comm").write_text(f"{program}\n")


def only(here: Computer) -> Finding:
    (one,) = find(here)
    return one


def test_a_reader_that_can_be_used(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "054c:06c3")
    plug(root, "1d6b:0002", "usb1")
    assert only(computer(root)).state == USABLE
    assert doctor.run([], computer(root)) == 0
    assert capsys.readouterr().out == "usb@1-2: Sony RC-S380/P: it can be used.\n"


def test_two_equal_readers_are_two_paths(root: Path) -> None:
    plug(root, "072f:2200", "1-2")
    plug(root, "072f:2200", "1-3.1")
    assert [one.path for one in find(computer(root))] == ["usb@1-2", "usb@1-3.1"]


@pytest.mark.parametrize("driver", ["pn533_usb", "port100"])
def test_taken_by_the_kernel(root: Path, driver: str) -> None:
    plug(root, "072f:2200", driver=driver)
    one = only(computer(root))
    assert (one.state, driver in sentence(one)) == (BROKEN, True)
    assert one.mend.startswith(f"sudo modprobe -r {driver}")


def test_taken_by_pcscd_or_another_program(root: Path) -> None:
    plug(root, "072f:2200", driver="usbfs")
    assert only(computer(root)).state == UNKNOWN
    start(root, "pcscd")
    one = only(computer(root))
    assert (one.state, one.mend) == (BROKEN, "sudo systemctl stop pcscd.socket pcscd")


def test_no_permission(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "072f:2200")
    assert doctor.run([], computer(root, may=False)) == 1
    said = capsys.readouterr().out
    assert "may not use it" in said
    assert 'ATTRS{idProduct}=="2200"' in said


def test_no_libusb(root: Path) -> None:
    plug(root, "072f:2200")
    assert "libusb-1.0-0" in only(computer(root, libusb=False)).mend


def test_a_firmware_that_hangs(root: Path) -> None:
    plug(root, "072f:2200", release="0216")
    one = only(computer(root))
    assert (one.state, "firmware" in sentence(one)) == (USABLE, True)


ACR1252 = "ACS ACR1252 1S CL Reader [PICC] (ACR1252U-A1-0123) 00 00"


def test_a_reader_of_pcsc(root: Path) -> None:
    plug(root, "072f:223b")
    assert "[pcsc]" in only(computer(root, extras=False)).mend
    assert "pcscd.socket" in only(computer(root)).mend
    assert only(computer(root, slots="permission")).cause == "refused"
    assert "libacsccid1" in only(computer(root, slots=[])).mend
    assert only(computer(root, slots=[ACR1252])) == Finding(
        "pcsc:ACR1252", "fine-pcsc", "ACS ACR1252U"
    )


def test_the_slots_of_pcsc_are_listed_as_well(root: Path) -> None:
    names = ["Identiv Slot [CCID Interface] 00 00", "Identiv CONTACT READER 01 00"]
    found = find(computer(root, slots=names))
    assert [(one.path, one.state) for one in found] == [
        (f"pcsc:{names[0]}", USABLE),
        (f"pcsc:{names[1]}", UNKNOWN),
    ]


def test_the_real_service_is_asked(pcscd: None) -> None:
    slots = [one for one in find() if one.path.startswith("pcsc:Virtual")]
    assert {one.state for one in slots} == {USABLE}


@pytest.fixture
def pcscd() -> Iterator[None]:
    pytest.importorskip("smartcard.scard", reason="the extra pcsc is not installed")
    reason = virtual_pcsc.why_not()
    if reason:
        pytest.skip(reason)
    with virtual_pcsc.service():
        yield


def test_serial_ports_are_listed_and_left_alone(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    one = only(computer(root))
    assert (one.path, one.state) == ("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", UNKNOWN)
    assert "--tap" in one.mend
    one = only(computer(root, may=False))
    assert one.state == BROKEN
    assert one.mend.startswith("sudo usermod -aG ")


def test_no_port_is_opened_by_looking(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    program = (
        "import sys; from pathlib import Path; from tags.readers.finding import Computer, find\n"
        "sys.addaudithook(lambda what, about: what == 'open' and print('opened', about[0]))\n"
        f"print(*find(Computer(Path({str(root)!r}))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    *opened, found = done.stdout.splitlines()
    assert "usb-1a86_USB_Serial" in found
    assert not [line for line in opened if str(root) in line]


def test_the_port_on_the_pins_of_a_small_computer(root: Path) -> None:
    (root / "dev").mkdir()
    (root / "dev/ttyAMA0").touch()
    (root / "dev/ttyS0").touch()
    assert [one.path for one in find(computer(root))] == ["/dev/ttyAMA0"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="takes root")
def test_permission_is_what_the_kernel_says(root: Path) -> None:
    plug(root, "072f:2200")
    node = root / "dev/bus/usb/001/007"
    node.parent.mkdir(parents=True)
    node.touch()
    here = replace(computer(root), may=Computer().may)
    for folder in [*root.parents, root, *root.rglob("*")]:
        if folder.is_dir() and folder.stat().st_mode & 0o005 != 0o005:
            folder.chmod(0o755)
    for mode, state in ((0o600, BROKEN), (0o666, USABLE)):
        node.chmod(mode)
        os.seteuid(65534)
        try:
            one = only(here)
        finally:
            os.seteuid(0)
        assert one.state == state


def test_keyboards_and_readers_that_type(root: Path) -> None:
    folder = root / "dev/input/by-id"
    folder.mkdir(parents=True)
    (folder / "usb-Logitech_Keyboard-event-kbd").touch()
    (folder / "usb-Sycreader_RFID-event-kbd").touch()
    keyboard, reader = find(computer(root))
    assert keyboard.state == UNKNOWN
    assert (reader.state, reader.path) == (
        USABLE,
        "wedge:/dev/input/by-id/usb-Sycreader_RFID-event-kbd",
    )
    assert "[wedge]" in find(computer(root, extras=False))[1].mend
    assert "usermod" in find(computer(root, may=False))[1].mend


# -- other systems: as they are documented, tried on none of them ------------------------------


def test_a_mac(root: Path) -> None:
    here = computer(
        root,
        platform="darwin",
        devices=[("072f:2200", "usb@1-2"), ("054c:06c3", "usb@1-3"), ("1d6b:0002", "usb@1-0")],
        ports=["/dev/cu.Bluetooth-Incoming-Port", "/dev/cu.usbserial-10"],
        slots=[],
    )
    assert [(one.path, one.cause) for one in find(here)] == [
        ("usb@1-2", "untried-pcsc"),
        ("usb@1-3", "fine"),
        ("/dev/cu.usbserial-10", "serial"),
    ]
    missing = only(computer(root, platform="darwin", libusb=False, slots=[]))
    assert missing.mend == "brew install libusb"


def test_windows(root: Path) -> None:
    here = computer(
        root,
        platform="win32",
        devices=[("054c:06c3", "usb@1-3"), ("072f:223b", "usb@1-4")],
        ports=["COM3"],
    )
    found = find(here)
    assert [(one.path, one.cause) for one in found] == [
        ("usb@1-3", "untried-winusb"),
        ("pcsc:ACR1252", "no-pcscd"),
        ("COM3", "serial"),
    ]
    assert found[1].mend == "sc start SCardSvr"
    assert found[2].mend == "companion doctor --tap 3 --reader COM3"


# -- what is told ------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", get_args(Cause))
def test_every_cause_has_one_sentence(cause: Cause) -> None:
    said = sentence(Finding("{path}", cause, "A {reader}", "", "a holder"))
    assert said.startswith("{path}: ")
    assert said.endswith(".")
    assert "\n" not in said


def test_a_report_names_no_serial_number(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = root / "dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    here = computer(root, slots=[ACR1252])
    doctor.run(["--report"], here)
    said = capsys.readouterr().out
    assert "usb-FTDI_FT232R_USB_UART…-if00-port0" in said
    assert "A50285BI" not in said
    assert "A1-0123" not in said
    doctor.run([], here)
    assert "A50285BI" in capsys.readouterr().out


def test_a_report_of_taps_names_no_place(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taps = tmp_path / "annas-taps"
    for there in (False, True):
        if there:
            taps.write_text("04A2B3C4D5E680\n" * 2)
        words = ["--report", "--tap", "2", "--reader", f"file:{taps}"]
        assert doctor.run(words, computer(root)) == (0 if there else 1)
        said = capsys.readouterr().out
        assert "file: 2 of 2 taps seen" in said if there else "is not there" in said
        assert "annas" not in said


def test_the_same_for_programs(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "072f:2200")
    assert doctor.run(["--json"], computer(root, libusb=False, slots=[])) == 1
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["path"], one["state"], one["cause"]) == ("usb@1-2", "broken", "libusb")
    assert one["mend"] == "sudo apt install libusb-1.0-0"


@pytest.mark.parametrize(
    "words", [["--json", "--report"], ["--checklist", "--tap", "3"], ["--save", "x"]]
)
def test_words_that_do_not_go_together(words: list[str]) -> None:
    with pytest.raises(CommandError):
        doctor.run(words)


def test_no_reader_at_all(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(["--report"], computer(root)) == 1
    said = capsys.readouterr().out
    assert "No reader was found" in said
    assert "nfcpy 1.0.4" in said


def test_a_tap_test_with_the_simulated_reader(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(["--tap", "5", "--reader", "simulated"]) == 0
    assert "simulated: 5 of 5 taps seen; p50 " in capsys.readouterr().out


def test_a_tap_test_with_a_reader_that_people_tap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "taps"
    script.write_text("04A2B3C4D5E680\n" * 3)
    assert doctor.run(["--tap", "3", "--reader", f"file:{script}"]) == 0
    told = capsys.readouterr()
    assert "3 of 3 taps seen" in told.out
    assert "Tap 3 of 3" in told.err


def test_a_tap_test_without_its_reader(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(["--tap", "1", "--reader", "file:/nowhere"]) == 1
    assert "is not there" in capsys.readouterr().out


@pytest.mark.parametrize("taps", ["0", "1001"])
def test_a_wrong_number_of_taps(taps: str) -> None:
    with pytest.raises(CommandError):
        doctor.run(["--tap", taps])
