"""The told hand: which cards a player says are in their hand, beside what the game knows.

It is a notebook, not a rule. The engine counts cards and never knows which; here a seat notes
district ids, follows what everybody sees of its hand, and asks that player alone about the rest.
Everything is computed from the moves and from what that player has said, so it can be computed
again for every position of the log.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from common import NamedTuple
from common.sentences import Sentence
from companion.log.game_rows import HandRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.moves import Move
    from engine.referee import Referee
    from engine.table import Table

    Events = Sequence[tuple[str, str]]

ADD, REMOVE, ANSWER, FORGET = "add", "remove", "answer", "forget"
"""The first words of what is said: the other words are district ids."""


class CannotTell(Exception):
    """What was said of a hand cannot be true; the message says why."""


class CardQuestion(NamedTuple):
    """Which cards went: `number` of them, by a move with that verb, the `place`-th of the game.

    `among` are the told cards that it may be; `least` of them must have gone. `aside` are those
    that do not fit into the hand until it is answered.
    """

    verb: str
    place: int
    number: int
    among: tuple[str, ...]
    least: int
    aside: tuple[str, ...] = ()


class Hand(NamedTuple):
    """One seat's notebook at one position: the `told` cards, oldest first, the open questions, and
    the cards `lowered` because nobody said what became of them; `begun` once anything was said."""

    told: tuple[str, ...] = ()
    questions: tuple[CardQuestion, ...] = ()
    lowered: tuple[str, ...] = ()
    begun: bool = False

    @property
    def question(self) -> CardQuestion | None:
        """The open question, the oldest if there are several."""
        return self.questions[0] if self.questions else None


Hands = tuple[Hand, ...]
"""The notebooks of all seats at one position."""


# -- what a player says ---------------------------------------------------------------------------


def tell(hand: Hand, cards: int | None, word: str, districts: Sequence[str]) -> Hand:
    """The notebook after its player, who holds so many `cards` (None: they are not counted), has
    said this. Raises CannotTell."""
    if cards is None:
        raise CannotTell(Sentence("Hands are not counted in this game."))
    hand = hand._replace(lowered=(), begun=True)
    match word:
        case "add":
            if len(hand.told) + len(districts) > cards:
                raise CannotTell(Sentence("All the cards in your hand are listed already."))
            return hand._replace(told=(*hand.told, *districts))
        case "remove":
            left = list(hand.told)
            for district in districts:
                if district not in left:
                    raise CannotTell(Sentence("That card is not on your list."))
                left.remove(district)
            return hand._replace(told=tuple(left))
        case "answer":
            return _answer(hand, cards, districts)
    raise CannotTell(Sentence("A hand takes add, remove or answer."))


def _answer(hand: Hand, cards: int, districts: Sequence[str]) -> Hand:
    """Those cards went; the others that went had not been told."""
    if not hand.questions:
        raise CannotTell(Sentence("Nothing is asked about your hand."))
    question, *others = hand.questions
    pool = [*question.aside, *hand.told]
    if len(districts) > question.number:
        raise CannotTell(Sentence("Fewer cards than that have left your hand."))
    if len(districts) < question.least:
        raise CannotTell(Sentence("More of the cards you listed must have left your hand."))
    for district in districts:
        if district not in pool:
            raise CannotTell(Sentence("That card is not on your list."))
        pool.remove(district)
    if len(pool) > cards:
        raise CannotTell(Sentence("More of the cards you listed must have left your hand."))
    return hand._replace(told=tuple(pool), questions=tuple(others))


# -- what happens in the game ---------------------------------------------------------------------


class _Change(NamedTuple):
    """What a move does to one hand: cards known to go and to come, and how many others go."""

    gone: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    unknown: int = 0


_NONE = _Change()


def follow(hands: Hands, before: Table, move: Move, after: Table, place: int) -> Hands:
    """The notebooks after the `place`-th move, as far as everybody sees what it does to hands."""
    if not after.rules.counts_cards or not any(hand.begun for hand in hands):
        return hands
    if after.stage == "over":
        return tuple(_expire(hand, place)._replace(lowered=()) for hand in hands)
    new = list(hands)
    if move.verb == "swap":
        _exchange(new, before, move, place)
    for seat, hand in enumerate(new):
        if hand.questions and move.verb in ("end", "reveal"):
            # what the turn's last move asks is open until the next turn begins
            hand = _expire(hand, place - 1 if move.verb == "end" else place)
        change = _find_change(before, move, after, seat)
        if hand.begun and change != _NONE:
            cards = before.seats[seat].hand
            hand = _apply(hand, change, move, place, cards, after.seats[seat].hand)
        new[seat] = hand
    return tuple(new)


def is_touched(before: Table, move: Move, after: Table, seat: int) -> bool:
    """Whether the move may change which cards are in that hand."""
    if move.verb == "swap":
        return seat in (before.playing.seat, before.seat_named(move.args[0]))
    is_drawn = before.seats[seat].hand != after.seats[seat].hand
    return is_drawn or _find_change(before, move, after, seat) != _NONE


def _exchange(hands: list[Hand], before: Table, move: Move, place: int) -> None:
    """Both notebooks go with the cards."""
    mine, theirs = before.playing.seat, before.seat_named(move.args[0])
    one, other = (_expire(hands[seat], place) for seat in (mine, theirs))
    is_begun = one.begun or other.begun
    hands[mine], hands[theirs] = other._replace(begun=is_begun), one._replace(begun=is_begun)


def _find_change(before: Table, move: Move, after: Table, seat: int) -> _Change:
    had, has = before.seats[seat].hand, after.seats[seat].hand
    is_maker = before.turn is not None and before.playing.seat == seat
    cards_gone: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    unknown = 0
    match move.verb:
        case "swap":
            return _NONE
        case "build" if is_maker and has < had:
            cards_gone = move.args[:1]
        case "take" if move.args[1:] and before.seat_named(move.args[0]) == seat:
            cards_gone = (move.args[1],)
        case "take" if move.args[1:] and is_maker and has > had:
            cards = (move.args[1],)
        case "rescue" if has > had and before.questions:
            cards = (before.questions[-1].about,)
        case "redraw" if is_maker:
            unknown = int(move.args[0])
        case "divine" if is_maker:
            givers = sum(1 for at, other in enumerate(before.seats) if other.hand and at != seat)
            unknown = min(givers, had)
        case "divine" if had:
            unknown = 1
    missing = had - len(cards_gone) + len(cards) - has
    return _Change(cards_gone, cards, max(unknown, missing))


def _apply(
    hand: Hand, change: _Change, move: Move, place: int, cards_held: int, cards: int
) -> Hand:
    """The notebook of a hand of `cards_held` cards after that change, with `cards` now."""
    cards_told, asides = list(hand.told), [list(question.aside) for question in hand.questions]
    for district in change.gone:
        where = next((cards for cards in (cards_told, *asides) if district in cards), None)
        if where is not None:
            where.remove(district)
    pairs = zip(hand.questions, asides, strict=True)
    questions = [question._replace(aside=tuple(aside)) for question, aside in pairs]
    left = cards_held - len(change.gone) - change.unknown  # of the cards held before
    if left <= 0:
        cards_told, questions = [], []
    elif change.unknown and cards_told:
        extra = max(0, len(cards_told) - left)
        among = tuple(cards_told)
        questions.append(
            CardQuestion(move.verb, place, change.unknown, among, extra, among[:extra])
        )
        cards_told = cards_told[extra:]
    cards_told += change.gained
    extra = max(0, len(cards_told) - cards)
    names = (*hand.lowered, *cards_told[:extra])
    return hand._replace(told=tuple(cards_told[extra:]), questions=tuple(questions), lowered=names)


def _expire(hand: Hand, until: int) -> Hand:
    """Lower what is told by the cards of the questions asked before that move, oldest first: nobody
    has said which they are."""
    cards, names = list(hand.told), list(hand.lowered)
    for question in hand.questions:
        if question.place >= until:
            continue
        names += question.aside
        unsure = Counter(question.among) - Counter(question.aside)
        for district in [d for d in cards if d in unsure][: question.number - len(question.aside)]:
            cards.remove(district)
            names.append(district)
    still_open = tuple(question for question in hand.questions if question.place >= until)
    return hand._replace(told=tuple(cards), questions=still_open, lowered=tuple(names))


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
    """The notebooks after the move at a position, and for each seat the position since which no
    move has touched its hand: what its player says belongs there."""

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
        """That seat's notebook now."""
        return self._find_state().hands[seat]

    def count_cards(self, seat: int) -> int | None:
        """The cards in that hand; None if they are not counted, or nobody has that seat: a reader
        may be set to one that this game does not have."""
        table = self._referee.table
        counts = table.rules.counts_cards and seat < len(table.seats)
        return table.seats[seat].hand if counts else None

    def read(self, seat: int, word: str, districts: Sequence[str]) -> HandRow:
        """What that seat's player says now, as a row. Raises CannotTell, and changes nothing, if it
        cannot be true."""
        state = self._find_state()
        unknown = [d for d in districts if d not in self._referee.table.rules.districts]
        if unknown:
            raise CannotTell(Sentence("There is no such district in this game."))
        tell(state.hands[seat], self.count_cards(seat), word, districts)
        return HandRow(seat, state.since[seat], " ".join((word, *districts)))

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
            self._states.append(self._step(place, positions[place], before, move, after))
        return self._states[-1]

    def _step(self, place: int, position: int, before: Table, move: Move, after: Table) -> _State:
        was = self._states[-1]
        hands = list(follow(was.hands, before, move, after, place))
        if move.verb == "swap":
            for seat, until in self._list_forgotten().items():
                if position <= until and is_touched(before, move, after, seat):
                    hands[seat] = Hand()
        since = tuple(
            position
            if hands[seat] != was.hands[seat] or is_touched(before, move, after, seat)
            else at
            for seat, at in enumerate(was.since)
        )
        return self._note_rows(_State(position, tuple(hands), since), after)

    def _list_forgotten(self) -> dict[int, int]:
        """The position up to which each seat's hand is forgotten."""
        return {row.seat: row.position for row in self._rows() if row.text == FORGET}

    def _note_rows(self, state: _State, table: Table) -> _State:
        """The state with what was said at its position and not forgotten."""
        hands = list(state.hands)
        entries: list[HandRow] = []
        for row in self._rows():
            if row.text == FORGET:
                entries = [other for other in entries if other.seat != row.seat]
            elif row.position == state.position:
                entries.append(row)
        for seat, _position, text in entries:
            word, *districts = text.split()
            with suppress(CannotTell):  # of a log written by hand
                hands[seat] = tell(hands[seat], table.seats[seat].hand, word, districts)
        return state._replace(hands=tuple(hands))
