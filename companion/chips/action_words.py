"""The action and number chips in a few words each: a key for print or braille."""

from __future__ import annotations

from companion.language import _
from companion.verbs import VERBS


def key() -> list[str]:
    """The whole key, a line per chip: moves, actions of the caller, numbers."""
    return [
        _("Chips for moves"),
        *(_line(verb, record.chip()) for verb, record in VERBS.items() if record.chip),
        _("Chips for the companion"),
        *(_line(name, does) for name, does in answers().items()),
        _("Number chips"),
        _("0 to 9: pick the choice with that number."),
        _("Above nine: digit by digit, then enter."),
        _("0 alone: repeat the last answer."),
    ]


def describe(name: str) -> str:
    """What the action chip called `name` does; empty for a number."""
    record = VERBS.get(name)
    return record.chip() if record and record.chip else answers().get(name, "")


def _line(name: str, does: str) -> str:
    return _("{chip}: {does}.").format(chip=name, does=does)


def answers() -> dict[str, str]:
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
    }
