"""`companion doctor --fix`: the commands are shown, asked about and run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.commands import doctor
from companion.commands.doctor import fix
from tags.readers.finding import Finding
from tests.companion.simulated_computers import board, computer

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def sudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sudo that runs the command as this user."""
    program = tmp_path / "bin/sudo"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nexec "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def make_finding(command: str) -> Finding:
    return Finding("usb@1-2", "libusb", "ACR122U", command)


@pytest.mark.outer
def test_each_command_is_run_once_in_order_until_one_fails(
    sudo: None, tmp_path: Path, capfd: Capture
) -> None:
    log = tmp_path / "log"
    commands = [f"echo {word} | sudo tee -a {log}" for word in ("one", "one", "two")]
    findings = [make_finding(command) for command in commands]
    assert fix.mend(findings, agreed=True) == 0
    assert log.read_text() == "one\ntwo\n"
    assert "companion doctor" in capfd.readouterr().out
    findings[0] = make_finding("sudo false")
    assert fix.mend([findings[0], findings[2]], agreed=True) == 1
    assert log.read_text() == "one\ntwo\n"
    assert "This failed:" in capfd.readouterr().err


def test_nothing_is_run_without_a_yes(tmp_path: Path, capsys: Capture) -> None:
    log = tmp_path / "log"
    assert fix.mend([make_finding(f"touch {log}")], agreed=False) == 1
    assert not log.exists()
    out, err = capsys.readouterr()
    assert f"touch {log}" in out
    assert "Nothing was done." in err


def test_what_restarts_the_computer_or_tries_a_reader_is_left_to_the_person(
    capsys: Capture,
) -> None:
    findings = [
        Finding("/dev/ttyUSB0", "log-in", mend="sudo reboot"),
        Finding("/dev/ttyUSB1", "serial", mend="companion doctor --tap 3 --reader /dev/ttyUSB1"),
    ]
    assert fix.mend(findings, agreed=True) == 0
    assert "nothing to fix" in capsys.readouterr().out


def test_root_needs_no_sudo() -> None:
    finding = make_finding("echo rule | sudo tee -a /etc/rule && sudo udevadm control --reload")
    assert fix.list_commands([finding], is_root=True) == [
        "echo rule | tee -a /etc/rule && udevadm control --reload"
    ]
    assert fix.list_commands([finding], is_root=False) == [finding.mend]


def test_a_board_without_permission_takes_one_command(root: Path, capsys: Capture) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    assert doctor.run(["--fix"], computer(root, may=False)) == 1
    out = capsys.readouterr().out
    assert "you have no permission to use it" in out
    assert "chown $USER /dev/ttyUSB0" in out.partition("This will run:")[2]


def test_a_board_that_may_be_tried_is_no_missing_reader(root: Path, capsys: Capture) -> None:
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    assert doctor.run([], computer(root)) == 0
    first, *_others = capsys.readouterr().out.splitlines()
    assert first.startswith("1 possible reader;")
    assert doctor.run([], computer(root / "nothing")) == 1
    assert "No reader was found" in capsys.readouterr().out
