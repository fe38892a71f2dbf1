"""What each action and number chip does, in a few words: a key for print or braille."""

from __future__ import annotations

from companion.chips import CALLER_ACTIONS, MOVE_ACTIONS
from companion.intent.digits import DIGITS
from companion.language import _


def key() -> list[str]:
    """The whole key, a chip a line: moves, what a caller answers, numbers."""
    does = _does()
    return [
        _("Chips for moves"),
        *(_line(name, does[name]) for name in MOVE_ACTIONS),
        _("Chips that the companion answers"),
        *(_line(name, does[name]) for name in CALLER_ACTIONS if name not in DIGITS),
        _("Number chips"),
        _("0 to 9: the choice of that number."),
        _("Above nine: digit by digit, then enter."),
        _("0 alone: the last answer again."),
    ]


def _line(name: str, does: str) -> str:
    return _("{chip}: {does}.").format(chip=name, does=does)


def _does() -> dict[str, str]:
    return {
        "call": _("everybody has chosen"),
        "nobody": _("nobody answers the call"),
        "gold": _("take gold"),
        "cards": _("draw cards"),
        "income": _("take the income"),
        "bonus": _("the Merchant's gold, the Architect's cards"),
        "end": _("end the turn"),
        "navigate": _("the Navigator's gold or cards"),
        "divine": _("the Seer's power"),
        "study": _("the Scholar's power"),
        "tithe": _("the Abbot's gold from the richest"),
        "collect": _("the Tax Collector's gold"),
        "forfeit": _("the table takes the turn away"),
        "leave": _("the Graveyard is not used"),
        "confiscate": _("the Magistrate takes the district"),
        "spare": _("the district or the threat is let go"),
        "bribe": _("pay the Blackmailer"),
        "refuse": _("do not pay the Blackmailer"),
        "expose": _("the threat is shown"),
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
    }
