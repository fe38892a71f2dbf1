"""The doctor: its findings as lines, reports and JSON, and the tap test."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands import CommandError, doctor
from companion.files import locations
from tags.readers.finding import Computer
from tests.companion.simulated_computers import ACR1252, board, computer, only, plug


def run(words: list[str], here: Computer) -> int:
    """What the command returns on that computer."""
    with pytest.MonkeyPatch.context() as there:
        there.setattr(doctor, "Computer", lambda: here)
        return doctor.run(words)


def test_a_reader_that_can_be_used(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "054c:06c3")
    plug(root, "1d6b:0002", "usb1")
    assert only(computer(root)).state == "usable"
    assert run([], computer(root)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "Reader: auto, the first one found.",
        "usb@1-2, Sony RC-S380/P: it can be used.",
    ]
    assert "oice" in lines[2]


def test_the_reader_in_the_settings_comes_first_and_decides(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plug(root, "054c:06c3")
    taps = tmp_path / "taps"
    assert run(["--reader", f"file:{taps}"], computer(root)) == 1
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith(f"Reader file:{taps}: There is no tap file")
    assert "usb@1-2, Sony RC-S380/P: it can be used." in others
    taps.touch()
    assert run(["--reader", f"file:{taps}"], computer(root / "nothing")) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"Reader file:{taps}: it can be used."
    for word in ("none", "simulated"):
        assert run(["--reader", word], computer(root / "nothing")) == 0
    assert "Reader none" not in capsys.readouterr().out


@pytest.mark.parametrize(("usable", "is_told"), [("d: simulated, ", False), ("", True)])
def test_none_is_called_missing_beside_one_in_the_settings_that_can_be_used(
    root: Path, capsys: pytest.CaptureFixture[str], usable: str, is_told: bool
) -> None:
    settings = Path(locations.user_config())
    settings.parent.mkdir()
    settings.write_text(f"readers: {{{usable}m: 'mqtt://x/y'}}\n")
    assert run([], computer(root / "nothing")) == 1
    assert ("No reader was found" in capsys.readouterr().out) is is_told


def test_a_board_that_may_be_tried_is_no_missing_reader(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    assert run([], computer(root)) == 0
    _setting, first, *_others = capsys.readouterr().out.splitlines()
    assert first.endswith("a serial port: if it is a PN532, try it.")
    assert run([], computer(root / "nothing")) == 1
    assert "No reader was found" in capsys.readouterr().out


def test_no_permission(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug(root, "072f:2200")
    assert run([], computer(root, may=False)) == 1
    text = capsys.readouterr().out
    assert "no permission to use it" in text
    assert 'ATTRS{idProduct}=="2200"' in text


def test_a_report_names_no_serial_number(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = root / "dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
    port.parent.mkdir(parents=True)
    port.touch()
    here = computer(root, slots=[ACR1252])
    run(["--report"], here)
    text = capsys.readouterr().out
    assert "usb-FTDI_FT232R_USB_UART…-if00-port0" in text
    assert "A50285BI" not in text
    assert "A1-0123" not in text
    assert "nfcpy 1.0.4" in text
    run([], here)
    assert "A50285BI" in capsys.readouterr().out


def test_a_report_of_taps_names_no_place(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taps = tmp_path / "annas-taps"
    for there in (False, True):
        if there:
            taps.write_text("04A2B3C4D5E680\n04A2B3C4D5E681\n")
        words = ["--report", "--tap", "2", "--reader", f"file:{taps}"]
        assert run(words, computer(root)) == (0 if there else 1)
        text, aside = capsys.readouterr()
        assert "file: 2 of 2 taps seen" in text if there else "There is no tap file" in text
        assert "annas" not in text
    assert "Tap 2 of 2" in aside


@pytest.mark.outer
def test_a_tap_test_with_the_simulated_reader(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(["--tap", "5", "--reader", "simulated"]) == 0
    assert "simulated: 5 of 5 taps seen; p50 " in capsys.readouterr().out


def test_without_a_reader_no_tap_is_made_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tags.readers.auto_reader.present", lambda: None)
    assert doctor.run(["--tap", "3"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "No reader was found" in output.err


@pytest.mark.parametrize("taps", ["0", "1001"])
def test_a_wrong_number_of_taps(taps: str) -> None:
    with pytest.raises(CommandError):
        doctor.run(["--tap", taps])
