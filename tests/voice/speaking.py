"""Voices for the tests: real child processes that record their input."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.voice.channel import Backend, Channel, Command
from companion.voice.script import Audience, Manner, Relevance, Utterance
from tests import needs
from tests.waiting import PATIENCE

_WRITE = """
text=$(cat); printf '%s\\n' "$text" >> "$1"
case $text in long*) sleep 600;; esac
"""


def writer(path: Path) -> Backend:
    """A backend that writes each text to the file, and takes minutes for one that begins with
    `long`."""

    def speak(sentence: Utterance, manner: Manner) -> Command:
        return Command(("sh", "-c", _WRITE, "sh", str(path)), sentence.text)

    return Backend("writer", "default", speak)


def add_speaker(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> Path:
    """Put an espeak-ng before the system's that writes its process id to the file that is returned,
    and then does that."""
    program, pids = folder / "bin" / "espeak-ng", folder / "pids"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho $$ >> {pids}\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return pids


def sleeper() -> Backend:
    """A backend that hangs, like one waiting for a sound service."""
    return Backend("sleeper", "default", lambda answer, manner: Command(("sleep", "600")))


def make_broken() -> Backend:
    """A backend that fails at once."""
    command = Command(("sh", "-c", "echo no sound here >&2; exit 3"))
    return Backend("broken", "default", lambda answer, manner: command)


class Troubles(list[tuple[str, str | None]]):
    """A channel's reports: reasons and the names of the next backends."""

    def __call__(self, reason: str, following: str | None) -> None:
        self.append((reason, following))


def channel(
    *backends: Backend,
    audience: Audience = Audience.TABLE,
    trouble: Callable[[str, str | None], None] | None = None,
    limit: Callable[[str, int], float] = lambda text, speed: PATIENCE,
) -> Channel:
    """A channel with these backends; `limit` is the timeout of a text in seconds."""
    return Channel(
        audience,
        backends,
        Manner,
        trouble if trouble is not None else Troubles(),
        limit=limit,
    )


def words(
    *texts: str, stays: Relevance = Relevance.ALWAYS, urgent: bool = False
) -> list[Utterance]:
    """Public utterances in English."""
    return [Utterance(text, "en", stays=stays, urgent=urgent) for text in texts]


def is_alive(pid: int) -> bool:
    """Whether the process is still running."""
    needs.require("ps")
    result = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(result.stdout.strip()) and not result.stdout.startswith("Z")


def read_heard(path: Path) -> Sequence[str]:
    """The texts that a writer was given, in order."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
