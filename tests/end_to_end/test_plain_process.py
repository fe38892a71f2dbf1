"""The line caller as another program meets it: a process behind pipes, answer by answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.strict_yaml import parse
from tests.companion.listening import (
    NAMES,
    NEW,
    PATIENCE,
    ROOT,
    Listener,
    companion,
    complaints,
)

GAMES = ROOT / "tests" / "games"

OPENING = ("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "build temple")


def moves_of(name: str) -> list[str]:
    """The moves of a golden record."""
    data = parse((GAMES / name).read_text(encoding="utf-8"), name=name).data
    return [str(move) for move in data["moves"]]


def table() -> dict[str, object]:
    """The last game's table, through `record` and `replay`."""
    record = companion("record")
    assert record.returncode == 0, record.stderr
    path = Path(os.environ["COMPANION_DATA"]) / "record.yaml"
    path.write_text(record.stdout, encoding="utf-8")
    done = companion("replay", str(path), "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


# -- a whole game ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_game_ends_at_the_golden_table_and_sounds_right() -> None:
    with Listener() as caller:
        caller.hear()
        for move in moves_of("whole_game.yaml"):
            assert not caller.tell(move)[0].startswith("Refused"), move
        assert caller.transcript[-1] == "The game is over."
        assert caller.tell("moves")[0] == "Nothing is left to play. undo takes the last move back."
        assert caller.leave() == 0
        assert complaints(caller.transcript) == []
    golden = json.loads((GAMES / "whole_game.json").read_text(encoding="utf-8"))
    assert {**table(), "refused": None} == golden


# -- durability -----------------------------------------------------------------------------


def test_what_was_answered_outlives_a_kill_after_each_answer() -> None:
    """Each move is sent to a process that dies as soon as it has answered."""
    for number, move in enumerate(OPENING):
        with Listener("--resume", new=False) if number else Listener() as caller:
            begun = caller.hear()
            if number:
                assert any(line.startswith("Last: ") for line in begun)
            answer = caller.tell(move)
            assert not answer[0].startswith("Refused")
            caller.kill()
    with Listener("--resume", new=False) as caller:
        assert caller.hear()[-1] == "Waiting for Anna: the Assassin ends the turn."
        assert caller.tell("end")[0] == "Anna ends the turn."
        assert caller.leave() == 0
    assert [m for m in record_moves() if m] == [*OPENING, "end"]


def record_moves() -> list[str]:
    data = parse(companion("record").stdout, name="record").data
    return [str(move) for move in data["moves"]]


def test_undo_and_redo_outlive_a_kill() -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING)
        assert caller.tell("undo")[0] == "Taken back: Anna builds the Temple for 1 gold."
        caller.kill()
    with Listener("--resume", new=False) as caller:
        caller.hear()
        assert caller.tell("redo")[:2] == ["Done again.", "Anna builds the Temple for 1 gold."]
        assert caller.tell("redo")[0] == "Refused: there is nothing to do again."
        for _ in OPENING:
            assert caller.tell("undo")[0].startswith("Taken back: ")
        assert caller.tell("undo")[0] == "Refused: there is nothing to take back."


def test_the_end_of_the_input_saves_and_leaves_with_0() -> None:
    with Listener() as caller:
        caller.type("faceup bishop merchant")
        caller.type("call")  # without waiting: whoever pipes a file does not listen
        assert caller.leave() == 0
        assert "Everybody has chosen." in caller.transcript
    assert record_moves() == ["faceup bishop merchant", "call"]


def test_a_last_line_without_an_end_is_a_line() -> None:
    done = companion("play", "--plain", "--reader", "none", *NEW, said="faceup bishop merchant")
    assert done.returncode == 0
    assert "Face up: Bishop and Merchant." in done.stdout


# -- refusals and usage ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "faceup king bishop",
        "faceup bishop",
        "build temple",
        "reveal Zoe",
        "undo",
        "redo",
        "nonsense",
        "build",
        "kill kinf",
        '"',
        'reveal "Anna',
        "city Zoe",
        "card nothing",
        "learn tavern",
        "tap temple",
        "lift",
        "plug",
        "moves build",
        "x" * 100_000,
        "gold " * 10_000,
        "\x1b[31mcall\x1b[0m \x1b]0;title\x07",
        "\x9b31m",
        b"\xff\xfe call",
        b"ca\x00ll now",
        "\u202ellac",
        "🧙‍♀️ " * 50,
        "שלום " * 40,
        "99999999999999999999999999 ",
    ],
    ids=lambda line: repr(line[:12]),
)
def test_what_cannot_be_is_refused_in_one_line_and_changes_nothing(line: str | bytes) -> None:
    with Listener() as caller:
        awaited = caller.hear()[-1]
        if isinstance(line, str) and line.strip().isdigit():
            caller.tell("moves")
        answer = caller.tell(line)
        assert answer[0].startswith("Refused: ")
        assert answer[-1] == awaited
        assert len(answer[0]) < 400
        assert complaints(answer) == []
        assert caller.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert caller.leave() == 0
        assert "Traceback" not in caller.said_aside()
    assert record_moves() == ["faceup bishop merchant"]


