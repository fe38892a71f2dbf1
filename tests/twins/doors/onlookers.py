"""What extensions see of a game, after which move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from common.sentences import parts
from companion import language
from companion.extending import Onlooker, Seen
from companion.files import locations
from companion.game.onlooking import Onlookers
from companion.game.session import Session
from companion.log.store import Store
from tests.engine.playing import table_state
from tests.twins.pairs import Twins


class _Recorder(Onlooker):
    quiet = 60.0

    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def see(self, seen: Seen) -> None:
        self.seen.append(seen)

    def see_quiet(self, seen: Seen) -> None:
        self.seen.append(seen)


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """All that one is handed, in the quiet too, also when the last move is undone and played
    again."""
    language.use(twins.language)
    recorder = _Recorder()
    with Store(locations.games_file(str(folder))) as store:
        session = Session.begin(store, twins.record(which).setup)
        session.attend(Onlookers({"recorder": recorder}, _fail, _pass_at_once))
        for place, text in enumerate(("", *twins.moves(which))):
            if text:
                session.play(text)
            yield f"after move {place}", _take(recorder)
        session.undo()
        session.redo()
        yield "after undo and redo", _take(recorder)
        session.close()


def _take(recorder: _Recorder) -> list[Any]:
    taken, recorder.seen = recorder.seen, []
    return [
        (*one[:2], table_state(one.table), one.table.events, [*map(_tell, one.told)], one.awaited)
        for one in taken
    ]


def _tell(told: Any) -> tuple[str, Any, str]:
    return told.about, parts(told.text), language.translate(told.text)


def _pass_at_once(_seconds: float, work: Callable[[], None]) -> Callable[[], object]:
    work()
    return lambda: None


def _fail(problem: str) -> None:
    raise AssertionError(problem)
