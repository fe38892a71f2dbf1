"""The current language: its catalogue of sentences, and the current box's wording.

The process has one language, the table's. Use `speaking` to address somebody else for a moment,
such as a player's phone.
"""

from __future__ import annotations

import os
from contextvars import ContextVar
from functools import cache

from common.sentences import fill
from companion.language.catalogues import LOCALE_FOLDER
from engine import datafiles, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextvars import Token
    from typing import Any

    from common.sentences import Sentence
    from companion.language.catalogues import Catalogue


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


class _InflectedTemplate(str):
    """A sentence that inflects people's names, which its fields hold as plain text."""

    __slots__ = ()

    def format(self, *args: object, **fields: object) -> str:
        code = current()
        names = {
            field: words.person(value, code) if type(value) is str else value
            for field, value in fields.items()
        }
        return str.format(self, *args, **names)


def add_forms(template: str) -> str:
    """The template, inflecting people's names if it asks for a form of one."""
    asks = ":of}" in template or ":to}" in template or ":with}" in template
    return _InflectedTemplate(template) if asks else template


@cache
def _find_catalogue(code: str) -> Catalogue | None:
    """The catalogue of a language; English needs none."""
    if code == "en":
        return None
    from companion.language import catalogues

    return catalogues.load(code)


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


def speech() -> Speech:
    """The current language."""
    return _listener.get() or _table


def current() -> str:
    """The code of the current language."""
    return (_listener.get() or _table).code


def translate(sentence: str, context: str = "") -> str:
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
    results: dict[str, Any] = {}
    for box in reversed(boxes):
        results |= printings.get(box, {}).get(kind, {})
    return results


def words_of(code: str) -> dict[str, Any]:
    """The contents of `locale/CODE/words.yaml`; empty if there is no such file."""
    path = os.path.join(LOCALE_FOLDER, code, "words.yaml")
    words = datafiles.read(path) if os.path.exists(path) else {}
    for of_card in datafiles.load_of_cards("words", code).values():
        words = words | {kind: words.get(kind, {}) | own for kind, own in of_card.items()}
    return words
