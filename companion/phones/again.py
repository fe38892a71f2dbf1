"""Playing again after the end: every phone is asked, and the next game begins once all want it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.language import _, listing, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game.talk import Talk

AGAIN, REMATCH = "again", "rematch"


class Vote(NamedTuple):
    """How many want to play again, who does in sentences, and whether the page's player does."""

    number: int
    counted: str  # "2 of 4 want to play again."
    waiting: str  # "Waiting for Mia and Ben."; "" if nobody with a phone is missing
    own: bool


class Votes:
    """The seats whose players want to play again with the same names. Call `attend` with each
    game."""

    def __init__(self, has_phone: Callable[[int], bool]) -> None:
        """`has_phone` knows which seats have one. Set `on_vote` to be called after each vote."""
        self._has_phone = has_phone
        self.on_vote: Callable[[], None] = lambda: None
        self._seats: set[int] = set()

    def attend(self, table: Talk) -> None:
        """Ask anew, at the end of the game of the table's own conversation."""
        self._table = table
        self._seats.clear()

    @property
    def count(self) -> int:
        """The number of votes."""
        return len(self._seats)

    def _list_missing(self) -> list[str]:
        names = self._table.view.rules.player_names
        return [
            name
            for seat, name in enumerate(names)
            if self._has_phone(seat) and seat not in self._seats
        ]

    def take_from(self, seat: int) -> Callable[[str, str], bool]:
        """What does the words of that seat's phone."""
        return lambda word, _rest: self._do(seat, word)

    def _do(self, seat: int, word: str) -> bool:
        """Take the vote of that seat's phone; whether the word is one. Once all have voted, the
        game begins, if the player with the crown is among them; otherwise the table is told."""
        if word != AGAIN or not self._table.session.over:
            return False
        self._seats.add(seat)
        self.on_vote()
        if not self._list_missing():
            if self._table.view.crown in self._seats:
                return self._table.face.do(REMATCH, "")
            self._table.say("note", _("Everybody with a phone wants to play again."))
        return True

    def tell(self, seat: int | None) -> Vote | None:
        """What the page of that seat shows; None before the end."""
        if not self._table.session.over:
            return None
        names = self._table.view.rules.player_names
        text = plural(
            "{number} of {all} wants to play again.",
            "{number} of {all} want to play again.",
            len(self._seats),
            all=len(names),
        )
        missing = self._list_missing()
        waiting = _("Waiting for {names}.").format(names=listing(missing)) if missing else ""
        return Vote(len(self._seats), text, waiting, seat in self._seats)
