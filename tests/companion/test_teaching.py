"""The guided first round: what is explained and when, and that its end is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import teaching
from companion.language import list_offered
from engine import cards, record
from engine.editions import editions
from engine.referee import Referee
from tests.companion.listening import Listener, complaints, is_question
from tests.engine.playing import NAMES as PLAYERS

pytestmark = pytest.mark.outer

FIRST_ROUND = ("faceup bishop merchant", "call", *["nobody"] * 8)


def lessons(heard: list[str]) -> list[str]:
    begin = next((i for i, line in enumerate(heard) if line.startswith("Lesson: ")), len(heard))
    told = [line.removeprefix("Lesson: ") for line in heard[begin:]]
    return told[:-1] if told and is_question(heard[-1]) else told


def test_the_selection_the_calls_and_the_turns_of_the_first_round_are_explained(home: Path) -> None:
    with Listener("--teach") as caller:
        opening = lessons(caller.hear())
        assert "Each round everybody secretly takes a character with a power." in opening
        assert lessons(caller.tell("faceup bishop merchant")) == []
        names = lessons(caller.tell("call"))
        assert names[0] == "Kurt, who has the crown, says: “Rank 1, the Assassin!”"
        assert "Name another character, once, at any time in your turn." in names
        turn = lessons(caller.tell("reveal Anna"))
        assert turn[0].startswith("A turn: take gold or cards")
        assert turn[-1] == "Usually: name the victim first, so it isn't forgotten."
        assert lessons(caller.tell("gold")) == []
        assert lessons(caller.tell("teach")) == turn
        assert lessons(caller.tell("end"))[0].endswith("says: “Rank 2, the Thief!”")
        assert complaints(caller.transcript) == []
        caller.leave()


def test_it_ends_by_itself_and_undo_does_not_bring_it_back(home: Path) -> None:
    with Listener("--teach") as caller:
        caller.hear()
        lines = caller.tell_all(*FIRST_ROUND)
        assert "Round 2." in lines
        assert lessons(caller.tell("faceup bishop thief")) == []
        assert lessons(caller.tell_all("undo", "undo", "nobody", "teach")) == []
        caller.leave()


def test_a_broken_memory_teaches_nothing_and_stops_nothing(home: Path) -> None:
    with Listener("--teach") as caller:
        caller.hear()
        caller.leave()
    (path,) = home.rglob("*-settings.json")
    path.write_text("{ [", encoding="utf-8")
    with Listener("--resume", new=False) as caller:
        assert lessons(caller.hear()) == []
        assert caller.tell("faceup bishop merchant")[0] == "Face up: Bishop and Merchant."
        caller.leave()


def test_a_lesson_never_depends_on_who_was_murdered_in_secret() -> None:
    def taught(victim: str) -> list[list[str]]:
        head = {"players": list(PLAYERS[:4]), "crown": "Anna", "secrecy": "secret"}
        referee = Referee(record.read(head).start)
        told = []
        for move in ("faceup bishop merchant", "call", "reveal Anna", f"kill {victim}", "gold",
                     "end", "nobody", "nobody", "nobody"):  # fmt: skip
            referee.play(move)
            told.append(teaching.lesson(referee.table))
        return told

    assert taught("king") == taught("magician")


@pytest.mark.parametrize("edition", editions())
def test_every_character_of_every_box_has_its_usual_turn(edition: str) -> None:
    printing = editions()[edition].printing
    for id_, character in cards.characters().items():
        if printing in character.printings:
            for code in list_offered():
                usually = cards.text_of(id_, edition, code).usually
                assert usually is not None, f"usually: of {id_} in engine/data/texts.{code}.yaml"
                assert usually.endswith(".")
