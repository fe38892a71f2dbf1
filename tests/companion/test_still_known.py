"""What was public stays known after undo."""

from __future__ import annotations

from companion.game.session import Session
from tests.companion.talking import Begin, Talk

CALLED = "faceup thief bishop; call"
KURT_KILLS = f"{CALLED}; reveal Kurt; kill king; gold; end"


def _shown_and_taken_back(talk: Talk) -> None:
    talk.line("nobody")  # the Magician: then the King is called, and is known to be murdered
    lines = talk.line("undo")
    assert "Everybody knows that the King was murdered." in lines


def test_undo_makes_nobody_forget_a_murder(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody", secrecy="secret")
    assert talk.session.view.marks.killed is None
    _shown_and_taken_back(talk)
    assert talk.session.view.called == 3
    assert talk.session.view.marks.killed == "king"


def test_nor_does_taking_the_game_up_again(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody", secrecy="secret")
    _shown_and_taken_back(talk)
    talk.line("reveal Ben")  # what was taken back cannot be played again now
    talk.session.close()
    talk.session = Session.resume(talk.store)
    assert talk.session.view.marks.killed == "king"


def test_a_murder_that_was_itself_taken_back_is_forgotten(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; kill king; gold; end; nobody", secrecy="secret")
    _shown_and_taken_back(talk)
    for _step in range(3):
        talk.line("undo")
    assert talk.moves()[-1] == "reveal Kurt"
    talk.session.play("kill king")
    assert talk.session.view.marks.killed is None


def test_it_stays_known_through_every_further_undo(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody; nobody", secrecy="secret")
    assert talk.session.view.marks.killed == "king"
    while talk.moves()[-1] != "kill king":
        assert "Everybody knows that the King was murdered." in talk.line("undo")
        assert talk.session.view.marks.killed == "king"
    talk.line("undo")
    assert talk.session.view.marks.killed is None


def test_undo_makes_nobody_forget_a_robbery(begin: Begin) -> None:
    moves = "faceup bishop merchant; call; nobody; reveal Ben; rob magician; gold; end"
    talk = begin(moves, secrecy="secret")
    talk.line("reveal Anna")
    assert "Everybody knows that the Magician will be robbed." in talk.line("undo")
    assert talk.session.view.marks.robbed == "magician"


def test_what_is_public_anyway_is_not_told_again(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody", secrecy="secret")
    _shown_and_taken_back(talk)
    talk.line("nobody")
    talk.line("nobody")
    assert talk.line("undo") == ["Undone: Nobody is the Merchant."]


REST_OF_THE_ROUND = "; ".join(["nobody"] * 7 + ["unmask nobody"])


def test_the_next_murder_is_a_secret_again(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody", secrecy="secret", forced=False)
    talk.line("nobody")
    assert "Everybody knows that the King was murdered." in talk.line("undo")
    for move in f"{REST_OF_THE_ROUND}; {CALLED}; reveal Kurt".split("; ")[1:]:
        talk.session.play(move)
    assert talk.session.view.round == 2
    assert talk.line("kill merchant") == ["Kurt has named a character."]
    assert talk.session.view.marks.killed is None
    assert talk.line("undo") == ["Undone: Kurt has named a character."]
