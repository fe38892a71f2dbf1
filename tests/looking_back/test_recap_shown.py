"""The recap as displayed: its page in a real browser, the play's QR code in a terminal."""

from __future__ import annotations

import html
import json
import os
import re
import struct
import subprocess
import sys
from base64 import b64encode
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion import terminal
from companion.commands.cli import main
from companion.extensions.looking_back.recap.card import WIDTH
from tests import needs
from tests.looking_back.test_bgstats import save
from tests.looking_back.test_recap import WHOLE
from tests.serving import browsing
from tests.serving.engines import ENGINES, ChromiumTab, Tab
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

NARROW = 320  # CSS pixels: the width of WCAG 1.4.10, Reflow

LOOK = """
const page = document.querySelector("iframe");
page.onload = () => {
  const inside = page.contentDocument, root = inside.documentElement;
  const pictures = [...inside.querySelectorAll("svg:not([hidden])")];
  const drawn = pictures.map(svg => svg.getBoundingClientRect());
  document.querySelector("pre").textContent = JSON.stringify({
    beyond: root.scrollWidth - root.clientWidth,
    drawn: drawn.every(box => box.width > 0 && box.height > 0),
    background: page.contentWindow.getComputedStyle(root).backgroundColor,
    headings: [...inside.querySelectorAll("h2")].map(heading => heading.textContent),
  });
};
page.srcdoc = JSON.parse(document.querySelector("[type]").textContent);
"""


def look(page: str, folder: Path, *options: str) -> dict[str, Any]:
    """The page's layout in a narrow frame of the browser."""
    text = json.dumps(page).replace("<", "\\u003c")  # its tags must not close ours
    around = folder / "around.html"
    around.write_text(
        f'<meta charset="utf-8"><script type="application/json">{text}</script><pre></pre>'
        f'<iframe style="width: {NARROW}px; border: 0"></iframe><script>{LOOK}</script>',
        encoding="utf-8",
    )
    name = browse(folder, "--virtual-time-budget=5000", "--dump-dom", *options, around.as_uri())
    match = re.search(r"<pre>(.*?)</pre>", name)
    assert match, name
    return dict(json.loads(html.unescape(match[1])))


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
def test_the_page_fits_a_phone_in_light_and_dark_and_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "recap.html"
    assert main(["recap", str(WHOLE), "--html", str(file)]) == 0
    page = file.read_text(encoding="utf-8")
    for scheme, background in (("1", "rgb(243, 239, 230)"), ("0", "rgb(20, 22, 26)")):
        results = look(page, tmp_path, f"--blink-settings=preferredColorScheme={scheme}")
        assert results["beyond"] == 0
        assert results["drawn"]
        assert results["background"] == background
        assert results["headings"][:2] == ["A card to share", "The final scores"]
    paper = tmp_path / "recap.pdf"
    browse(tmp_path, f"--print-to-pdf={paper}", file.as_uri())
    assert paper.read_bytes().startswith(b"%PDF")


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
