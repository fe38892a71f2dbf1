"""`companion club` and `--club`, as people and programs start them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.extensions.club import folder as club
from companion.extensions.club.folder import Club
from tests import starting
from tests.club.tables import Pub
from tests.serving.hosting import Hosting
from tests.starting import ROOT
from tests.test_house import loaded_by
from tests.waiting import PATIENCE, read_line, wait_until

pytestmark = pytest.mark.outer


@contextmanager
def run_club(*words: str, data: Path) -> Iterator[dict[str, Any]]:
    """A running `companion club`; yields what its first line says."""
    process = starting.start(
        *("club", *words, "--json", "--host", "127.0.0.1", "--port", "0"),
        cwd=ROOT,
        env={**os.environ, "COMPANION_DATA": str(data)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    with stopping(process) as line:
        yield json.loads(line)


@contextmanager
def stopping(process: subprocess.Popen[str]) -> Iterator[str]:
    """A running program that is stopped after the block; yields its first line."""
    try:
        yield read_line(process)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        if process.stdout is not None:
            process.stdout.close()


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
        return text


def list_tables(page: str) -> list[str]:
    return re.findall(r'data-table="([^"]*)"', page)


@pytest.mark.needs("mosquitto", "club")
def test_a_host_is_on_the_wall_of_a_hub(tmp_path: Path) -> None:
    pub = Pub(tmp_path / "pub", ["t1"])
    with pub.open(), run_club("hub", str(pub.path), data=tmp_path / "hub") as fields:
        assert fields == {"url": fields["url"], "club": pub.club.url("TABLE")}
        page = get(fields["url"])
        assert list_tables(page) == []
        assert f"--club {fields['club']}" in page
        env = {"COMPANION_DATA": str(tmp_path / "t")}
        with Hosting("--club", pub.url("t1"), env=env) as table:
            wait_until(lambda: list_tables(get(fields["url"])) == ["t1"])
            table.type("faceup bishop merchant")
            wait_until(
                lambda: '"faceup": ["bishop", "merchant"]' in get(f"{fields['url']}api/tables")
            )
            table.end(signal.SIGKILL)
            wait_until(lambda: 'data-status="lost"' in get(fields["url"]))
        with Hosting("--club", pub.url("t1"), env=env, new=False):
            wait_until(lambda: 'data-status="ready"' in get(fields["url"]))
        wait_until(lambda: 'data-status="disconnected"' in get(fields["url"]))


@pytest.mark.needs("mosquitto", "club")
def test_a_whole_club_plays_by_itself(tmp_path: Path) -> None:
    quick = (
        "import companion.extensions.club.demo as demo; demo.PAUSE = 0.02; "
        "from companion.commands.cli import main; raise SystemExit(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", quick, "club", "demo", "--tables", "6", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "COMPANION_DATA": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    with stopping(process) as line:
        url = line.removeprefix("The wall: ").strip()
        assert list_tables(get(url)) == [f"table-{number}" for number in range(1, 7)]
        wait_until(lambda: json.loads(get(f"{url}api/results")))


@pytest.mark.needs("club")
def test_without_mosquitto_it_is_said_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(club, "MOSQUITTO", ("mosquitto",))
    assert main(["club", "demo"]) == 2
    assert "sudo apt install mosquitto" in capsys.readouterr().err


@pytest.mark.needs("tls")
def test_the_folder_of_a_club(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "club"
    words = ["club", "init", str(folder), "--tables", "3", "--host", "127.0.0.1"]
    assert main(words) == 0
    passwords = re.findall(r"<code>([a-z2-7]{26})</code>", (folder / "cards.html").read_text())
    assert len({*passwords}) == 3
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file
        if file.name != "cards.html":
            assert not any(word in file.read_text() for word in passwords), file
    assert main(words) == 2
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["play", "--club", "ftp://x/y"], "is not the address of a club"),
        (["play", "--club", "mqtt://t:word@host/club"], "Write no password"),
        (["play", "--club", "mqtt://t:word@host:99999/x"], "“…@host:99999/x” is not the address"),
        (["play", "--club", "t:word@host"], "“…@host” is not the address of a club"),
        (["play", "--club", "mqtt://T1@host/club"], "cannot be the name of a club or a table"),
        (["play", "--club", "mqtt://t1@host/club?x=1"], "is not one of"),
        (["club"], "choose a command"),
        (["club", "hup"], "did you mean “hub”?"),
        (["club", "demo", "--tables", "0"], "--tables: “0” is not a number from 1 to 100"),
        (["club", "demo", "--tables", "0000000019"], "is not a number from 1 to 100"),
        (["club", "hub", "/nowhere"], "is not the folder of a club"),
        (["club", "hub"], "make one with companion club init FOLDER"),
        (["club", "history"], "use: COMPANION_DATA=FOLDER companion history"),
        (
            ["club", "results", "--csv"],
            "companion club results --csv: this no longer exists; use: "
            "COMPANION_DATA=FOLDER companion history --csv",
        ),
        (["club", "results", "accept", "3"], "companion club results correct GAME"),
        (["club", "init", "/proc/x/y", "--no-tls"], "/proc/x"),
        (["club", "init", "x", "--name", "A B"], "up to 32 small letters"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_are_told(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert problem in capsys.readouterr().err


def test_a_hub_is_of_the_club_of_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    club.make(str(tmp_path / "pub"), Club("pub", "127.0.0.1", 9, False), ["t1"], "127.0.0.1")
    monkeypatch.setenv("COMPANION_CLUB", "mqtt://hub@192.0.2.7/other")
    assert main(["club", "hub", str(tmp_path / "pub")]) == 2
    assert "is the folder of the club pub" in capsys.readouterr().err


def test_a_hub_without_the_extra_says_how_to_get_it(tmp_path: Path) -> None:
    club.make(str(tmp_path / "pub"), Club("pub", "127.0.0.1", 9, False), ["t1"], "127.0.0.1")
    run = (
        "import sys; sys.modules['paho'] = None; "
        "from companion.commands.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["club", "hub", str(tmp_path / "pub"), "--host", "127.0.0.1", "--port", "0"]
    result = subprocess.run(
        [sys.executable, "-c", run, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert "make extras ARGS=club" in result.stderr


@pytest.mark.parametrize(
    ("club_line", "sentence"),
    [
        ("http://t1@host/pub", "write that of its broker, mqtts://TABLE@HOST/CLUB"),
        pytest.param(
            "mqtt://t1@127.0.0.1:9/pub?home-assistant=yes",
            "no longer told of this table",
            marks=pytest.mark.needs("club"),
        ),
    ],
)
def test_an_address_of_before_is_told_and_the_game_goes_on(
    club_line: str, sentence: str, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(f"club: {club_line}\n")
    words = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none"]
    result = subprocess.run(
        [sys.executable, "-m", "companion", "play", "--plain", *words],
        cwd=ROOT,
        env={**os.environ, "COMPANION_DATA": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        input="gold\nquit\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0
    assert sentence in result.stderr


def test_a_start_without_a_club_loads_no_broker_s_client() -> None:
    run = "import sys; from companion.commands.cli import main; main(sys.argv[1:])"
    words = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none"]
    assert "paho" not in loaded_by(run, "play", "--plain", *words)


def test_a_table_without_the_extra_is_told_and_plays(tmp_path: Path) -> None:
    code = "import sys; sys.modules['paho'] = None; from companion.commands import cli; cli.main()"
    table = ("--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none")
    result = subprocess.run(
        [sys.executable, "-c", code, "play", "--plain", *table, "--club", "mqtt://t1@127.0.0.1/p"],
        cwd=ROOT,
        env={**os.environ, "COMPANION_DATA": str(tmp_path)},
        input="faceup bishop merchant\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0
    assert "The extension club does not work: --club needs the extra “club”" in result.stderr
    assert "Bishop" in result.stdout
