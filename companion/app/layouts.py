"""Normalizes keys across alphabets, digit rows, Shift and Caps Lock.

Keys are identified by the character they type. So `Host._hand_on`, the one place where keys are
dispatched, calls `translate_key` before anything else handles them; typed text is left unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from textual.events import Key
from textual.keys import _character_to_key

_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбюё"
_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_RUSSIAN_SIGNS = {"Ж": ":", ".": "/", ",": "?"}  # where the Russian layout has other characters
_AZERTY = "&é\"'(-è_çà"  # the digit row without Shift, 1 to 9 and 0

_BY_SIGN = (
    dict(zip(_RUSSIAN, _LATIN, strict=True))
    | dict(zip(_RUSSIAN.upper(), _LATIN.upper(), strict=True))
    | _RUSSIAN_SIGNS
    | dict(zip(_AZERTY, "1234567890", strict=True))
)


def translate_key(event: Key, is_text: Callable[[str], bool], bound: Container[str] = ()) -> Key:
    """The intended key, if keys are commands and choices.

    A capital is its letter's key unless it is `bound` separately. A letter of any alphabet for
    which `is_text` holds is text; the characters of a digit row are numbers even then.
    """
    sign = event.character or ""
    latin = _BY_SIGN.get(sign, sign)
    if sign.isalpha() and latin.isalpha() and is_text(latin):
        return event
    if latin.isupper() and latin not in bound:
        latin = latin.lower()
    return event if latin == sign else Key(_character_to_key(latin), latin)
