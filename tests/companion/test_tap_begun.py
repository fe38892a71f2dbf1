"""A tap at a reader beside lines belongs to what was asked when the chip was laid down."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.chips import learning
from companion.game.conversation import Conversation
from companion.game.session import Session
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from engine.record import Setup
from tags.watch import Tap
from tests.companion.past_games import Capture
from tests.companion.talking import FOUR

DROPPED = "What you typed was dropped."


def tap_after(opening: str, phone: str, opener: str, words: list[str]) -> list[str]:
    """Lay a chip down while a phone's move is on its way; return the moves of the game."""
    config, inbox = settings.load(options={"reader": "simulated", "plain": True}), Inbox()
    with Store(config.games) as store:
        session = Session.begin(store, Setup("classic_2016", FOUR, "Anna"))
        for move in opening.split("; "):
            session.play(move)
        caller = Caller(session, store, config, inbox)

        def play() -> None:
            Conversation(session, caller, caller.talk.modes).line(phone)

        def meet() -> None:
            caller.talk.line(opener)
            assert caller.reader is not None
            assert caller.reader.deck is not None
            uid = learning.find_deck_chip(" ".join(words), caller.reader.deck)
            if phone:
                caller.post(play)
            inbox.put(Tap(uid))
            inbox.end()

        inbox.post(meet)
        caller.run()
    return [move.text for move in session.referee.moves]


OPENING = "faceup bishop merchant"


@pytest.mark.parametrize("phone", ["call", ""])
def test_a_tap_meant_for_a_private_choice_is_played_in_the_open_by_nobody(
    phone: str, home: Path, capsys: Capture
) -> None:
    moves = tap_after(OPENING, phone, "choose Ben", ["character", "assassin"])
    told = capsys.readouterr().out
    if phone:
        assert moves == [OPENING, "call"]
        assert "Everybody has chosen. What you typed was dropped." in told
    else:
        assert moves[1:] == ["choose Ben assassin"]


@pytest.mark.parametrize("phone", ["cards", ""])
def test_a_tap_meant_for_a_question_that_a_phone_answered_is_dropped(
    phone: str, home: Path, capsys: Capture
) -> None:
    opening = f"{OPENING}; call; reveal Anna"
    moves = tap_after(opening, phone, "", ["action", "gold"])
    assert (DROPPED in capsys.readouterr().out) == bool(phone)
    assert moves[3] == (phone or "gold")
