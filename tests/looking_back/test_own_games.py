"""After an import this table's own game is the one that is continued, by every way; an imported one
only by its name. Dates that cannot be right do not lead the history."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.files import locations
from companion.game.session import Session, SessionError
from companion.history import games
from companion.log.store import Store
from companion.plain.setup import open_session
from companion.settings import config
from companion.setup import PlayOptions, shared
from engine.record import read_setup
from tests.companion.listening import companion
from tests.companion.past_games import Capture, begin, json_of
from tests.serving.hosting import Hosting

STRANGERS = ("Zoë", "Li", "Max", "Eva")


@pytest.fixture
def log(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A log with an unfinished own game and, imported after it, an unfinished game of others."""
    own = _go_to(home / "own", monkeypatch)
    begin(own, "Me", "You", "Him", "Her")
    _import_game(home, own, monkeypatch)
    return own


def _go_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Sit down at the table with its data in that folder; returns its log."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    return locations.games_file(str(folder))


def _import_game(
    home: Path, log: str, monkeypatch: pytest.MonkeyPatch, at: datetime | None = None
) -> None:
    """Import a game that others have begun, at that time if one is given."""
    folder = home / f"elsewhere in {at.year if at else 'our time'}"
    there, file = _go_to(folder, monkeypatch), folder / "theirs.citadels"
    with Store(there, now=(lambda: at) if at else None) as store:
        Session.begin(store, read_setup({"players": [*STRANGERS], "crown": "Li"})).close()
    assert main(["export", str(file)]) == 0
    _go_to(Path(log).parent, monkeypatch)
    assert main(["import", str(file)]) == 0


def _find_imported(log: str) -> str:
    with Store(log) as store:
        return store.games(1)[0].name


def test_every_way_to_continue_finds_the_own_game(log: str) -> None:
    with Store(log) as store:
        assert store.games(1)[0].setup["players"] == [*STRANGERS]
        last = shared.find_unfinished(store)
        assert last is not None
        assert last.setup["players"][0] == "Me"
        for options in (PlayOptions(), PlayOptions(resume=True)):
            session = open_session(store, options, config.load({}), lambda: "")
            assert session is not None
            assert session.setup.players[0] == "Me"
            session.close()


def test_an_imported_game_is_continued_by_its_name_and_then_is_own(log: str) -> None:
    name = _find_imported(log)
    with Store(log) as store:
        session = Session.resume(store, name)
        assert session.setup.players == STRANGERS
        session.play("faceup bishop merchant")
        session.close()
        again = Session.resume(store)
        assert again.name == name
        again.close()
        with pytest.raises(SessionError, match="There is no game called “2020-01-01-1”"):
            Session.resume(store, "2020-01-01-1")


def test_where_every_game_is_imported_none_is_continued_unasked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _go_to(home / "new", monkeypatch)
    _import_game(home, own, monkeypatch)
    with Store(own) as store:
        assert shared.find_unfinished(store) is None
        with pytest.raises(SessionError, match=f"--resume {_find_imported(own)}"):
            Session.resume(store)
        # the first question is one of the set-up, and the input ends there
        assert open_session(store, PlayOptions(), config.load({}), lambda: None) is None


def test_what_was_played_here_after_an_import_came_back_is_the_last_game(
    home: Path, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The own game was continued elsewhere, and a newer own game has begun since."""
    mine, later = home / "mine.citadels", home / "later.citadels"
    assert main(["export", str(mine)]) == 0
    newer = begin(log, "Me", "You", "They", "Her")
    elsewhere = _go_to(home / "friend", monkeypatch)
    assert main(["import", str(mine)]) == 0
    with Store(elsewhere) as store:
        first = next(game for game in store.games() if game.setup["players"][0] == "Me")
        session = Session.resume(store, first.id)
        session.play("reveal Me")
        session.close()
    assert main(["export", str(later)]) == 0
    _go_to(Path(log).parent, monkeypatch)
    assert main(["import", str(later)]) == 0
    with Store(log) as store:
        assert store.games(1)[0].setup == first.setup  # its rows are the newest
        last = store.find_last_own_game()
        assert last is not None
        assert last.name == newer


def test_a_date_in_the_future_does_not_lead_the_history(
    home: Path, log: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    future = datetime.fromisoformat("9999-12-31T12:00:00+00:00")
    _import_game(home, log, monkeypatch, future)
    capsys.readouterr()
    for _time in ("counted now", "from the stored digests"):
        told = json_of(capsys, "history")
        assert [game["started"][:4] == "9999" for game in told] == [False, False, True]
    with Store(log) as store:
        (newest,) = games.read_all(store, most=1)
    assert not newest.started.startswith("9999")


@pytest.mark.outer
def test_the_commands_continue_the_own_game(log: str) -> None:
    name = _find_imported(log)
    ways = ((), "Me"), (("--resume",), "Me"), (("--resume", name), "Zoë")
    for words, player in ways:
        with Hosting(*words, new=False) as host:
            assert player in host.ask("api/table", host.code)[1]["players"]
        text = f"{'' if words else chr(10)}status\nquit\n"
        result = companion("play", "--plain", "--reader", "none", *words, stdin=text)
        assert f"\n{player}: 2 gold" in result.stdout, result.stdout
