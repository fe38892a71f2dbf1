"""The rows of a page: what its player can do now, sorted for a thumb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.named_tuples import NamedTuple
from companion.game import telling
from companion.game.hand import Hand
from companion.language import district_type
from engine.cards import DISTRICT_TYPES
from engine.rules.building import price

if TYPE_CHECKING:
    from companion.game.asking import Row
    from companion.game.conversation import Conversation
    from engine.table import Table

_ELSEWHERE = ("recap", "bgstats", "share")
"""Words whose rows a phone leaves out: the scores have links and a button for them."""


class Choice(NamedTuple):
    """A row of the page: `row` is its index, `card` the id of its card. A row that it `can` not
    take now is answered with the reason; for a district to build, `cost` is its price and `short`
    the gold that is missing."""

    row: int
    label: str
    number: int | None
    can: bool
    card: str
    type: str = ""  # of a district to build
    cost: int = 0
    short: int = 0
    is_held: bool = False  # told as a card of the player's hand
    ends: bool = False  # the turn


class Group(NamedTuple):
    """Districts to build of one type."""

    type: str
    name: str
    rows: tuple[Choice, ...]


class Choices(NamedTuple):
    """Rows, the question they answer, and whether there is a step to go back."""

    question: str
    rows: tuple[Choice, ...]
    back: bool

    @property
    def plain(self) -> tuple[Choice, ...]:
        """The rows that build nothing and do not end the turn."""
        return tuple(row for row in self.rows if not row.type and not row.ends)

    @property
    def held(self) -> tuple[Choice, ...]:
        """The districts that the player has told, those that can be paid first."""
        return tuple(row for row in self.rows if row.is_held)

    @property
    def types(self) -> tuple[Group, ...]:
        """The other districts by type, in each those that can be built first."""
        groups = []
        for type_ in DISTRICT_TYPES:
            rows = [row for row in self.rows if row.type == type_ and not row.is_held]
            if rows:
                rows.sort(key=lambda row: not row.can)
                groups.append(Group(type_, district_type(type_), tuple(rows)))
        return tuple(groups)

    @property
    def end(self) -> Choice | None:
        """The row that ends the turn."""
        return next((row for row in self.rows if row.ends), None)


def draw(talk: Conversation, view: Table, hand: Hand | None = None) -> Choices:
    """What a conversation asks and offers now; `hand` is what its player has told."""
    question = talk.asked
    offers = [(at, row) for at, row in enumerate(question.offer.rows) if row.word not in _ELSEWHERE]
    rows = [_draw_row(at, row, view, hand) for at, row in offers]
    if hand is not None and hand.told and any(row.is_held for row in rows):
        rows.sort(key=lambda row: telling.sort_key(view, hand, row.card) if row.type else (0, -1))
    return Choices(question.question, tuple(rows), _can_go_back(talk))


def draw_callers(talk: Conversation, seat: int | None, view: Table) -> Choices:
    """What the caller can do for the table, without the crowned player's choices as a player."""
    question = talk.asked
    is_own_turn = talk.view.stage not in ("selection", "calling", "over") and question.seat == seat
    choices = draw(talk, view)
    return choices._replace(rows=()) if is_own_turn and not question.private else choices


def _draw_row(at: int, row: Row, view: Table, hand: Hand | None) -> Choice:
    is_district = row.card in view.rules.districts
    card = row.card if is_district or row.card in view.rules.characters else ""
    choice = Choice(
        *(at, row.label, row.number, row.why is None, card),
        ends=[move.text for move in row.moves] == ["end"],
    )
    if not is_district or view.turn is None or view.questions or not _builds(row):
        return choice
    return choice._replace(
        type=view.rules.districts[card].type,
        cost=price(view, card),
        short=row.short,
        is_held=hand is not None and card in hand.told,
    )


def _builds(row: Row) -> bool:
    """Whether the row builds the district that it is about, or says why it cannot."""
    if not row.moves:
        return row.why is not None
    return all(move.verb == "build" and move.args[0] == row.card for move in row.moves)


def _can_go_back(talk: Conversation) -> bool:
    return bool(talk.lists.stack or talk.chips.pending or talk.private is not None)
