"""The doctor, on computers that are made up of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands import CommandError, doctor
from tags.readers.finding import BROKEN, UNKNOWN, USABLE, Computer, Finding, find


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def computer(root: Path, *, may: bool = True, libusb: bool = True, extras: bool = True) -> Computer:
    return Computer(
        root, lambda path: may, lambda name: name if libusb else None, lambda name: extras
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
    assert (one.state, driver in one.said) == (BROKEN, True)
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
    assert (one.state, "firmware" in one.said) == (USABLE, True)


def test_a_reader_of_pcsc(root: Path) -> None:
    plug(root, "072f:223b")
    assert "[pcsc]" in only(computer(root, extras=False)).mend
    assert "pcscd.socket" in only(computer(root)).mend
    start(root, "pcscd")
    assert only(computer(root)) == Finding(
        "pcsc:ACR1252", "ACS ACR1252U", USABLE, "it can be used through PC/SC."
    )


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
