"""What a tap means now: the legal moves that the tapped card can stand for.

A tap knows no more than a key: it picks among the moves on the screen. One fitting move is played;
several open a choice; with none, the card is shown and explained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.chips import learning
from companion.chips.entries import (
    CALLER_ACTIONS,
    ActionChip,
    CardChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
    ReferenceChip,
)
from companion.game import picks, teaching
from companion.game.picks import SETS, fitting, is_sure, list_own, seat_word
from companion.language import _
from companion.verbs import ALWAYS_SECRET
from companion.verbs.selection import NAMING
from engine.explain import Refused
from engine.moves import GRAMMAR, Move, fold, make
from engine.referee import judge
from engine.rules import owners_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.table import Table


class Meaning(NamedTuple):
    """What a tap means: moves to play or choose from.

    `pending` are the cards and players tapped so far for a move that needs several. A tap that is
    not `sure` asks even if only one move fits.
    """

    moves: tuple[Move, ...] = ()
    pending: tuple[str, ...] = ()
    sure: bool = True

    @property
    def move(self) -> Move | None:
        """The one move that the tap plays, if it plays one."""
        return self.moves[0] if len(self.moves) == 1 and self.sure else None


def find_meaning(
    table: Table,
    legal: Sequence[Move],
    entry: Entry,
    pending: tuple[str, ...] = (),
    seat: int | None = None,
) -> Meaning:
    """What tapping this chip means now, given the legal moves.

    `seat` is the player at whose own reader it was tapped: only that player's moves fit.
    None is a shared reader.
    """
    legal = _filter_by_seat(table, legal, seat)
    meaning = _read_chip(table, legal, entry, pending, seat)
    if not (meaning.moves or meaning.pending) and _begins_set(table, legal, pending):
        return Meaning(pending=pending)  # this chip does not belong to them
    return meaning


def _read_chip(
    table: Table,
    legal: Sequence[Move],
    entry: Entry,
    pending: tuple[str, ...],
    seat: int | None,
) -> Meaning:
    match entry:
        case CharacterChip(card=card):
            return _character(table, legal, card, pending, own=seat is not None)
        case DistrictChip(card=card):
            return _district(table, legal, card, pending)
        case PlayerChip(seat=number):
            return _player(table, legal, number - 1, pending)
        case CrownChip():
            return _crown(legal)
        case ActionChip(name=name):
            exact = tuple(move for move in legal if move.text == name)
            return Meaning(exact or _select_verbs(legal, (name,)))
        case ReferenceChip():
            return _reference(table, legal, list_read(table, entry))


def list_read(table: Table, chip: ReferenceChip) -> tuple[str, ...]:
    """The cards that are read from that reference card."""
    return chip.cards or teaching.list_cards(table, chip.number)


def reject_out_of_turn(table: Table, legal: Sequence[Move], seat: int | None) -> str | None:
    """Why any tap at this player's own reader does nothing now; None if it may."""
    if seat is None:
        return None
    if seat >= len(table.seats):
        return _("There is no seat {seat} in this game.").format(seat=seat + 1)
    if _filter_by_seat(table, legal, seat):
        return None
    player = table.seats[seat].name
    return _("{player} tapped out of turn; nothing changed.").format(player=player)


def objection(table: Table, entry: Entry, meaning: Meaning) -> Refused | None:
    """Why the move that such a tap usually makes is not possible now; None without a usual move.

    `meaning` comes from `find_meaning`: a tap that means moves or waits for more has no objection.
    """
    if meaning.moves:
        return None
    move = _find_usual(table, entry)
    if move is None or (entry_card(entry) in meaning.pending):
        return None
    try:
        judge(table, move)
    except Refused as error:
        return error
    return None


def entry_card(entry: Entry) -> str | None:
    return entry.card if isinstance(entry, CardChip) else None


_WORDS = (2, 3)  # words in a short name


def read_line(table: Table, line: str) -> Entry | None:
    """The chip whose short name a typed line is, as a scanner types it; None for any other line,
    and for a player's own name.

    Labels carry the short names, and `tags.yaml` has the same: `district tavern 3`. Those of the
    crown and of reference cards are commands already: who has it, what it says.
    """
    words = line.lower().split()
    if len(words) not in _WORDS:
        return None
    if any(fold(name) == fold(line) for name in table.rules.player_names):
        return None
    entry = learning.read_text(" ".join(words))
    return None if isinstance(entry, ReferenceChip) else entry


_SHOWING = {"calling": "reveal", "unmask": "unmask"}
"""The verb by which a player shows a character, in the phases that ask for one."""


