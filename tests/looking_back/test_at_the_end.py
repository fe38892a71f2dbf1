"""The rows after the end of a game that look back at it, in a conversation."""

from __future__ import annotations

from pathlib import Path

from tests.companion.talking import SHORT_GAME, Begin


def test_their_rows_stand_after_those_of_the_core(begin: Begin) -> None:
    talk = begin(**SHORT_GAME, people=False)
    talk.play_out()
    rows = [(row.number, row.word) for row in talk.offer.rows]
    assert rows[3:] == [(4, "recap"), (5, "bgstats"), (6, "share")]


def test_an_unfinished_game_is_looked_back_at_but_is_nothing_for_bg_stats(begin: Begin) -> None:
    talk = begin()
    talk.conversation.line("recap")
    assert "The game is not over; this is the recap so far." in talk.lines()
    talk.face.messages.clear()
    talk.conversation.line("bgstats")
    (message,) = talk.face.messages
    assert message.kind == "refused"
    assert message.lines == ("The game is not over; BG Stats takes only finished games.",)


def test_a_finished_game_is_looked_back_at_and_handed_to_bg_stats(begin: Begin) -> None:
    talk = begin(**SHORT_GAME, people=False)
    talk.play_out()
    talk.conversation.line("recap")
    assert any(" wins, " in line for line in talk.lines())
    talk.face.messages.clear()
    talk.conversation.line("bgstats")
    (message,) = talk.face.messages
    assert message.lines == (message.code,)
    assert message.code.startswith("https://app.bgstatsapp.com/createPlay.html?data=")


def test_the_card_of_a_finished_game_is_saved_and_told(begin: Begin, home: Path) -> None:
    talk = begin(**SHORT_GAME, people=False)
    talk.conversation.line("share")
    assert talk.face.messages[-1].kind == "refused"
    talk.play_out()
    talk.face.messages.clear()
    talk.conversation.line("share")
    (message,) = talk.face.messages
    (file,) = (*Path(talk.session.store.path).parent.glob("citadels-*"),)
    assert any(str(file) in line for line in message.lines)
    assert file.stat().st_size > 1000
