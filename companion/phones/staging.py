"""A page's rows, sorted for a thumb, and what it stages large: the moment of the game that concerns
its player, who has chosen, and the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game import awaiting, events, hand_telling, picks
from companion.game.hand import Hand
from companion.language import _, card, coins, district_type, end_sentence, listing, plural
from companion.wording import facts, story
from engine import scoring
from engine.cards import DISTRICT_TYPES
from engine.moves import make
from engine.rules.building import price

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game import Row
    from companion.game.conversation import Conversation
    from companion.game.events import GameEvent
    from companion.game.session import Session
    from companion.game.talk import Talk
    from engine.moves import Move
    from engine.table import Event, Table


class Choice(NamedTuple):
    """A row of the page: `row` is its index, `card` the id of its card. A row that it `can` not
    take now is answered with the reason; for a district to build, `cost` is its price and `brief`
    that reason in a word or two."""

    row: int
    label: str
    number: int | None
    can: bool
    card: str
    type: str = ""  # of a district to build
    cost: int = 0
    brief: str = ""
    ends: bool = False  # the turn
    is_in: bool | None = None  # where several are chosen


class Group(NamedTuple):
    """Districts to build of one type."""

    type: str
    name: str
    rows: tuple[Choice, ...]


class Choices(NamedTuple):
    """Rows, the question they answer, and whether there is a step to go back. `held` are those of
    the rows that build a told card, shown once their player has touched the page."""

    question: str
    rows: tuple[Choice, ...]
    back: bool
    held: tuple[Choice, ...] = ()
    field: str = ""

    @property
    def plain(self) -> tuple[Choice, ...]:
        """The rows that build nothing and do not end the turn."""
        return tuple(row for row in self.rows if not row.type and not row.ends)

    @property
    def types(self) -> tuple[Group, ...]:
        """The districts by type, in each those that can be built first."""
        groups = []
        for type_ in DISTRICT_TYPES:
            rows = [row for row in self.rows if row.type == type_]
            if rows:
                rows.sort(key=lambda row: not row.can)
                groups.append(Group(type_, district_type(type_), tuple(rows)))
        return tuple(groups)

    @property
    def end(self) -> Choice | None:
        return next((row for row in self.rows if row.ends), None)


def draw(talk: Talk, view: Table | None = None, hand: Hand | None = None) -> Choices:
    """What a conversation asks and offers now, of a table with that `view`; `hand` is what its
    player has told."""
    question = talk.asked
    rows = tuple(_draw_row(at, row, view) for at, row in enumerate(question.offer.rows))
    held = [row for row in rows if hand is not None and row.type and row.card in hand.told]
    if hand is not None and view is not None:
        held.sort(key=lambda row: hand_telling.sort_key(view, hand, row.card))
    title = question.offer.title if view is None else question.question
    return Choices(title, rows, talk.can_go_back, tuple(held), question.offer.field)


def draw_callers(talk: Conversation, seat: int | None, view: Table) -> Choices:
    """What the caller can do for the table, without the crowned player's choices as a player."""
    question = talk.asked
    is_turn = talk.view.stage not in ("selection", "calling", "over")
    is_own_turn = (is_turn or picks.asks_of_city(view)) and question.seat == seat
    choices = draw(talk, view)
    return choices._replace(rows=()) if is_own_turn and not question.private else choices


def _draw_row(at: int, row: Row, view: Table | None) -> Choice:
    if view is None:
        return Choice(at, row.label, row.number, row.why is None, "", is_in=row.is_in)
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
        brief=picks.tell_briefly(row),
    )


def _builds(row: Row) -> bool:
    """Whether the row builds the district that it is about, or says why it cannot."""
    if not row.moves:
        return row.why is not None
    return all(move.verb == "build" and move.args[0] == row.card for move in row.moves)


_RECENT = 6
"""Moves for which an event that has passed is still staged."""


class Stage(NamedTuple):
    """The moment of the page's player: the kind of its event, a key of its own, the card whose
    emblem it shows and that card's rank (0: none), and its sentences."""

    kind: str
    key: str
    card: str
    rank: int
    title: str
    lines: tuple[str, ...] = ()