def _find_usual(table: Table, entry: Entry) -> Move | None:
    """The move that a tap of this chip usually makes in this phase."""
    match entry:
        case CharacterChip(card=card) if table.phase == "selection" and table.faceup is None:
            return make("faceup", card)
        case CharacterChip(card=card) if table.phase == "turn":
            return _make_naming(table, card)
        case DistrictChip(card=card) if table.phase == "turn" or picks.find_counted_player(table):
            return picks.find_district_move(table, card) or make("build", card)
        case PlayerChip(seat=seat) if seat <= len(table.seats) and table.phase in _SHOWING:
            return make(_SHOWING[table.phase], table.seats[seat - 1].name, player_places=(0,))
        case CrownChip() if table.phase == "selection":
            return make("call")
        case ActionChip(name=name) if name not in CALLER_ACTIONS:
            form = GRAMMAR[name][0].split()  # an amount of at least one
            return make(name, *("1" if kind == "N" else kind for kind in form))
    return None


def _make_naming(table: Table, card: str) -> Move | None:
    """The move that names this character, filled up with other valid names if it needs several."""
    acting = table.playing.character
    verbs = (verb for verb in NAMING if verb not in ALWAYS_SECRET and acting in owners_of(verb))
    verb = next(verbs, None)
    if verb is None:
        return None
    count = len(GRAMMAR[verb][0].split())
    exceptions = (card, acting, table.marks.killed, table.marks.bewitched, table.rules.by_rank[1])
    others = [id_ for id_ in table.rules.cast if id_ not in exceptions]
    return make(verb, card, *others[: count - 1])


def _filter_by_seat(table: Table, legal: Sequence[Move], seat: int | None) -> Sequence[Move]:
    """The moves that this seat makes; all of them at a shared reader."""
    return legal if seat is None else list_own(table, legal, seat)


def _select_verbs(legal: Iterable[Move], verbs: Iterable[str]) -> tuple[Move, ...]:
    wanted = tuple(verbs)
    return tuple(move for move in legal if move.verb in wanted)


def _character(
    table: Table, legal: Sequence[Move], card: str, pending: tuple[str, ...], *, own: bool
) -> Meaning:
    if table.phase == "calling" and table.rules.by_rank[table.called] == card:
        # at a player's own reader it means "here I am", for the crowned player too
        return Meaning(_select_verbs(legal, ("reveal",) if own else ("reveal", "nobody")))
    if own and (choices := [m for m in legal if m.verb == "choose" and m.words("C") == [card]]):
        return Meaning(tuple(choices))
    return _add_to_pending(table, legal, card, pending)


def _district(table: Table, legal: Sequence[Move], card: str, pending: tuple[str, ...]) -> Meaning:
    if card in table.rules.cards_with("never_built"):
        return Meaning(_select_verbs(legal, ("vault",)), sure=False)
    if (move := picks.find_district_move(table, card)) is not None:
        return Meaning((move,) if move in legal else ())
    return _add_to_pending(table, legal, card, pending)


def _player(table: Table, legal: Sequence[Move], index: int, pending: tuple[str, ...]) -> Meaning:
    if index >= len(table.seats):
        return Meaning()
    return _add_to_pending(table, legal, seat_word(index), pending)


def _add_to_pending(
    table: Table, legal: Sequence[Move], word: str, pending: tuple[str, ...]
) -> Meaning:
    """The moves that this tap makes together with those before it, or alone."""
    words = tuple(dict.fromkeys((*pending, word)))
    moves = fitting(table, legal, words)
    of_set = [move for move in moves if move.verb in SETS]
    if of_set:
        complete = [move for move in of_set if set(move.args) == set(words)][:1]
        return Meaning(tuple(complete), pending=() if complete else words)
    if not moves and pending:
        if _begins_set(table, legal, pending):
            return Meaning()
        return _add_to_pending(table, legal, word, ())
    sure = is_sure(moves, words)
    waits = len(moves) > 1 or not sure
    return Meaning(tuple(moves), pending=words if waits else (), sure=sure)


def _begins_set(table: Table, legal: Sequence[Move], pending: tuple[str, ...]) -> bool:
    return any(move.verb in SETS for move in fitting(table, legal, pending) if pending)


def _crown(legal: Sequence[Move]) -> Meaning:
    """The crowned player's moves, or where the Emperor sends the crown."""
    texts = ("call", "nobody", "unmask nobody")
    moves = tuple(move for move in legal if move.text in texts)
    return Meaning(moves or _select_verbs(legal, ("crown",)))


def _reference(table: Table, legal: Sequence[Move], cards: tuple[str, ...]) -> Meaning:
    candidates = [move for card in cards for move in fitting(table, legal, (card,))]
    moves = [move for move in dict.fromkeys(candidates) if move.verb not in SETS]
    moves = moves or [move for move in dict.fromkeys(candidates) if move.verb == "faceup"]
    if table.phase == "calling" and table.rules.by_rank[table.called] in cards:
        moves += _select_verbs(legal, ("reveal", "nobody"))
    return Meaning(tuple(moves))
