"""`companion daemon` as a process, over the emulated PN532 and its real driver: killed, restarted,
shared by several callers, and installed."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tags.service.endpoint import Endpoint
from tests.companion.listening import NEW, Listener, companion
from tests.end_to_end.daemons import Daemon, Program, lay, learn, serve, wait_for_polls
from tests.rigs.simulator import EmulatedReader
from tests.serving.hosting import ask
from tests.starting import ROOT
from tests.tags.conftest import CASTLE, TEMPLE
from tests.tags.serving import Raw
from tests.waiting import PATIENCE, read_line, wait_until

pytestmark = pytest.mark.outer

pytest.importorskip("termios")


def test_a_service_killed_in_the_middle_is_started_anew_and_only_once(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    with Daemon(*serve(emulator)) as running:
        running.end(signal.SIGKILL)
    assert os.path.exists(place.socket_path)
    with Daemon(*serve(emulator)), Raw(place) as client:
        second = companion("daemon", *serve(emulator))
        assert second.returncode == 1
        assert second.stderr.count("\n") == 1
        assert "is already running; every program can use it" in second.stderr
        emulator.hold(TEMPLE)
        assert client.read_until("tap")["uid"] == "04A2B3C4D5E680"


@pytest.mark.parametrize("reader", ["auto", "its path"])
def test_the_caller_uses_the_service_and_does_without_when_it_dies(
    emulator: EmulatedReader, reader: str
) -> None:
    learn(TEMPLE, "temple")
    path = serve(emulator)[1]
    target = path if reader == "its path" else "auto"
    with Daemon(*serve(emulator)) as running, Listener(reader=target) as caller:
        caller.hear()
        lay(emulator, TEMPLE)  # a chip there when the service starts plays nothing
        assert "Temple" in "\n".join(caller.hear())
        running.end(signal.SIGKILL)
        data = b""
        while data.count(b"is ready") < 2:  # by the service, and then opened by the caller
            line = read_line(caller.process, caller.process.stderr)
            assert line, data
            data += line
        assert b"The reader service does not answer; carry on by keyboard." in data
        assert not caller.tell("faceup bishop merchant")[0].startswith("Refused")
        learn(CASTLE, "castle")
        lay(emulator, CASTLE)  # the chip that stayed was not tapped again
        assert caller.hear()[0] == "Castle: noble district, 4 gold."
        assert caller.leave() == 0


def test_a_caller_that_was_stopped_plays_no_tap_of_the_past(emulator: EmulatedReader) -> None:
    learn(TEMPLE, "temple")
    with Daemon(*serve(emulator)), Listener(reader="auto") as caller:
        caller.hear()
        wait_for_polls(emulator, 25)  # the caller knows by then that nothing lies there
        caller.process.send_signal(signal.SIGSTOP)
        lay(emulator, TEMPLE)
        wait_for_polls(emulator, 50)
        caller.process.send_signal(signal.SIGCONT)
        assert "more than two seconds ago" in caller.hear()[0]
        lay(emulator, TEMPLE)
        assert "Temple" in "\n".join(caller.hear())
        assert caller.leave() == 0


def test_there_is_no_service_for_no_reader() -> None:
    for word in ("simulated", "none"):
        result = companion("daemon", "--reader", word)
        assert result.returncode == 2
        assert "there is no reader to serve" in result.stderr


# -- installing -------------------------------------------------------------------------------


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A systemctl that records its arguments; returns the file."""
    path, folder = tmp_path / "told", tmp_path / "bin"
    folder.mkdir()
    for name in ("systemctl", "sudo"):
        (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >>"{path}"\n')
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    path.touch()
    return path


def unit(home: Path, name: str = "citadels-reader.service") -> Path:
    return home / ".config" / "systemd" / "user" / name


def test_installing_writes_one_unit_and_says_how_it_is_started(home: Path, systemctl: Path) -> None:
    result = companion("daemon", "install", "--reader", "usb")
    assert result.returncode == 0
    text = unit(home).read_text(encoding="utf-8")
    assert f'ExecStart="{sys.executable}" "-m" "companion" "daemon" "--reader" "usb"\n' in text
    assert f'Environment="COMPANION_DATA={home / "data"}"\n' in text
    assert "@" not in text
    assert result.stdout.splitlines() == [
        f"Written: {unit(home)}. To start it now and at every login:",
        "systemctl --user daemon-reload && systemctl --user enable --now citadels-reader.service",
    ]
    assert systemctl.read_text() == ""
    gone = companion("daemon", "uninstall")
    assert gone.returncode == 2
    assert "systemctl --user disable --now citadels-reader.service" in gone.stderr


@pytest.mark.parametrize(
    ("command", "page"),
    [("daemon", "docs/reference/installing-readers.md"), ("host", "docs/phones.md")],
)
def test_without_systemd_no_unit_is_written(
    home: Path, tmp_path: Path, command: str, page: str
) -> None:
    result = companion(command, "install", env={"PATH": str(tmp_path)})
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith(f"only systemd starts it automatically; see {page}\n")
    assert not unit(home).parent.exists()


def test_wrong_settings_are_no_reason_to_start_the_service_again() -> None:
    result = companion("daemon", "--reader", "none")
    unit_file = (ROOT / "companion" / "system" / "citadels-reader.service").read_text()
    assert f"RestartPreventExitStatus={result.returncode}\n" in unit_file


def test_the_host_has_a_unit_of_its_own_that_hosts(home: Path, systemctl: Path) -> None:
    companion("play", "--plain", *NEW, "--reader", "none")
    file = unit(home, "citadels-host.service")
    words = ["--host", "127.0.0.1", "--port", "0", "--reader", "none"]
    assert companion("host", "install", *words).returncode == 0
    (command,) = re.findall("^ExecStart=(.*)$", file.read_text(), re.MULTILINE)
    process = subprocess.Popen(
        shlex.split(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        url, code = (read_line(process).split()[-1] for _ in range(2))
        assert ask(f"{url}api/table", code)[1]["phase"] == "selection"
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_a_unit_of_somebody_elses_is_left_alone(home: Path, systemctl: Path) -> None:
    unit(home).parent.mkdir(parents=True)
    unit(home).write_text("[Unit]\n", encoding="utf-8")
    result = companion("daemon", "install")
    assert result.returncode == 1
    assert "was not written by this program" in result.stderr
    assert unit(home).read_text(encoding="utf-8") == "[Unit]\n"
    assert systemctl.read_text() == ""


def test_a_test_by_taps_that_is_broken_off_tells_what_it_has_seen(
    emulator: EmulatedReader,
) -> None:
    with Program("doctor", "--tap", "3", *serve(emulator)) as testing:
        testing.read_until("Tap 1 of 3")
        emulator.hold(TEMPLE)
        wait_until(lambda: emulator.sightings > 3)
        emulator.lift()
        testing.read_until("Tap 2 of 3")
        testing.process.send_signal(signal.SIGINT)
        testing.read_until("1 of 3 taps seen")
    assert testing.process.returncode == 130


def test_the_doctor_tells_who_has_the_reader_and_tests_it(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    with Daemon(*serve(emulator)), Raw(place) as client:
        client.wait_until_ready()
        result = companion("doctor")
        assert f"{emulator.path}: the reader service is using it." in result.stdout
        with Program("doctor", "--tap", "1", *serve(emulator)) as testing:
            assert client.read_until("snapshot")["owner"].startswith("companion doctor")
            testing.read_until("Tap 1 of 1")
            emulator.hold(TEMPLE)
            wait_for_polls(emulator)
            emulator.lift()
            testing.read_until("1 of 1 taps seen")
        assert client.read_until("snapshot")["owner"] == ""


@pytest.mark.needs("systemd")
@pytest.mark.parametrize(
    ("command", "name"),
    [("daemon", "citadels-reader.service"), ("host", "citadels-host.service")],
)
def test_systemd_understands_the_unit(
    home: Path, systemctl: Path, tmp_path: Path, command: str, name: str
) -> None:
    assert companion(command, "install").returncode == 0
    result = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(unit(home, name))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
