"""One game in a caller: judged, saved and shown, without revealing secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import language
from companion.game.session import Listener, Session, SessionError
from companion.log.store import Store, StoreError
from engine import record
from engine.explain import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engine.moves import Move
    from engine.record import Setup
    from engine.table import Table

NAMES = ["Anna", "Kurt", "Ashley", "Ben"]
CALLED = ("faceup bishop merchant", "call")


def agreed(**data: object) -> Setup:
    return record.read_setup({"players": NAMES, **data})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "games.sqlite3"))


def played(session: Session, *moves: str) -> list[str]:
    """The sentences of the last of these moves."""
    told: list[str] = []
    for move in moves:
        told = [*session.play(move).lines]
    return told


class Follower(Listener):
    """A listener that notes what is reported to it."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        self.notes.append(move.text)

    def tell_settled(self) -> None:
        self.notes.append("settled")

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        self.notes.append(f"undone: {' '.join(lines)}")

    def tell_refusal(self, view: Table, move: Move) -> None:
        self.notes.append(f"refused: {move.text}")


def fails(*_: object, **__: object) -> None:
    raise StoreError("the disk is full")


def test_a_refused_move_is_not_written_and_changes_nothing(store: Store) -> None:
    with store:
        session = Session.begin(store, agreed())
        view = session.view
        with pytest.raises(Refused):
            session.play("call")
        assert session.view is view
        assert store.load(session.game).moves == []


def test_a_move_that_cannot_be_written_does_not_happen(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store:
        session = Session.begin(store, agreed())
        played(session, CALLED[0])
        monkeypatch.setattr(store, "append", fails)
        with pytest.raises(StoreError):
            session.play("call")
        assert session.view.phase == "selection"
        with pytest.raises(StoreError):
            session.undo()
        assert [m.text for m in session.referee.moves] == [CALLED[0]]
        monkeypatch.undo()
        session.undo()
        monkeypatch.setattr(store, "append", fails)
        with pytest.raises(StoreError):
            session.redo()
        assert session.referee.moves == ()
        assert [m.text for m in session.referee.undone] == [CALLED[0]]


def test_a_resumed_game_stands_as_it_stood_redo_included(store: Store) -> None:
    with store:
        session = Session.begin(store, agreed(secrecy="secret", options={"city_size": 8}))
        played(session, *CALLED, "reveal Anna", "kill king", "gold")
        session.undo()
        session.redo()
        session.undo()
        stood = session.record()
        session.close()
        again = Session.resume(store)
        assert again.record().data() == stood.data()
        assert again.referee.table.marks.killed == "king"
        assert again.view.marks.killed is None
        redone = again.redo()
        assert redone is not None
        assert redone.text == "gold"
        assert again.tell_last() == ["Anna takes 2 gold."]


def test_a_follower_hears_every_move_and_one_end_of_moves_played_together(store: Store) -> None:
    with store:
        session = Session.begin(store, agreed())
        played(session, *CALLED, "reveal Anna")
        follower = Follower()
        session.attend(follower)
        session.play("kill king")
        with session.together(), session.together():
            session.play("gold")
            session.play("build manor")
        session.undo()
        session.redo()
        with pytest.raises(Refused):
            session.play("call")
        assert follower.notes == [
            *("kill king", "settled", "gold", "build manor", "settled"),
            *("undone: Anna builds the Manor for 3 gold.", "build manor", "settled"),
            "refused: call",
        ]


def test_a_closed_game_tells_nobody_and_who_attends_twice_hears_once(store: Store) -> None:
    with store:
        session, follower = Session.begin(store, agreed()), Follower()
        session.attend(follower)
        session.attend(follower)
        first, _call = CALLED
        played(session, first)
        assert follower.notes == [first, "settled"]
        session.close()
        again = Session.resume(store)
        again.undo()
        assert follower.notes == [first, "settled"]


def test_there_is_nothing_to_undo_at_the_start_nor_to_redo_after_a_move(store: Store) -> None:
    with store:
        session = Session.begin(store, agreed())
        assert session.undo() is None
        assert session.redo() is None
        assert session.tell_last() == []
        played(session, *CALLED)
        session.undo()
        played(session, "choose Anna king")
        assert session.redo() is None


def test_no_game_and_a_game_of_another_version_are_told_in_a_sentence(store: Store) -> None:
    with store:
        with pytest.raises(SessionError, match="No game has been saved yet"):
            Session.resume(store)
        session = Session.begin(store, agreed())
        store.append(session.game, "move", "build temple")  # as another version may have allowed
        session.close()
        with pytest.raises(SessionError, match="can't be continued here"):
            Session.resume(store)
        with Store(store.path) as other:
            other.acquire(session.game)  # and it is not locked


def test_a_secret_leaves_only_with_the_record(store: Store) -> None:
    with store:
        session = Session.begin(store, agreed(secrecy="secret"))
        lines = played(session, *CALLED, "reveal Anna", "kill king")
        assert lines == ["Anna has named a character."]
        assert session.view.marks.killed is None
        assert session.tell_last() == lines
        assert session.history(1) == [lines]
        assert "king" not in " ".join(m.text for m in session.legal())
        assert "kill king" in session.record().moves
        lines = played(session, "gold", "end", "nobody", "nobody")
        assert lines == ["Nobody is the Magician."]


def test_a_game_goes_on_in_the_language_that_it_was_left_in(store: Store) -> None:
    session = Session.begin(store, agreed())
    session.speak("fr")
    assert language.current() == "fr"
    session.close()
    language.use("en")
    Session.resume(store).close()
    assert language.current() == "fr"


@pytest.mark.parametrize("teach", [True, False])
def test_the_first_round_is_explained_where_that_is_wanted(store: Store, teach: bool) -> None:
    session = Session.begin(store, agreed(), teach=teach)
    assert session.teacher.on == teach
    assert bool(session.teacher.find_news(session.view)) == teach
    session.close()
