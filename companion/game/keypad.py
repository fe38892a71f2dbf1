"""The numeric keypad as a complete keyboard, the same in every language: lines of nothing but
digits and the keys around them. Many countries' keypads have a comma for the point.
"""

from __future__ import annotations

_KEYS = frozenset("0123456789+-*/.")

KEYPAD = {
    "0": "repeat",
    "+": "next",
    "-": "undo",
    "--": "redo",
    ".": "back",
    "/": "moves",
    "*": "why",
    "*1": "gold?",
    "*2": "who",
    "*3": "cities",
    "*4": "characters",
    "*5": "score",
    "*6": "last",
    "*7": "history",
    "*8": "left",
    "*9": "rules",
    "**": "round",
    "*+": "called",
    "*-": "look",
    "*.": "mine",
    "*/": "phones out",
    "++": "new",
    "*0": "help keypad",
}
"""What the keys mean, as typed commands; a number alone picks a row."""

_OF_A_SEAT = {
    "*1": "gold?",
    "*3": "city",
    "*8": "left",
    "*.": "mine",
}
"""Those that a seat may follow: only that player."""


def is_keypad(line: str) -> bool:
    keys = _spell(line)
    return bool(keys) and set(keys) <= _KEYS


def read_keypad(line: str) -> int | str | None:
    """The number or the command that a line of keys stands for; None for meaningless keys."""
    keys = _spell(line)
    if keys in KEYPAD:
        return KEYPAD[keys]
    if keys.isdecimal():
        return int(keys) if len(keys) < 6 else -1
    if keys[:1] == "/" and keys[1:].isdecimal():
        return f"reference {keys[1:]}"
    if keys[:2] in _OF_A_SEAT and keys[2:].isdecimal():
        return f"{_OF_A_SEAT[keys[:2]]} {keys[2:]}"
    return None


def _spell(line: str) -> str:
    return line.replace(",", ".").replace(" ", "")
