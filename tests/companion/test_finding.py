"""Readers are found and what blocks them is told, on computers simulated by files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from common.extras import find_install
from tags.readers.finding import FINE, Computer, Finding, find
from tests.companion.simulated_computers import ACR1252, board, computer, only, plug, start
from tests.tags import virtual_pcsc

# -- USB ---------------------------------------------------------------------------------------


def test_two_equal_readers_are_two_paths(root: Path) -> None:
    plug(root, "072f:2200", "1-2")
    plug(root, "072f:2200", "1-3.1")
    assert [one.path for one in find(computer(root))] == ["usb@1-2", "usb@1-3.1"]


@pytest.mark.parametrize("driver", ["pn533_usb", "port100"])
def test_taken_by_the_kernel(root: Path, driver: str) -> None:
    plug(root, "072f:2200", driver=driver)
    one = only(computer(root))
    assert (one.state, driver in one.text) == ("broken", True)
    assert one.mend.startswith(f"sudo modprobe -r {driver}")


def test_taken_by_another_program(root: Path) -> None:
    plug(root, "072f:2200", driver="usbfs")
    one = only(computer(root))
    assert (one.state, "stop pcscd" in one.text) == ("possible", True)
    one = only(computer(root, slots=["ACS ACR122U PICC Interface 00 00"]))
    assert one == Finding("pcsc:ACR122", "usable", FINE)


def test_no_permission_for_a_usb_reader(root: Path) -> None:
    plug(root, "072f:2200")
    one = only(computer(root, may=False))
    assert (one.state, "no permission" in one.text) == ("broken", True)
    assert 'ATTRS{idProduct}=="2200"' in one.mend
    assert one.mend.endswith(
        " && sudo udevadm control --reload && sudo usermod -aG dialout $USER && "
        "sudo chown $USER /dev/bus/usb/001/007"
    )


def test_no_libusb(root: Path) -> None:
    plug(root, "072f:2200")
    assert "install libusb 1.0" in only(computer(root, libusb=False)).text


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
    for mode, state in ((0o600, "broken"), (0o666, "usable")):
        node.chmod(mode)
        os.seteuid(65534)
        try:
            one = only(here)
        finally:
            os.seteuid(0)
        assert one.state == state


# -- PC/SC -------------------------------------------------------------------------------------


def test_a_reader_of_pcsc(root: Path) -> None:
    plug(root, "072f:223b")
    assert find_install("pcsc") in only(computer(root, extras=False)).text
    assert "start pcscd" in only(computer(root)).text
    assert "polkit" in only(computer(root, slots="permission")).text
    assert "libacsccid1" in only(computer(root, slots=[])).text
    assert only(computer(root, slots=[ACR1252])) == Finding("pcsc:ACR1252", "usable", FINE)


def test_without_a_reader_of_pcsc_nothing_is_said_of_it(root: Path) -> None:
    for here in (computer(root, extras=False), computer(root), computer(root, slots=[])):
        assert list(find(here)) == []


def test_the_contactless_slots_of_pcsc_are_listed_as_well(root: Path) -> None:
    names = ["Identiv Slot [CCID Interface] 00 00", "Identiv CONTACT READER 01 00"]
    findings = find(computer(root, slots=names))
    assert [(one.path, one.state) for one in findings] == [(f"pcsc:{names[0]}", "usable")]


@pytest.mark.outer
def test_the_real_service_is_asked(pcscd: None) -> None:
    slots = [one for one in find() if one.path.startswith("pcsc:Virtual")]
    assert {one.state for one in slots} == {"usable"}


@pytest.fixture
def pcscd() -> Iterator[None]:
    virtual_pcsc.require()
    with virtual_pcsc.service():
        yield


# -- serial ports ------------------------------------------------------------------------------


def test_serial_ports_are_listed_and_left_alone(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    one = only(computer(root))
    assert (one.path, one.state) == ("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "possible")
    assert "--tap" in one.mend
    one = only(computer(root, may=False))
    assert one.state == "broken"
    assert "sudo usermod -aG " in one.mend
    assert one.mend.endswith("usb-1a86_USB_Serial-if00-port0")


@pytest.mark.parametrize("group", ["root", "tty", "uucp"])
def test_nobody_joins_the_group_of_administrators_or_consoles(
    root: Path, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    monkeypatch.setattr(Path, "group", lambda _path: group)
    mend = only(computer(root, may=False)).mend
    named = "uucp" if group == "uucp" else "dialout"
    assert f"sudo usermod -aG {named} $USER && sudo chown $USER /dev/ttyUSB0" in mend
    assert ("KERNEL" in mend) == (group != "uucp")


def test_the_program_that_has_a_port_is_named(root: Path) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    start(root, "nfc-poll")
    files = root / "proc/42/fd"
    files.mkdir()
    (files / "3").symlink_to(root / "dev/ttyUSB0")
    one = only(computer(root))
    assert (one.state, one.mend) == ("possible", "")
    assert "nfc-poll (42)" in one.text
    (files / "4").symlink_to("/dev/ptmx")  # it is the other end of a pseudo terminal
    assert "try it" in only(computer(root)).text


def test_a_port_without_udev_s_names_is_listed_too(root: Path) -> None:
    (root / "dev").mkdir(exist_ok=True)
    (root / "dev/ttyACM0").touch()
    one = only(computer(root))
    assert (one.path, one.state) == ("/dev/ttyACM0", "possible")
    assert "--reader /dev/ttyACM0" in one.mend


@pytest.mark.outer
def test_no_port_is_opened_by_looking(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    program = (
        "import sys; from pathlib import Path\n"
        "from tags.readers.finding import Computer, find\n"
        "sys.addaudithook(lambda what, about: what == 'open' and print('opened', about[0]))\n"
        f"print(*find(Computer(Path({str(root)!r}))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    *opened, port_found = result.stdout.splitlines()
    assert "usb-1a86_USB_Serial" in port_found
    assert not [line for line in opened if f"{root}/dev" in line]


def test_two_equal_boards_are_named_by_their_plugs(root: Path) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    assert "by-id" in only(computer(root)).path
    board(root, 1)
    assert [(one.path, one.state) for one in find(computer(root))] == [
        (f"/dev/serial/by-path/pci-0000:00:14.0-usb-0:{plug}:1.0-port0", "possible")
        for plug in (1, 2)
    ]


# -- other systems: from their documentation, untested there -----------------------------------


def test_a_mac(root: Path) -> None:
    here = computer(
        root,
        platform="darwin",
        devices=[("072f:2200", "usb@1-2"), ("054c:06c3", "usb@1-3"), ("1d6b:0002", "usb@1-0")],
        ports=["/dev/cu.usbserial-10"],
        slots=["ACS ACR122U PICC Interface"],
    )
    assert [(one.path, one.state) for one in find(here)] == [
        ("usb@1-3", "usable"),
        ("pcsc:ACR122", "usable"),
        ("/dev/cu.usbserial-10", "possible"),
    ]


def test_windows(root: Path) -> None:
    here = computer(
        root,
        platform="win32",
        devices=[("054c:06c3", "usb@1-3"), ("072f:223b", "usb@1-4")],
        ports=["COM3"],
    )
    findings = list(find(here))
    assert [(one.path, one.state) for one in findings] == [
        ("usb@1-3", "usable"),
        ("pcsc:ACR1252", "broken"),
        ("COM3", "possible"),
    ]
    assert findings[2].mend == "companion doctor --tap 3 --reader COM3"
