"""Serial ports are found and what blocks them is told, on computers simulated by files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.wording.diagnosis import sentence
from tags.readers.finding import BROKEN, UNKNOWN
from tags.readers.finding.systems import find
from tests.companion.simulated_computers import board, computer, only, plug, start


def test_serial_ports_are_listed_and_left_alone(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    one = only(computer(root))
    assert (one.path, one.state) == ("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", UNKNOWN)
    assert "--tap" in one.mend
    one = only(computer(root, may=False))
    assert one.state == BROKEN
    assert "sudo usermod -aG " in one.mend
    assert one.mend.endswith("usb-1a86_USB_Serial-if00-port0")


@pytest.mark.parametrize("group", ["root", "tty", "uucp"])
def test_nobody_joins_the_group_of_administrators_or_consoles(
    root: Path, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    monkeypatch.setattr(Path, "group", lambda _path: group)
    mend = only(computer(root, may=False)).mend
    text = "uucp" if group == "uucp" else "dialout"
    assert f"sudo usermod -aG {text} $USER && sudo chown $USER /dev/ttyUSB0" in mend
    assert ("KERNEL" in mend) == (group != "uucp")


def test_modem_manager_is_kept_away_from_boards(root: Path) -> None:
    start(root, "ModemManager")
    assert list(find(computer(root))) == []
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    port, manager = find(computer(root))
    assert (port.cause, manager.cause, manager.state) == ("serial", "modem-manager", UNKNOWN)
    for vendor in ("1a86", "303a"):
        assert vendor in manager.mend
    rules = root / "etc/udev/rules.d/60-nfc-reader.rules"
    rules.parent.mkdir(parents=True)
    rules.write_text('ENV{ID_MM_DEVICE_IGNORE}="1"\n')
    assert only(computer(root)).cause == "serial"


@pytest.mark.outer
def test_no_port_is_opened_by_looking(root: Path) -> None:
    port = root / "dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    program = (
        "import sys; from pathlib import Path\n"
        "from tags.readers.finding import Computer; from tags.readers.finding.systems import find\n"
        "sys.addaudithook(lambda what, about: what == 'open' and print('opened', about[0]))\n"
        f"print(*find(Computer(Path({str(root)!r}))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    *names, match = result.stdout.splitlines()
    assert "usb-1a86_USB_Serial" in match
    assert not [line for line in names if f"{root}/dev" in line]


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


def test_two_equal_boards_are_named_by_their_plugs(root: Path) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    assert [one.cause for one in find(computer(root))] == ["serial"]
    board(root, 1)
    findings = list(find(computer(root)))
    assert [(one.path, one.cause) for one in findings] == [
        (f"/dev/serial/by-path/pci-0000:00:14.0-usb-0:{plug}:1.0-port0", "serial-twin")
        for plug in (1, 2)
    ]
    assert all(one.state == UNKNOWN for one in findings)


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
    assert only(computer(root)).mend == "sudo systemctl restart 'brltty*'"
    rules = root / "usr/lib/udev/rules.d/85-brltty.rules"
    rules.parent.mkdir(parents=True)
    rules.write_text('ENV{PRODUCT}=="1a86/7523/*", ENV{BRLTTY_BRAILLE_DRIVER}="bm"\n')
    one = only(computer(root))
    assert (one.path, one.cause, one.name) == ("usb@1-2", "brltty", "CH340")
    assert one.mend.startswith(
        r"sed '/1a86\/7523/s/^/#/' /usr/lib/udev/rules.d/85-brltty.rules | sudo tee "
    )
    assert one.mend.endswith("sudo systemctl restart 'brltty*'")
    assert "brltty" in sentence(one)
    (root / "sys/bus/usb/devices/1-2/1-2:1.0/ttyUSB0").mkdir()  # it left the adapter alone
    assert list(find(computer(root))) == []
