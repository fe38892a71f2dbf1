"""The language in force: its catalogue of sentences, and what the box in play prints.

The process has one, the table's. Whoever is told something else for a moment, such as a player's
own phone, is told it within `speaking`.
"""

from __future__ import annotations

import os
from contextvars import ContextVar
from functools import cache

from companion.language.available import DOMAIN, LOCALE_FOLDER
from engine import datafiles, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextvars import Token
    from gettext import NullTranslations
    from typing import Any


class Speech:
    """One language as it is spoken at this table."""

    __slots__ = ("_boxes", "_printed", "catalogue", "code")

    def __init__(self, code: str) -> None:
        self.code = code
        self.catalogue = _find_catalogue(code)
        self._boxes: tuple[str, ...] = ()
        self._printed: Mapping[str, Any] = {}

    @property
    def printed(self) -> Mapping[str, Any]:
        """The sentences that the box in play has otherwise, by the English ones: the `sentences` of
        `printings` in `words.yaml`. A plural one, by its singular, has a list, as `Plural-Forms`
        says."""
        if self._boxes != _boxes:
            self._boxes, self._printed = _boxes, find_printed(self.code, "sentences", _boxes)
        return self._printed


def _find_catalogue(code: str) -> NullTranslations | None:
    """The sentences of a language; English needs none, nor the import of gettext."""
    if code == "en":
        return None
    from gettext import translation

    return translation(DOMAIN, LOCALE_FOLDER, [code], fallback=True)


_table = Speech("en")
_listener: ContextVar[Speech | None] = ContextVar("listener", default=None)
_boxes: tuple[str, ...] = ()


def use(language: str) -> None:
    """Speak that language at this table from now on, one of `available.offered()` or one being
    tried."""
    global _table
    _table = Speech(language)


_speech_in = cache(Speech)  # for listeners, who change with every sentence


class speaking:
    """Speak another language while it lasts, in this thread or task alone."""

    def __init__(self, language: str) -> None:
        self._speech = _speech_in(language)

    def __enter__(self) -> None:
        self._before: Token[Speech | None] = _listener.set(self._speech)

    def __exit__(self, *_error: object) -> None:
        _listener.reset(self._before)


class speaking_to_table:
    """Speak the table's own language while it lasts, whoever is being told something."""

    def __enter__(self) -> None:
        self._before: Token[Speech | None] = _listener.set(None)

    def __exit__(self, *_error: object) -> None:
        _listener.reset(self._before)


def speech() -> Speech:
    """The language in force."""
    return _listener.get() or _table


def current() -> str:
    """The code of the language in force."""
    return speech().code


def print_as(*boxes: str) -> None:
    """Speak from now on as these boxes print, editions or printings, the first before the next."""
    global _boxes
    _boxes = boxes
    words.print_as(*boxes)


def boxes() -> tuple[str, ...]:
    """The boxes as which everything is printed now, see `print_as`."""
    return _boxes


def find_printed(code: str, kind: str, boxes: tuple[str, ...]) -> dict[str, Any]:
    """What these boxes have of their own in a part of that language's `words.yaml`."""
    printings = words_of(code).get("printings", {})
    found: dict[str, Any] = {}
    for box in reversed(boxes):
        found |= printings.get(box, {}).get(kind, {})
    return found


def words_of(code: str) -> dict[str, Any]:
    """What `locale/CODE/words.yaml` says; nothing where there is none."""
    path = os.path.join(LOCALE_FOLDER, code, "words.yaml")
    words = datafiles.read(path) if os.path.exists(path) else {}
    for of_card in datafiles.load_of_cards("words", code).values():
        words = words | {kind: words.get(kind, {}) | own for kind, own in of_card.items()}
    return words
