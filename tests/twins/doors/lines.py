"""The line caller on a pipe, as a process: its output, speech and files, and the other commands'
output about the game."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from companion.commands import cli
from tests import starting
from tests.end_to_end.steps import options_of
from tests.starting import ROOT
from tests.twins import tried
from tests.twins.pairs import MORE, Twins, split
from tests.waiting import PATIENCE

ASKED = (
    "moves all",
    "why",
    "repeat",
    "who",
    "status",
    "history",
    "last",
    "score",
    "characters",
    "recap",
    "results",
    "stats",
    "season",
)
BACK = ("undo", "redo", "why", "undo", "undo", "redo", "redo")
LOG = "games.sqlite3"


class OpenToOthers(AssertionError):
    """A file or folder that other users of the machine can read."""


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Send a whole game with its questions down the pipe; then look at all its traces."""
    environment = {"COMPANION_DATA": f"{folder}/data", "COMPANION_LANGUAGE": twins.language}
    heard = {"TESTS_VOICE": f"{folder}/voice"}
    options = ["--plain", "--reader", "none", "--voice"]
    result = starting.run(
        *("play", *options, *options_of(twins.record(0, 0))),
        cwd=ROOT,
        env={**os.environ, **environment, **heard},
        input="\n".join(lines(twins, which)),
        encoding="utf-8",
        timeout=PATIENCE * 2,
    )
    assert result.returncode == 0, result.stderr
    yield from (("printed", line) for line in result.stdout.splitlines())
    yield "printed aside", result.stderr
    yield from files(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        yield from commands(twins, which, folder)


def lines(twins: Twins, which: int) -> Iterator[str]:
    """The moves of the game, with queries and attempts between them after the secret."""
    first = len(split(twins.before))
    for place, move in enumerate(twins.moves(which), start=1):
        if first < place <= twins.since:
            yield from tried.misspell(move)
        yield move
        if place >= twins.since:
            yield from ASKED[place % 3 :: 1 if MORE else 3]
            yield from tried.MISSPELT[place % 4 :: 1 if MORE else 4]
            yield "back"  # leave a private moment opened by a misspelt line
            yield from BACK if place > twins.since else ()
    yield from ("undo",) * len(split(twins.then))
    yield from ("redo",) * len(split(twins.then))


def files(folder: Path) -> Iterator[tuple[str, Any]]:
    """The permissions of all files, and their contents except the log's."""
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        yield "mode", (name, oct(stat.S_IMODE(path.stat().st_mode)))
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise OpenToOthers(name)
        if path.is_file() and LOG not in name:
            yield "content", (name, path.read_bytes().replace(str(folder).encode(), b"HERE"))


def commands(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """The public record, and the output of `replay` on it for each stranger."""
    yield "record", run("record", "--view", "public")
    yield "position", run("record", "--position", "--view", "public")
    yield "recap", run("recap", "--json")
    record = folder / "record.yaml"
    record.write_text(run("record")[1], encoding="utf-8")
    assert f"- {twins.moves(which)[-1]}" in record.read_text(encoding="utf-8")
    for viewer in twins.strangers():
        view = "public" if viewer is None else twins.names[viewer]
        for options in ((), ("--json",)):
            yield f"replay to {view}", run("replay", str(record), "--view", view, *options)


def run(*words: str) -> tuple[int, str, str]:
    """Run a command; returns its exit code, standard output and standard error."""
    out, aside = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(aside):
        code = cli.main(words)
    return code, out.getvalue(), aside.getvalue()