def find_stage(session: Session, seat: int | None) -> Stage | None:
    """The stage of that player's page, or of the public one; None if nothing special happens.

    It shows without a touch, so it tells what everybody knows, with one exception: who has noted
    the called character is about to show it.
    """
    if session.over:
        return None
    moves = len(session.referee.moves)
    if seat is not None and may_show(session, seat):
        view = session.view_of(seat)
        called = events.find_current(view, seat)
        if called is not None and called.kind == "called":
            return _stage(called, f"{session.name}.{view.round}.called", view)
    recent = session.moments(_RECENT)
    for at, (before, move, after) in reversed([*enumerate(recent, start=moves - len(recent))]):
        for effect in after.events:
            if effect.kind == "robbed" and effect.seats[1] == seat:
                return _tell_loot(effect, after, f"{session.name}.{at}.loot")
        for event in events.list_events(before, move, after):
            concerns = event.kind == "last_round" or (
                event.kind in ("crowned", "destroyed") and seat in event.seats
            )
            if concerns:
                stage = _stage(event, f"{session.name}.{at}.{event.kind}", after)
                if event.kind == "crowned" and not session.has_caller():
                    return stage._replace(lines=())  # the phone with the crown calls nobody
                return stage
    return None


def _tell_loot(event: Event, after: Table, key: str) -> Stage:
    """What the Thief got, told to the Thief."""
    victim = after.seats[event.seats[0]].name
    title = (
        _("You have stolen {gold} from {player}.")
        if event.amount
        else _("You have stolen nothing: {player} has no gold.")
    )
    title = title.format(gold=coins(event.amount), player=victim)
    return Stage("robbed", key, "thief", 0, title)


def find_news(session: Session, seat: int) -> Stage | None:
    """What concerns that player alone: murdered, robbed, bewitched, or that the table has gone past
    the noted character; None if nothing does."""
    if session.over:
        return None
    view = session.view_of(seat)
    current = events.find_current(view, seat)
    if current is None or current.kind == "called":
        return _tell_contradicted(session, seat)
    return _stage(current, f"{session.name}.{view.round}.{current.kind}", view)


def may_show(session: Session, seat: int) -> bool:
    """Whether this player has the called character and may reveal it; if murdered, some may not."""
    view = session.view_of(seat)
    if view.stage != "calling" or view.questions:
        return False
    reveal = make("reveal", view.seats[seat].name, player_places=(0,))
    return view.rules.by_rank[view.called] in view.seats[seat].chosen and reveal in session.legal(
        seat
    )


def _stage(event: GameEvent, key: str, view: Table) -> Stage:
    character = event.card if event.card in view.rules.characters else ""
    rank = view.rules.characters[character].rank if character else 0
    name = card(event.card) if event.card else ""
    title, *lines = _sentences()[event.kind](name)
    return Stage(event.kind, key, event.card, rank, title, tuple(lines))


def _sentences() -> dict[str, Callable[[str], tuple[str, ...]]]:
    """The sentences of each kind of event to the player it concerns, the title first."""
    return {
        "called": lambda name: (
            _("{character:The}: that's you! Show your card.").format(character=name),
        ),
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
        "last_round": lambda name: (_("The last round."), end_sentence(_("A city is complete"))),
    }


def _tell_contradicted(session: Session, seat: int) -> Stage | None:
    """That the table went past the character which this player recorded on this phone, told to that
    player alone."""
    view = session.view_of(seat)
    if view.stage not in ("calling", "turn") or view.rules.picks > 1:
        return None
    own_seat = view.seats[seat]
    noted = [move.args[1] for move in session.list_round_notes() if move.args[0] == own_seat.name]
    if not noted or own_seat.chosen or own_seat.revealed:
        return None
    character = noted[-1]
    rank = view.rules.characters[character].rank
    if character == view.marks.killed or view.called < rank:
        return None
    holder = view.holder(character)
    if holder is None:
        title = _("Your {character} has already been called.")
        line = _("Speak up if that is wrong: the crowned player can undo it.")
    else:
        title = _("{player} has shown the {character}, which you have noted too.")
        line = _("Look at your card again: one of you noted the wrong one.")
    player = "" if holder is None else view.seats[holder].name
    title = title.format(player=player, character=card(character))
    return Stage("missed", f"{session.name}.{view.round}.missed", character, rank, title, (line,))


