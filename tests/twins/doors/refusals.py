"""The public result of every move that can be tried: its refusal with reason and rule, or what the
table is told."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from companion import language
from companion.commands import record
from companion.game.session import Session
from companion.language import translate
from companion.log.records import Replay
from companion.log.store import Store
from companion.wording import story
from engine import views
from engine.explain import Refused
from engine.referee import judge, push_move
from tests.engine.playing import table_state
from tests.twins import tried

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from engine.moves import Move
    from tests.twins.pairs import Twins


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """The public result of each tried move, and each stranger's `replay` of it."""
    language.use(twins.language)
    with Store(str(folder / "games.sqlite3")) as store:
        session = Session.begin(store, twins.record(which).setup)
        moves = twins.moves(which)
        for place, text in enumerate(moves, start=1):
            lines = session.play(text).lines
            if place < twins.since:
                continue
            yield text if place > twins.since else "the secret", lines
            readers = cycle(twins.strangers())
            for move, reader in zip(tried.moves(session.view), readers, strict=False):
                yield f"{place}: {move}", _answer(session, move, twins)
                yield f"{place}: {move} in a record", _read_in_record(session, move, reader)
        session.close()


def _answer(session: Session, move: Move, twins: Twins) -> object:
    """The public result of the move; if it makes a secret public, only that it is legal."""
    table, view = session.referee.table, session.view
    try:
        judge(table, move)
    except Refused:
        try:
            session.play(move)
        except Refused as error:
            rule, reason, source, output = error.refusal
            return rule, translate(reason), translate(source), output
        raise AssertionError("a refused move was played") from None
    new = push_move(table, move)
    after = views.redact(new, views.PUBLIC)
    return (
        "accepted"
        if twins.may_show(table, new)
        else (story.tell(view, move, after), table_state(after))
    )


def _read_in_record(session: Session, move: Move, reader: int | None) -> object:
    """The refusal as a reader of the record sees it."""
    try:
        judge(session.referee.table, move)
    except Refused as error:
        return record.explain_to(Replay(session.referee, (), error), reader)
    return None
