"""A table where everybody has a phone: the rows to touch for a move, and on which phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.game.conversation import Conversation
from companion.game.picks import whose_move
from companion.game.session import Session
from companion.phones.phone_table import PhoneTable
from engine.moves import Move
from engine.record import Setup
from tests.companion.talking import Talk

MOST_TOUCHES = 8  # for one move
UNLISTED = ("income", "city")  # an empty income, and cities not asked for


class Touch(NamedTuple):
    """A row touched on a seat's phone, in the player's own list or the caller's."""

    seat: int
    as_caller: bool
    row: int
    moment: str


class Touching:
    """Finds the touches on phones for a move."""

    phones: PhoneTable
    session: Session

    def find_touches(self, move: Move) -> Iterator[Touch]:
        """The touches for the move, in order: do each before requesting the next. Empty for a move
        that no phone lists."""
        phone = self._find_phone(move)
        if phone is None:
            assert move.verb in UNLISTED, f"no phone offers {move.text}"
            return
        seat, as_caller = phone
        before = self.session.version
        for _touch in range(MOST_TOUCHES):
            row = _find_row(self._talk(seat, as_caller), move)
            yield Touch(seat, as_caller, row, self.phones.page(seat, "fr").moment)
            if self.session.version > before:
                return
        raise AssertionError(f"{move.text} is not made in {MOST_TOUCHES} touches")

    def _find_phone(self, move: Move) -> tuple[int, bool] | None:
        crown = self.session.view.crown
        seats = [(seat, False) for seat in self.session.view.rules.seats]
        for seat, as_caller in [*seats, (crown, True)]:
            rows = self._talk(seat, as_caller).asked.offer.rows
            if any(_is_same(move, one) for row in rows for one in row.moves):
                return seat, as_caller
        return None

    def _talk(self, seat: int, as_caller: bool) -> Conversation:
        return self.phones._caller if as_caller else self.phones._own[seat]


class Phones(Touching, Talk):
    """Plays a game using only phones."""

    def __init__(self, folder: Path, setup: Setup) -> None:
        super().__init__(folder, setup, plays_forced=False)
        self.phones = PhoneTable(lambda: None)
        self.phones.follow(self.conversation, forced=False)

    def play(self, move: Move) -> None:
        """Make the move on the phone of its player, else of the crowned player; one that no phone
        lists is sent through the API."""
        is_touched = False
        for touch in self.find_touches(move):
            self.touch(touch)
            is_touched = True
        if not is_touched:
            maker = whose_move(self.session.view, move)
            assert maker is not None
            self.phones.move(maker, move.text, "fr")

    def touch(self, touch: Touch) -> None:
        """Touch that row."""
        seat, as_caller, row, moment = touch
        self.phones.take(seat, row, moment, "fr", as_caller=as_caller)


def _find_row(talk: Conversation, move: Move) -> int:
    """The row that leads to the move; in a private moment its player's, else the row that ends
    it."""
    rows = talk.asked.offer.rows
    ways = (
        lambda row: any(_is_same(move, one) for one in row.moves),
        lambda row: bool(row.card) and row.card in move.args,
        lambda row: row.word.startswith("end"),
    )
    return next(at for way in ways for at, row in enumerate(rows) if way(row))


def _is_same(move: Move, other: Move) -> bool:
    """Whether the moves are equal; the cards face up have no order."""
    if move.verb == other.verb == "faceup":
        return sorted(move.args) == sorted(other.args)
    return move == other
