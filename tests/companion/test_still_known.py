"""What was public stays known after undo."""

from __future__ import annotations

from companion.game.session import Session
from tests.companion.talking import Begin, Talk

CALLED = "faceup thief bishop; call"
KURT_KILLS = f"{CALLED}; reveal Kurt; kill king; gold; end"


def _shown_and_taken_back(talk: Talk) -> None:
    talk.line("nobody")  # the Magician: then the King is called, and is known to be murdered
    said = talk.line("undo")
    assert "Everybody knows that the King was murdered." in said


def test_undo_makes_nobody_forget_a_murder(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody", secrecy="secret")
    assert talk.session.view.killed is None
    _shown_and_taken_back(talk)
    assert talk.session.view.called == 3
    assert talk.session.view.killed == "king"


def test_nor_does_taking_the_game_up_again(begin: Begin) -> None:
    talk = begin(f"{KURT_KILLS}; nobody", secrecy="secret")
    _shown_and_taken_back(talk)
    talk.line("reveal Ben")  # what was taken back cannot be played again now
    talk.session.close()
    talk.session = Session.resume(talk.store)
    assert talk.session.view.killed == "king"


def test_a_murder_that_was_itself_taken_back_is_forgotten(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; kill king; gold; end; nobody", secrecy="secret")
    _shown_and_taken_back(talk)
    for _step in range(3):
        talk.line("undo")
    assert talk.moves()[-1] == "reveal Kurt"
    talk.session.play("kill king")
    assert talk.session.view.killed is None
