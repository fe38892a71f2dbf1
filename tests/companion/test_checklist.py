"""The guided checklist, driven with the simulated reader and typed lines."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands.doctor.checklist import (
    FAILED,
    GOOD,
    LIFT_GOAL,
    SKIPPED,
    TAP_GOAL,
    Checklist,
    StepResult,
)
from tags.readers import Reader, ReaderError
from tags.simulator import SimulatedReader
from tags.watch import Event, Watcher
from tests import starting
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

pytest.importorskip("termios", reason="the simulated reader's cable is a pseudo terminal")

CHIP, OTHER, SPARE = "04000000000001", "04000000000002", "04000000000003"
EVERYTHING = [
    *(f"hold {CHIP}", "lift"),
    *(f"hold {CHIP}", f"add {OTHER}", "lift"),
    *[f"tap {CHIP}"] * 5,
    "",
    *("unplug", "plug", f"tap {CHIP}"),
    *(f"hold {SPARE}", "lift"),
]
Walked = tuple[subprocess.CompletedProcess[str], Path]
STEPS = ["open", "tap", "still", "lift", "two chips", "quick taps", "unplug", "replug", "write"]


def walk(
    lines: list[str], *words: str, reader: str = "simulated", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return starting.run(
        *("doctor", "--checklist", "--reader", reader, *words),
        cwd=ROOT, env=env, input="".join(f"{line}\n" for line in lines),
        text=True, timeout=120,
    )  # fmt: skip


def steps(text: str) -> dict[str, str]:
    """The verdict of each step, in the report's order."""
    pairs = (line.partition(": ") for line in text.splitlines())
    return {name: rest.partition(",")[0] for name, _colon, rest in pairs if name in STEPS}


def most(text: str, step: str) -> float:
    """The maximum milliseconds of that step in the report."""
    match = re.search(rf"^{step}: \w+, at most (\d+) ms$", text, re.MULTILINE)
    assert match, text
    return float(match[1])


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """The completed checklist, and the file with its report."""
    folder = tmp_path_factory.mktemp("report")
    file, env = folder / "report.txt", {**os.environ, "COMPANION_DATA": str(folder / "data")}
    return walk(EVERYTHING, "--save", str(file), env=env), file


def test_the_whole_list_by_typed_lines(walked: Walked) -> None:
    result, file = walked
    verdicts = steps(result.stdout)
    assert list(verdicts) == STEPS
    assert result.returncode == (FAILED in verdicts.values()), result.stdout + result.stderr
    # the reader's speed is measured: on a busy machine it may fail
    for name, goal in {"tap": TAP_GOAL, "lift": LIFT_GOAL}.items():
        verdict, took = verdicts.pop(name), most(result.stdout, name)
        assert took == goal or verdict == (GOOD if took < goal else FAILED)
    assert {*verdicts.values()} == {GOOD}
    assert "quick taps: good, 5 of 5\n" in result.stdout
    assert file.read_text(encoding="utf-8") == result.stdout
    assert "Step 9 of 9." in result.stderr
    assert str(file) in result.stderr


def test_the_report_names_no_chip_and_no_place(walked: Walked) -> None:
    stdout = walked[0].stdout
    for secret in (CHIP, OTHER, SPARE, str(walked[1].parent), str(Path.home()), "/dev/"):
        assert secret not in stdout


def test_enter_leaves_every_step_out_that_may_be() -> None:
    result = walk([""] * 20)
    assert steps(result.stdout) == dict.fromkeys(STEPS, SKIPPED) | {"open": GOOD, "still": GOOD}
    assert result.stderr.count("Skipped.") == 7


def test_quit_and_the_end_of_input_end_it() -> None:
    for words in ([f"hold {CHIP}", "quit", "lift"], [f"hold {CHIP}"]):
        verdicts = steps(walk(words).stdout)
        # the reader's speed is measured: on a busy machine it may fail
        assert verdicts.pop("tap") in (GOOD, FAILED)
        left_out = dict.fromkeys(STEPS, SKIPPED) | {"open": GOOD, "still": GOOD}
        del left_out["tap"]
        assert verdicts == left_out


def test_what_cannot_be_understood_is_said_and_the_step_goes_on() -> None:
    result = walk(["jump", "hold zz", f"hold {CHIP}"])
    assert "error: 'jump' is none of" in result.stderr
    assert steps(result.stdout)["tap"] != SKIPPED


def test_a_reader_that_is_not_there() -> None:
    result = walk(["quit"], reader="/dev/serial/by-id/no-such-reader")
    assert result.returncode == 1
    assert "was not found" in result.stderr
    assert "reader: serial\n" in result.stdout
    assert "no-such-reader" not in result.stdout


def test_a_report_is_never_written_over_another(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("an older one", encoding="utf-8")
    result = walk(EVERYTHING, "--save", str(file))
    assert result.returncode == 2
    assert "already exists" in result.stderr
    assert file.read_text(encoding="utf-8") == "an older one"


def watch(reader: Reader) -> Callable[[Callable[[Event], None]], Watcher]:
    """The reader for a checklist, opened here."""
    return lambda on_event: Watcher(reader, on_event, backoff=(0.01, 0.05), dropout=0)


class Flickering:
    """A reader whose field is too weak: every chip is gone in between."""

    name = "flickering"

    def __init__(self) -> None:
        self.polls = 0
        self.refused = 2

    def open(self) -> None:
        if self.refused:
            self.refused -= 1
            raise ReaderError("Another program holds it.", "busy")

    def poll(self) -> tuple[bytes, ...]:
        self.polls += 1
        return (bytes.fromhex(CHIP),) if self.polls // 4 % 2 else ()

    def close(self) -> None:
        pass


def test_a_weak_field_and_a_busy_reader_are_poor() -> None:
    lines: list[str] = []
    checklist = Checklist(watch(Flickering()), lines.append)
    checklist._still = 0.6
    checklist.source.start()
    assert checklist._open() == StepResult("open", FAILED, "at first busy")
    checklist._tap()
    # on a busy machine the reader may not be polled often enough the first time
    assert any(checklist._check_still().verdict == FAILED for _time in range(100))
    checklist.source.stop()
    assert checklist.source.join(PATIENCE)


def test_a_chip_that_cannot_be_written_is_said() -> None:
    lines: list[str] = []
    with SimulatedReader() as reader:
        checklist = Checklist(watch(reader.reader()), lines.append, simulated=reader)
        checklist.source.start()
        for line in ("hold 12112233", "lift"):
            checklist.inbox._queue.put(line)
        assert checklist._write() == StepResult("write", FAILED, "unsupported")
        checklist.source.stop()
        assert checklist.source.join(PATIENCE)
    assert any("all that is known of this chip is its id" in line for line in lines)
