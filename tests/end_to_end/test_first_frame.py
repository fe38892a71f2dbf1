"""What the full screen loads before its first frame; the benches measure the time that this takes.

A count cannot be noise, and one module more is a millisecond for everybody who starts.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.session import Session
from companion.log.store import Store
from engine.record import Setup
from tests.end_to_end.typing import User
from tests.starting import ROOT

pytestmark = pytest.mark.outer

NEW = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt"]

AT_FIRST_FRAME = """
import os, sys
from textual.app import App

display = App._display

def note_modules(app, screen, picture):
    display(app, screen, picture)
    if type(screen).__name__ == {screen!r}:
        with open({path!r}, "w") as file:
            print(*sys.modules, file=file)
        os._exit(0)

App._display = note_modules
from companion.commands.cli import main
sys.argv = ["companion", "play", *{words!r}]
main()
"""


@pytest.fixture
def user() -> Iterator[User]:
    person = User((100, 30))
    yield person
    person.close()


def _list_loaded(user: User, folder: Path, words: list[str], screen: str) -> set[str]:
    path = folder / "modules"
    code = AT_FIRST_FRAME.format(path=str(path), words=words, screen=screen)
    variables = {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(folder)}
    user.start([sys.executable, "-c", code], variables, ROOT)
    assert user.wait_for_end() == 0, user.screen
    return set(path.read_text().split())


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in {"companion", "common", "engine", "tags"}


OPENING = {"engine.rules", "companion.game.session", "companion.setup.draft", "companion.history"}
SET_UP = {"engine.rules", "engine.scoring", "companion.verbs", "companion.chips"}
TABLE = {"companion.game.keys", "companion.game.words", "companion.chips", "secrets"}


@pytest.mark.parametrize(
    ("words", "screen", "most", "late"),
    [
        ([], "OpeningScreen", 54, OPENING),
        (NEW, "OpeningScreen", 54, OPENING),
        ([], "SetupScreen", 72, SET_UP),
        (NEW, "TableScreen", 112, TABLE),
    ],
    ids=["opening", "opening a new game", "set-up", "new game"],
)
def test_the_first_frame_waits_for_few_modules(
    user: User, tmp_path: Path, words: list[str], screen: str, most: int, late: set[str]
) -> None:
    """The set-up and the game are loaded while people look at the first frame; rules, verbs and
    chips, while they read the set-up; what answers a key, while they look at the table."""
    modules = _list_loaded(user, tmp_path, words, screen)
    assert len([*filter(_is_ours, modules)]) <= most
    assert not late & modules


def test_what_is_typed_while_the_caller_opens_waits_for_it(user: User, tmp_path: Path) -> None:
    variables = {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(tmp_path)}
    user.start([sys.executable, "-m", "companion", "play", "--reader", "none"], variables, ROOT)
    user.see("CITADELS")
    user.keys("Anna,Kurt,Ashley,Ben\r\x1b[15~")  # F5
    user.see("Anna. Discard")


def test_an_unfinished_game_is_continued_while_phones_are_loaded(
    user: User, tmp_path: Path
) -> None:
    """The rules are imported for the game while a thread imports the pages."""
    variables = {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(tmp_path)}
    with Store(str(tmp_path / "games.sqlite3")) as store:
        Session.begin(
            store, Setup("classic_2016", ("Anna", "Kurt", "Ashley", "Ben"), "Anna")
        ).close()
    words = ["play", "--phones", "--port", "0", "--reader", "none"]
    user.start([sys.executable, "-m", "companion", *words], variables, ROOT)
    user.see("CITADELS")
    user.keys("\x1b[17~")  # F6
    user.see("Anna. Discard")
    user.see("0 of 4 phones")


def test_a_game_that_cannot_be_opened_is_one_sentence(user: User, tmp_path: Path) -> None:
    variables = {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(tmp_path)}
    words = ["play", "--resume", "nosuch", "--reader", "none"]
    user.start([sys.executable, "-m", "companion", *words], variables, ROOT)
    assert user.wait_for_end() == 2
    assert user.screen.endswith("No saved game is called nosuch.\n")


def test_a_game_in_lines_loads_neither_textual_nor_openssl(tmp_path: Path) -> None:
    """OpenSSL's library alone takes four megabytes, and in lines nothing is encrypted."""
    code = (
        "import sys; from companion.commands.cli import main; "
        f"main(['play', '--plain', *{NEW!r}, '--reader', 'none']); print(*sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        input="moves\n",
        env={**os.environ, "COMPANION_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "Kurt" in result.stdout
    modules = set(result.stdout.splitlines()[-1].split())
    assert "companion.plain.caller" in modules
    assert not {"textual", "ssl", "_hashlib"} & modules


# -- imports in threads ----------------------------------------------------------------------

NOTE_IMPORTS = """
import sys, threading

class Noted:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            with open({path!r}, "a") as file:
                print(name, file=file)

sys.meta_path.insert(0, Noted)
from companion.commands.cli import main
sys.argv = ["companion", *{words!r}]
main()
"""


def _list_entangled() -> set[str]:
    """Our packages that import their own modules."""
    packages = set()
    for path in ROOT.glob("*/**/__init__.py"):
        package = ".".join(path.parent.relative_to(ROOT).parts)
        if not _is_ours(package):
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
                packages.add(package)
    return packages


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["play", *NEW], ""),
        (["play"], "Anna,Kurt,Ashley,Ben\r\x1b[15~"),  # F5
    ],
    ids=["new game", "set-up"],
)
def test_threads_import_no_package_that_another_may_be_importing(
    user: User, tmp_path: Path, words: list[str], keys: str
) -> None:
    """Two threads that import such a package at once each get half of it."""
    path = tmp_path / "modules"
    path.touch()
    voice, club = f"files:{tmp_path}", "http://127.0.0.1:9"
    aside = ["--phones", "--port", "0", "--voice", voice, "--club", club, "--reader", "simulated"]
    user.start(
        [sys.executable, "-c", NOTE_IMPORTS.format(path=str(path), words=[*words, *aside])],
        {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(tmp_path)},
        ROOT,
    )
    user.see("CITADELS")
    user.keys(keys)
    user.see("0 of 4 phones")
    user.read_until(lambda: "tags.simulator" in path.read_text())
    modules = set(path.read_text().split())
    assert {"companion.readers.table_reader", "companion.phones.serving.phones"} <= modules
    entangled = _list_entangled()
    assert "companion.chips" in entangled
    assert entangled & modules <= {"tags.simulator"}  # which nothing else imports
