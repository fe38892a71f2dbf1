"""The udev rules, evaluated by udev itself, with emulated devices (umockdev)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tags.readers.usb_kinds import NFCPY
from tests.starting import ROOT

pytestmark = pytest.mark.outer

SYSTEM = ROOT / "companion" / "system"
RULES = SYSTEM / "60-citadels-reader.rules"
DEVICE = "/devices/pci0000:00/0000:00:14.0/usb1/1-2"


def root_only() -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() != 0, reason="rules of one's own take root"
    )


def device(path: str, subsystem: str, *facts: str) -> str:
    """One emulated device, as umockdev writes it."""
    return "\n".join([f"P: {path}", f"E: SUBSYSTEM={subsystem}", *facts, "", ""])


def plugged(usb_id: str) -> str:
    vendor, product = usb_id.split(":")
    facts = (
        *("N: bus/usb/001/007", "E: DEVTYPE=usb_device", "E: DEVNAME=/dev/bus/usb/001/007"),
        *(f"A: idVendor={vendor}\\n", f"A: idProduct={product}\\n"),
    )
    return device(DEVICE, "usb", *facts)


def adapter(usb_id: str) -> str:
    """A serial adapter with its port ``ttyUSB0``."""
    port, driver = f"{DEVICE}/1-2:1.0/ttyUSB0", "E: DRIVER=ftdi_sio"
    link = f"L: driver={'../' * port.count('/')}bus/usb-serial/drivers/ftdi_sio"
    return (
        plugged(usb_id)
        + device(f"{DEVICE}/1-2:1.0", "usb", "E: DEVTYPE=usb_interface", driver)
        + device(port, "usb-serial", driver, link, "A: latency_timer=16\\n")
        + device(f"{port}/tty/ttyUSB0", "tty", "N: ttyUSB0", "E: DEVNAME=/dev/ttyUSB0")
    )


def udev(devices: str, path: str, folder: Path) -> str:
    """udev's actions for the device at that path under our rules and the system's."""
    (folder / "rules").mkdir(exist_ok=True)
    shutil.copy(RULES, folder / "rules")
    (folder / "devices").write_text(devices, encoding="utf-8")
    script = (
        'mount --bind "$1" /etc/udev/rules.d && '
        'umockdev-run -d "$2" -- udevadm test --action=add "/sys$3"'
    )
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "-", folder / "rules", folder / "devices", path],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "SYSTEMD_LOG_LEVEL": "debug"},
    )  # fmt: skip
    if "mount:" in result.stderr or "unshare:" in result.stderr:
        pytest.skip("no rules of one's own can be tried here")
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr


def done_by_ours(text: str) -> set[str]:
    """The actions of our rules, in udev's words."""
    return {f"{what} {how}" for what, how in re.findall(r"reader\.rules:\d+ (\w+) (.*)", text)}


EMULATED = (pytest.mark.needs("umockdev", "udev", "util-linux"), root_only())
READERS = [pytest.param(usb_id, marks=EMULATED) for usb_id in sorted(NFCPY)]
# USB serial adapters used for PN532 boards.
SERIAL_ADAPTERS = (
    "1a86:5523",  # CH341
    "1a86:7522",  # CH340
    "1a86:7523",  # CH340
    "1a86:55d3",  # CH343, as of the PN532Killer
    "1a86:55d4",  # CH9102
    "10c4:ea60",  # CP210x
    "0403:6001",  # FTDI FT232R
    "0403:6010",  # FTDI FT2232
    "0403:6014",  # FTDI FT232H
    "0403:6015",  # FTDI FT231X
    "067b:2303",  # PL2303
    "067b:23a3",  # PL2303GC
    "303a:1001",  # ESP32
)
ADAPTERS = [pytest.param(usb_id, marks=EMULATED) for usb_id in SERIAL_ADAPTERS]


@pytest.mark.parametrize("usb_id", READERS)
def test_every_reader_may_be_used_by_its_user_and_the_group(usb_id: str, tmp_path: Path) -> None:
    text = udev(plugged(usb_id), DEVICE, tmp_path)
    assert {"MODE 0660"} < done_by_ours(text)
    assert any(what.startswith("GROUP ") for what in done_by_ours(text))
    assert re.search(r"^TAGS=.*:uaccess:", text, re.MULTILINE)


@pytest.mark.parametrize("usb_id", ADAPTERS)
def test_every_adapter_may_be_used_and_is_no_modem(usb_id: str, tmp_path: Path) -> None:
    path = f"{DEVICE}/1-2:1.0/ttyUSB0/tty/ttyUSB0"
    text = udev(adapter(usb_id), path, tmp_path)
    assert {"MODE 0660"} < done_by_ours(text)
    assert "ID_MM_DEVICE_IGNORE=1\n" in text
    assert re.search(r"^TAGS=.*:uaccess:", text, re.MULTILINE)


@pytest.mark.parametrize("usb_id", [pytest.param("0403:6001", marks=EMULATED)])
def test_an_ftdi_adapter_answers_at_once(usb_id: str, tmp_path: Path) -> None:
    text = udev(adapter(usb_id), f"{DEVICE}/1-2:1.0/ttyUSB0", tmp_path)
    assert re.search(r"reader\.rules:\d+ ATTR '\S+/latency_timer' writing '1'", text)


@pytest.mark.parametrize("usb_id", [pytest.param("046d:c31c", marks=EMULATED)])
def test_other_devices_are_left_alone(usb_id: str, tmp_path: Path) -> None:
    for devices, path in (
        (plugged(usb_id), DEVICE),
        (adapter(usb_id), f"{DEVICE}/1-2:1.0/ttyUSB0/tty/ttyUSB0"),
    ):
        assert done_by_ours(udev(devices, path, tmp_path)) == set()


def verify(*words: Sequence[str] | Path | str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["udevadm", "verify", *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.mark.needs("udev")
def test_udevadm_finds_nothing_wrong_with_the_rules() -> None:
    if "Unknown command verb" in verify("--help").stderr:
        pytest.skip("udevadm verify comes with systemd 254")
    result = verify(RULES)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_jump_of_the_rules_has_its_label_further_down() -> None:
    text = RULES.read_text(encoding="utf-8")
    for jump in re.finditer(r'GOTO="(\w+)"', text):
        assert f'LABEL="{jump[1]}"' in text[jump.end() :]
