"""`companion daemon` as a process, over the emulated PN532 and its real driver: killed, restarted,
shared by several callers, and installed."""

from __future__ import annotations

import os
import re
import shlex
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion import chips
from companion.chips.entries import DistrictChip
from companion.chips.registry import Registry
from companion.files import locations
from tags.service.endpoint import Endpoint
from tests.companion.listening import NEW, Listener, companion
from tests.end_to_end.daemons import Program, daemon, lay, learn, serve, wait_for_polls
from tests.rigs.simulator import EmulatedReader
from tests.serving.hosting import ask
from tests.starting import ROOT
from tests.tags.conftest import CASTLE, TEMPLE
from tests.tags.serving import Raw

pytestmark = pytest.mark.outer

pytest.importorskip("termios")


def test_a_tap_reaches_every_client_under_its_name(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    learn(TEMPLE, "temple")
    with daemon(*serve(emulator)) as running, Raw(place) as one, Raw(place) as other:
        assert stat.S_IMODE(os.stat(place.folder).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(place.socket_path).st_mode) == 0o600
        emulator.hold(TEMPLE)
        for client in (one, other):
            tap = client.read_until("tap")
            assert (tap["uid"], tap["chip"]) == ("04A2B3C4D5E680", "district temple 1")
        emulator.lift()
        one.read_until("lift")
        emulator.hold(CASTLE)
        assert one.read_until("tap")["chip"] is None
        assert running.end(signal.SIGTERM) == 0
        assert one.wait_for_end()
    assert not os.path.exists(place.socket_path)


def test_a_service_killed_in_the_middle_is_started_anew_and_only_once(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    with daemon(*serve(emulator)) as running:
        running.end(signal.SIGKILL)
    assert os.path.exists(place.socket_path)
    with daemon(*serve(emulator)), Raw(place) as client:
        second = companion("daemon", *serve(emulator))
        assert second.returncode == 1
        assert second.stderr.count("\n") == 1
        assert "is already running as process" in second.stderr
        emulator.hold(TEMPLE)
        assert client.read_until("tap")["uid"] == "04A2B3C4D5E680"


def test_a_mapping_broken_while_running_leaves_the_last_good_one_in_force(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    learn(TEMPLE, "temple")
    path = Path(locations.chips_file(locations.data_dir()))
    with daemon(*serve(emulator)), Raw(place) as client:
        path.write_text("chips: [\n", encoding="utf-8")
        text = client.read_until("notice")["text"]
        assert text.startswith(f"{path}:")
        assert "the chips already loaded are used" in text
        emulator.hold(TEMPLE)
        assert client.read_until("tap")["chip"] == "district temple 1"
        chips.save(str(path), Registry({TEMPLE: DistrictChip("castle")}))
        assert client.read_until("notice")["text"] == ""
        emulator.lift()
        client.read_until("lift")
        emulator.hold(TEMPLE)
        assert client.read_until("tap")["chip"] == "district castle 1"


@pytest.mark.parametrize("reader", ["auto", "its path"])
def test_the_caller_uses_the_service_and_does_without_when_it_dies(
    emulator: EmulatedReader, reader: str
) -> None:
    learn(TEMPLE, "temple")
    path = serve(emulator)[1]
    target = path if reader == "its path" else "auto"
    with daemon(*serve(emulator)) as running, Listener(reader=target) as caller:
        caller.hear()
        lay(emulator, TEMPLE)  # a chip there when the service starts plays nothing
        assert "Temple" in "\n".join(caller.hear())
        running.end(signal.SIGKILL)
        assert caller.process.stderr is not None
        data = b""
        while data.count(b"is ready") < 2:  # by the service, and then opened by the caller
            data += caller.process.stderr.readline()
        assert b"The reader service does not answer; carry on by keyboard." in data
        assert not caller.tell("faceup bishop merchant")[0].startswith("Refused")
        learn(CASTLE, "castle")
        lay(emulator, CASTLE)  # the chip that stayed was not tapped again
        assert caller.hear()[0] == "Castle: noble district, 4 gold."
        assert caller.leave() == 0


def test_a_caller_follows_a_service_that_is_started_again(emulator: EmulatedReader) -> None:
    learn(TEMPLE, "temple")
    with daemon(*serve(emulator)) as running, Listener(reader="auto") as caller:
        caller.hear()
        running.end(signal.SIGKILL)
        with daemon(*serve(emulator)):
            lay(emulator, TEMPLE)
            assert "Temple" in "\n".join(caller.hear())
            assert caller.leave() == 0


def test_a_caller_that_was_stopped_plays_no_tap_of_the_past(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    learn(TEMPLE, "temple")
    with daemon(*serve(emulator)), Raw(place) as client, Listener(reader="auto") as caller:
        caller.hear()
        wait_for_polls(emulator, 25)  # the caller knows by then that nothing lies there
        caller.process.send_signal(signal.SIGSTOP)
        lay(emulator, TEMPLE)
        client.read_until("tap")
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


def test_installing_shows_first_and_does_only_what_is_agreed(home: Path, systemctl: Path) -> None:
    result = companion("daemon", "install", "--reader", "usb")
    assert result.returncode == 0
    assert f"Write {unit(home)}:" in result.stdout
    assert "Nothing was done" in result.stderr
    assert not unit(home).exists()
    new_result = companion("daemon", "install", "--reader", "usb", "--yes")
    assert new_result.returncode == 0
    assert new_result.stdout == result.stdout
    text = unit(home).read_text(encoding="utf-8")
    assert f'ExecStart="{sys.executable}" "-m" "companion" "daemon" "--reader" "usb"\n' in text
    assert f'Environment="COMPANION_DATA={home / "data"}"\n' in text
    assert "@" not in text
    assert systemctl.read_text() == (
        "systemctl --user daemon-reload\n"
        "systemctl --user enable citadels-reader.service\n"
        "systemctl --user restart citadels-reader.service\n"
    )
    for line in new_result.stdout.splitlines():
        if "sudo install" in line:
            assert Path(line.split()[5]).is_file()
    assert "/etc/udev/rules.d/60-citadels-reader.rules" in new_result.stdout
    assert "/etc/modprobe.d/citadels-reader-blacklist.conf" in new_result.stdout


def test_everything_is_shown_and_nothing_done(home: Path, systemctl: Path) -> None:
    result = companion("daemon", "install", "--dry-run", "--yes")
    assert (result.returncode, result.stderr) == (0, "")
    assert not unit(home).exists()
    assert systemctl.read_text() == ""
    files = {*(ROOT / "companion" / "system").iterdir()}
    for source in files - {ROOT / "companion" / "system" / "citadels-host.service"}:
        for line in source.read_text(encoding="utf-8").splitlines():
            assert line.startswith("@") or "@COMMAND@" in line or f"    {line}" in result.stdout
    assert "sudo loginctl enable-linger $USER" in result.stdout
    assert companion("daemon", "install", "--yes").returncode == 0
    assert f"Remove {unit(home)}" in companion("daemon", "uninstall", "--dry-run", "--yes").stdout
    assert unit(home).exists()


def test_wrong_settings_are_no_reason_to_start_the_service_again() -> None:
    result = companion("daemon", "--reader", "none")
    unit_file = (ROOT / "companion" / "system" / "citadels-reader.service").read_text()
    assert f"RestartPreventExitStatus={result.returncode}\n" in unit_file


def test_uninstalling_takes_away_what_was_installed(home: Path, systemctl: Path) -> None:
    assert companion("daemon", "install", "--yes").returncode == 0
    systemctl.write_text("")
    result = companion("daemon", "uninstall")
    assert f"Remove {unit(home)}" in result.stdout
    assert unit(home).exists()
    assert companion("daemon", "uninstall", "--yes").returncode == 0
    assert not unit(home).exists()
    assert systemctl.read_text() == (
        "systemctl --user disable --now citadels-reader.service\nsystemctl --user daemon-reload\n"
    )
    again = companion("daemon", "uninstall", "--yes")
    assert again.returncode == 0
    assert "nothing to do" in again.stdout


def test_the_host_has_a_unit_of_its_own_that_hosts(home: Path, systemctl: Path) -> None:
    companion("play", "--plain", *NEW, "--reader", "none")
    file = unit(home, "citadels-host.service")
    words = ["--host", "127.0.0.1", "--port", "0", "--reader", "none"]
    assert companion("host", "install", "--yes", *words).returncode == 0
    assert "enable citadels-host.service" in systemctl.read_text()
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
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        code = process.stdout.readline().split()[-1]
        assert ask(f"{url}api/table", code)[1]["phase"] == "selection"
    finally:
        process.terminate()
        process.communicate()
    assert process.returncode == 0
    assert companion("host", "uninstall", "--yes").returncode == 0
    assert not file.exists()


def test_a_unit_of_somebody_elses_is_left_alone(home: Path, systemctl: Path) -> None:
    unit(home).parent.mkdir(parents=True)
    unit(home).write_text("[Unit]\n", encoding="utf-8")
    for word in ("install", "uninstall"):
        result = companion("daemon", word, "--yes")
        assert result.returncode == 1
        assert "was not written by this program" in result.stderr
    assert unit(home).read_text(encoding="utf-8") == "[Unit]\n"
    assert systemctl.read_text() == ""


def test_installing_below_a_folder_runs_nothing(
    home: Path, systemctl: Path, tmp_path: Path
) -> None:
    root = str(tmp_path / "root")
    assert companion("daemon", "install", "--yes", "--root", root).returncode == 0
    assert Path(root + str(unit(home))).is_file()
    assert systemctl.read_text() == ""
    assert not unit(home).exists()


def test_the_doctor_tells_who_has_the_reader_and_tests_it(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    with daemon(*serve(emulator)), Raw(place) as client:
        client.wait_until_ready()
        result = companion("doctor")
        assert f"{emulator.path}: the reader service is using it." in result.stdout
        with Program("doctor", "--tap", "1", *serve(emulator)) as testing:
            assert client.read_until("reader")["fault"] == "busy"
            testing.read_until("Tap 1 of 1")
            emulator.hold(TEMPLE)
            wait_for_polls(emulator)
            emulator.lift()
            testing.read_until("1 of 1 taps seen")
        assert client.read_until("reader")["state"] == "ready"


def test_the_checklist_goes_through_the_service(emulator: EmulatedReader, place: Endpoint) -> None:
    with (
        daemon(*serve(emulator)),
        Raw(place) as client,
        Program("doctor", "--checklist", *serve(emulator)) as testing,
    ):
        testing.read_until("Put a chip on the reader.")
        emulator.hold(TEMPLE)
        testing.read_until("Take the chip away.")
        emulator.lift()
        testing.read_until("Put two chips")
        testing.type("")
        testing.read_until("Tap one chip")
        testing.type("")
        testing.read_until("Unplug the reader.")
        emulator.unplug()
        testing.read_until("Plug the reader back in.")
        emulator.plug()
        testing.read_until("Put a chip on the reader, then")
        emulator.hold(TEMPLE)
        wait_for_polls(emulator)
        emulator.lift()
        testing.read_until("Put a spare chip")
        emulator.hold(TEMPLE)
        testing.read_until("Take the chip away.")
        emulator.lift()
        for step in ("replug: good", "write: good, written, read and put back"):
            testing.read_until(step)
        lines = [client.read() for _ in range(2)]
        assert {line["type"] for line in lines} == {"reader"}  # no tap was told


@pytest.mark.needs("systemd")
@pytest.mark.parametrize(
    ("command", "name"),
    [("daemon", "citadels-reader.service"), ("host", "citadels-host.service")],
)
def test_systemd_understands_the_unit(
    home: Path, systemctl: Path, tmp_path: Path, command: str, name: str
) -> None:
    root = str(tmp_path / "root")
    assert companion(command, "install", "--yes", "--root", root).returncode == 0
    result = subprocess.run(
        ["systemd-analyze", "--user", "verify", root + str(unit(home, name))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
