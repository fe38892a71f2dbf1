"""What a tap means at this moment: the legal moves that the tapped card can stand for.

A tap never knows more than a key: it picks among the moves that the screen offers. One fitting
move is played; several are a choice; none, and the card is shown and explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from companion.language import _
from engine.moves import make
from engine.referee import judge
from engine.refusals import Refused
from tags.registry import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
)

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table
    from tags.registry import Entry

SESSION_ACTIONS = ("undo", "redo", "repeat", "help", "why")


class Meaning(NamedTuple):
    """What a tap stands for: moves to play or choose from, else cards to explain.

    `pending` are characters tapped so far where one move needs several of them; `action` is one
    of SESSION_ACTIONS; `seat` a player whose things are to be shown.
    """

    moves: tuple[Move, ...] = ()
    cards: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    action: str | None = None
    seat: int | None = None

    @property
    def move(self) -> Move | None:
        """The one move that the tap stands for, if it is one."""
        return self.moves[0] if len(self.moves) == 1 else None


def meaning(
    t: Table, legal: Sequence[Move], entry: Entry, pending: tuple[str, ...] = ()
) -> Meaning:
    """What tapping that chip means at table `t`, where those moves are legal."""
    match entry:
        case CharacterChip(card=card):
            return _character(t, legal, card, pending)
        case DistrictChip(card=card):
            return Meaning(_naming(legal, card), (card,))
        case PlayerChip(seat=number):
            return _player(t, legal, number - 1)
        case CrownChip():
            crowned = ("call", "nobody", "unmask nobody")  # what the crowned player says
            return Meaning(tuple(m for m in legal if m.text in crowned), seat=t.crown)
        case ActionChip(name=name):
            return _action(legal, name)
        case ReferenceChip(number=number, cards=listed):
            return _reference(t, legal, listed or default_reference(t, number))


def objection(t: Table, entry: Entry, meant: Meaning) -> Refused | None:
    """Why the move that such a tap usually makes is not possible now; None where none is usual.

    `meant` is what `meaning` said of it: a tap that means moves or waits for more has no objection.
    """
    if meant.moves or meant.action is not None:
        return None
    move = _usual(t, entry)
    if move is None or (entry_card(entry) in meant.pending):
        return None
    try:
        judge(t, move)
    except Refused as refused:
        return refused
    return None


def entry_card(entry: Entry) -> str | None:
    """The card that the chip is on, if it is on one."""
    return entry.card if isinstance(entry, CharacterChip | DistrictChip) else None


def _usual(t: Table, entry: Entry) -> Move | None:
    """The move that a tap of this chip makes at the usual moment in this phase."""
    match entry:
        case CharacterChip(card=card) if t.phase == "selection" and t.faceup is None:
            return make("faceup", card)
        case CharacterChip(card=card) if t.phase == "turn":
            verb = _NAMERS.get(t.playing.character)
            return make(verb, card) if verb else None
        case DistrictChip(card=card) if t.phase == "turn":
            return make("build", card)
        case PlayerChip(seat=seat) if seat <= len(t.seats) and t.phase == "calling":
            return make("reveal", t.seats[seat - 1].name, players=(0,))
        case PlayerChip(seat=seat) if seat <= len(t.seats) and t.phase == "unmask":
            return make("unmask", t.seats[seat - 1].name, players=(0,))
        case CrownChip() if t.phase == "selection":
            return make("call")
        case ActionChip(name=name) if name not in SESSION_ACTIONS:
            return make(name)
    return None


def hints(t: Table, legal: Sequence[Move]) -> list[str]:
    """What tapping each kind of card would do now, a sentence each; empty where none does."""
    verbs = {move.verb for move in legal}
    return [sentence() for verb, sentence in _HINTS.items() if verb in verbs]


def default_reference(t: Table, number: int) -> tuple[str, ...]:
    """What a reference card lists where nobody says otherwise: 1 to 3 uniques, 4 characters."""
    if number == 4:
        return t.rules.cast
    uniques = sorted(t.rules.uniques)
    share = -(-len(uniques) // 3)
    return tuple(uniques[(number - 1) * share : number * share])


def _naming(legal: Iterable[Move], card: str) -> tuple[Move, ...]:
    return tuple(move for move in legal if card in move.args and move.verb not in _NOT_TAPPED)


def _character(t: Table, legal: Sequence[Move], card: str, pending: tuple[str, ...]) -> Meaning:
    discards = [move for move in legal if move.verb == "faceup"]
    if discards:
        return _discard(t, discards, card, pending)
    named = _naming(legal, card)
    if not named and t.phase == "calling" and t.rules.by_rank[t.called] == card:
        named = tuple(move for move in legal if move.verb in ("reveal", "nobody"))
    return Meaning(named, (card,))


def _discard(t: Table, discards: Sequence[Move], card: str, pending: tuple[str, ...]) -> Meaning:
    """Face-up discards are gathered tap by tap until the move is whole."""
    tapped = tuple(dict.fromkeys((*pending, card)))
    if len(tapped) < t.rules.faceup_count:
        possible = any(set(tapped) <= set(move.args) for move in discards)
        return Meaning(cards=(card,), pending=tapped if possible else pending)
    whole = [
        move
        for chosen in combinations(tapped, t.rules.faceup_count)
        for move in discards
        if card in chosen and set(move.args) == set(chosen)
    ]
    return Meaning(tuple(whole[:1]), (card,), pending if not whole else ())


def _player(t: Table, legal: Sequence[Move], index: int) -> Meaning:
    if index >= len(t.seats):
        return Meaning()
    name = t.seats[index].name
    named = tuple(m for m in legal if name in m.args and m.verb not in _NOT_TAPPED)
    return Meaning(named, seat=index)


def _action(legal: Sequence[Move], name: str) -> Meaning:
    if name in SESSION_ACTIONS:
        return Meaning(action=name)
    return Meaning(tuple(move for move in legal if move.text == name))


def _reference(t: Table, legal: Sequence[Move], listed: tuple[str, ...]) -> Meaning:
    moves = [move for card in listed for move in _naming(legal, card)]
    if t.phase == "calling" and t.rules.by_rank[t.called] in listed:
        moves += [move for move in legal if move.verb in ("reveal", "nobody")]
    return Meaning(tuple(moves), listed)


_NOT_TAPPED = ("choose", "faceup")  # a tap in the open would tell a secret; discards go by count

_NAMERS = {"assassin": "kill", "thief": "rob", "witch": "bewitch"}  # who name another character

_HINTS: dict[str, Callable[[], str]] = {
    "faceup": lambda: _("A character card is discarded face up."),
    "call": lambda: _("The crown calls the first character."),
    "reveal": lambda: _("A player's token shows who has the called character."),
    "nobody": lambda: _("The crown says that nobody answers."),
    "kill": lambda: _("A character card is murdered."),
    "rob": lambda: _("A character card is robbed."),
    "swap": lambda: _("A player's token swaps hands with that player."),
    "build": lambda: _("A district card is built."),
    "destroy": lambda: _("A district of a city is destroyed."),
    "unmask": lambda: _("A player's token says whose the murdered character was."),
    "rescue": lambda: _("The owner's token takes the district back."),
}
