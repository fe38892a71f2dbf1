"""A game on every face at once, with a clock that a test turns."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

from companion.beside import Beside, Host
from companion.extending import Onlooker
from companion.game.onlooking import Onlookers
from companion.settings import config as settings
from companion.setup import PlayOptions
from tests.app.driving import DrivenApp, Driver
from tests.companion.phone_seats import Phones


class Lines(Host):
    """A face that keeps what it is given; for it, time passes when it is turned."""

    def __init__(self) -> None:
        self.posted: list[threading.Thread] = []
        self.shown: list[str] = []
        self._now = 0.0
        self._due: dict[Callable[[], None], float] = {}

    def post(self, work: Callable[[], None]) -> None:
        self.posted.append(threading.current_thread())
        work()

    def note(self, text: str) -> None:
        self.shown.append(text)

    def later(self, seconds: float, work: Callable[[], None]) -> Callable[[], object]:
        self._due[work] = self._now + seconds
        return lambda: self._due.pop(work, None)

    def turn(self, seconds: float) -> None:
        """Let so much time pass."""
        self._now += seconds
        while work := next((work for work, at in self._due.items() if at <= self._now), None):
            del self._due[work]
            work()


ALL = ["lines", "screen", "voice", "phones", "television"]
"""The faces on which something can be said to everybody."""


@asynccontextmanager
async def start_every_face(
    home: Path, onlooker: Onlooker, moves: str = ""
) -> AsyncIterator[EveryFace]:
    """A game of four on every face, after these moves, with that onlooker alone, whatever is
    installed; Kurt has the crown. `home` is the fixture."""
    game = EveryFace(home / "data", moves)
    onlookers = Onlookers({"the onlooker": onlooker}, _fail, game.host.later)
    with patch.object(Onlookers, "open", lambda *_words: onlookers):
        async with game.app.run_test() as pilot:
            game.screen = Driver(game.app, pilot)
            await game.screen.settle()
            yield game


class EveryFace(Phones):
    """A game in lines, on the full screen, on a phone in every seat and the television, and in a
    voice. `play` is done on the phone of a seat."""

    screen: Driver

    def __init__(self, folder: Path, moves: str) -> None:
        self.host, self.spoken = Lines(), list[str]()
        super().__init__(folder, moves, later=self.host.later)
        self.has_phone |= {0, 1, 2, 3}
        self.turn = self.host.turn
        config = settings.load(options={"reader": "none"})
        self.app = DrivenApp(self.store, config, PlayOptions(), self.session)
        setattr(self.app.voice, "announce", self.spoken.append)  # noqa: B010 - no voice is here
        self.session.attend(Beside(self.host, config))

    async def list_said(self, text: str, code: str = "en") -> list[str]:
        """Where that sentence is shown or spoken; `code` is the language of the phones."""
        self.turn(0.0)  # for what was said just now
        await self.screen.settle()
        said = {
            "lines": self.host.shown,
            "screen": [line.strip() for line in self.screen.rows()],
            "voice": self.spoken,
            "phones": [line.text for line in self.phones.page(0, code).told],
            "television": [line.text for line in self.phones.page(None, code).told],
        }
        return [face for face, lines in said.items() if text in lines]


def _fail(problem: str) -> None:
    raise AssertionError(problem)
