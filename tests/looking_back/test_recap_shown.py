"""The recap as displayed: its card in real browsers, the play's QR code in a terminal. That its
page fits a phone is seen with those of the table (`tests/serving/visits.py`)."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from base64 import b64encode
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion import terminal
from companion.commands.cli import main
from companion.extensions.looking_back.recap.recap_card import WIDTH
from tests import needs
from tests.looking_back.test_bgstats import save
from tests.looking_back.test_recap import WHOLE
from tests.serving import browsing
from tests.serving.engines import ENGINES, ChromiumTab, Tab
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer


def browse(folder: Path, *words: str) -> str:
    """What the browser prints when it is started with these words."""
    assert browsing.PROGRAM
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile")
    result = subprocess.run(
        [browsing.PROGRAM, *options, *words],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE * 2,
        check=True,
    )
    return result.stdout


@pytest.mark.needs("Chromium")
@pytest.mark.parametrize("name", ["Chromium", *ENGINES])
def test_a_click_on_the_card_saves_it_as_a_png(
    tmp_path: Path, request: pytest.FixtureRequest, name: str
) -> None:
    needs.require(name)
    file = tmp_path / "recap.html"
    assert main(["recap", str(WHOLE), "--html", str(file)]) == 0
    with ExitStack() as stack:
        if name == "Chromium":
            tab: Tab = ChromiumTab(request.getfixturevalue("browser"))
        else:
            tab = ENGINES[name](stack, tmp_path).open()
        tab.go(file.as_uri())
        tab.wait("() => card.download.endsWith('.png')")
        charts = tab.run(
            "() => [...document.querySelectorAll('.chart')].map(one => one.clientHeight)"
        )
        assert all(height > 0 for height in charts)
        head = b64encode(b"\x89PNG\r\n\x1a\n").decode()[:10]
        assert tab.run("() => card.href").startswith(f"data:image/png;base64,{head}")
        assert tab.run("() => card.innerText").endswith(".png")
        assert tab.run("() => [card.firstElementChild.naturalWidth]") == [WIDTH]


def test_a_terminal_with_room_shows_the_code(home: Path) -> None:
    save(home, "two_players")
    link, *rows = at_terminal(columns=150, lines=80)
    assert rows == terminal.draw_half_blocks(link)


def test_a_small_terminal_is_told_what_the_code_needs(home: Path) -> None:
    save(home, "two_players")
    link, text = at_terminal(columns=80, lines=24)
    wide = len(terminal.draw_half_blocks(link)[0])
    assert text.startswith(f"The QR code needs a window of {wide} columns")


def at_terminal(*, columns: int, lines: int) -> list[str]:
    """What `companion bgstats` prints at a terminal of that size, line by line, without colours."""
    termios = pytest.importorskip("termios", reason="the terminal is a pseudo terminal")
    import fcntl
    import pty

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    environment = {key: os.environ[key] for key in os.environ if key not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "bgstats"], cwd=ROOT, env=environment, stdout=theirs
    ) as program:
        os.close(theirs)
        data = b""
        while chunk := _read(ours):
            data += chunk
        assert program.wait(PATIENCE) == 0
    os.close(ours)
    text = re.sub(r"\x1b\[[\d;]*m", "", data.decode())
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux reports that the other end is closed
        return b""
