"""What each action and number chip does, in a few words: a key for print or braille."""

from __future__ import annotations

from companion.chips import MOVE_ACTIONS
from companion.game.verbs import VERBS
from companion.language import _


def key() -> list[str]:
    """The whole key, a chip a line: moves, what a caller answers, numbers."""
    return [
        _("Chips for moves"),
        *(_line(verb, chip()) for verb in MOVE_ACTIONS if (chip := VERBS[verb].chip)),
        _("Chips that the companion answers"),
        *(_line(name, does) for name, does in _answers().items()),
        _("Number chips"),
        _("0 to 9: the choice of that number."),
        _("Above nine: digit by digit, then enter."),
        _("0 alone: the last answer again."),
    ]


def _line(name: str, does: str) -> str:
    return _("{chip}: {does}.").format(chip=name, does=does)


def _answers() -> dict[str, str]:
    return {
        "undo": _("take the last move back"),
        "redo": _("do it again"),
        "repeat": _("the last answer again"),
        "why": _("why the last move was refused"),
        "help": _("help"),
        "moves": _("what can be done now, numbered"),
        "next": _("go on: call, nobody, or end"),
        "back": _("the list before; choose nothing"),
        "enter": _("the digits are a whole number"),
        "last": _("what happened last"),
        "who": _("crown, characters, and what was done"),
        "status": _("gold and cards of everybody"),
        "city": _("the city of whoever is awaited"),
        "score": _("the scores"),
        "look": _("the next card is read to one person alone"),
    }
