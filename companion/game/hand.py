"""The told hand: which cards a player says are in their hand, beside what the game knows.

It is a list, not a rule. The engine counts cards and never knows which; here a seat notes district
ids, and the list follows what everybody sees of that hand. Everything is computed from the moves
and from what that player has said, so it can be computed again for every position of the log.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from common.sentences import Sentence
from companion.log.game_rows import HandRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.moves import Move
    from engine.referee import Referee
    from engine.table import Table

    Events = Sequence[tuple[str, str]]

ADD, REMOVE, FORGET = "add", "remove", "forget"
"""The first words of what is said: the other words are district ids."""

UNDO = "undo"
"""Says that the last change of the list was wrong; what reverses it is stored."""

MOST_ROWS = 50
"""Cards on one list, and changes of it between two moves."""

_ANSWER = "answer"
"""The first word of what earlier versions stored: those cards had left the hand."""


class CannotTell(Exception):
    """What was said of a hand cannot be true; the message says why."""


class Hand(NamedTuple):
    """One seat's list at one position, oldest first: the cards `told` to be in the hand, and those
    `noted` before them. As many as these have gone from the list, and only its player can say
    which: any of all."""

    told: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.noted, *self.told)


Hands = tuple[Hand, ...]
"""The lists of all seats at one position."""


# -- what a player says ---------------------------------------------------------------------------


def tell(hand: Hand, cards: int | None, word: str, district: str) -> Hand:
    """The list after its player, who holds so many `cards` (None: they are not counted), has said
    this. Raises CannotTell."""
    if cards is None:
        raise CannotTell(Sentence("Hands are not counted in this game."))
    match word:
        case "add":
            if len(hand.told) >= cards or len(hand.all) >= MOST_ROWS:
                raise CannotTell(Sentence("All the cards in your hand are listed already."))
            return hand._replace(told=(*hand.told, district))
        case "remove":
            if district not in hand.all:
                raise CannotTell(Sentence("That card is not on your list."))
            return _limit(Hand(_without(hand.all, district)), len(hand.told))
    raise CannotTell(Sentence("A hand takes add or remove."))


def _without(cards: tuple[str, ...], district: str) -> tuple[str, ...]:
    """The cards without the oldest of that name, if there is one."""
    left = list(cards)
    with suppress(ValueError):
        left.remove(district)
    return tuple(left)


def _limit(hand: Hand, most: int) -> Hand:
    """The list when at most so many of the told cards can still be in the hand."""
    extra = max(0, len(hand.told) - most)
    return Hand(hand.told[extra:], (*hand.noted, *hand.told[:extra])) if most > 0 else Hand()


# -- what happens in the game ---------------------------------------------------------------------


class _Change(NamedTuple):
    """What everybody sees a move do to one hand: the card that goes and the one that comes, ""
    for none, and how many others go."""

    gone: str = ""
    gained: str = ""
    unknown: int = 0


def follow(hands: Hands, before: Table, move: Move, after: Table) -> Hands:
    """The lists after a move, as far as everybody sees what it does to hands."""
    if not any(hand.all for hand in hands) or not after.rules.tracks_cities:
        return hands
    new = list(hands)
    if move.verb == "swap":
        magician, other = before.playing.seat, before.seat_named(move.args[0])
        new[magician], new[other] = new[other], new[magician]
        return tuple(new)
    for seat, hand in enumerate(hands):
        change = _find_change(before, move, after, seat)
        if not any(change):
            continue
        if change.gone:
            hand = _limit(Hand(_without(hand.all, change.gone)), len(hand.all) - len(hand.noted))
        left = before.seats[seat].hand - bool(change.gone) - change.unknown
        hand = _limit(hand, left)
        new[seat] = hand._replace(told=(*hand.told, change.gained)) if change.gained else hand
    return tuple(new)


def is_touched(before: Table, move: Move, after: Table, seat: int) -> bool:
    """Whether the move may change which cards are in that hand."""
    if move.verb == "swap":
        return seat in (before.playing.seat, before.seat_named(move.args[0]))
    is_counted = before.seats[seat].hand != after.seats[seat].hand
    return is_counted or any(_find_change(before, move, after, seat))


def _find_change(before: Table, move: Move, after: Table, seat: int) -> _Change:
    had, has = before.seats[seat].hand, after.seats[seat].hand
    is_maker = before.turn is not None and before.playing.seat == seat
    gone, gained, unknown = "", "", 0
    match move.verb:
        case "build" if is_maker and has < had:
            gone = move.args[0]
        case "take" if move.args[1:] and before.seat_named(move.args[0]) == seat:
            gone = move.args[1]
        case "take" if move.args[1:] and is_maker and has > had:
            gained = move.args[1]
        case "rescue" if has > had and before.questions:
            gained = before.questions[-1].about
        case "redraw" if is_maker:
            unknown = int(move.args[0])
        case "divine" if is_maker:
            givers = sum(1 for at, other in enumerate(before.seats) if other.hand and at != seat)
            unknown = min(givers, had)
        case "divine" if had:
            unknown = 1
    missing = had - bool(gone) + bool(gained) - has
    return _Change(gone, gained, max(unknown, missing))


# -- every position of the log --------------------------------------------------------------------


def list_positions(events: Events) -> list[int]:
    """The position of each move in force: the number of the event that played it, from 1. An undone
    and redone move keeps its position, another one in its place gets its own."""
    positions: list[int] = []
    undone: list[int] = []
    for number, (kind, _text) in enumerate(events, start=1):
        if kind == "move":
            positions.append(number)
            undone.clear()
        elif kind == "undo" and positions:
            undone.append(positions.pop())
        elif kind == "redo" and undone:
            positions.append(undone.pop())
    return positions


class _State(NamedTuple):
    """The lists after the move at a position, and for each seat the position since which no move
    has touched its hand: what its player says belongs there."""

    position: int
    hands: Hands
    since: tuple[int, ...]


class Notebook:
    """The told hands of one game at its current position, and what is said of them."""

    def __init__(
        self, referee: Referee, events: Callable[[], Events], rows: Callable[[], list[HandRow]]
    ) -> None:
        """`events` gives the log of the referee's game, `rows` what was said in it."""
        self._referee, self._events, self._rows = referee, events, rows
        self._states: list[_State] = []
        self.adding: set[int] = set()
        """The seats where every district touched is added to the told hand."""

    def of(self, seat: int) -> Hand:
        return self._find_state().hands[seat]

    def count_cards(self, seat: int) -> int | None:
        """The cards in that hand; None if they are not counted, or nobody has that seat: a reader
        may be set to one that this game does not have."""
        table = self._referee.table
        counts = table.rules.tracks_cities and seat < len(table.seats)
        return table.seats[seat].hand if counts else None

    def read(self, seat: int, word: str, district: str) -> HandRow:
        """What that seat's player says now, as a row. Raises CannotTell, and changes nothing, if it
        cannot be true."""
        state, said = self._find_state(), self._list_said(seat)
        if word == UNDO:
            change = self.find_last(seat)
            if change is None:
                raise CannotTell(Sentence("Nothing has changed on your list since your hand did."))
            last, district = change
            word = REMOVE if last == ADD else ADD
        if district not in self._referee.table.rules.districts:
            raise CannotTell(Sentence("There is no such district in this game."))
        if len(said) >= MOST_ROWS:
            raise CannotTell(
                Sentence("That list has changed too often; go on when your hand has changed.")
            )
        tell(state.hands[seat], self.count_cards(seat), word, district)
        return HandRow(seat, state.since[seat], f"{word} {district}")

    def find_last(self, seat: int) -> tuple[str, str] | None:
        """The last change of that seat's list since its hand has changed: its word and its
        district; None if there is none."""
        said = self._list_said(seat)
        last, _space, district = said[-1].text.partition(" ") if said else ("", "", "")
        return (last, district) if last in (ADD, REMOVE) else None

    def _list_said(self, seat: int) -> list[HandRow]:
        """What was said at that seat since its hand has changed."""
        since = self._find_state().since[seat]
        return [row for row in self._rows() if (row.seat, row.position) == (seat, since)]

    def forget(self, seat: int) -> HandRow:
        """Everything that was said at that seat up to now is no longer shown there, as a row."""
        return HandRow(seat, len(self._events()), FORGET)

    def renew(self, row: HandRow) -> None:
        """Take a row that was added into account."""
        since = 0 if row.text == FORGET else row.position
        while self._states and self._states[-1].position >= since:
            self._states.pop()

    def _find_state(self) -> _State:
        moments = self._referee.list_latest()
        games = list_positions(self._events())
        # A referee may begin in the middle of a game.
        positions = [0, *games[len(games) - len(moments) :]]
        while self._states and (
            len(self._states) > len(positions)
            or self._states[-1].position != positions[len(self._states) - 1]
        ):
            self._states.pop()
        if not self._states:
            seats = self._referee.table.rules.seats
            start = _State(0, tuple(Hand() for _seat in seats), tuple(0 for _seat in seats))
            self._states.append(self._note_rows(start, self._referee.start))
        for place in range(len(self._states), len(positions)):
            before, move, after = moments[place - 1]
            self._states.append(self._step(positions[place], before, move, after))
        return self._states[-1]

    def _step(self, position: int, before: Table, move: Move, after: Table) -> _State:
        was = self._states[-1]
        hands = list(follow(was.hands, before, move, after))
        if move.verb == "swap":
            for seat, until in self.list_forgotten().items():
                if position <= until and is_touched(before, move, after, seat):
                    hands[seat] = Hand()
        since = tuple(
            position if is_touched(before, move, after, seat) else at
            for seat, at in enumerate(was.since)
        )
        return self._note_rows(_State(position, tuple(hands), since), after)

    def list_forgotten(self) -> dict[int, int]:
        """The position up to which each seat's hand is forgotten."""
        return {row.seat: row.position for row in self._rows() if row.text == FORGET}

    def _note_rows(self, state: _State, table: Table) -> _State:
        """The state with what was said at its position and not forgotten."""
        hands = list(state.hands)
        told: list[HandRow] = []
        for row in self._rows():
            if row.text == FORGET:
                told = [other for other in told if other.seat != row.seat]
            elif row.position == state.position:
                told.append(row)
        for seat, _position, text in told:
            word, *districts = text.split()
            for district in districts:
                with suppress(CannotTell):  # of a log written by hand
                    said = REMOVE if word == _ANSWER else word
                    hands[seat] = tell(hands[seat], table.seats[seat].hand, said, district)
        return state._replace(hands=tuple(hands))
