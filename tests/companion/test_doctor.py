"""The doctor: its findings as lines, reports and JSON, and the tap test."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.commands import CommandError, doctor
from tags.readers.finding import USABLE
from tests.companion.simulated_computers import ACR1252, computer, only, plug


def test_a_reader_that_can_be_used(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "054c:06c3")
    plug(root, "1d6b:0002", "usb1")
    assert only(computer(root)).state == USABLE
    assert doctor.run([], computer(root)) == 0
    assert capsys.readouterr().out == "usb@1-2: Sony RC-S380/P: it can be used.\n"


def test_no_permission(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "072f:2200")
    assert doctor.run([], computer(root, may=False)) == 1
    text = capsys.readouterr().out
    assert "no permission to use it" in text
    assert 'ATTRS{idProduct}=="2200"' in text


def test_an_installed_service_on_a_computer_without_a_desktop(
    root: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plug(root, "054c:06c3")
    here = replace(computer(root), user=lambda: "anna")
    unit = home / ".config/systemd/user/citadels-reader.service"
    for installation in (False, True):
        if installation:
            unit.parent.mkdir(parents=True)
            unit.touch()
        assert doctor.run([], here) == 0
        assert ("sudo loginctl enable-linger" in capsys.readouterr().out) is installation
    for there in ("usr/share/wayland-sessions/gnome.desktop", "var/lib/systemd/linger/anna"):
        (root / there).parent.mkdir(parents=True)
        (root / there).touch()
        doctor.run([], here)
        assert "linger" not in capsys.readouterr().out
        (root / there).unlink()


def test_a_report_names_no_serial_number(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = root / "dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    here = computer(root, slots=[ACR1252])
    doctor.run(["--report"], here)
    text = capsys.readouterr().out
    assert "usb-FTDI_FT232R_USB_UART…-if00-port0" in text
    assert "A50285BI" not in text
    assert "A1-0123" not in text
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
        text = capsys.readouterr().out
        assert "file: 2 of 2 taps seen" in text if there else "There is no tap file" in text
        assert "annas" not in text


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
    text = capsys.readouterr().out
    assert "No reader was found" in text
    assert "nfcpy 1.0.4" in text


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
    output = capsys.readouterr()
    assert "3 of 3 taps seen" in output.out
    assert "Tap 3 of 3" in output.err


def test_a_tap_test_without_its_reader(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(["--tap", "1", "--reader", "file:/nowhere"]) == 1
    assert "There is no tap file" in capsys.readouterr().out


@pytest.mark.parametrize("taps", ["0", "1001"])
def test_a_wrong_number_of_taps(taps: str) -> None:
    with pytest.raises(CommandError):
        doctor.run(["--tap", taps])
