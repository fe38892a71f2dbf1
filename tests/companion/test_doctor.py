"""The doctor, on computers simulated by files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

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
            raise ReaderGone("PC/SC does not answer.", cast("Fault", slots))
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
    assert (one.state, one.mend) == (UNKNOWN, "companion doctor --tap 3 --reader pcsc")
    one = only(computer(root, extras=False))
    assert (one.state, one.mend) == (BROKEN, "sudo systemctl stop pcscd.socket pcscd")


def test_no_permission(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "072f:2200")
    assert doctor.run([], computer(root, may=False)) == 1
    said = capsys.readouterr().out
    assert "no permission to use it" in said
    assert 'ATTRS{idProduct}=="2200"' in said


def test_without_a_desktop_the_group_is_joined_as_well(root: Path) -> None:
    plug(root, "072f:2200")
    assert only(computer(root, may=False)).mend.endswith(" && sudo usermod -aG dialout $USER")
    (root / "usr/share/xsessions").mkdir(parents=True)
    (root / "usr/share/xsessions/plasma.desktop").touch()
    assert only(computer(root, may=False)).mend.endswith(" && sudo udevadm control --reload")


def test_no_libusb(root: Path) -> None:
    plug(root, "072f:2200")
    assert only(computer(root, libusb=False)).mend == "sudo apt install libusb-1.0-0"


def test_packages_are_called_as_the_system_calls_them(root: Path) -> None:
    plug(root, "072f:2200")
    plug(root, "072f:223b", "1-3")
    (root / "etc").mkdir()
    (root / "etc/os-release").write_text('NAME="Fedora Linux"\nID=fedora\n')
    usb, pcsc = find(computer(root, libusb=False, extras=False))
    assert usb.mend == "sudo dnf install libusb1"
    assert pcsc.mend.startswith("sudo dnf install pcsc-lite-devel swig gcc python3-devel && ")
    assert find(computer(root, slots=[]))[1].mend == (
        "sudo dnf install pcsc-lite-ccid && sudo systemctl restart pcscd"
    )


def test_a_firmware_that_hangs(root: Path) -> None:
    plug(root, "072f:2200", release="0216")
    one = only(computer(root))
    assert (one.state, "firmware" in sentence(one)) == (USABLE, True)


ACR1252 = "ACS ACR1252 1S CL Reader [PICC] (ACR1252U-A1-0123) 00 00"


def test_a_reader_of_pcsc(root: Path) -> None:
    plug(root, "072f:223b")
    assert "[pcsc]" in only(computer(root, extras=False)).mend
    assert "pcscd.socket" in only(computer(root)).mend
    refused = only(computer(root, slots="permission"))
    assert (refused.cause, "polkit-1/rules.d" in refused.mend) == ("refused", True)
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


@pytest.mark.outer
def test_the_real_service_is_asked(pcscd: None) -> None:
    slots = [one for one in find() if one.path.startswith("pcsc:Virtual")]
    assert {one.state for one in slots} == {USABLE}


@pytest.fixture
def pcscd() -> Iterator[None]:
    with virtual_pcsc.lock_service(), virtual_pcsc.service():
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


@pytest.mark.outer
def test_no_port_is_opened_by_looking(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    program = (
        "import sys; from pathlib import Path; from tags.readers.finding import Computer, find\n"
        "sys.addaudithook(lambda what, about: what == 'open' and print('opened', about[0]))\n"
        f"print(*find(Computer(Path({str(root)!r}))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    *opened, found = result.stdout.splitlines()
    assert "usb-1a86_USB_Serial" in found
    assert not [line for line in opened if f"{root}/dev" in line]


def test_the_port_on_the_pins_of_a_small_computer(root: Path) -> None:
    (root / "dev").mkdir()
    (root / "dev/ttyAMA0").touch()
    (root / "dev/ttyS0").touch()
    assert only(computer(root)).path == "/dev/ttyAMA0"
    (root / "dev/serial0").symlink_to("ttyS0")  # the other one serves Bluetooth
    assert only(computer(root)).path == "/dev/serial0"


@pytest.mark.parametrize("port", ["serial0", "ttyS0"])
def test_the_console_has_the_pins(root: Path, port: str) -> None:
    (root / "dev").mkdir()
    (root / "dev/ttyS0").touch()
    (root / "dev/serial0").symlink_to("ttyS0")
    (root / "proc").mkdir()
    (root / "proc/cmdline").write_text(f"console={port},115200 console=tty1 root=/dev/mmcblk0p2\n")
    one = only(computer(root))
    assert (one.state, one.cause) == (BROKEN, "console")
    assert "do_serial_cons 1" in one.mend


def board(root: Path, number: int, *, named: str = "") -> None:
    """Plug in an adapter as that port, with an optional manufacturer's name."""
    for folder in ("dev/serial/by-id", "dev/serial/by-path"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / f"dev/ttyUSB{number}").touch()
    for way in ("usb", "usbv2"):
        link = root / f"dev/serial/by-path/pci-0000:00:14.0-{way}-0:{number + 1}:1.0-port0"
        link.symlink_to(f"../../ttyUSB{number}")
    if named:
        (root / "dev/serial/by-id" / named).symlink_to(f"../../ttyUSB{number}")


