"""Who hears of games beside a face is begun with the first, told of each, and closed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest

from common.sentences import Sentence
from companion.beside import Beside, Host
from companion.extending import Onlooker, Seen
from companion.game.session import Listener, Session
from companion.language import listing
from companion.log.store import Store
from companion.settings import config as settings
from engine.record import Setup
from tests.companion.every_face import ALL, Lines, start_every_face
from tests.companion.phone_seats import ANNAS_TURN, SELECTED
from tests.companion.talking import FOUR
from tests.waiting import PATIENCE


class Heard(Listener):
    """An observer, which keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def tell_begun(self, session: Session) -> None:
        self.heard.append(session.name)

    def tell_closed(self) -> None:
        self.heard.append("closed")

    def close(self) -> None:
        self.heard.append("ended")


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
            game.close()
        beside.close()
    assert heard.heard == [games[0].name, "closed", games[1].name, "closed", "ended"]


def test_another_thread_speaks_to_people_by_the_game_s_own(home: Path) -> None:
    host = Lines()
    beside = Beside(host, settings.load())
    beside.tell("here")
    other = threading.Thread(target=beside.tell, args=("from afar",))
    other.start()
    other.join()
    assert host.shown == ["here", "from afar"]
    assert host.posted == [other]


def test_what_is_to_be_done_later_is_done_by_the_game_s_own_thread(home: Path) -> None:
    class Posted(Host):
        works: SimpleQueue[Callable[[], None]] = SimpleQueue()

        def post(self, work: Callable[[], None]) -> None:
            self.works.put(work)

    host, done = Posted(), list[str]()
    end = host.later(0.0, lambda: done.append("ended"))
    late = host.works.get(timeout=PATIENCE)
    end()  # when it was posted already
    late()
    host.later(0.0, lambda: done.append("later"))
    host.works.get(timeout=PATIENCE)()
    assert done == ["later"]


async def test_what_is_said_to_everybody_is_said_on_every_face(home: Path) -> None:
    onlooker = Onlooker()
    async with start_every_face(home, onlooker, ANNAS_TURN) as game:
        onlooker.say(Sentence("Waiting for {names}.", names="Anna"))
        assert await game.list_said("Waiting for Anna.") == ALL
        assert await game.list_said("Es fehlen noch: Anna.", "de") == ["phones", "television"]
        game.play(0, "gold")
        told = [line.text for line in game.page(None).told]
        assert told.index("Waiting for Anna.") < told.index("Anna takes 2 gold.")
        game.session.undo()
        game.session.undo()
        assert "Waiting for Anna." not in [line.text for line in game.page(None).told]


class Patient(Onlooker):
    """Says after ten seconds for whom the game waits."""

    quiet = 10.0

    def see_quiet(self, seen: Seen) -> None:
        self.say(Sentence("Waiting for {names}.", names=listing(seen.awaited)))


async def test_an_onlooker_sees_the_quiet_once_and_whom_everybody_waits_for(home: Path) -> None:
    async with start_every_face(home, Patient(), SELECTED) as game:
        game.play(0, "choose Anna king")
        game.turn(9)
        game.play(1, "choose Kurt thief")  # of which everybody hears
        game.turn(9)
        assert game.host.shown == []
        game.turn(2)
        assert await game.list_said("Waiting for Ashley and Ben.") == ALL
        game.turn(60)
        assert len(game.host.shown) == 1
        game.session.close()
        game.turn(60)
        assert len(game.host.shown) == 1
