"""The table's language: sentences through gettext, names and amounts from the card data.

Sentences are whole and in English in the code; `_` translates them. Named fields are filled in
afterwards, so a translation may reorder them and choose the form of each (`engine.words`). A
language is found by its files: see CONTRIBUTING.md.

The process has one language, the table's, and the current box's wording. Use `speaking` to address
somebody else for a moment, such as a player's phone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextvars import ContextVar, Token
from functools import cache
from typing import Any

from common.sentences import Sentence, Typed, fill, fill_in, speak
from companion import extending
from companion.language.catalogues import LOCALE_FOLDER, Catalogue, list_offered
from companion.language.catalogues import load as load_catalogue
from engine import datafiles, words

__all__ = ["LOCALE_FOLDER", "list_offered"]

_MOST_TRANSLATIONS = 4000  # the code has fewer sentences; others might come from outside


class Speech:
    """A language as it is used at this table."""

    __slots__ = ("_printed_names", "catalogue", "code", "kept_for", "translations")

    def __init__(self, code: str) -> None:
        self.code = code
        self.catalogue = _find_catalogue(code)
        self.kept_for: tuple[str, ...] = ()
        self._printed_names: Mapping[str, Any] = {}
        self.translations: dict[str, str] = {}

    @property
    def printed(self) -> Mapping[str, Any]:
        """The current box's own sentences by their English originals: `sentences` under `printings`
        in `words.yaml`. A plural one, under its singular, has a list of forms as in `Plural-Forms`.
        """
        if self.kept_for is not _boxes:
            self.kept_for = _boxes
            self._printed_names = find_printed(self.code, "sentences", _boxes)
            self.translations.clear()
        return self._printed_names

    def translate(self, sentence: str, context: str = "") -> str:
        """The sentence as `_` returns it; kept for the next time."""
        if context:
            return sentence if self.catalogue is None else self.catalogue.gettext(sentence, context)
        if sentence in self.printed:
            translation = str(self.printed[sentence])
        elif self.catalogue is None:
            translation = sentence
        else:
            translation = self.catalogue.gettext(sentence)
        translation = add_forms(translation)
        if len(self.translations) < _MOST_TRANSLATIONS:
            self.translations[sentence] = translation
        return translation


class _Template(str):
    """A sentence whose fields may end it, or that inflects people's names, which its fields hold as
    plain text."""

    __slots__ = ()

    def format(self, *_args: object, **fields: object) -> str:
        if _asks_for_form(self):
            code = current()
            fields = {
                field: words.person(value, code) if type(value) is str else value
                for field, value in fields.items()
            }
        return fill_in(self, fields)


def _asks_for_form(template: str) -> bool:
    return ":of}" in template or ":to}" in template or ":with}" in template


def add_forms(template: str) -> str:
    """The template as one that is filled in so, if it ends with a field or asks for a form."""
    return _Template(template) if "}." in template or _asks_for_form(template) else template


@cache
def _find_catalogue(code: str) -> Catalogue | None:
    """The catalogue of a language; English needs none."""
    if code == "en":
        return None
    return load_catalogue(code)


_table = Speech("en")
_listener: ContextVar[Speech | None] = ContextVar("listener", default=None)
_boxes: tuple[str, ...] = ()


def use(language: str) -> None:
    """Switch the table to that language, one of `available.list_offered()` or one being tried."""
    global _table
    _table = Speech(language)


_speech_in = cache(Speech)  # for listeners: it changes with every sentence


class speaking:
    """Use another language within the block, in this thread or task only."""

    def __init__(self, language: str) -> None:
        self._speech = _speech_in(language)

    def __enter__(self) -> None:
        self._before: Token[Speech | None] = _listener.set(self._speech)

    def __exit__(self, *_error: object) -> None:
        _listener.reset(self._before)


class speaking_to_table:
    """Use the table's language within the block, whoever is being addressed."""

    def __enter__(self) -> None:
        self._before: Token[Speech | None] = _listener.set(None)

    def __exit__(self, *_error: object) -> None:
        _listener.reset(self._before)


class _KeptTemplate(str):
    """A sentence whose fields are kept when it is filled in."""

    __slots__ = ()

    def format(self, *_args: object, **fields: object) -> Sentence:
        return fill(str(self), fields)


class _Recorder(Speech):
    """English, whose sentences keep what they were made from."""

    __slots__ = ()

    def translate(self, sentence: str, context: str = "") -> str:
        return _KeptTemplate(sentence)


class recording(speaking):
    """Within the block, every sentence that is filled in is a `Sentence`: another program can say
    it in its own language."""

    def __init__(self) -> None:
        self._speech = _Recorder("en")


def current_speech() -> Speech:
    return _listener.get() or _table


def current() -> str:
    return (_listener.get() or _table).code


def _(sentence: str, context: str = "") -> str:
    """Translate a sentence (English if it has no translation), as the current box prints it. The
    `context` tells apart two meanings of one English word; it is for translators only."""
    speech = _listener.get() or _table
    if not context and speech.kept_for is _boxes:  # asked for thousands of times a second
        translation = speech.translations.get(sentence)
        if translation is not None:
            return translation
    return speech.translate(sentence, context)


def print_as(*boxes: str) -> None:
    """Use the wording of these boxes, editions or printings, from now on; earlier ones win."""
    global _boxes
    _boxes = boxes
    words.print_as(*boxes)


def boxes() -> tuple[str, ...]:
    """The boxes whose wording is in use, see `print_as`."""
    return _boxes


