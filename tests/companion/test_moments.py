"""What the recorded games stage, teach and offer is what the files say, and lessons end."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.game import teaching
from companion.game.session import Session
from tests.companion import moments, offers, tables
from tests.companion.talking import SHORT_GAME, Begin
from tests.kept_lines import list_changes


@pytest.mark.parametrize("golden", [moments, offers], ids=["moments", "offers"])
def test_the_recorded_games_are_as_the_file_says(golden: ModuleType) -> None:
    changes = list_changes(golden.FILE, golden.lines())
    again = f"python -m {golden.__name__} --write"
    assert not changes, f"if that is right: {again}\n" + "\n".join(changes)


def test_a_lesson_is_not_given_again_when_the_last_move_is_undone(begin: Begin) -> None:
    talk = begin(**SHORT_GAME)
    teacher = talk.session.teacher
    teacher.switch(True)
    assert teacher.find_news(talk.session.view)
    talk.play_out()
    assert teacher.find_news(talk.session.view) == []
    for _move in range(14):
        talk.session.undo()
    assert teaching.lesson(talk.session.view)
    assert teacher.lesson(talk.session.view) == []
    assert teacher.teach_between(talk.session.view, talk.session.view) == []


def test_where_each_player_has_two_characters_the_opening_lesson_says_so() -> None:
    for players, said in ((2, "two characters"), (3, "two characters"), (4, "a character")):
        table = tables.begin_table(size=players).table
        assert said in " ".join(teaching.lesson(table))


def test_a_game_that_is_taught_is_taught_after_a_pause(begin: Begin) -> None:
    talk = begin()
    talk.session.teacher.switch(True)
    talk.session.close()
    again = Session.resume(talk.store, talk.session.name)
    assert again.teacher.on
    again.close()
