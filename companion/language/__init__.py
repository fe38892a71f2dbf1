"""The table's language: sentences through gettext, names and amounts from the card data.

Sentences are whole and in English in the code; `_` translates them. Named fields are filled in
afterwards, so a translation may reorder them and choose the form of each (`engine.words`). A
language is found by its files: see CONTRIBUTING.md.
"""

from __future__ import annotations

from common.sentences import Typed, speak
from companion.language import in_force
from companion.language.catalogues import LOCALE_FOLDER, list_offered
from companion.language.in_force import current, print_as, speaking, speaking_to_table, use
from companion.language.in_force import translate as _
from engine import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "LOCALE_FOLDER",
    "_",
    "after_colon",
    "amount",
    "card",
    "cards",
    "coins",
    "current",
    "district_type",
    "hand_cards",
    "list_offered",
    "listing",
    "name_cards",
    "numbered",
    "plural",
    "print_as",
    "speaking",
    "speaking_to_table",
    "translate",
    "use",
]  # fmt: skip


def plural(one: str, many: str, number: int, **fields: object) -> str:
    """The translated sentence for that number, with `{number}` and all other fields filled in."""
    speech = in_force.speech()
    if one in speech.printed:
        sentence = words.choose_by_number(number, speech.printed[one], speech.code)
    elif speech.catalogue is None:
        sentence = one if number == 1 else many
    else:
        sentence = speech.catalogue.ngettext(one, many, number)
    return in_force.add_forms(sentence).format(number=number, **fields)


def translate(text: str) -> str:
    """Translate a text from `engine` or `tags`; plain text is returned unchanged."""
    if type(text) is str:
        return text
    text_spoken: str = speak(text, current(), _translate_words)
    return text_spoken


def _translate_words(words: str) -> str:
    """Translate a sentence, or words to be typed."""
    if not isinstance(words, Typed) or current() == "en":
        return _(words)
    from companion.language import vocabulary

    return vocabulary.translate_notation(words)


def put_after_colon(reason: str, names: Iterable[str] = ()) -> str:
    """A translated sentence as it follows a colon: lower case if the language does that, unless it
    starts with one of these names or a card's; capitalized otherwise."""
    text, entries = translate(reason), words.language(current())
    if not entries.get("small_after_colon"):
        return begin_sentence(text, names)
    proper = (*names, *(form for card_id in entries["cards"] for form in card(card_id).forms()))
    return text if text.startswith(proper) else text[:1].lower() + text[1:]


def begin_sentence(reason: str, names: Iterable[str] = ()) -> str:
    """A translated sentence, capitalized unless it starts with one of these names."""
    text = translate(reason)
    return text if text.startswith((*names,)) else text[:1].upper() + text[1:]


def end_sentence(problem: str) -> str:
    """A translated problem as a whole sentence: with a full stop if it ends without one."""
    text = translate(problem)
    return text if text.endswith((".", "?", "!")) else _("{problem}.").format(problem=text)


def number_entry(number: int | str | None, entry: str) -> str:
    """A list entry with its number."""
    return _("{number}: {entry}").format(number=number, entry=entry)


def card(card_id: str) -> words.Name:
    """The card's printed name in the current language."""
    return words.card(card_id, current())


def name_cards(card_ids: Iterable[str]) -> list[words.Name]:
    """The printed name of each of the cards in the current language."""
    return words.name_cards(card_ids, current())


def cards(card_ids: Iterable[str]) -> words.Listing:
    """The names of several cards, joined by the language's rules: `Thief, King and Queen`."""
    return words.cards(card_ids, current())


def listing(members: Iterable[str], *, conjunction: str = "and") -> words.Listing:
    """Several names joined by the language's rules; `conjunction` is `and` or `or`."""
    return words.listing(members, current(), conjunction=conjunction)


def district_type(type_: str) -> words.Name:
    """The name of a district type: `noble`."""
    return words.district_type(type_, current())


def amount(noun: str, number: int) -> words.Amount:
    """An amount of a noun of `names.*.yaml`: `1 card`."""
    return words.amount(noun, number, current())


def coins(number: int) -> words.Amount:
    """An amount of gold."""
    return amount("gold", number)


def hand_cards(number: int) -> words.Amount:
    """A number of cards."""
    return amount("card", number)