def find_printed(code: str, kind: str, boxes: tuple[str, ...]) -> dict[str, Any]:
    """These boxes' own entries in a part of that language's `words.yaml`."""
    printings = words_of(code).get("printings", {})
    printed: dict[str, Any] = {}
    for box in reversed(boxes):
        printed |= printings.get(box, {}).get(kind, {})
    return printed


def words_of(code: str) -> dict[str, Any]:
    """The contents of `locale/CODE/words.yaml`; empty if there is no such file."""
    typed = _read_words(LOCALE_FOLDER, code)
    for of_card in datafiles.load_of_cards("words", code).values():
        typed = typed | {kind: typed.get(kind, {}) | own for kind, own in of_card.items()}
    return typed


def _read_words(folder: str, code: str) -> dict[str, Any]:
    path = os.path.join(folder, code, "words.yaml")
    return datafiles.read(path) if os.path.exists(path) else {}


# -- sentences, names and amounts --------------------------------------------------------------


def plural(one: str, many: str, number: int, **fields: object) -> str:
    """The translated sentence for that number, with `{number}` and all other fields filled in."""
    speech = current_speech()
    if one in speech.printed:
        sentence = words.choose_by_number(number, speech.printed[one], speech.code)
    elif speech.catalogue is None:
        sentence = one if number == 1 else many
    else:
        sentence = speech.catalogue.ngettext(one, many, number)
    return add_forms(sentence).format(number=number, **fields)


def translate(text: str) -> str:
    """Translate a text from `engine` or `tags`; plain text is returned unchanged."""
    if type(text) is str:
        return text
    text_spoken: str = speak(text, current(), _translate_words)
    return text_spoken


def _translate_words(text: str) -> str:
    """Translate a sentence, or words to be typed."""
    if not isinstance(text, Typed) or current() == "en":
        return _(text)
    return translate_notation(text)


def put_after_colon(reason: str, names: Iterable[str] = ()) -> str:
    """A translated sentence as it follows a colon: lower case if the language does that, unless it
    starts with one of these names or a card's; capitalized otherwise."""
    text, grammar = translate(reason), words.language(current())
    if not grammar.get("small_after_colon"):
        return begin_sentence(text, names)
    proper = (*names, *(form for card_id in grammar["cards"] for form in card(card_id).forms()))
    return text if text.startswith(proper) else text[:1].lower() + text[1:]


def begin_sentence(reason: str, names: Iterable[str] = ()) -> str:
    """A translated sentence, capitalized unless it starts with one of these names."""
    text = translate(reason)
    return text if text.startswith((*names,)) else text[:1].upper() + text[1:]


def end_sentence(problem: str) -> str:
    """A translated problem as a whole sentence: with a full stop if it ends without one."""
    text = translate(problem)
    if isinstance(current_speech(), _Recorder):  # its fields are for another language, too
        text = problem if isinstance(problem, Sentence) else fill(problem, {})
    return text if text.endswith((".", "?", "!")) else _("{problem}.").format(problem=text)


def number_entry(number: int | str | None, entry: str) -> str:
    return _("{number}: {entry}").format(number=number, entry=entry)


def card(card_id: str) -> words.Name:
    return words.card(card_id, current())


def any_district() -> words.Name:
    return words.any_district(current())


def name_cards(card_ids: Iterable[str]) -> list[words.Name]:
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
    return amount("gold", number)


def hand_cards(number: int) -> words.Amount:
    return amount("card", number)


# -- words to be typed ----------------------------------------------------------------------------


Names = dict[str, list[str]]  # a word, an id or a player -> accepted names


def translate_notation(notation: str) -> str:
    """Notation in the table's language: `income gold N` as `revenu or N`."""
    first, *rest = notation.split(" ")
    small = load_words(current(), "small")
    verb = next(iter(list_own_words(first) or small.get(first, [])), first)
    return " ".join([verb, *(next(iter(small.get(w, ())), w) for w in rest)])


def list_own_words(english: str) -> list[str]:
    """The language's own words for an English one."""
    return _load_own_for_boxes(current(), boxes()).get(english, [])


@cache
def _load_own_for_boxes(code: str, boxes: tuple[str, ...]) -> Names:
    """Every English word with that language's own words, whatever its kind."""
    own_words: Names = {}
    for kind in _WHOLE:
        for english, own in _load_for_boxes(code, kind, boxes).items():
            own_words.setdefault(english, []).extend(own)
    return own_words


_WHOLE = ("commands", "verbs", "topics", "answers", "chips")


def load_words(code: str, kind: str) -> Names:
    """That language's words for the English ones of a kind: `commands`, `verbs`, ..."""
    return _load_for_boxes(code, kind, boxes())


def _list_brought(extension: extending.Extension, code: str) -> Iterable[tuple[str, list[str]]]:
    """The words that an extension has for commands of its own."""
    own = _read_words(extension.locale, code)
    commands: Names = own.get("commands", {})
    for word, typed in commands.items():
        if not isinstance(typed, list) or not all(isinstance(one, str) for one in typed):
            raise TypeError(f"words.yaml: {word} needs a list of words")
    return commands.items()


@cache
def _load_for_boxes(code: str, kind: str, boxes: tuple[str, ...]) -> Names:
    usual: Names = words_of(code).get(kind, {})
    if kind == "commands":  # the only kind that extensions have
        usual = {**dict(extending.gather(lambda one: _list_brought(one, code))), **usual}
    printed: Names = find_printed(code, kind, boxes)
    if not printed:
        return usual
    return {
        word: list(dict.fromkeys([*printed.get(word, ()), *usual.get(word, ())]))
        for word in {**usual, **printed}
    }
