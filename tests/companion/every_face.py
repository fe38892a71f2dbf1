"""A game on every face at once, with a clock that a test turns."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from companion.beside import Beside, Host
from companion.extending import Onlooker
from companion.game.onlooking import Onlookers
from companion.settings import config as settings
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


class EveryFace(Phones):
    """A game of four in lines, with a voice, a phone in every seat, a television and that onlooker
    alone, whatever is installed; Kurt has the crown. It needs the fixture `home`."""

    def __init__(self, folder: Path, onlooker: Onlooker, moves: str = "") -> None:
        self.host, self.spoken = Lines(), list[str]()
        super().__init__(folder, moves, later=self.host.later)
        self.has_phone |= {0, 1, 2, 3}
        self.turn = self.host.turn
        self.beside = Beside(self.host, settings.load())
        setattr(self.beside.voice, "announce", self.spoken.append)  # noqa: B010 - no voice is here
        onlookers = Onlookers({"the onlooker": onlooker}, self._fail, self.host.later)
        self.session.attend(self.beside, self.beside.voice, onlookers)

    def list_said(self, text: str, code: str = "en") -> list[str]:
        """Where that sentence is shown or spoken; `code` is the language of the phones."""
        self.turn(0.0)  # for what was said just now
        said = {
            "lines": self.host.shown,
            "voice": self.spoken,
            "phones": [line.text for line in self.phones.page(0, code).told],
            "television": [line.text for line in self.phones.page(None, code).told],
        }
        return [face for face, lines in said.items() if text in lines]

    @staticmethod
    def _fail(problem: str) -> None:
        raise AssertionError(problem)
