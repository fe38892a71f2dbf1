"""The told hand: what it follows, and that it survives undo, redo and a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.hand import CannotTell
from companion.game.session import Session
from companion.log.game_rows import HandRow
from companion.log.store import Store
from engine import record

FOUR = ["Anna", "Kurt", "Ashley", "Ben"]
BEGUN = "faceup bishop merchant; call"
MAGICIAN = f"{BEGUN}; nobody; nobody; reveal Anna; gold"
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

    def noted(self, seat: int = 0) -> list[str]:
        """What is noted beyond what there can be."""
        return [*self.session.notebook.of(seat).noted]

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
    assert game.noted() == ["castle"]
    game.session.tell_hand(0, "remove", "keep")
    assert (game.told(), game.noted()) == (["castle", "temple", "palace"], [])


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
    game.play("redraw 2")  # one of the three has gone, whichever it is
    assert (game.told(), game.noted()) == (["castle", "keep"], ["tavern"])
    game.session.tell_hand(0, "remove", "keep")
    assert (game.told(), game.noted()) == (["tavern", "castle"], [])


def test_who_puts_everything_back_has_nothing_noted(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle")
    game.play("redraw 4")
    assert (game.told(), game.noted()) == ([], [])


def test_what_was_not_edited_stays_until_it_is(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle", "keep")
    game.play("redraw 2; build tavern; end; reveal Kurt")
    assert (game.told(), game.noted()) == (["castle", "keep"], [])


def test_only_as_much_is_lowered_as_the_number_of_cards_forces(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN)
    game.tell("tavern", "castle")
    game.play("redraw 1; end")
    assert (game.told(), game.noted()) == (["tavern", "castle"], [])


def test_the_last_change_is_undone_and_no_more_of_them_than_fifty(tmp_path: Path) -> None:
    game = Told(tmp_path)
    with pytest.raises(CannotTell):
        game.session.tell_hand(0, "undo", "")
    game.tell("tavern", "castle")
    game.session.tell_hand(0, "remove", "tavern")
    game.session.tell_hand(0, "undo", "")
    assert game.told() == ["castle", "tavern"]
    for _time in range(23):
        game.session.tell_hand(0, "remove", "tavern")
        game.tell("tavern")
    with pytest.raises(CannotTell):
        game.session.tell_hand(0, "remove", "tavern")
    game.play("reveal Anna; cards")  # a hand that has changed can be told
    game.session.tell_hand(0, "remove", "tavern")


def test_what_an_earlier_version_was_answered_is_no_longer_noted(tmp_path: Path) -> None:
    game = Told(tmp_path)
    game.tell("tavern", "castle")
    game.session.open_game.add_hand(HandRow(0, 2, "answer tavern"))
    game.reopen()
    assert game.told() == ["castle"]


def test_what_the_wizard_names_leaves_the_victim_s_hand(tmp_path: Path) -> None:
    game = Told(tmp_path, MAGICIAN, **DELUXE)
    game.tell("tavern", "castle", seat=1)
    game.tell("keep")
    game.play("take Kurt tavern")
    assert (game.told(1), game.told(0)) == (["castle"], ["keep"])


def test_a_seat_that_was_freed_shows_nothing_of_before(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna; gold")
    game.tell("tavern", "castle")
    game.session.undo()
    game.session.forget_seat(0)
    assert game.told() == []
    game.session.redo()
    assert game.told() == []
    game.tell("keep")
    game.reopen()
    assert game.told() == ["keep"]


def test_whoever_took_a_freed_seat_sees_what_they_do_themselves(tmp_path: Path) -> None:
    game = Told(tmp_path, f"{BEGUN}; reveal Anna", secrecy="secret")
    game.session.forget_seat(0)
    game.play("kill king; gold")
    assert game.session.view_of(0).marks.killed == "king"


def test_a_hand_that_is_not_counted_cannot_be_told(tmp_path: Path) -> None:
    game = Told(tmp_path, options={"cities": "untracked"})
    with pytest.raises(CannotTell):
        game.tell("tavern")
