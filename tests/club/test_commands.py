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

from companion.club import folder as club
from companion.club.folder import Club
from companion.commands.cli import main
from tests import starting
from tests.club.tables import wait_until
from tests.serving.hosting import Hosting
from tests.starting import ROOT
from tests.test_house import loaded_by
from tests.waiting import PATIENCE

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
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
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


def test_a_host_is_on_the_wall_of_a_hub(tmp_path: Path) -> None:
    with run_club("hub", data=tmp_path / "hub") as fields:
        assert list_tables(get(fields["url"])) == []
        url = fields["club"].replace("TABLE", "corner")
        env = {"COMPANION_DATA": str(tmp_path / "t")}
        with Hosting("--club", url, env=env) as table:
            wait_until(lambda: list_tables(get(fields["url"])) == ["corner"])
            table.type("faceup bishop merchant")
            wait_until(
                lambda: '"faceup": ["bishop", "merchant"]' in get(f"{fields['url']}api/tables")
            )
            table.end(signal.SIGKILL)
        with Hosting("--club", url, env=env, new=False):
            wait_until(lambda: 'data-status="ready"' in get(fields["url"]))
        wait_until(lambda: 'data-status="disconnected"' in get(fields["url"]))


@pytest.mark.parametrize(
    "more",
    [("--http",), pytest.param((), marks=pytest.mark.needs("mosquitto", "club"))],
    ids=["HTTP", "broker"],
)
def test_a_whole_club_plays_by_itself(more: tuple[str, ...], tmp_path: Path) -> None:
    words = ("demo", "--tables", "6", "--speed", "100")
    with run_club(*words, *more, data=tmp_path) as fields:
        assert fields["club"].startswith("http" if more else "mqtt")
        assert list_tables(get(fields["url"])) == [f"table-{number}" for number in range(1, 7)]
        wait_until(lambda: json.loads(get(f"{fields['url']}api/results")))


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
        (["play", "--club", "http://T1@host/club"], "cannot be the name of a club or a table"),
        (["play", "--club", "http://t1@host/club?x=1"], "is not one of"),
        (["play", "--club", "http://t1@host/club?home-assistant=yes"], "Write home-assistant=yes"),
        (["club"], "choose a command"),
        (["club", "hup"], "did you mean “hub”?"),
        (["club", "demo", "--tables", "0"], "--tables must be from 1 to 200"),
        (["club", "demo", "--speed", "nan"], "--speed must be from 0.1 to 1000"),
        (["club", "hub", "/nowhere"], "is not the folder of a club"),
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


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--club", "mqtt://hub@192.0.2.7/other"], "is the folder of the club pub"),
        (["--club", "http://hub@192.0.2.7/pub"], "add --http to take the tables' messages"),
        (["--http", "--club", "mqtt://hub@192.0.2.7/pub"], "with --http there is no broker"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_hub_says_which_broker_it_would_leave_out(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club.make(str(tmp_path / "pub"), Club("pub", "127.0.0.1", 9, False), ["t1"], "127.0.0.1")
    assert main(["club", "hub", str(tmp_path / "pub"), *words]) == 2
    assert problem in capsys.readouterr().err


def test_a_hub_without_the_extra_leaves_out_no_broker(tmp_path: Path) -> None:
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
    assert "--http" in result.stderr
    assert "make extras ARGS=club" in result.stderr


@pytest.mark.needs("mosquitto", "club")
def test_a_hub_with_a_broker_says_where_the_tables_meet(tmp_path: Path) -> None:
    folder = tmp_path / "pub"
    club.make(str(folder), Club("pub", "127.0.0.1", 9, False), ["t1"], "127.0.0.1")
    with run_club("hub", str(folder), data=tmp_path / "hub") as fields:
        assert fields["club"] == "mqtt://TABLE@127.0.0.1:9/pub"
        assert f"--club {fields['club']}" in get(fields["url"])


def test_a_club_with_passwords_comes_over_http(tmp_path: Path) -> None:
    folder = tmp_path / "pub"
    words = club.make(str(folder), Club("pub", "127.0.0.1", 9, False), ["t1"], "127.0.0.1")
    (tmp_path / "word").write_text(words["t1"])
    with run_club("hub", str(folder), "--http", data=tmp_path / "hub") as fields:
        url = fields["club"].replace("TABLE", "t1") + f"?password-file={tmp_path / 'word'}"
        with Hosting("--club", url, env={"COMPANION_DATA": str(tmp_path / "t")}):
            wait_until(lambda: list_tables(get(fields["url"])) == ["t1"])


def test_a_start_without_a_club_loads_none_of_it() -> None:
    run = (
        "import sys; from companion.commands.cli import main; main(sys.argv[1:]); "
        "assert not [name for name in sys.modules if name.startswith('companion.club')]"
    )
    words = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none"]
    assert "paho" not in loaded_by(run, "play", "--plain", *words)
