"""The companion installed from a wheel, by pipx and by uv: it runs outside the checkout, in a home
that was empty, and has all its data files."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.language import catalogues
from tests.end_to_end.typing import User
from tests.starting import ROOT
from tests.waiting import PATIENCE, read_line

pytestmark = pytest.mark.outer

GAME = ROOT / "tests" / "games" / "short_game.yaml"
TABLE = ("--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none")
MOVES = "faceup bishop merchant\ncall\nkurt\ngold\nkill king\n"

OF_INSTALLERS = ("PIP_", "UV_", "SSL_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
"""How the variables begin that say where packages come from."""


def run(*words: str, at: Path, path: Path | None = None, language: str = "en") -> str:
    """Run Python in that folder, with `path` first on its module path; returns the output."""
    env = {**os.environ, "PYTHONPATH": str(path or ""), "COMPANION_LANGUAGE": language}
    result = subprocess.run(
        [sys.executable, *words], cwd=at, env=env, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def build(folder: Path) -> Path:
    """The wheel, made in that folder."""
    run("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), at=ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_has_all_that_the_checkout_has(tmp_path: Path) -> None:
    folder = tmp_path / "installed"
    shutil.unpack_archive(build(tmp_path / "wheels"), folder, "zip")

    where = run("-c", "import companion; print(companion.__file__)", at=tmp_path, path=folder)
    assert Path(where.strip()).is_relative_to(folder)
    for code in catalogues.list_offered():
        text = run("-m", "companion", "card", "king", at=tmp_path, path=folder, language=code)
        assert text == run("-m", "companion", "card", "king", at=ROOT, language=code)
    name = run("-m", "companion", "replay", str(GAME), "--json", at=tmp_path, path=folder)
    assert name == run("-m", "companion", "replay", str(GAME), "--json", at=ROOT)
    assert (folder / "companion" / "config.yaml").read_text() == (ROOT / "config.yaml").read_text()
    paths = {path.relative_to(folder) for path in folder.rglob("*.*")}
    here = {path.relative_to(ROOT) for top in ("companion", "engine", "tags", "common")
            for kind in ("yaml", "po", "html", "css", "js", "svg")
            for path in (ROOT / top).rglob(f"*.{kind}")}  # fmt: skip
    assert here <= paths


class Stranger:
    """Somebody with an empty home, who works in another folder than the checkout."""

    def __init__(self, folder: Path) -> None:
        self.home, self.desk = folder / "home", folder / "desk"
        self.home.mkdir()
        self.desk.mkdir()
        self.bin = self.home / ".local" / "bin"
        self.installs = {
            name: value
            for name, value in os.environ.items()
            if name.upper().startswith(OF_INSTALLERS)
        }

    @property
    def variables(self) -> dict[str, str]:
        """All that this person's programs are given."""
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([str(self.bin), os.environ["PATH"]]),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def install(self, *words: str) -> None:
        """Run an installer; skips the test if it fails because no packages can be had here."""
        result = self._run(*words, **self.installs)
        if result.returncode and not self._can_download():
            pytest.skip("no package registry can be reached")
        assert result.returncode == 0, result.stdout + result.stderr

    def _can_download(self) -> bool:
        path = self.home / "tried"
        self._run(sys.executable, "-m", "venv", str(path))
        pip = (str(path / "bin" / "pip"), "download", "--no-deps", "-d", str(path), "segno")
        return self._run(*pip, **self.installs).returncode == 0

    def _run(
        self, *words: str, messages: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.desk, env=self.variables | more, input=messages, capture_output=True,
            text=True, check=False,
        )  # fmt: skip

    def ask(self, *words: str, messages: str = "", code: int = 0) -> str:
        """What `companion WORDS` answers."""
        result = self._run(str(self.bin / "companion"), *words, messages=messages)
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout or result.stderr


def install_wheel(stranger: Stranger) -> None:
    env = stranger.home / "env"
    stranger.bin = env / "bin"
    stranger.install(sys.executable, "-m", "venv", str(env))
    wheel = build(stranger.home / "wheels")
    stranger.install(str(stranger.bin / "pip"), "install", "--quiet", str(wheel))


def install_with_pipx(stranger: Stranger) -> None:
    stranger.install("pipx", "install", "--python", sys.executable, str(ROOT))


def install_with_uv(stranger: Stranger) -> None:
    stranger.install("uv", "tool", "install", "--python", sys.executable, str(ROOT))


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "win32", reason="terminals and paths are those of POSIX")
@pytest.mark.parametrize(
    "install",
    [
        pytest.param(install_wheel, id="wheel"),
        pytest.param(install_with_pipx, id="pipx", marks=pytest.mark.needs("pipx")),
        pytest.param(install_with_uv, id="uv", marks=pytest.mark.needs("uv")),
    ],
)
def test_a_stranger_installs_it_and_plays(
    install: Callable[[Stranger], None], tmp_path: Path
) -> None:
    stranger = Stranger(tmp_path)
    install(stranger)

    assert "Character of rank 4" in stranger.ask("card", "king")
    text = stranger.ask("play", "--plain", *TABLE, messages=MOVES)
    assert "Kurt murders the King." in text
    assert "kill king" in stranger.ask("record")
    shutil.copy(GAME, stranger.desk / "game.yaml")
    assert "Ben: 21 points." in stranger.ask("score", "game.yaml")
    plays_on_the_screen(stranger)
    hosts(stranger)
    prints_labels(stranger)
    assert not {path.name for path in stranger.desk.iterdir()} - {"game.yaml", "labels.pdf"}


def plays_on_the_screen(stranger: Stranger) -> None:
    user = User(size=(100, 30))
    user.start([str(stranger.bin / "companion"), "--resume"], stranger.variables, stranger.desk)
    try:
        user.see("Kurt murders the King.")
        user.answer("\x11")  # Ctrl+Q
        user.see("Leave the table?")
        user.answer("y")
        user.read_until(lambda: user.process.poll() is not None)
        assert user.process.returncode == 0
    finally:
        user.close()


def hosts(stranger: Stranger) -> None:
    """A phone gets its first page, and all that the page consists of."""
    with subprocess.Popen(
        [str(stranger.bin / "companion"), "host", "--json", "--host", "127.0.0.1", "--port", "0",
         *TABLE],
        env=stranger.variables, cwd=stranger.desk, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            url = json.loads(read_line(process))["url"]
            page = fetch(url)
            assert 'name="code"' in page
            parts = re.findall(r'<(?:link|script)[^>]* (?:href|src)="/([^"]+)"', page)
            assert parts
            for part in parts:
                assert fetch(url + part)
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        text: str = answer.read().decode(errors="replace")  # a part may be a picture
    return text


def prints_labels(stranger: Stranger) -> None:
    """The command that the companion names installs the extra."""
    labels = ("labels", "--round", "25", "--out", "labels.pdf")
    text = stranger.ask(*labels, code=2)
    stranger.install("sh", "-c", text.splitlines()[0].partition("install it with ")[2])
    stranger.ask(*labels)
    assert (stranger.desk / "labels.pdf").read_bytes().startswith(b"%PDF")
