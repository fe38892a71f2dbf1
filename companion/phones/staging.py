"""A page's rows, sorted for a thumb, and what it stages large: the moment of the game that concerns
its player, who has chosen, and the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import NamedTuple
from companion.game import events, telling
from companion.game.hand import Hand
from companion.language import _, card, district_type, listing, plural
from companion.wording import facts
from engine import scoring
from engine.cards import DISTRICT_TYPES
from engine.moves import make
from engine.rules.building import price

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game.asking import Row
    from companion.game.conversation import Conversation
    from companion.game.events import GameEvent
    from companion.game.session import Session
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
    return bool(talk.lists.stack or talk.pending_chips or talk.private is not None)


_RECENT = 6
"""Moves for which an event that has passed is still staged."""


class Stage(NamedTuple):
    """The moment of the page's player: the kind of its event, a key of its own, the card whose
    emblem it shows and that card's rank (0: none), and its sentences. A `loud` one fills the page
    until it is touched."""

    kind: str
    key: str
    card: str
    rank: int
    title: str
    lines: tuple[str, ...] = ()
    loud: bool = False


def find_stage(session: Session, seat: int | None, *, awaited: bool) -> Stage | None:
    """The stage of that player's page, or of the public one; None if nothing special happens."""
    if session.over:
        return None
    moves = len(session.referee.moves)
    if seat is not None:
        view = session.view_of(seat)
        now = events.find_standing(view, seat)
        if now is not None and not (now.kind == "called" and not may_show(session, seat)):
            key = f"{session.name}.{view.round}.{now.kind}"
            return _stage(view, now, seat, key, loud=now.kind == "called" or not awaited)
        stage = _tell_contradicted(session, seat)
        if stage is not None:
            return stage
    recent = session.moments(_RECENT, seat)
    for at, (before, move, after) in reversed([*enumerate(recent, start=moves - len(recent))]):
        for event in events.list_events(before, move, after):
            concerns = event.kind == "last_round" or (
                event.kind in ("crowned", "destroyed") and seat in event.seats
            )
            if concerns:
                key = f"{session.name}.{at}.{event.kind}"
                return _stage(after, event, seat, key, loud=not awaited and seat is not None)
    return None


def may_show(session: Session, seat: int) -> bool:
    """Whether this player has the called character and may reveal it; if murdered, some may not."""
    view = session.view_of(seat)
    if view.stage != "calling" or view.questions:
        return False
    reveal = make("reveal", view.seats[seat].name, players=(0,))
    return view.rules.by_rank[view.called] in view.seats[seat].chosen and reveal in session.legal(
        seat
    )


def _stage(view: Table, event: GameEvent, seat: int | None, key: str, *, loud: bool) -> Stage:
    character = event.card if event.card in view.rules.characters else ""
    rank = view.rules.characters[character].rank if character else 0
    name = card(event.card) if event.card else ""
    title, *lines = _sentences()[event.kind](name)
    return Stage(event.kind, key, event.card, rank, title, tuple(lines), loud)


def _sentences() -> dict[str, Callable[[str], tuple[str, ...]]]:
    """The sentences of each kind of event to the player it concerns, the title first."""
    return {
        "called": lambda name: (_("You are called: {character}").format(character=name),),
        "murdered": lambda name: (_("You were murdered."), _("You sit this round out.")),
        "robbed": lambda name: (_("You were robbed."), _("All your gold goes to the Thief.")),
        "bewitched": lambda name: (
            _("You were bewitched."),
            _("You take gold or cards; the Witch plays the rest of your turn."),
        ),
        "crowned": lambda name: (_("You have the crown."), _("Your phone calls the characters.")),
        "destroyed": lambda name: (
            _("{district}: destroyed.").format(district=name),
            _("It was in your city."),
        ),
        "last_round": lambda name: (_("The last round."), _("A city is complete.")),
    }


def _tell_contradicted(session: Session, seat: int) -> Stage | None:
    """That the table went past the character which this player recorded on this phone, told to that
    player alone."""
    view = session.view_of(seat)
    if view.stage not in ("calling", "turn") or view.rules.picks > 1:
        return None
    for before, move, _after in reversed(session.referee.list_latest()):
        if before.round != view.round:
            break
        if move.verb == "choose" and move.args[0] == view.seats[seat].name:
            character = move.args[1]
            own = view.seats[seat]
            rank = view.rules.characters[character].rank
            if own.chosen or own.revealed or character == view.marks.killed or view.called < rank:
                return None
            key = f"{session.name}.{view.round}.missed"
            title = _("The table went past your {character}.").format(character=card(character))
            line = _("Speak up if that is wrong: the crowned player can undo it.")
            return Stage("missed", key, character, rank, title, (line,))
    return None


# -- choosing -------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """Who has recorded a character this round, which everybody sees at a real table."""

    waiting: str  # "Waiting for Mia and Ben."; "" if nobody with a phone is missing
    counted: str  # "3 of 4 have chosen."
    done: tuple[bool, ...]  # by seat
    own: bool  # whether the page's player has


def find_chosen(
    session: Session, seat: int | None, has_phone: Callable[[int], bool]
) -> Chosen | None:
    """Who has chosen; None outside the selection, or while nobody has recorded anything."""
    view = session.view
    if view.stage != "selection":
        return None
    choices: dict[str, set[str]] = {}
    for before, move, _after in reversed(session.referee.list_latest()):
        if before.round != view.round:
            break
        if move.verb == "choose":
            choices.setdefault(move.args[0], set()).add(move.args[1])
    if not choices:
        return None
    names = view.rules.player_names
    results = tuple(len(choices.get(name, ())) >= view.rules.picks for name in names)
    missing = [name for at, name in enumerate(names) if not results[at] and has_phone(at)]
    waiting = _("Waiting for {names}.").format(names=listing(missing)) if missing else ""
    text = plural(
        "{number} of {all} has chosen.",
        "{number} of {all} have chosen.",
        sum(results),
        all=len(names),
    )
    return Chosen(waiting, text, results, seat is not None and results[seat])


# -- the end --------------------------------------------------------------------------------------


class PlayerScore(NamedTuple):
    """A player at the end of the game, and every part of the points."""

    seat: int
    name: str
    place: int
    points: str
    parts: tuple[int, ...]
    won: bool


class EndOfGame(NamedTuple):
    """The end: the sentence about the winner, whether the page's player won, and the results, the
    last place first."""

    title: str
    tie: str
    won: bool
    results: tuple[PlayerScore, ...]
    parts: tuple[str, ...]  # the names of the parts


def find_end(session: Session, seat: int | None) -> EndOfGame | None:
    """The end of the game; None before it."""
    if not session.over:
        return None
    view = session.view
    standing = scoring.standing(view)
    results = tuple(
        PlayerScore(
            at,
            view.seats[at].name,
            standing.places[at],
            facts.points(standing.scores[at].total),
            (
                standing.scores[at].districts,
                standing.scores[at].five_types,
                standing.scores[at].complete,
                sum(standing.scores[at].unique.values()),
            ),
            at in standing.winners,
        )
        for at in reversed(standing.ranking)
    )
    return EndOfGame(
        _tell_winner(view, standing.winners),
        facts.result(view) if standing.tie_break else "",
        seat in standing.winners,
        results,
        (_("Districts"), _("Five types"), _("Complete cities"), _("Unique districts")),
    )


def _tell_winner(view: Table, winners: list[int]) -> str:
    names = [view.seats[at].name for at in winners]
    if len(names) > 1:
        return _("{names} share the victory.").format(names=listing(names))
    return _("{names} wins.").format(names=names[0])
