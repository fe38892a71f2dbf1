"""Actions: one verb of the notation each, with its rules and its effect.

The two questions "what is legal?" and "why is this refused?" have one answer each here: `closed`
(the verb cannot be used at all now) and `objection` (not with these words). Both return the id of
the rule that forbids (see `engine/data/rules.yaml`) or None; `engine.explain` writes the sentence
only on demand. Neither may depend on secrets, except where the rules of secrecy say so.

`options` lists what may follow the verb; all faces offer those words to which there is no
objection. Words are text: a player's name (`Table.seat_named` finds the seat), the id of a
character or district, a number. A card of a hand has no words: only how many there are is known.

`apply` is called when neither forbids the move, with a copy of the table. Copies share seats, so
it changes those that it owns: `Table.own_acting` is the seat of the player whose turn it is,
`own_seat` any other. Gold is a number of the seat; cards move by `Table.draw`, `discard` (between
hand and deck) and `pass_card` (between hands). A power begins with `spend`, which uses it up for
this turn.

In light mode (the answer `untracked` to the switch `cities`) these three do nothing, and no hand is
ever empty. A power that moves nothing but cards is not offered there: it is `under = TRACKED`. One
that moves gold is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engine.moves import Move, make
from engine.table import LAST, Built, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.ruleset import Ruleset

Words = tuple[str, ...]
_NO_WORDS: tuple[Words, ...] = ((),)

TRACKED: Mapping[str, Any] = {"cities": "tracked"}
UNTRACKED: Mapping[str, Any] = {"cities": "untracked"}
"""`Action.under` of verbs that need the cities, and of those that replace them."""


def find_district(table: Table, name: str, district: str, *mark: str) -> Built:
    """The district that a move names. Raises LookupError if `objection` was not checked before."""
    card = table.seats[table.seat_named(name)].city.find(district, *mark)
    if card is None:
        raise LookupError(f"{name} has no {district}")
    return card


class _MovesByWords(dict[Words, Move]):
    """The moves of one verb by their words, each made when first asked for."""

    def __init__(self, verb: str, player_places: tuple[int, ...]) -> None:
        super().__init__()
        self.verb = verb
        self.player_places = player_places

    def __missing__(self, words: Words) -> Move:
        move = self[words] = make(self.verb, *words, player_places=self.player_places)
        return move


class Action:
    """One verb: when it may be used, with which words, and what it does."""

    verb: ClassVar[str] = ""
    player_places: ClassVar[tuple[int, ...]] = ()  # of names of players among the words, from 0
    options_are_legal: ClassVar[bool] = False  # all of them, without checking `objection`
    under: Mapping[str, Any] = {}  # the answers to switches that the verb requires

    def __init__(self) -> None:
        # the same object for the same words
        self.moves_by_words = _MovesByWords(self.verb, self.player_places)
        own = type(self)
        has_words = own.options is not Action.options or own.moves is not Action.moves
        self.only = () if has_words else (self.moves_by_words[()],)
        """The one move of a verb without words: `closed` alone decides about it."""

    def is_in_force(self, rules: Ruleset) -> bool:
        return all(rules.answers[switch] == answer for switch, answer in self.under.items())

    def is_possible(self, rules: Ruleset, moment: str) -> bool:
        """Whether the verb can ever be legal under these rules.

        `moment` is the acting character, or the stage outside turns.
        """
        return True

    def closed(self, table: Table) -> str | None:
        """The rule that forbids this verb at this moment with any words, if one does."""
        return None

    def objection(self, table: Table, *words: str) -> str | None:
        """The rule that forbids the verb with these words, if one does and it is not closed."""
        return None

    def options(self, table: Table) -> Iterable[Words]:
        """The candidate words: they include every legal choice."""
        return _NO_WORDS

    def apply(self, table: Table, *words: str) -> None:
        """Carry out the checked move on the table, a copy made for it."""

    def moves(self, table: Table) -> Sequence[Move]:
        """Every legal move of this verb, each once, while it is not closed."""
        moves_by_words = self.moves_by_words
        if self.options_are_legal:
            return [*map(moves_by_words.__getitem__, self.options(table))]
        return [
            moves_by_words[words]
            for words in self.options(table)
            if self.objection(table, *words) is None
        ]


class Power(Action):
    """A character's own power, used once a turn."""

    used_as: ClassVar[str] = ""  # what is used up: of two verbs that are one power, the same
    obligation: ClassVar[str] = ""  # the rule that keeps a turn from ending without it, if one does
    timing: ClassVar[str] = ""  # the switch that may put it after gathering, or last in the turn

    def closed(self, table: Table) -> str | None:
        """Closed if already used this turn, or too early for a power that comes after gathering."""
        turn = table.playing
        if self.used_as in turn.used:
            return "power.done"
        early = not turn.gathered and self.follows_gathering(table.rules)
        return f"{turn.character}.gather_first" if early else None

    def follows_gathering(self, rules: Ruleset) -> bool:
        """Whether it may be used only after gathering."""
        return bool(self.timing) and bool(rules.answers[self.timing] != "any")

    def is_last(self, rules: Ruleset) -> bool:
        """Whether only the end of the turn may follow it."""
        return bool(self.timing) and bool(rules.answers[self.timing] == "last")

    def spend(self, table: Table) -> None:
        turn = table.own_turn()
        turn.used |= {self.used_as}
        if self.is_last(table.rules):
            turn.part = LAST


class Menu:
    """The actions that one moment offers, in the order in which they are listed.

    `actions` are those that may have legal moves; `by_verb` also holds those that can never be
    legal here, so that they are refused with their own reasons. `switched_off` are the verbs that
    the table's house options remove.
    """

    __slots__ = ("actions", "by_verb", "switched_off")

    def __init__(
        self,
        actions: Iterable[Action],
        switched_off: Iterable[str] = (),
    ) -> None:
        self.by_verb = {action.verb: action for action in actions}
        self.actions = tuple(self.by_verb.values())
        self.switched_off = frozenset(switched_off) - self.by_verb.keys()

    def restrict_to_game(self, rules: Ruleset, moment: str) -> Menu:
        """The same menu, with `actions` limited to those possible under these rules."""
        new = Menu.__new__(Menu)
        new.by_verb, new.switched_off = self.by_verb, self.switched_off
        new.actions = tuple(action for action in self.actions if action.is_possible(rules, moment))
        return new
