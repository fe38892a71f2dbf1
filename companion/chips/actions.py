"""The action chips, which stand for no piece on the table: their names, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.chips.entries import DIGITS
from companion.language import _
from companion.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

MOVE_ACTIONS = tuple(verb for verb, record in VERBS.items() if record.chip)
"""Chips for moves without a card: a tap plays the move."""

_EFFECTS: dict[str, Callable[[], str]] = {
    "undo": lambda: _("undo the last move"),
    "redo": lambda: _("redo the move that was undone"),
    "repeat": lambda: _("repeat the last answer"),
    "why": lambda: _("why the last move wasn't allowed"),
    "help": lambda: _("help"),
    "moves": lambda: _("what you can do now, numbered"),
    "next": lambda: _("carry on: call, nobody, or end"),
    "back": lambda: _("the previous list, or choose nothing"),
    "enter": lambda: _("the number is complete"),
    "last": lambda: _("what happened last"),
    "who": lambda: _("the crown, the characters and what they did"),
    "status": lambda: _("everybody's gold and cards"),
    "city": lambda: _("the city of the player whose turn it is"),
    "score": lambda: _("the scores"),
    "look": lambda: _("read the next card to one person only"),
    "mine": lambda: _("read the cards noted on a phone, to one person only"),
}
"""What the caller itself does for a chip."""

CALLER_ACTIONS = (*_EFFECTS, *DIGITS)
"""Chips that the caller handles itself; digits make up the number of a choice."""

ACTIONS = (*MOVE_ACTIONS, *CALLER_ACTIONS)
"""Every chip that stands for an action instead of a piece on the table."""


def describe_action(name: str) -> str:
    """What the action chip called `name` does; empty for a number."""
    record = VERBS.get(name)
    effect = record.chip if record is not None and record.chip else _EFFECTS.get(name)
    return effect() if effect is not None else ""


def list_action_chips() -> list[str]:
    """The whole key, a line per chip: moves, actions of the caller, numbers."""
    return [
        _("Chips for moves"),
        *map(_action_line, MOVE_ACTIONS),
        _("Chips for the companion"),
        *map(_action_line, _EFFECTS),
        _("Number chips"),
        _("0 to 9: pick the choice with that number."),
        _("Above nine: digit by digit, then enter."),
        _("0 alone: repeat the last answer."),
    ]


def _action_line(name: str) -> str:
    return _("{chip}: {does}.").format(chip=name, does=describe_action(name))
