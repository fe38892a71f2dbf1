"""A phone as a face of the conversation, and on which phones characters were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.game import TableVoice, awaiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game import Message
    from companion.game.session import Session
    from engine.moves import Move
    from engine.table import Table


class Recorded:
    """The seats whose characters of this round were recorded on the player's own phone.

    Only that they were: whether two players have recorded the same character must not show.
    """

    def __init__(self, table: Table, state: Any, keep: Callable[[dict[str, Any]], None]) -> None:
        """`keep` saves what must survive a restart: which seats recorded, never a character.
        `state` is what was saved before; `table` is the current true table."""
        self._keep = keep
        self._round = 0
        self._seats: set[int] = set()
        state = state if isinstance(state, dict) else {}
        seats = state.get("seats")
        if state.get("round") == table.round and isinstance(seats, list):
            self._round = table.round
            self._seats = {seat for seat in table.rules.seats if seat in seats}

    def note(self, table: Table, move: Move, phone: int | None) -> None:
        """Note a move that was played on that seat's phone, or elsewhere (None); `table` is the
        table after it."""
        if move.verb != "choose":
            return
        if table.round != self._round:
            self._round, self._seats = table.round, set()
        before, seat = set(self._seats), table.seat_named(move.args[0])
        (self._seats.add if seat == phone else self._seats.discard)(seat)
        if self._seats != before:
            self._save()

    def has(self, round_: int, seat: int) -> bool:
        """Whether that seat's player has recorded on their own phone in that round."""
        return round_ == self._round and seat in self._seats

    def forget(self, seat: int) -> None:
        """Forget what was recorded at that seat, for somebody else to sit there."""
        self._seats.discard(seat)
        self._save()

    def _save(self) -> None:
        self._keep({"round": self._round, "seats": sorted(self._seats)})

    def is_complete(self, session: Session) -> bool:
        """Whether all players have recorded their characters of this round on their own phones.
        What has been dropped since counts: only its owner is told."""
        table = session.referee.table
        if table.round != self._round or not self._seats.issuperset(table.rules.seats):
            return False
        if table.rules.picks > 1 and table.marks.theater_used:
            return False  # the exchange has dropped the records of two players
        return all(awaiting.list_chosen(session))


# -- a phone as a face of the conversation --------------------------------------------------------


class PhoneFace:
    """The `companion.game.Face` of one phone."""

    def __init__(self, do: Callable[[str, str], bool] = lambda word, rest: False) -> None:
        """`do` does words that only the table's own face can do; it returns whether it could."""
        self.do = do
        self.voice = TableVoice()
        self.messages: list[Message] = []  # since the last action on this phone

    def say(self, message: Message) -> None:
        """Keep it, unless it is a list: the page renders the rows anyway."""
        if message.kind != "list":
            self.messages.append(message)
