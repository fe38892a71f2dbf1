"""The line caller's durability: kills, interrupts, closed pipes and a second caller."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.companion.listening import NEW, OPENING, Listener, companion, is_question, record_moves
from tests.starting import ROOT
from tests.waiting import PATIENCE, read_line

pytestmark = pytest.mark.outer

# -- durability -----------------------------------------------------------------------------


def test_what_was_answered_outlives_a_kill_after_each_answer() -> None:
    """Each move is sent to a process that is killed as soon as it has answered."""
    for number, move in enumerate(OPENING):
        with Listener("--resume", new=False) if number else Listener() as caller:
            names = caller.hear()
            if number:
                assert any(line.startswith("Last move: ") for line in names)
            answer = caller.tell(move)
            assert not answer[0].startswith("Refused")
            caller.kill()
    with Listener("--resume", new=False) as caller:
        assert caller.hear()[-1] == "Anna. End the turn?"
        assert caller.tell("end")[0] == "Anna ends the turn."
        assert caller.leave() == 0
    assert [m for m in record_moves() if m] == [*OPENING, "end"]


def test_undo_and_redo_outlive_a_kill() -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING)
        assert caller.tell("undo")[0] == "Undone: Anna builds the Temple for 1 gold."
        caller.kill()
    with Listener("--resume", new=False) as caller:
        caller.hear()
        assert caller.tell("redo")[:2] == ["Redone.", "Anna builds the Temple for 1 gold."]
        assert caller.tell("redo")[0] == "Refused: Nothing to redo."
        for _ in OPENING:
            assert caller.tell("undo")[0].startswith("Undone: ")
        assert caller.tell("undo")[0] == "Refused: Nothing to undo."


def test_the_end_of_the_input_saves_and_leaves_with_0() -> None:
    with Listener() as caller:
        caller.type("faceup bishop merchant")
        caller.type("call")  # without waiting, like a piped file
        assert caller.leave() == 0
        assert "Everybody has chosen." in caller.transcript
    assert record_moves() == ["faceup bishop merchant", "call"]


def test_a_last_line_without_an_end_is_a_line() -> None:
    result = companion("play", "--plain", "--reader", "none", *NEW, stdin="faceup bishop merchant")
    assert result.returncode == 0
    assert "Face up: Bishop and Merchant." in result.stdout


# -- two callers, closed pipes, interrupts --------------------------------------------------


def test_a_game_open_in_two_callers_is_noticed_in_one_sentence() -> None:
    with Listener() as first:
        first.hear()
        second = companion("play", "--plain", "--reader", "none", "--resume")
        assert second.returncode == 2
        assert second.stdout == ""
        assert "is open in another window" in second.stderr
        assert len(second.stderr.splitlines()) == 1
        assert first.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert first.leave() == 0
    with Listener("--resume", new=False) as third:
        assert third.hear()[-1] == "Has everybody chosen?"


def test_a_reader_of_answers_who_has_gone_ends_it_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "play", "--plain", "--reader", "none", *NEW],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as caller:
        assert caller.stdin is not None
        assert caller.stdout is not None
        assert caller.stderr is not None
        while not is_question(read_line(caller).rstrip("\n")):
            assert caller.poll() is None
        caller.stdout.close()  # nobody is reading at this moment, so the pipe is closed at once
        caller.stdin.write("faceup bishop merchant\n")
        caller.stdin.flush()
        assert caller.wait(PATIENCE) == 0
        assert caller.stderr.read() == ""
    assert record_moves() == ["faceup bishop merchant"]


@pytest.mark.parametrize("signal_", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_is_quiet_and_loses_nothing(signal_: signal.Signals) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell("faceup bishop merchant")
        caller.process.send_signal(signal_)
        assert caller.process.wait(PATIENCE) in (130, -signal_)
        assert "Traceback" not in caller.read_errors()
    assert record_moves() == ["faceup bishop merchant"]


def test_an_interrupt_while_a_question_is_asked_is_quiet() -> None:
    with Listener(new=False) as caller:
        caller.line()
        caller.line()
        caller.process.send_signal(signal.SIGINT)
        assert caller.process.wait(PATIENCE) == 130
        assert caller.read_errors() == ""


@pytest.mark.parametrize("closed", ["<&-", "</dev/null"])
def test_without_an_input_it_saves_and_leaves(closed: str) -> None:
    command = f"{sys.executable} -m companion play --plain --reader none --players A,B,C,D {closed}"
    result = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1].startswith("A. ")
    assert "Traceback" not in result.stderr