def test_two_equal_boards_are_named_by_their_plugs(root: Path) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    assert [one.cause for one in find(computer(root))] == ["serial"]
    board(root, 1)
    found = list(find(computer(root)))
    assert [(one.path, one.cause) for one in found] == [
        (f"/dev/serial/by-path/pci-0000:00:14.0-usb-0:{plug}:1.0-port0", "serial-twin")
        for plug in (1, 2)
    ]
    assert all(one.state == UNKNOWN for one in found)


def test_a_group_that_was_joined_counts_after_the_next_log_in(root: Path) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    (root / "etc").mkdir()
    group = (root / "dev/ttyUSB0").group()
    (root / "etc/group").write_text(f"other:x:7:anna\n{group}:x:4711:ben,anna\n")
    here = replace(computer(root, may=False), user=lambda: "anna", groups=lambda: frozenset({7}))
    assert (only(here).cause, only(here).holder) == ("log-in", group)
    assert only(replace(here, user=lambda: "cid")).cause == "port-permission"
    assert only(replace(here, groups=lambda: frozenset({4711}))).cause == "port-permission"


def test_an_adapter_that_brltty_took(root: Path) -> None:
    plug(root, "1a86:7523", driver="usbfs")
    assert list(find(computer(root))) == []
    start(root, "brltty")
    assert only(computer(root)).mend == "sudo systemctl stop 'brltty*'"
    rules = root / "usr/lib/udev/rules.d/85-brltty.rules"
    rules.parent.mkdir(parents=True)
    rules.write_text('ENV{PRODUCT}=="1a86/7523/*", ENV{BRLTTY_BRAILLE_DRIVER}="bm"\n')
    one = only(computer(root))
    assert (one.path, one.cause, one.name) == ("usb@1-2", "brltty", "CH340")
    assert one.mend.startswith(
        r"sed '/1a86\/7523/s/^/#/' /usr/lib/udev/rules.d/85-brltty.rules | sudo tee "
    )
    assert "brltty" in sentence(one)
    (root / "sys/bus/usb/devices/1-2/1-2:1.0/ttyUSB0").mkdir()  # it left the adapter alone
    assert list(find(computer(root))) == []


def test_an_installed_service_on_a_computer_without_a_desktop(
    root: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plug(root, "054c:06c3")
    here = replace(computer(root), user=lambda: "anna")
    unit = home / ".config/systemd/user/citadels-reader.service"
    for installed in (False, True):
        if installed:
            unit.parent.mkdir(parents=True)
            unit.touch()
        assert doctor.run([], here) == 0
        assert ("sudo loginctl enable-linger" in capsys.readouterr().out) is installed
    for there in ("usr/share/wayland-sessions/gnome.desktop", "var/lib/systemd/linger/anna"):
        (root / there).parent.mkdir(parents=True)
        (root / there).touch()
        doctor.run([], here)
        assert "linger" not in capsys.readouterr().out
        (root / there).unlink()


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


# -- other systems: from their documentation, untested there -----------------------------------


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
        assert "file: 2 of 2 taps seen" in said if there else "There is no tap file" in said
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


@pytest.mark.outer
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
    assert "There is no tap file" in capsys.readouterr().out


@pytest.mark.parametrize("taps", ["0", "1001"])
def test_a_wrong_number_of_taps(taps: str) -> None:
    with pytest.raises(CommandError):
        doctor.run(["--tap", taps])
