"""Who needs lines is told by what they start: before the screen is taken, and asked where a screen
reader runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.typing import User
from tests.starting import ROOT

pytestmark = pytest.mark.outer

HINT = "With a screen reader: companion --plain"
QUESTION = "Play line by line? Yes or no: "


@contextmanager
def start(home: Path, *, busctl: str, gdbus: str = "exit 1", **more: str) -> Iterator[User]:
    """Start the companion on a desktop where these two programs do that."""
    programs = home / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name, does in (("busctl", busctl), ("gdbus", gdbus)):
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    user = User()
    env = {
        **{name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ},
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(home),
        "TERM": "xterm",
        "COMPANION_LANGUAGE": "en",
        "COMPANION_READER": "none",
        **more,
    }
    user.start([sys.executable, "-m", "companion", "play"], env, ROOT)
    try:
        yield user
    finally:
        user.close()


def test_where_a_screen_reader_runs_it_is_asked_once_and_remembered(tmp_path: Path) -> None:
    with start(tmp_path, busctl="echo b true") as user:
        user.see(HINT)
        user.see(QUESTION)
        user.answer("perhaps\r")
        user.see(QUESTION)
        user.answer("yes\r")
        user.see("In lines. The screen comes back with plain: false or COMPANION_PLAIN=false.")
        user.see("Who plays?")
    with start(tmp_path, busctl="echo b true") as user:
        user.see("Who plays?")
        assert user.screen.startswith("In lines. ")
        assert HINT not in user.screen
    with start(tmp_path, busctl="echo b true", COMPANION_PLAIN="false") as user:
        user.see("CITADELS")
        assert QUESTION not in user.screen


def test_a_no_takes_the_screen_and_is_not_asked_again(tmp_path: Path) -> None:
    with start(tmp_path, busctl="exit 1", gdbus="echo '(<true>,)'") as user:
        user.see(QUESTION)
        user.answer("n\r")
        user.see("CITADELS")
    with start(tmp_path, busctl="echo b true") as user:
        user.see("CITADELS")
        assert QUESTION not in user.screen


@pytest.mark.parametrize("busctl", ["echo b false", "exit 1", "exec sleep 60"])
def test_without_a_screen_reader_there_is_only_the_line(tmp_path: Path, busctl: str) -> None:
    with start(tmp_path, busctl=busctl) as user:
        user.see("CITADELS")
        assert user.screen.startswith(HINT)
        assert QUESTION not in user.screen
