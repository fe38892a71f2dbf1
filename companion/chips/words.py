"""What chips stand for, in words: entries by name, actions and numbers in a few words each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import language
from companion.chips.entries import (
    DIGITS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
)
from companion.language import _, vocabulary
from companion.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.chips.entries import Entry


def describe_entry(entry: Entry, players: Sequence[str] = ()) -> str:
    """What a chip stands for, in the table's language."""
    match entry:
        case DistrictChip(card=card, copy=copy):
            return _("{district}, copy {number}").format(district=language.card(card), number=copy)
        case CharacterChip(card=card):
            return language.card(card)
        case PlayerChip(seat=seat) if seat <= len(players):
            return _("{player}'s token").format(player=players[seat - 1])
        case PlayerChip(seat=seat):
            return _("the token of seat {seat}").format(seat=seat)
        case CrownChip():
            return _("the crown")
        case ReferenceChip(number=number):
            return _("reference card {number}").format(number=number)
        case ActionChip(name=name) if name in DIGITS:
            return _("number {number}").format(number=name)
        case ActionChip(name=name):
            return _("action {name}").format(name=vocabulary.find_name(name))


def list_action_chips() -> list[str]:
    """The whole key, a line per chip: moves, actions of the caller, numbers."""
    return [
        _("Chips for moves"),
        *(_action_line(verb, record.chip()) for verb, record in VERBS.items() if record.chip),
        _("Chips for the companion"),
        *(_action_line(name, does) for name, does in caller_actions().items()),
        _("Number chips"),
        _("0 to 9: pick the choice with that number."),
        _("Above nine: digit by digit, then enter."),
        _("0 alone: repeat the last answer."),
    ]


def describe_action(name: str) -> str:
    """What the action chip called `name` does; empty for a number."""
    record = VERBS.get(name)
    return record.chip() if record and record.chip else caller_actions().get(name, "")


def _action_line(name: str, does: str) -> str:
    return _("{chip}: {does}.").format(chip=name, does=does)


def caller_actions() -> dict[str, str]:
    """The effects of the chips that the caller handles itself, without the digits."""
    return {
        "undo": _("undo the last move"),
        "redo": _("redo the move that was undone"),
        "repeat": _("repeat the last answer"),
        "why": _("why the last move wasn't allowed"),
        "help": _("help"),
        "moves": _("what you can do now, numbered"),
        "next": _("carry on: call, nobody, or end"),
        "back": _("the previous list, or choose nothing"),
        "enter": _("the number is complete"),
        "last": _("what happened last"),
        "who": _("the crown, the characters and what they did"),
        "status": _("everybody's gold and cards"),
        "city": _("the city of the player whose turn it is"),
        "score": _("the scores"),
        "look": _("read the next card to one person only"),
        "mine": _("read the cards noted on a phone, to one person only"),
    }