class GreatMoment(NamedTuple):
    """What has just happened, for the whole room: the kind of its event, the emblem that stands for
    it, and its sentences, the first of which is told large."""

    kind: str
    emblem: str
    lines: tuple[str, ...]


_EMBLEMS = {
    "murdered": "assassin",
    "robbed": "thief",
    "bewitched": "witch",
    "destroyed": "military",
    "crowned": "king",
    "last_round": "noble",
}


def find_great_moment(session: Session, since: int) -> GreatMoment | None:
    """The greatest of what has become public by the moves from that place on; None if nothing
    great has."""
    number = len(session.referee.moves) - since
    found: tuple[int, GreatMoment] | None = None
    for before, move, after in session.moments(number) if number and not session.over else ():
        for event in events.list_events(before, move, after):
            rank = events.STAGED.index(event.kind)
            if found is None or rank < found[0]:
                lines = _tell_great(event, before, move, after)
                found = rank, GreatMoment(event.kind, _EMBLEMS[event.kind], tuple(lines))
    return found[1] if found else None


def _tell_great(event: GameEvent, before: Table, move: Move, after: Table) -> list[str]:
    murder = tell_secret_murder(before, move, after)
    if event.kind == "murdered" and murder:
        return [murder]
    told = [one for one in story.list_sentences(before, move, after) if one.about != "round_begins"]
    told.sort(key=lambda one: one.about not in _TELLS_BEST[event.kind])
    return [one.text for one in told][:_MOST_TOLD]


_MOST_TOLD = 2
_TELLS_BEST: dict[str, tuple[str, ...]] = {
    "murdered": ("kill",),
    "robbed": ("rob", "robbed"),
    "bewitched": ("bewitch",),
    "destroyed": ("destroy", "seize"),
    "crowned": ("crowned",),
    "last_round": ("completed_first", "last_round"),
}
"""What the sentence is about that tells an event best, in large letters."""


def tell_secret_murder(before: Table, move: Move, after: Table) -> str:
    """That a murder, secret until now, is public after this move; "" if none is."""
    victim = after.marks.killed
    if move.verb == "kill" or not victim or before.marks.killed or before.round != after.round:
        return ""
    return _("The {character} was murdered.").format(character=card(victim))


# -- choosing -------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """Who has recorded a character this round, which everybody sees at a real table."""

    waiting: str  # "Waiting for Mia and Ben."; "" if nobody with a phone is missing
    counted: str  # "3 of 4 have chosen."; "" before the first
    players: tuple[tuple[str, bool], ...]  # in the order of taking, and whether each has
    own: bool  # whether the page's player has


def find_chosen(session: Session, seat: int | None) -> Chosen | None:
    """Who has chosen; None outside the selection."""
    view = session.view
    if view.stage != "selection":
        return None
    names, notes = view.rules.player_names, session.list_round_notes()
    has_chosen = awaiting.list_chosen(session)
    missing = view.rules.names(awaiting.find(session).missing)
    waiting = _("Waiting for {names}.").format(names=listing(missing)) if missing else ""
    counted = plural(
        "{number} of {all} has chosen.",
        "{number} of {all} have chosen.",
        sum(has_chosen),
        all=len(names),
    )
    order = [*view.rules.seats[view.crown :], *view.rules.seats[: view.crown]]
    return Chosen(
        waiting if notes else "",
        counted if notes else "",
        tuple((names[at], has_chosen[at]) for at in order),
        seat is not None and has_chosen[seat],
    )


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
    first place first."""

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
    standing, sources = scoring.standing(view), facts.list_sources()
    scores = tuple(
        PlayerScore(
            at,
            view.seats[at].name,
            standing.places[at],
            facts.points(standing.scores[at].total),
            tuple(count(standing.scores[at]) for _title, count in sources),
            at in standing.winners,
        )
        for at in standing.ranking
    )
    return EndOfGame(
        facts.tell_winners(view),
        " ".join(facts.tell_ties(view)),
        seat in standing.winners,
        scores,
        tuple(title for title, _count in sources),
    )
