"""The numeric keypad as the whole keyboard of the line caller: the same in every language.

A line of nothing but digits and the keys around them is read here: a number picks a choice, the
other keys go on, back, and ask. The comma is the point of the keypads of many countries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _
from companion.plain import picking

if TYPE_CHECKING:
    from companion.plain.caller import Caller

_KEYS = frozenset("0123456789+-*/.")

WORDS = {
    "0": "repeat",
    "+": "next",
    "-": "undo",
    "--": "redo",
    ".": "back",
    "/": "moves",
    "*": "why",
    "*0": "help keypad",
    "*1": "gold?",
    "*2": "who",
    "*3": "city",
    "*4": "characters",
    "*5": "score",
    "*6": "last",
    "*7": "history",
    "*8": "left",
    "*9": "rules",
    "++": "new",
}
"""What the keys stand for, as it would be typed; a number alone picks a choice."""

_OF_SEATS = {"*1": "gold", "*3": "city", "*8": "left"}  # followed by a seat: of that player alone


def answer(caller: Caller, line: str) -> bool:
    """Answer a line of keypad keys; whether it was one."""
    keys = line.replace(",", ".").replace(" ", "")
    if not keys or not set(keys) <= _KEYS:
        return False
    if keys.isdecimal() and not (keys == "0" and not picking.offers(caller, 0)):
        picking.pick(caller, keys)
    elif keys in WORDS:
        caller.command(WORDS[keys])
    elif keys[:1] == "/" and keys[1:].isdecimal():
        caller.command(f"reference {keys[1:]}")
    elif keys[:2] in _OF_SEATS and keys[2:].isdecimal():
        _of_seat(caller, _OF_SEATS[keys[:2]], keys[2:])
    else:
        caller.refuse(_("{keys} means nothing; *0 says what the keypad does.").format(keys=keys))
    return True


def _of_seat(caller: Caller, word: str, number: str) -> None:
    names = caller.session.view.rules.player_names
    seat = int(number[:3])
    if not 1 <= seat <= len(names):
        caller.refuse(_("nobody sits in seat {seat} in this game.").format(seat=number))
    else:
        caller.command(f"{word} {names[seat - 1]}")


def keys_told() -> list[str]:
    """What each key does, a line each."""
    told: dict[str, Callable[[], str]] = {
        "0": lambda: _("repeat the last answer"),
        "+": lambda: _("go on: call, nobody answers, end the turn; the next entry of a card"),
        "-": lambda: _("take the last move back"),
        "--": lambda: _("do it again"),
        ".": lambda: _("back: the list before, or choose nothing"),
        "/": lambda: _("what can be done now, numbered"),
        "/1": lambda: _("listen to reference card 1; so to 4, the characters"),
        "*": lambda: _("why the last move was refused"),
        "*1": lambda: _("everybody's gold and cards; *12: the gold of seat 2"),
        "*2": lambda: _("the crown, the characters shown, and what was done to whom"),
        "*3": lambda: _("all cities; *32: the city of seat 2"),
        "*4": lambda: _("the characters by rank"),
        "*5": lambda: _("the scores"),
        "*6": lambda: _("what happened last"),
        "*7": lambda: _("what happened in the last ten moves"),
        "*8": lambda: _("districts left to complete; *82: of seat 2"),
        "*9": lambda: _("which box and which options are played"),
        "++": lambda: _("begin another game"),
        "*0": lambda: _("this help"),
    }
    return [
        _("A number: the choice of that number."),
        *(f"{keys}: {sentence()}." for keys, sentence in told.items()),
        _("Enter alone: who is awaited, and for what."),
    ]
