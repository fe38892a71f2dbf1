"""An internal error during a secret action, and its crash report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import language
from companion.errors import crash_report
from companion.game.session import Session
from companion.log.store import Store
from tests.twins.pairs import Twins


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """The report of an error in the log that names the move, and that error's cause."""
    language.use(twins.language)
    with pytest.MonkeyPatch.context() as patch, Store(str(folder / "games.sqlite3")) as store:
        patch.setenv("COMPANION_DATA", str(folder / "data"))
        patch.setattr(crash_report, "_reports", {})
        session = Session.begin(store, twins.record(which, 0).setup)
        moves = twins.moves(which)[: twins.since]
        for move in moves[:-1]:
            session.play(move)
        patch.setattr(store, "append", _break)
        try:
            session.play(moves[-1])
        except RuntimeError as error:
            path = crash_report.write(error)
        session.close()
    assert path is not None
    yield "where", path.replace(str(folder), "HERE")
    yield "report", Path(path).read_text(encoding="utf-8").splitlines()[1:]


def _break(game: int, kind: str, text: str, **_more: Any) -> int:
    try:
        return {"move": 0}[text]
    except KeyError as error:
        raise RuntimeError(f"cannot write {text}") from error
