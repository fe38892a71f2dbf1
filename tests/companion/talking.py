"""A conversation with a face that records its output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.extending import list_words
from companion.game import Message, Offer, Row, ending
from companion.game.asking import narrow
from companion.game.conversation import Conversation
from companion.game.ending import Part
from companion.game.modes import MODES
from companion.game.session import Session
from companion.log import records
from companion.log.store import Store
from engine.moves import Move
from engine.record import Setup

FOUR = ("Anna", "Kurt", "Ashley", "Ben")
SHORT = records.read(str(Path(__file__).parents[1] / "games" / "short_game.yaml")).record
SHORT_GAME = {
    "players": SHORT.setup.players,
    "crown": SHORT.setup.crown,
    "options": SHORT.setup.options,
}
"""The start of the short game."""


class Silent:
    """A voice that says nothing."""

    def __getattr__(self, _name: str) -> Any:
        return lambda *_words, **_more: False


class Notebook:
    """A face that records what is said, and the words left for it to handle."""

    def __init__(self) -> None:
        self.voice: Any = Silent()
        self.messages: list[Message] = []
        self.asked_to_do: list[str] = []

    def say(self, message: Message) -> None:
        self.messages.append(message)

    def do(self, word: str, rest: str) -> bool:
        self.asked_to_do.append(word)
        return False


class Talk:
    """A game driven by keys and typed lines."""

    def __init__(self, folder: Path, setup: Setup, moves: str = "", **how: Any) -> None:
        self.store = Store(str(folder / "games.sqlite3"))
        self.session = Session.begin(self.store, setup)
        self.face = Notebook()
        self.conversation = Conversation(
            self.session, self.face, MODES, list_more=list_words, **how
        )
        for move in filter(None, map(str.strip, moves.split(";"))):
            self.session.play(move)

    def play_out(self) -> None:
        """Play the short game, its last move through the conversation."""
        *moves, last = SHORT.moves
        for move in moves:
            self.session.play(move)
        self.face.messages.clear()
        self.conversation.play(last, sure=True)

    def keys(self, keys: str) -> list[str]:
        """Press keys, separated by spaces; returns what was said."""
        self.face.messages.clear()
        for key in keys.split():
            self.conversation.press(key)
        return self.lines()

    def line(self, text: str) -> list[str]:
        """Type a line; returns what was said."""
        self.face.messages.clear()
        self.conversation.line(text)
        return self.lines()

    def lines(self) -> list[str]:
        """Every line said since the last keys or line."""
        return [line for message in self.face.messages for line in message.lines]

    @property
    def offer(self) -> Offer:
        """The current rows."""
        return self.conversation.asked.offer

    @property
    def parts(self) -> list[Part]:
        """The parts of the scores that are not told yet."""
        parts = ending.parts(self.session)
        return parts[len(parts) - self.session.parts_left :]

    def row(self, label: str) -> Row:
        """The row with that label prefix."""
        return next(row for row in self.offer.rows if row.label.startswith(label))

    def moves(self) -> list[str]:
        """The moves so far."""
        return [move.text for move in self.session.referee.moves]

    def close(self) -> None:
        self.session.close()
        self.store.close()


Begin = Callable[..., Talk]
"""The fixture `begin`."""


def find_reachable(talk: Talk) -> set[Move]:
    """Every public move that picking rows can play now; checks that the rows' numbers and
    labels are unique."""
    reachable: set[Move] = set()
    offers = [talk.offer]
    while offers:
        offer = offers.pop()
        labels = [row.label for row in offer.rows if row.moves]
        for each in ([row.number for row in offer.rows], labels):
            assert len(each) == len(set(each)), offer
        for row in offer.rows:
            if row.private:
                continue
            if len(row.moves) == 1:
                reachable.add(row.moves[0])
            elif row.moves:
                offers.append(narrow(talk.session.view, row.moves))
    return reachable
