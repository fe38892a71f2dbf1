"""The language of the table: sentences through gettext, names and amounts from the cards' data.

Sentences are whole and in English in the code; `_` gives them in the language in force. Named
fields are filled afterwards, so a translation may put them in any order and ask each for the form
it needs (`engine.words`). A language is found by its files: see CONTRIBUTING.md.
"""

from __future__ import annotations

import os

from engine import words
from engine.sentences import Typed, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from gettext import NullTranslations

LOCALE_FOLDER = os.path.join(os.path.dirname(__file__), "locale")
DOMAIN = "companion"

NAMES = {"en": "English", "fr": "Français", "ru": "Русский"}
"""Each language by its own name."""

_current = "en"
_catalogue: NullTranslations | None = None  # English needs none, nor the import


def use(language: str) -> None:
    """Speak that language from now on, one of `engine.words.complete()`."""
    global _current, _catalogue
    _current = language
    _catalogue = None
    if language != "en":
        from gettext import translation

        _catalogue = translation(DOMAIN, LOCALE_FOLDER, [language], fallback=True)


def print_as(printing: str) -> None:
    """Call the cards what that printing calls them from now on."""
    words.print_as(printing)


def current() -> str:
    """The language in force."""
    return _current


def _(sentence: str) -> str:
    """The sentence in the language in force (in English where it has no translation)."""
    return sentence if _catalogue is None else _catalogue.gettext(sentence)


def plural(one: str, many: str, number: int, **fields: object) -> str:
    """The sentence for that number, in the language in force, with `{number}` and all other fields
    filled in."""
    if _catalogue is None:
        sentence = one if number == 1 else many
    else:
        sentence = _catalogue.ngettext(one, many, number)
    return sentence.format(number=number, **fields)


def said(text: str) -> str:
    """What `engine` or `tags` says, in the language in force; a plain text stays as it is."""
    told: str = spoken(text, _current, _in_words)
    return told


def _in_words(words: str) -> str:
    """A sentence, or words to be typed, in the language in force."""
    if not isinstance(words, Typed) or _current == "en":
        return _(words)
    from companion import vocabulary

    return vocabulary.written(words)


def card(card_id: str) -> words.Name:
    """The card's printed name in the language in force."""
    return words.card(card_id, _current)


def cards(card_ids: Iterable[str]) -> words.Listing:
    """The names of several cards, joined as the language does: `Thief, King and Queen`."""
    return words.cards(card_ids, _current)


def listing(members: Iterable[str], *, joined: str = "and") -> words.Listing:
    """Several names joined as the language does; `joined` is `and` or `or`."""
    return words.listing(members, _current, joined=joined)


def district_type(type_: str) -> words.Name:
    """A type of districts: `noble`."""
    return words.district_type(type_, _current)


def amount(noun: str, number: int) -> words.Amount:
    """So many of a noun of `names.*.yaml`: `1 card`."""
    return words.amount(noun, number, _current)


def coins(number: int) -> words.Amount:
    """An amount of gold."""
    return amount("gold", number)


def hand_cards(number: int) -> words.Amount:
    """A number of cards."""
    return amount("card", number)
