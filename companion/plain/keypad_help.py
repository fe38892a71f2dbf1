"""What each keypad key does, with keys spelt out: a screen reader may skip punctuation."""

from __future__ import annotations

from companion.language import _


def list_keys() -> list[str]:
    """A line for each key."""
    meanings = {
        "0": _("repeat the last answer"),
        "+": _("carry on: call, nobody answers, end the turn; the next entry of a card"),
        "-": _("undo the last move"),
        "--": _("redo the move that was undone"),
        ".": _("back: the previous list, or choose nothing"),
        "/": _("what you can do now, numbered"),
        "/1": _("listen to reference card 1; likewise 2 to 4, the characters"),
        "*": _("why the last move wasn't allowed"),
        "*1": _("everybody's gold and cards; followed by a seat, that player's gold"),
        "*2": _("the crown, the characters shown, and what was done to whom"),
        "*3": _("all cities; followed by a seat, that player's city"),
        "*4": _("the characters by rank"),
        "*5": _("the scores"),
        "*6": _("what happened last"),
        "*7": _("what happened in the last ten moves"),
        "*8": _("districts left to complete; followed by a seat, that player's"),
        "*9": _("the box and the house rules"),
        "**": _("the round: ranks called and to come, and what was done to whom"),
        "*+": _("which rank is called, and who has answered"),
        "*-": _("read the next card tapped to one person only"),
        "++": _("start another game"),
        "*0": _("this help"),
    }
    return [
        _("A number: the choice with that number."),
        *(
            _("{chip}: {does}.").format(chip=_speak_keys(keys), does=meaning)
            for keys, meaning in meanings.items()
        ),
        _("Enter alone: repeat the question."),
    ]


def _speak_keys(keys: str) -> str:
    names = {
        "+": _("plus"),
        "-": _("minus"),
        "*": _("star"),
        "/": _("slash"),
        ".": _("point"),
    }
    return " ".join(names.get(key, key) for key in keys)