def test_a_line_longer_than_any_move_is_one_line() -> None:
    """Its tail is no second line: `…undo` behind a wall of spaces takes nothing back."""
    with Listener() as caller:
        caller.hear()
        caller.tell("faceup bishop merchant")
        answer = caller.tell("x" * 4000 + "\rundo" + " " * 4000 + "undo")
        assert answer[0].startswith("Refused: ")
        assert len(answer) == 2
        assert caller.tell("last")[0] == "Face up: Bishop and Merchant."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nonsense"], "--nonsense"),
        (["--reader", "simulatd"], "simulated"),
        (["--reader", "tty:"], "reader"),
        (["--edition", "classic"], "classic_2016"),
        (["--players", "Anna"], "2 to 7"),
        (["--players", "Anna,anna"], "anna"),
        (["--players", NAMES, "--crown", "Zoe"], "Zoe"),
        (["--players", NAMES, "--option", "city_size=9"], "city_size"),
        (["--resume", "--players", NAMES], "--resume"),
        (["--resume"], "No game has been saved yet"),
        (["--secrecy", "loud"], "secret"),
    ],
)
def test_wrong_usage_leaves_with_2_and_one_clear_line(words: list[str], said: str) -> None:
    done = companion("play", "--plain", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_name_is_text_whatever_it_holds() -> None:
    names = ["Mary Ann", 'Q"uote', "[b]Bob[/b]", "עדה", "🧙‍♀️", "undo"]
    with Listener("--players", ",".join(names), "--crown", "undo", new=False) as caller:
        assert caller.hear()[-1].startswith("Waiting for undo: ")
        caller.tell_all("faceup", "call")
        assert caller.tell('reveal "Mary Ann"')[0] == "Mary Ann is the Assassin."
        assert caller.tell_all("undo", "reveal mary ann")[-2] == "Mary Ann is the Assassin."
        caller.tell_all("gold", "end")
        assert caller.tell(r'reveal "q\"uote"')[0] == 'Q"uote is the Thief.'
        caller.tell_all("gold", "end")
        assert caller.tell("reveal [b]")[0] == "[b]Bob[/b] is the Magician."
        assert caller.tell("swap undo")[0] == "[b]Bob[/b] swaps hands with undo."
        caller.tell_all("gold", "end")
        assert caller.tell("reveal עדה")[0] == "עדה is the King."
        caller.tell_all("gold", "end")
        assert caller.tell("reveal 🧙‍♀️")[0] == "🧙‍♀️ is the Bishop."
        assert caller.leave() == 0
        assert [c for c in complaints(caller.transcript) if "markup" not in c] == []


# -- two callers, closed pipes, interrupts --------------------------------------------------


def test_a_game_open_in_two_callers_is_noticed_in_one_sentence() -> None:
    with Listener() as first:
        first.hear()
        second = companion("play", "--plain", "--reader", "none", "--resume")
        assert second.returncode == 2
        assert second.stdout == ""
        assert "is open in another caller" in second.stderr
        assert len(second.stderr.splitlines()) == 1
        assert first.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert first.leave() == 0
    with Listener("--resume", new=False) as third:
        assert third.hear()[-1] == "Waiting for Kurt: say when everybody has chosen."


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
        while not caller.stdout.readline().startswith("Waiting for "):
            pass
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
        assert "Traceback" not in caller.said_aside()
    assert record_moves() == ["faceup bishop merchant"]


def test_an_interrupt_while_a_question_is_asked_is_quiet() -> None:
    with Listener(new=False) as caller:
        caller.line()
        caller.line()
        time.sleep(0.1)
        caller.process.send_signal(signal.SIGINT)
        assert caller.process.wait(PATIENCE) == 130
        assert caller.said_aside() == ""


@pytest.mark.parametrize("closed", ["<&-", "</dev/null"])
def test_without_an_input_it_saves_and_leaves(closed: str) -> None:
    command = f"{sys.executable} -m companion play --plain --reader none --players A,B,C,D {closed}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("Waiting for A: ")
    assert "Traceback" not in done.stderr


# -- questions at set-up --------------------------------------------------------------------


def test_a_game_is_agreed_by_questions() -> None:
    with Listener(new=False) as caller:
        assert caller.line() == "New game: Citadels Classic (2016)."
        for word in ("light", "teach"):
            assert (caller.line() or "").startswith(f"Type {word} first ")
        question = caller.line()
        assert question is not None
        assert question.startswith("Who plays? 2 to 7 names")
        caller.type("Anna")
        refused = caller.line()
        assert refused is not None
        assert refused.startswith("Refused: ")
        assert caller.line() == question
        caller.type("Anna, Kurt,, Mary Ann ,Ben")
        assert caller.line() == "4 players."
        question = caller.line()
        assert question is not None
        assert question.startswith("Who has the crown first? By the rules: the oldest player.")
        numbered = [caller.line() for _ in range(5)]
        assert numbered[0] == "1: Anna"
        assert numbered[4] == "5: first another box, characters or house rules"
        caller.type("Zoe")
        refused = caller.line()
        assert refused is not None
        assert refused.startswith("Refused: ")
        assert caller.line() == question
        for _ in numbered:
            caller.line()
        caller.type("mary ann")
        heard = caller.hear()
        assert heard[-1].startswith("Waiting for Mary Ann: ")
        assert caller.leave() == 0
        assert complaints(caller.transcript) == []
    with Listener(new=False) as caller:
        assert "Anna, Kurt, Mary Ann, Ben is not finished." in (caller.line() or "")
        question = caller.line()
        caller.type("perhaps")
        caller.line()
        assert caller.line() == question
        caller.type("")
        assert caller.hear()[-1].startswith("Waiting for Mary Ann: ")
        assert complaints(caller.transcript) == []
    with Listener(new=False) as caller:
        caller.line()
        caller.line()
        caller.type("no")
        assert caller.line() == "New game: Citadels Classic (2016)."
        assert caller.leave() == 0  # nothing was begun


def test_the_end_of_the_input_at_a_question_leaves_with_0() -> None:
    done = companion("play", "--plain", "--reader", "none", said="Anna,Kurt,Ashley\n")
    assert done.returncode == 0
    assert companion("record").returncode != 0  # there is no game


# -- what is loaded -------------------------------------------------------------------------

LOADED = """
import sys
from companion.cli import main
code = main(sys.argv[1:])
for name in ("textual", "rich", "nfc", "ndef", "usb1", "serial"):
    if name in sys.modules:
        print("loaded", name)
sys.exit(code)
"""


@pytest.mark.parametrize("reader", ["none", "simulated", "auto"])
def test_neither_a_screen_nor_a_driver_is_loaded_before_a_tap(reader: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "play", "--plain", "--reader", reader, *NEW],
        cwd=ROOT,
        input="faceup bishop merchant\ncall\nmoves\nwho\ntaps\nhelp\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Everybody has chosen." in done.stdout
    assert "loaded" not in done.stdout


def test_a_reader_that_is_not_there_is_told_and_the_game_goes_on() -> None:
    with Listener(reader="/dev/no-reader-here") as caller:
        caller.hear()
        time.sleep(0.5)
        assert caller.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert caller.tell("tap bishop")[0].startswith("Refused: only the simulated reader")
        assert caller.leave() == 0
        assert "is not there; plug it in" in caller.said_aside()


# -- everything said is fit to be heard -----------------------------------------------------


def test_every_answer_is_fit_to_be_heard() -> None:
    with Listener("--option", "tie_break=gold,district_points") as caller:
        caller.hear()
        caller.tell_all("help", "moves", "1", "moves all", "steps", "taps", "why", "last")
        caller.tell_all("faceup king bishop", "why", *OPENING[:3], "moves", "3", "moves kill")
        caller.tell_all(*OPENING[3:], "b man", "build", "kill king", "why", "who", "status", "city")
        caller.tell_all("city ann", "card lab", "card king", "card q", "score", "end", "b", "")
        caller.tell_all("nobody", "nobody", "nobody", "unmask")
        assert caller.leave() == 0
        assert complaints(caller.transcript) == []


def test_the_listener_complains_of_what_cannot_be_heard() -> None:
    """The linter itself: each of these would trouble somebody."""
    bad = ("\x1b[31mred", "│ box", "Anna    3", "1 points.", "x" * 121, "Perhaps “build D”.", "")
    for line in bad:
        assert complaints([line]), line
    assert complaints(["Anna: 1 point.", "Refused: " + "x" * 130]) == []
