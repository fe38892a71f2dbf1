"""The start of the full screen: what is typed meanwhile, what cannot be opened, and imports in
threads."""

from __future__ import annotations

import ast
import os
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


@pytest.fixture
def user() -> Iterator[User]:
    person = User((100, 30))
    yield person
    person.close()


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in {"companion", "common", "engine", "tags"}


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
    assert user.screen.endswith("There is no game called “nosuch”.\n")


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
    ("words", "first", "keys"),
    [
        (["play", *NEW], "Kurt. Discard", ""),
        (["play"], "CITADELS", "Anna,Kurt,Ashley,Ben\r\x1b[15~"),  # F5
    ],
    ids=["new game", "set-up"],
)
@pytest.mark.needs("club")
def test_threads_import_no_package_that_another_may_be_importing(
    user: User, tmp_path: Path, words: list[str], first: str, keys: str
) -> None:
    """Two threads that import such a package at once each get half of it."""
    path = tmp_path / "modules"
    path.touch()
    voice, club = "espeak-ng", "mqtt://127.0.0.1:9"
    aside = ["--phones", "--port", "0", "--voice", voice, "--club", club, "--reader", "simulated"]
    user.start(
        [sys.executable, "-c", NOTE_IMPORTS.format(path=str(path), words=[*words, *aside])],
        {**os.environ, "TERM": "xterm-256color", "COMPANION_DATA": str(tmp_path)},
        ROOT,
    )
    user.see(first)
    user.keys(keys)
    user.see("0 of 4 phones")
    modules = set(path.read_text().split())
    assert any(name.startswith("uvicorn.") for name in modules)  # threads are noted
    entangled = _list_entangled()
    assert "companion.chips" in entangled
    assert not entangled & modules
