"""The rules: what may be done at each moment, one small module per phase and family of cards.

Every verb of the notation is an `Action`; a `Menu` is the set of actions that one moment offers.
`find_menu` picks the menu; there is no other control flow. Legal moves, refusals and effects all
come from the same actions.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from engine.rules.answers import ANSWERS
from engine.rules.base import Action, Menu
from engine.rules.characters import POWERS
from engine.rules.counting import COUNTING
from engine.rules.selection import CALLING, OVER, SELECTION
from engine.rules.turn_moves import PARTS, turn_actions
from engine.table import WHOLE, Table

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

__all__ = ["Action", "Menu", "are_offered_together", "is_switched_off", "list_verbs", "owners_of"]

_STAGES = {"selection": SELECTION, "calling": CALLING, "over": OVER}
_ANSWERS = {**ANSWERS, **COUNTING}
_MOMENTS = {**_STAGES, **PARTS}

_OPTIONAL: dict[str, list[Action]] = {}
for _action in (*chain(*_STAGES.values(), *POWERS.values()), *turn_actions(())):
    _OPTIONAL.setdefault(_action.verb, []).append(_action)
_SWITCHES = sorted({switch for action in chain(*_OPTIONAL.values()) for switch in action.under})

_menus: dict[tuple[str, ...], Menu] = {}
"""The menu of each moment for each set of answers to these switches, regardless of the cards."""


def find_menu(table: Table) -> Menu:
    """The actions of this moment, each of which may still be closed by the rules."""
    if table.questions:
        return _ANSWERS[table.questions[-1].kind]
    turn = table.playing
    # between turns there is no character, and the stage decides
    moment = turn.character or table.stage
    if turn.part is not WHOLE and turn.part in PARTS:
        moment = turn.part
    menus = table.rules.menus
    return menus[moment] if moment in menus else _make_menu(table.rules, moment)


def _make_menu(rules: Ruleset, moment: str) -> Menu:
    """The menu of a stage, a part of a turn or a whole turn under those rules; cached."""
    key = (moment, *(rules.answers[switch] for switch in _SWITCHES))
    if key not in _menus:
        actions = _MOMENTS[moment] if moment in _MOMENTS else turn_actions(POWERS[moment])
        in_force = [action for action in actions if action.is_in_force(rules)]
        _menus[key] = Menu(in_force, switched_off=(action.verb for action in actions))
    menu = rules.menus[moment] = _menus[key].restrict_to_game(rules, moment)
    return menu


def is_switched_off(table: Table, verb: str) -> bool:
    """Whether the verb is missing, now or in the whole game, because of the table's options."""
    return verb in find_menu(table).switched_off or (
        verb in _OPTIONAL and not any(a.is_in_force(table.rules) for a in _OPTIONAL[verb])
    )


def are_offered_together(one: str, other: str) -> bool:
    """Whether any moment of any game offers both verbs."""
    return any({one, other} <= verbs for verbs in _list_verbs_by_moment())


@cache
def _list_verbs_by_moment() -> tuple[frozenset[str], ...]:
    """The verbs of every possible moment, under any options."""
    turns = (turn_actions(powers) for powers in POWERS.values())
    menus = (menu.by_verb for menu in _ANSWERS.values())
    whole = ((action.verb for action in actions) for actions in (*_MOMENTS.values(), *turns))
    return tuple(map(frozenset, (*menus, *whole)))


_CARD_OF_QUESTION = {
    "graveyard": "graveyard",
    "emperor": "emperor",
    "warrant": "magistrate",
    "threat": "blackmailer",
    "expose": "blackmailer",
}
"""The card without which a question is never asked."""


def list_verbs(rules: Ruleset) -> frozenset[str]:
    """The verbs that a game under these rules may offer at some moment."""
    menus = [_make_menu(rules, moment) for moment in (*_STAGES, *rules.cast)]
    cards = {*rules.cast, *rules.districts}
    for kind, menu in ANSWERS.items():
        if _CARD_OF_QUESTION.get(kind) in (None, *cards):
            menus.append(menu)
    if not rules.tracks_cities:
        menus += COUNTING.values()
    return frozenset(action.verb for menu in menus for action in menu.actions)


@cache
def owners_of(verb: str) -> tuple[str, ...]:
    """The characters that have the verb as a power; none for verbs that everybody has."""
    return tuple(id_ for id_, powers in POWERS.items() if any(p.verb == verb for p in powers))
