"""Why a row or a key cannot be taken now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import NamedTuple
from common.sentences import Sentence
from companion import verbs
from engine import explain
from engine.explain import Refusal, Refused
from engine.moves import GRAMMAR, kinds_of, make
from engine.referee import judge, push_move
from engine.rules import find_menu
from engine.rules.turn import paying_districts

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table


def has_income(table: Table) -> bool:
    """Whether a district pays the player in turn an income."""
    return paying_districts(table, table.playing.seat, table.playing.character) > 0


def explain_name(table: Table, like: Move, place: int, name: str) -> Refused:
    """Why no move like this one names the player."""
    args, kinds = [*like.args], kinds_of(like)
    args[place] = name
    if "D" in kinds[place:]:
        cities = table.seats[table.rules.seat_of[name]].city.cards
        if not cities:
            return _refuse(like.text, Sentence("{player} has no district.", player=name))
        args[kinds.index("D", place)] = cities[0].id
    players = tuple(at for at, kind in enumerate(kinds) if kind == "P")
    return explain_move(table, make(like.verb, *args, players=players))


def explain_verb(table: Table, verb: str) -> Refused | None:
    """Why a verb without words is not offered now; None if it takes words."""
    if "" not in GRAMMAR[verb]:
        return None
    if verb == "income" and table.turn is not None and not has_income(table):
        return _refuse(verb, Sentence("No district in this city pays an income now."))
    return explain_move(table, make(verb))


class Obstacle(NamedTuple):
    """Why a move cannot be made, at once or after another one: told when somebody asks.

    mypy does not see that a tuple can be called."""

    table: Table
    move: Move
    after: Move | None = None

    def __call__(self) -> Refused:
        table = self.table if self.after is None else push_move(self.table, self.after)
        return explain_move(table, self.move)


def explain_move(table: Table, move: Move) -> Refused:
    try:
        judge(table, move)
    except Refused as error:
        return error
    return _refuse(move.text, Sentence("You can't choose that now."))


def _refuse(text: str, reason: Sentence) -> Refused:
    """A refusal without a rule of the game behind it."""
    return Refused(text, Refusal("", reason, Sentence("Notation, Moves")))


def explain_number(table: Table, number: int) -> Refused | None:
    """Why the verb with that number cannot be used now; None if no verb or no single rule says."""
    reasons = []
    for verb, action in find_menu(table).by_verb.items():
        if verbs.VERBS[verb].number == number and (rule := action.closed(table)):
            reasons.append(explain.refuse(table, make(verb), rule))
    is_one = len({reason.rule for reason in reasons}) == 1
    return Refused(str(number), reasons[0]) if is_one else None
