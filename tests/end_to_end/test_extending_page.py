"""The extension of docs/dev/extending.md, taken from the page, installed with pip, and tried."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

from tests.end_to_end.test_wheel import GAME, MOVES, TABLE, Stranger, install_wheel
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.outer, pytest.mark.soak]

FILES = re.findall(
    r"^`([\w./]+)`\n\n```\w+\n(.*?)^```$",
    (ROOT / "docs" / "dev" / "extending.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)


class Hook(HTTPServer):
    """The webhook of a lamp, which remembers its colours."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.colours: list[str] = []


class _Answer(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.colours.append(body.decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_words: object) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[Hook]:
    with Hook() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join(PATIENCE)


def test_the_example_is_installed_and_turns_red_at_a_murder(tmp_path: Path, hook: Hook) -> None:
    assert [name for name, _text in FILES] == [
        "pyproject.toml",
        "citadels_lamp/__init__.py",
        "citadels_lamp/command.py",
    ]
    stranger = Stranger(tmp_path)
    install_wheel(stranger)
    folder = stranger.desk / "citadels-lamp"
    for name, text in FILES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    stranger.install(str(stranger.bin / "pip"), "install", "--quiet", str(folder))

    assert ", lamp" in stranger.ask("--help")
    assert "companion lamp: set its address" in stranger.ask("lamp", "blue", code=2)
    settings = stranger.home / ".config" / "citadels-companion" / "config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("lamp: here\n")
    assert "the address of a lamp begins with http" in stranger.ask("lamp", "blue", code=2)
    settings.write_text(f"lamp: http://127.0.0.1:{hook.server_port}/\n")
    assert stranger.ask("lamp", "blue") == "The lamp is blue.\n"
    text = stranger.ask("play", "--plain", *TABLE, messages=MOVES)
    assert "Kurt murders the King." in text
    assert hook.colours == ["blue", "white", "white", "white", "white", "white", "red"]
    moves = "\n".join((*yaml.safe_load(GAME.read_text("utf-8"))["moves"], "moves", "glow", ""))
    text = stranger.ask("play", "--plain", *TABLE, "--option", "cities=untracked", messages=moves)
    assert re.search(r"^\d: Let the lamp glow$", text, re.MULTILINE)
    assert "The lamp is gold." in text
    assert hook.colours[-1] == "gold"
