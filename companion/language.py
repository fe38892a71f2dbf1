"""The language of the table: sentences through gettext, card names from the cards' own data.

Sentences are whole and in English in the code; `_` gives them in the language in force. Named
fields are filled afterwards, so a translation may put them in any order.
"""

from __future__ import annotations

import gettext
import os

from engine import cards

_LOCALE_FOLDER = os.path.join(os.path.dirname(__file__), "locale")
_DOMAIN = "companion"

NAMES = {"en": "English", "fr": "Français", "ru": "Русский"}
"""Each language by its own name."""

_current = "en"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use(language: str) -> None:
    """Speak that language from now on: `en`, `fr` or `ru`."""
    global _current, _catalogue
    _current = language
    _catalogue = gettext.translation(_DOMAIN, _LOCALE_FOLDER, [language], fallback=True)


def current() -> str:
    """The language in force."""
    return _current


def _(sentence: str) -> str:
    """The sentence in the language in force (in English where it has no translation)."""
    return _catalogue.gettext(sentence)


def plural(one: str, many: str, number: int) -> str:
    """The sentence for that number, in the language in force, with `{number}` filled in."""
    return _catalogue.ngettext(one, many, number).format(number=number)


def card(card_id: str) -> str:
    """The card's printed name in the language in force."""
    return cards.name_of(card_id, _current)
