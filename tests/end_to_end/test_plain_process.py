"""The line caller as used by another program: a process behind pipes, answer by answer."""

from __future__ import annotations

import os
import select

import pytest

from tests.companion.listening import (
    OPENING,
    Listener,
    companion,
    complaints,
    record_moves,
)
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

# -- refusals and usage ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "faceup king bishop",
        "build temple",
        "undo",
        "redo",
        "nonsense",
        "build",
        '"',
        'reveal "Anna',
        "city Zoe",
        "card nothing",
        "tap temple",
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
        text = caller.hear()[-1]
        if isinstance(line, str) and line.strip().isdigit():
            caller.tell("moves")
        answer = caller.tell(line)
        assert answer[0].startswith("Refused: ")
        assert answer[-1] == text
        assert len(answer[0]) < 400
        assert complaints(answer) == []
        assert caller.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()
    assert record_moves() == ["faceup bishop merchant"]


def test_a_line_longer_than_any_move_is_one_line() -> None:
    """Its tail is not a second line: `…undo` after many spaces undoes nothing."""
    with Listener() as caller:
        caller.hear()
        caller.tell("faceup bishop merchant")
        answer = caller.tell("x" * 4000 + "\rundo" + " " * 4000 + "undo")
        assert answer[0].startswith("Refused: ")
        assert len(answer) == 2
        assert caller.tell("last")[0] == "Face up: Bishop and Merchant."


def test_a_name_is_text_whatever_it_holds() -> None:
    names = ["Mary Ann", 'Q"uote', "[b]Bob[/b]", "עדה", "🧙‍♀️", "undo"]
    with Listener("--players", ",".join(names), "--crown", "undo", new=False) as caller:
        assert caller.hear()[-1] == "Has everybody chosen?"
        caller.tell_all("faceup", "call")
        assert caller.tell('reveal "Mary Ann"')[0] == "Mary Ann is the Assassin."
        assert caller.tell_all("undo", "reveal mary ann")[-2] == "Mary Ann is the Assassin."
        caller.tell_all("gold", "end")
        assert caller.tell(r'reveal "q\"uote"')[0] == 'Q"uote is the Thief.'
        caller.tell_all("gold", "end")
        assert caller.tell("reveal [b]")[0] == "[b]Bob[/b] is the Magician."
        assert caller.tell("swap undo")[0] == "[b]Bob[/b] swaps hands with undo."
        caller.tell_all("gold", "end")
        assert caller.tell("reveal עדה")[0] == "עדה is the King and takes the crown."
        caller.tell_all("gold", "end")
        assert caller.tell("reveal 🧙‍♀️")[0] == "🧙‍♀️ is the Bishop."
        assert caller.leave() == 0
        assert [c for c in complaints(caller.transcript) if "markup" not in c] == []


# -- questions at set-up --------------------------------------------------------------------


def test_a_game_is_agreed_by_questions() -> None:
    with Listener(new=False) as caller:
        assert caller.line() == "New game: Citadels Classic (2016)."
        assert (caller.line() or "").startswith("Type play for a whole game, explain ")
        question = caller.line()
        assert question is not None
        assert question.startswith("Who plays? 2 to 7 names")
        caller.type("1")
        text = caller.line()
        assert text is not None
        assert text.startswith("Refused: ")
        assert caller.line() == question
        caller.type("Anna, Kurt,, Mary Ann ,Ben")
        assert caller.line() == "4 players: Anna, Kurt, Mary Ann and Ben."
        question = caller.line()
        assert question is not None
        assert question.startswith("Who starts with the crown? By the rules: the oldest player.")
        names = [caller.line() for _ in range(7)]
        assert names[0] == "1: Anna"
        assert names[4] == "5: change the box, characters or house rules first"
        caller.type("Kert")
        text = caller.line()
        assert text is not None
        assert text.startswith("Refused: ")
        assert caller.line() == question
        for _ in names:
            caller.line()
        caller.type("mary ann")
        lines = caller.hear()
        assert lines[-1].startswith("Mary Ann. ")
        assert caller.leave() == 0
        assert complaints(caller.transcript) == []
    with Listener(new=False) as caller:
        assert "Citadels Classic (2016), Anna, Kurt, Mary Ann and Ben." in (caller.line() or "")
        assert (caller.line() or "").startswith("Round 1, Mary Ann to play; last played ")
        question = caller.line()
        caller.type("perhaps")
        assert caller.line() == "Refused: Type yes or no."
        assert [caller.line() for _ in range(3)][-1] == question
        caller.type("")
        assert caller.hear()[-1].startswith("Mary Ann. ")
        assert complaints(caller.transcript) == []
    with Listener(new=False) as caller:
        for _ in range(3):
            caller.line()
        caller.type("no")
        assert caller.line() == "New game: Citadels Classic (2016)."
        assert caller.leave() == 0  # nothing was begun


def test_the_end_of_the_input_at_a_question_leaves_with_0() -> None:
    result = companion("play", "--plain", "--reader", "none", stdin="Anna,Kurt,Ashley\n")
    assert result.returncode == 0
    assert companion("record").returncode != 0  # there is no game


# -- a reader ---------------------------------------------------------------------------------


def test_a_reader_that_is_not_there_is_told_and_the_game_goes_on() -> None:
    with Listener(reader="/dev/no-reader-here") as caller:
        caller.hear()
        aside = b""
        assert caller.process.stderr is not None
        while b"was not found; plug it in" not in aside:
            assert select.select([caller.process.stderr], [], [], PATIENCE)[0], aside
            aside += os.read(caller.process.stderr.fileno(), 65536)
        assert caller.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        assert caller.tell("tap bishop")[0].startswith(
            "Refused: That works only with the simulated reader"
        )
        assert caller.leave() == 0


# -- output suits a screen reader -----------------------------------------------------------


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
    """Tests of the linter itself: each of these lines is a problem."""
    bad = ("\x1b[31mred", "│ box", "Anna    3", "1 points.", "x" * 121, "Perhaps “build D”.", "")
    for line in bad:
        assert complaints([line]), line
    assert complaints(["Anna: 1 point.", "Refused: " + "x" * 130]) == []
