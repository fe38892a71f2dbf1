"""`companion doctor --fix`: the commands are shown, asked about and run."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from companion.commands import doctor
from tags.readers.finding import Finding
from tags.simulator.chips import Ntag
from tests.companion.simulated_computers import board, computer
from tests.rigs.simulator import EmulatedReader

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
    assert doctor.mend(findings, lambda: 0, agreed=True) == 0
    assert log.read_text() == "one\ntwo\n"
    assert "The readers now:" in capfd.readouterr().out
    findings[0] = make_finding("sudo false")
    assert doctor.mend([findings[0], findings[2]], lambda: 0, agreed=True) == 1
    assert log.read_text() == "one\ntwo\n"
    assert "This failed:" in capfd.readouterr().err


def test_nothing_is_run_without_a_yes(tmp_path: Path, capsys: Capture) -> None:
    log = tmp_path / "log"
    assert doctor.mend([make_finding(f"touch {log}")], lambda: 0, agreed=False) == 1
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
    assert doctor.mend(findings, lambda: 0, agreed=True) == 0
    assert "nothing to fix" in capsys.readouterr().out


def test_root_needs_no_sudo() -> None:
    finding = make_finding("echo rule | sudo tee -a /etc/rule && sudo udevadm control --reload")
    assert doctor.list_commands([finding], is_root=True) == [
        "echo rule | tee -a /etc/rule && udevadm control --reload"
    ]
    assert doctor.list_commands([finding], is_root=False) == [finding.mend]


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


class Terminal(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.outer
def test_a_stranger_types_three_lines_from_plugging_in_to_the_first_tap(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    granted = tmp_path / "granted"
    sudo = tmp_path / "bin/sudo"
    sudo.parent.mkdir()
    sudo.write_text(f'#!/bin/sh\necho "$@" >> {granted}\n')  # changes no real group
    sudo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{sudo.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", Terminal("yes\n"))
    board(root, 0, named="usb-1a86_USB_Serial-if00-port0")
    here = replace(computer(root), may=lambda _path: granted.exists())

    typed = 1
    assert doctor.run(["--fix"], here) == 0
    assert "chown" in granted.read_text()
    out, err = capfd.readouterr()
    typed += err.count("Run this?")
    now = out.partition("The readers now:")[2]
    (command,) = re.findall(r"^ +companion doctor (--tap .*)$", now, re.MULTILINE)
    port = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    assert port in command

    typed += 1
    with EmulatedReader() as reader:
        ending = threading.Event()

        def tap() -> None:
            number = 0
            while not ending.wait(0.3):
                number += 1
                reader.chip.lay(*([Ntag(bytes((4, 1, 2, 3, 4, 5, number & 0xFF)))] * (number % 2)))

        thread = threading.Thread(target=tap)
        thread.start()
        try:
            words = command.replace(port, reader.path).split()
            assert doctor.run(words, here) == 0
        finally:
            ending.set()
            thread.join()
    assert "3 of 3 taps seen" in capfd.readouterr().out
    assert typed <= 3
