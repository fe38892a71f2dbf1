"""The spaces that a language sets before or after signs: none at which a line may break.

`make messages` sets them in the catalogues, so that a translator can type ordinary ones;
`docs/dev/glossary.*.md` says what they are.
"""

from __future__ import annotations

import re

_NARROW, _WIDE = "\u202f", "\u00a0"
_BREAKING = {
    "fr": (
        (r"(?<=[^\s\u00a0\u202f«|]) (?=[;!?])", _NARROW),
        (r"(?<=\S) (?=:(?:\s|$))", _WIDE),
        (r"(?<=«) ?(?=[^\s\u00a0])", _WIDE),
        (r"(?<=[^\s\u00a0]) ?(?=»)", _WIDE),
    ),
    "ru": (
        (r"(?<=\S) (?=—)", _WIDE),
        (r"(?<=\d) (?=[а-яё])", _WIDE),
    ),
}
"""By language: where an ordinary space is wrong, and the one that replaces it."""


def set_spaces(text: str, code: str) -> str:
    """The text with the no-break spaces of that language."""
    for place, space in _BREAKING.get(code, ()):
        text = re.sub(place, space, text)
    return text
