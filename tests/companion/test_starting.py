"""A program that tests start as a fork behaves like the command: output, working directory, signals
and exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests import starting
from tests.companion.listening import NEW, companion, is_question
from tests.starting import ROOT
from tests.waiting import PATIENCE, read_line

pytestmark = [
    pytest.mark.outer,
    pytest.mark.skipif(not starting.USES_WARM, reason="programs are not started as forks here"),
]

PLAY = ("play", "--plain", "--reader", "none", *NEW)
PIPES: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)


def begin(kind: type[subprocess.Popen[Any]], *words: str, **how: Any) -> subprocess.Popen[Any]:
    """Start the program as such a process, after checking that one is possible."""
    options = {"cwd": ROOT, **PIPES, "env": {**os.environ}, **how}
    with starting.start("--version", cwd=ROOT, **PIPES) as first:
        first.communicate(timeout=PATIENCE)
    return kind([sys.executable, "-m", "companion", *words], **options)


def both(*words: str, messages: bytes = b"", **how: Any) -> list[tuple[int, bytes, bytes]]:
    """Exit code, output and errors of the fork and of the command."""
    outcomes = []
    for kind in (starting.Started, subprocess.Popen):
        with begin(kind, *words, **how) as program:
            answer, aside = program.communicate(messages, PATIENCE)
            outcomes.append((program.returncode, answer, aside))
    return outcomes


def wait_for_question(program: subprocess.Popen[Any]) -> None:
    """Read the line caller's output until it waits for input."""
    while not is_question(read_line(program).decode().rstrip("\n")):
        assert program.poll() is None


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["card", "--help"],
        ["card", "temple"],
        ["card", "tempel"],
        ["nonsense"],
        ["score"],
        ["replay", "/nowhere.yaml"],
    ],
    ids=" ".join,
)
def test_says_and_ends_the_same(words: list[str]) -> None:
    outcome, value = both(*words)
    assert outcome == value


def test_reads_its_lines_and_leaves_the_same_files(tmp_path: Path) -> None:
    data = "faceup bishop merchant\ncall\rundo\ncall\nназвать\n\udcff\n".encode(
        errors="surrogateescape"
    )
    outcomes = []
    for folder, kind in (("one", starting.Started), ("two", subprocess.Popen)):
        env = {**os.environ, "COMPANION_DATA": str(tmp_path / folder)}
        with begin(kind, *PLAY, env=env) as program:
            answer = program.communicate(data, PATIENCE)
        left = sorted(
            path.relative_to(tmp_path / folder) for path in tmp_path.glob(f"{folder}/**/*")
        )
        outcomes.append((*answer, program.returncode, left))
    assert outcomes[0] == outcomes[1]
    assert b"Who is the Assassin?" in outcomes[0][0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_ends_the_same_by_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    ends = []
    for folder, kind in (("one", starting.Started), ("two", subprocess.Popen)):
        env = {**os.environ, "COMPANION_DATA": str(tmp_path / folder)}
        with begin(kind, *PLAY, env=env) as program:
            assert program.poll() is None
            wait_for_question(program)
            program.send_signal(number)
            answer, aside = program.communicate(timeout=PATIENCE)
            ends.append((program.returncode, answer, aside))
    assert ends[0] == ends[1]


def test_a_reader_that_has_gone_ends_it_the_same() -> None:
    codes = []
    for kind in (starting.Started, subprocess.Popen):
        reading, writing = os.pipe()
        os.close(reading)
        with begin(kind, "card", "temple", stdout=writing) as program:
            os.close(writing)
            codes.append((program.communicate(timeout=PATIENCE), program.returncode))
    assert codes[0] == codes[1]


def test_has_a_group_of_its_own_where_it_is_told_to() -> None:
    with begin(starting.Started, *PLAY, process_group=0) as program:
        wait_for_question(program)
        assert os.getpgid(program.pid) == program.pid
        program.kill()
        program.communicate(timeout=PATIENCE)


def test_has_no_open_files_but_its_streams_and_its_own(tmp_path: Path) -> None:
    opened = []
    for folder, kind in (("one", starting.Started), ("two", subprocess.Popen)):
        env = {**os.environ, "COMPANION_DATA": str(tmp_path / folder)}
        with begin(kind, *PLAY, env=env) as program:
            wait_for_question(program)
            names = [os.readlink(file) for file in Path(f"/proc/{program.pid}/fd").iterdir()]
            opened.append(sorted(name.partition(":")[0].rpartition("/")[2] for name in names))
            program.communicate(timeout=PATIENCE)
    assert opened[0] == opened[1]


def test_has_the_time_zone_of_its_variables() -> None:
    companion("play", "--plain", "--reader", "none", *NEW, stdin="faceup bishop merchant\n")
    day = (datetime.now(UTC) - timedelta(hours=11)).date() + timedelta(days=1)
    outcomes = []
    for zone in ("AAA12", "AAA-14"):  # where that day has not begun, and where it has
        outcome, value = both("history", "--since", str(day), env={**os.environ, "TZ": zone})
        assert outcome == value
        outcomes.append(outcome)
    assert outcomes[0] != outcomes[1]


def test_what_python_reads_at_its_start_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "_warm", None)  # as if this were the first to start something
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", "/nowhere")
        with starting.start("--version", cwd=ROOT, **PIPES) as program:
            assert not isinstance(program, starting.Started)
            program.communicate(timeout=PATIENCE)
    with starting.start("--version", cwd=ROOT, **PIPES) as program:
        assert isinstance(program, starting.Started)
        program.communicate(timeout=PATIENCE)
