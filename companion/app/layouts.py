"""What a key means here, whatever the keyboard's alphabet, its digit row, Shift and Caps Lock.

Keys are told from each other by the sign they type. So the one place where keys are handed on
(`Host._hand_on`) asks `translate_key` before anybody looks at it; text that is typed stays.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from textual.events import Key
from textual.keys import _character_to_key

_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбюё"
_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_RUSSIAN_SIGNS = {"Ж": ":", ".": "/", ",": "?"}  # where the Russian keyboard has other signs
_AZERTY = "&é\"'(-è_çà"  # the digit row without Shift, 1 to 9 and 0

_BY_SIGN = (
    dict(zip(_RUSSIAN, _LATIN, strict=True))
    | dict(zip(_RUSSIAN.upper(), _LATIN.upper(), strict=True))
    | _RUSSIAN_SIGNS
    | dict(zip(_AZERTY, "1234567890", strict=True))
)


def translate_key(event: Key, is_text: Callable[[str], bool], bound: Container[str] = ()) -> Key:
    """The key that was meant where keys are commands and choices.

    A capital is its letter's key unless it is `bound` to something of its own. A letter of any
    alphabet for whose key `is_text` says so is text; the signs of a digit row are numbers all the
    same.
    """
    sign = event.character or ""
    latin = _BY_SIGN.get(sign, sign)
    if sign.isalpha() and latin.isalpha() and is_text(latin):
        return event
    if latin.isupper() and latin not in bound:
        latin = latin.lower()
    return event if latin == sign else Key(_character_to_key(latin), latin)
