"""What a page stages large: the moment of the game that concerns its player, who has chosen, and
the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.named_tuples import NamedTuple
from companion.game import events
from companion.language import _, card, listing, plural
from companion.wording import facts
from engine import scoring
from engine.moves import make

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game.events import GameEvent
    from companion.game.session import Session
    from engine.table import Table

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
            if own.chosen or own.revealed or character == view.killed or view.called < rank:
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
