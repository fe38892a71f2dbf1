"""Who hears of games beside a face is begun with the first, told of each, and closed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.beside import Beside, Host
from companion.game.session import Listener, Session
from companion.log.store import Store
from companion.settings import config as settings
from engine.record import Setup
from tests.companion.talking import FOUR


class Lines(Host):
    """A face that keeps what it is given."""

    def __init__(self) -> None:
        self.posted: list[threading.Thread] = []
        self.shown: list[str] = []

    def post(self, work: object) -> None:
        assert callable(work)
        self.posted.append(threading.current_thread())
        work()

    def note(self, text: str) -> None:
        self.shown.append(text)


class Heard(Listener):
    """An observer, which keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def tell_begun(self, session: Session) -> None:
        self.heard.append(session.name)

    def close(self) -> None:
        self.heard.append("closed")


def test_a_listener_hears_of_every_game_until_the_end(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, config = Heard(), settings.load()
    monkeypatch.setattr("companion.beside.Voice", lambda *_words: heard)
    beside = Beside(Lines(), config)
    with Store(config.games) as store:
        games = [Session.begin(store, Setup("classic_2016", FOUR, "Anna")) for _ in range(2)]
        for game in games:
            beside.attend(game)
        beside.close()
        for game in games:
            game.close()
    assert heard.heard == [*(game.name for game in games), "closed"]


def test_another_thread_speaks_to_people_by_the_game_s_own(home: Path) -> None:
    host = Lines()
    beside = Beside(host, settings.load())
    beside.tell("here")
    other = threading.Thread(target=beside.tell, args=("from afar",))
    other.start()
    other.join()
    assert host.shown == ["here", "from afar"]
    assert host.posted == [other]
