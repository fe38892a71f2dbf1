"""The keys that make a move on the full screen, list by list."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion import language
from companion.game import Row
from companion.game.conversation import Conversation
from companion.game.modes import MODES
from companion.game.session import Session
from companion.log.store import Store
from engine.moves import Move
from engine.record import Setup
from tests.companion.talking import Notebook

LATIN, CYRILLIC = "abcdefghijklmnopqrstuvwxyz", "фисвуапршолдьтщзйкыегмцчня"


def keyboard(keys: list[str]) -> list[str]:
    """The keys as sent by a keyboard of the current language, without switching layouts."""
    own = str.maketrans(LATIN, CYRILLIC) if language.current() == "ru" else {}
    return [key.translate(own) if len(key) == 1 else key for key in keys]


class Typist:
    """Plays the same game alongside and finds the keys of each move, as named by tmux."""

    def __init__(self, session: Session) -> None:
        self.talk = Conversation(session, Notebook(), MODES, plays_forced=False)

    def keys_to(self, move: Move) -> list[str]:
        """Play the move by its row's letter or number, or by a typed line if no row leads to it."""
        names: list[str] = []
        before = len(self.talk.session.referee.moves)
        while len(self.talk.session.referee.moves) == before:
            row = next(
                (row for row in self.talk.asked.offer.rows if leads_to(self.talk, row, move)), None
            )
            if row is None:
                self.follow(move)
                return [":", move.text, "Enter"]
            keys = keys_of(self.talk, row)
            for key in keys:
                self.talk.press(key.lower() if len(key) > 1 else key)
            names += keys
        return names

    def numbers_to(self, move: Move) -> list[str]:
        """Play the move by its rows' numbers, digit by digit, with `enter` if more could follow."""
        names: list[str] = []
        before = len(self.talk.session.referee.moves)
        while len(self.talk.session.referee.moves) == before:
            keys = digits_to(self.talk, move)
            for key in keys:
                self.talk.press(key)
            names += keys
        return names

    def follow(self, move: Move) -> None:
        """Play a move made in another way."""
        self.talk.play(move, sure=True)


def leads_to(talk: Conversation, row: Row, move: Move) -> bool:
    if talk.chooser is not None and not talk.chooser:
        return row.card == move.args[0]
    same = any(new_move.text == move.text for new_move in row.moves)
    return same or (move.text == "end" and row.word == "end_anyway")


def keys_of(talk: Conversation, row: Row) -> list[str]:
    """The keys that select the row: its letter, or its number, with Enter if digits could
    follow."""
    if row.key and not talk.top.searches(*keyboard([row.key])):
        return [row.key]
    number = str(row.number)
    others = [str(other.number) for other in talk.asked.offer.rows]
    longer = any(other.startswith(number) and other != number for other in others)
    return [*number, *(["Enter"] if longer else [])]


def digits_to(talk: Conversation, move: Move) -> list[str]:
    """The digits of the row that leads to the move, and `enter`."""
    row = next(row for row in talk.asked.offer.rows if leads_to(talk, row, move))
    return [key.lower() for key in keys_of(talk, row._replace(key=""))]


@contextmanager
def typist(setup: Setup) -> Iterator[Typist]:
    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "g.sqlite3")) as store:
        session = Session.begin(store, setup)
        yield Typist(session)
        session.close()
