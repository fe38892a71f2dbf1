"""What each key of the keypad does, with the keys as words: a screen reader may skip signs."""

from __future__ import annotations

from companion.language import _


def told() -> list[str]:
    """What each key does, a line each."""
    meanings = {
        "0": _("repeat the last answer"),
        "+": _("go on: call, nobody answers, end the turn; the next entry of a card"),
        "-": _("take the last move back"),
        "--": _("do it again"),
        ".": _("back: the list before, or choose nothing"),
        "/": _("what can be done now, numbered"),
        "/1": _("listen to reference card 1; so to 4, the characters"),
        "*": _("why the last move was refused"),
        "*1": _("everybody's gold and cards; with a seat behind it, that player's gold"),
        "*2": _("the crown, the characters shown, and what was done to whom"),
        "*3": _("all cities; with a seat behind it, that player's city"),
        "*4": _("the characters by rank"),
        "*5": _("the scores"),
        "*6": _("what happened last"),
        "*7": _("what happened in the last ten moves"),
        "*8": _("districts left to complete; with a seat behind it, that player's"),
        "*9": _("which box and which options are played"),
        "**": _("the round: ranks called and to come, and what was done to whom"),
        "*+": _("which rank is called, and who has answered"),
        "*-": _("the next card tapped is read to one person alone"),
        "++": _("begin another game"),
        "*0": _("this help"),
    }
    return [
        _("A number: the choice of that number."),
        *(f"{_spoken(keys)}: {meaning}." for keys, meaning in meanings.items()),
        _("Enter alone: the question again."),
    ]


def _spoken(keys: str) -> str:
    names = {
        "+": _("plus"),
        "-": _("minus"),
        "*": _("star"),
        "/": _("slash"),
        ".": _("point"),
    }
    return " ".join(names.get(key, key) for key in keys)
