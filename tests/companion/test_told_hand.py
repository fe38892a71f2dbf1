"""The told hand: what it follows, what it asks, and that it survives undo, redo and a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.hand import CannotTell
from companion.game.session import Session
from companion.log.store import Store
from engine import record

FOUR = ["Anna", "Kurt", "Ashley", "Ben"]
BEGUN = "faceup bishop merchant; call"
MAGICIAN = f"{BEGUN}; nobody; nobody; reveal Anna; gold"
WIZARD = "faceup bishop merchant; call; nobody; nobody; reveal Anna; gold"
CAST = "assassin thief wizard king bishop merchant architect warlord"
DELUXE = {"edition": "deluxe_2016", "characters": CAST.split()}


class Told:
    """A game whose seat 0 is Anna's, with what she tells."""

    def __init__(self, folder: Path, moves: str = BEGUN, **setup: object) -> None:
        self.path = str(folder / "games.sqlite3")
        self.store = Store(self.path)
        head = {"players": FOUR, "crown": "Kurt", **setup}
        self.session = Session.begin(self.store, record.read_setup(head))
        self.play(moves)

    def play(self, moves: str) -> None:
        for move in moves.split(";"):
            self.session.play(move.strip())

    def tell(self, *districts: str, seat: int = 0) -> None:
        for district in districts:
            self.session.tell_hand(seat, "add", district)

    def told(self, seat: int = 0) -> list[str]:
        hand = self.session.notebook.of(seat)
        number = self.session.notebook.count_cards(seat)
        assert number is not None
        assert len(hand.told) <= number
        return [*hand.told]

    def asked(self, seat: int = 0) -> tuple[str, int, int] | None:
        question = self.session.notebook.of(seat).question
        return question and (question.verb, question.number, question.least)

    def reopen(self) -> None:
        """As after a kill: nothing is closed, another program opens the file."""
        self.session.close()
        self.store = Store(self.path)
        self.session = Session.resume(self.store)


def test_what_is_built_is_no_longer_in_the_hand(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; gold")
    game.tell("tavern", "castle", "tavern")
    game.play("build tavern")
    assert game.told() == ["castle", "tavern"]
    game.session.undo()
    assert game.told() == ["tavern", "castle", "tavern"]
    game.session.redo()
    assert game.told() == ["castle", "tavern"]


def test_a_card_built_untold_takes_none_of_the_told_ones(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; gold")
    game.tell("castle", "temple")
    game.play("build tavern")
    assert game.told() == ["castle", "temple"]


def test_a_liar_who_builds_another_card_never_has_more_told_than_cards(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; gold")
    game.tell("castle", "temple", "keep", "palace")
    game.play("build tavern")
    assert game.told() == ["temple", "keep", "palace"]
    assert game.session.notebook.of(0).lowered == ("castle",)


def test_no_more_can_be_told_than_there_are_cards(tmp_path: Path) -> None:
    game = Told(tmp_path)
    game.tell("tavern", "tavern", "castle", "temple")
    with pytest.raises(CannotTell):
        game.tell("keep")
    with pytest.raises(CannotTell):
        game.session.tell_hand(0, "remove", "keep")
    game.session.tell_hand(0, "remove", "tavern")
    assert game.told() == ["tavern", "castle", "temple"]


def test_what_another_move_undoes_is_not_forgotten(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; gold")
    game.tell("tavern")
    game.session.undo()
    game.session.undo()
    assert game.told() == ["tavern"]


def test_cards_drawn_and_told_go_back_with_the_drawing(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna")
    game.tell("tavern")
    game.play("cards")
    game.tell("castle")
    game.session.undo()
    assert game.told() == ["tavern"]
    game.session.redo()
    assert game.told() == ["tavern", "castle"]
    game.session.undo()
    game.play("gold")
    assert game.told() == ["tavern"]


@pytest.mark.parametrize("undone", [0, 1, 3])
def test_another_program_finds_the_same_hand(tmp_path: Path, undone: int) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; cards")
    game.tell("tavern", "castle")
    game.play("build tavern; end; nobody")
    game.tell("keep")
    for _time in range(undone):
        game.session.undo()
    lines = game.told()
    game.reopen()
    assert game.told() == lines
    for _time in range(undone):
        game.session.redo()
    assert game.told() == ["castle", "keep"]


def test_swapped_hands_take_their_notes_along(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle")
    game.tell("keep", seat=1)
    game.play("swap Kurt")
    assert (game.told(0), game.told(1)) == (["keep"], ["tavern", "castle"])
    game.session.undo()
    assert (game.told(0), game.told(1)) == (["tavern", "castle"], ["keep"])


def test_the_magician_says_what_he_put_back(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle", "keep")
    game.play("redraw 2")
    assert game.asked() == ("redraw", 2, 1)
    with pytest.raises(CannotTell):
        game.session.tell_hand(0, "answer")
    game.session.tell_hand(0, "answer", "keep")
    assert (game.told(), game.asked()) == (["tavern", "castle"], None)


def test_who_puts_everything_back_is_asked_nothing(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle")
    game.play("redraw 4")
    assert (game.told(), game.asked()) == ([], None)


def test_unanswered_the_oldest_are_no_longer_told(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle", "keep")
    game.play("redraw 2; build temple; end")
    assert (game.told(), game.asked()) == (["keep"], None)
    assert game.session.notebook.of(0).lowered == ("tavern", "castle")


def test_what_the_turn_s_last_move_asks_can_be_answered_until_the_next_turn(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle")
    game.play("redraw 1; end")
    assert game.asked() == ("redraw", 1, 0)
    game.play("reveal Kurt")
    assert (game.told(), game.asked()) == (["castle"], None)


def test_what_the_wizard_names_leaves_the_victim_s_hand(tmp_path: Path) -> None:
    game = Told(tmp_path, WIZARD, **DELUXE)
    game.tell("tavern", "castle", seat=1)
    game.tell("keep")
    game.play("take Kurt tavern")
    assert (game.told(1), game.told(0)) == (["castle"], ["keep"])


def test_what_the_wizard_keeps_is_asked_of_the_victim_alone(tmp_path: Path) -> None:
    game = Told(tmp_path, WIZARD, **DELUXE)
    game.tell("tavern", "castle", seat=1)
    game.tell("keep")
    game.play("take Kurt")
    assert (game.asked(1), game.asked(0)) == (("take", 1, 0), None)
    game.session.tell_hand(1, "answer", "castle")
    assert game.told(1) == ["tavern"]


def test_a_seat_taken_with_the_code_alone_shows_nothing_of_before(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; gold")
    game.tell("tavern", "castle")
    game.session.undo()
    game.session.forget_hand(0)
    assert game.told() == []
    game.session.redo()
    assert game.told() == []
    game.tell("keep")
    game.reopen()
    assert game.told() == ["keep"]


def test_a_hand_that_is_not_counted_cannot_be_told(tmp_path: Path) -> None:
    game = Told(tmp_path, options={"cities": "untracked"})
    with pytest.raises(CannotTell):
        game.tell("tavern")
