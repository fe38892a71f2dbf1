"""Readers are found and what blocks them is told, on computers simulated by files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from common.extras import find_install
from companion.wording.diagnosis import sentence
from tags.readers.finding import BROKEN, UNKNOWN, USABLE, Cause, Computer, Finding
from tags.readers.finding.systems import find
from tests.companion.simulated_computers import ACR1252, computer, only, plug, start
from tests.tags import virtual_pcsc


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


def test_without_a_desktop_the_group_is_joined_as_well(root: Path) -> None:
    plug(root, "072f:2200")
    assert only(computer(root, may=False)).mend.endswith(" && sudo usermod -aG dialout $USER")
    (root / "usr/share/xsessions").mkdir(parents=True)
    (root / "usr/share/xsessions/plasma.desktop").touch()
    assert only(computer(root, may=False)).mend.endswith(
        " && sudo udevadm control --reload && sudo chown $USER /dev/bus/usb/001/007"
    )


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


def test_a_reader_of_pcsc(root: Path) -> None:
    plug(root, "072f:223b")
    assert find_install("pcsc") in only(computer(root, extras=False)).mend
    assert "pcscd.socket" in only(computer(root)).mend
    refusal = only(computer(root, slots="permission"))
    assert (refusal.cause, "polkit-1/rules.d" in refusal.mend) == ("refused", True)
    assert "libacsccid1" in only(computer(root, slots=[])).mend
    assert only(computer(root, slots=[ACR1252])) == Finding(
        "pcsc:ACR1252", "fine-pcsc", "ACS ACR1252U"
    )


def test_an_unknown_smart_card_reader_is_known_by_its_class(root: Path) -> None:
    plug(root, "09d8:0425")
    device = root / "sys/bus/usb/devices/1-2"
    assert list(find(computer(root, extras=False))) == []
    (device / "1-2:1.0").mkdir()
    (device / "1-2:1.0/bInterfaceClass").write_text("0b\n")
    (device / "manufacturer").write_text("Elatec\n")
    (device / "product").write_text("TWN4 CCID\x1b\x07\n")
    one = only(computer(root, extras=False))
    assert (one.cause, one.name) == ("pyscard", "Elatec TWN4 CCID")
    assert find_install("pcsc") in one.mend
    assert only(computer(root, slots=["Elatec TWN4 CCID 00 00"])).state == USABLE


def test_the_slots_of_pcsc_are_listed_as_well(root: Path) -> None:
    names = ["Identiv Slot [CCID Interface] 00 00", "Identiv CONTACT READER 01 00"]
    findings = find(computer(root, slots=names))
    assert [(one.path, one.state) for one in findings] == [
        (f"pcsc:{names[0]}", USABLE),
        (f"pcsc:{names[1]}", UNKNOWN),
    ]


@pytest.mark.outer
def test_the_real_service_is_asked(pcscd: None) -> None:
    slots = [one for one in find() if one.path.startswith("pcsc:Virtual")]
    assert {one.state for one in slots} == {USABLE}


@pytest.fixture
def pcscd() -> Iterator[None]:
    virtual_pcsc.require()
    with virtual_pcsc.service():
        yield


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
    assert find_install("wedge") in find(computer(root, extras=False))[1].mend
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
    findings = find(here)
    assert [(one.path, one.cause) for one in findings] == [
        ("usb@1-3", "untried-winusb"),
        ("pcsc:ACR1252", "no-pcscd"),
        ("COM3", "serial"),
    ]
    assert findings[1].mend == "sc start SCardSvr"
    assert findings[2].mend == "companion doctor --tap 3 --reader COM3"


# -- what is told ------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", get_args(Cause))
def test_every_cause_has_one_sentence(cause: Cause) -> None:
    text = sentence(Finding("{path}", cause, "A {reader}", "", "a holder"))
    assert text.startswith("{path}: ")
    assert text.endswith(".")
    assert "\n" not in text
