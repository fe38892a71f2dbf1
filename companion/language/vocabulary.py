"""Typed words of the table's language, and the names that are accepted in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.language import Names, current, list_own_words, load_words
from engine import words
from engine.moves import fold
from engine.words import is_anothers, printed_names


@lru_cache(maxsize=4096)  # a line is compared with hundreds of names, most of them repeatedly
def simplify(text: str) -> str:
    """A word or name without what people omit when typing: capitals, accents, hyphens, apostrophes,
    spaces within it."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.translate(WITHOUT_MARKS))
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@lru_cache(maxsize=4096)
def spellings(text: str) -> tuple[str, ...]:
    """The accepted spellings of a word or name, simplified: without its accents, or with the two
    letters that replace one on keyboards without it (`haendler`, `hoejby`)."""
    return tuple(dict.fromkeys((simplify(text), simplify(spell_out(text)))))


def spell_out(text: str) -> str:
    """The text with two letters for each umlaut and similar letter."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_SPELT_OUT)


# Letters that Unicode does not decompose into a letter and a mark.
WITHOUT_MARKS = str.maketrans(
    {"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
_SPELT_OUT = str.maketrans(
    {"ä": "ae", "Ä": "AE", "ö": "oe", "Ö": "OE", "ü": "ue", "Ü": "UE"}
    | {"ø": "oe", "Ø": "OE", "å": "aa", "Å": "AA"}
)


def translate_line(line: str) -> str:
    """The line with its command in English, and the next word too if that is a fixed one; a line
    that begins with no command is returned unchanged."""
    first, space, rest = line.partition(" ")
    if rest == "?":  # French puts a space before it
        first, space, rest = f"{first}?", "", ""
    if first.endswith("?") and match_word(first, "gold"):
        return f"gold?{space}{rest}"
    commands, verbs = _words("commands"), _words("verbs")
    meant = _match_words(
        first, {**commands, **{f"verb {verb}": names for verb, names in verbs.items()}}
    )
    if len(meant) != 1 or meant[0] not in commands:
        return line
    after = _AFTER.get(meant[0], ())
    topics = _match_words(
        rest, {word: own for word, own in _words("topics").items() if word in after}
    )
    return f"{meant[0]}{space}{topics[0] if len(topics) == 1 else rest}"


_AFTER = {
    "help": ("moves", "questions", "game", "chips", "secret", "keypad"),
    "moves": ("all",),
    "teach": ("on", "off"),
    "phones": ("out", "code", "taps", "all"),
    "voice": ("on", "off"),
}
"""The fixed words that may follow a command."""


def match_word(text: str, *english: str) -> str | None:
    """The one of these words that was typed in full, in English or in the table's language."""
    typed = simplify(text)
    return next(
        (one for one in english if typed and _is_one_of(typed, (one, *list_own_words(one)))), None
    )


def match_yes_or_no(text: str) -> bool | None:
    """Whether yes was typed, in full or its first letter, in English or in the table's language;
    None for neither that nor no."""
    for english in ("yes", "no"):
        forms = list_typed(english)
        if simplify(text) in {typed for form in forms for typed in (form[0], *spellings(form))}:
            return english == "yes"
    return None


def _is_one_of(typed: str, english: Iterable[str]) -> bool:
    return any(typed in spellings(word) for word in english)


def find_typed(english: str) -> str:
    """The word to type in the table's language."""
    return next(iter(list_own_words(english)), english)


def list_typed(english: str) -> list[str]:
    """Every accepted form of that word."""
    return [english, *list_own_words(english)]


def find_name(english: str) -> str:
    """The name of that command or verb in the table's language."""
    own = {**_words("commands"), **_words("verbs")}.get(english)
    return own[0] if own else english


def verbs(word: str, names: Iterable[str]) -> list[str]:
    """The verbs that the word names, else those of which it is a prefix."""
    own = {**_words("commands"), **_words("verbs")}
    return _match_words(word, {verb: [verb, *own.get(verb, ())] for verb in names})


def is_small_word(text: str, english: str) -> bool:
    """Whether it is a fixed word of moves or a prefix of one: `nobody`, `gold`, `from`."""
    typed = simplify(text)
    return any(
        name.startswith(typed) for word in list_small_words(english) for name in spellings(word)
    )


def list_small_words(english: str) -> list[str]:
    """The accepted forms of a fixed word of moves."""
    return [english, *_words("small").get(english, ())]


def pick_small_word(english: str) -> str:
    """The word to type for a fixed word of moves."""
    return next(iter(_words("small").get(english, ())), english)


def match_names(text: str, names: Names) -> list[str]:
    """The keys whose names, simplified, equal the typed words, else those that begin with them."""
    typed = simplify(text)
    if not typed:
        return []
    exact = [key for key, spellings_of in names.items() if typed in spellings_of]
    return exact or [
        key
        for key, spellings_of in names.items()
        if any(name.startswith(typed) for name in spellings_of)
    ]


def _match_words(text: str, names_of: Mapping[str, Iterable[str]]) -> list[str]:
    """The English words whose names equal the typed one, else those that begin with it."""
    return match_names(
        text,
        {
            key: [one for name in names for one in spellings(name)]
            for key, names in names_of.items()
        },
    )


def _words(kind: str) -> Names:
    return load_words(current(), kind)


def player_names(players: Iterable[str]) -> Names:
    """The names accepted for each player (`Jose` for José, `Juergen` for Jürgen, unless both
    play)."""
    names = list(players)
    lines = {simplify(name) for name in names}
    return {
        name: [fold(name), simplify(name), *(one for one in spellings(name) if one not in lines)]
        for name in names
    }


def card_names(card_id: str) -> list[str]:
    """The names accepted for a card: its id, also as separate words, and every name and inflected
    form in the table's language, of all printings. Names of other languages are excluded: the
    Russian `Порт` is the Docks and the French `Port` the Harbor."""
    here = current()
    lines = (
        name
        for code, name in printed_names(card_id)
        if code == here and not is_anothers(name, card_id, code)
    )
    names = (card_id, *lines, *words.card(card_id, here).forms())
    return [one for name in names for one in spellings(name)]


@lru_cache(maxsize=64)
def list_initials(names: tuple[str, ...]) -> frozenset[str]:
    """The letters with which these names begin, in any accepted spelling."""
    return frozenset(one[0] for name in names for one in spellings(name) if one)


def names_of_cards(card_ids: Iterable[str]) -> Names:
    return {id_: card_names(id_) for id_ in card_ids}


def search_names(card_id: str) -> tuple[str, ...]:
    """Every name of a card in any language and printing, and its id, normalized for search; none
    that the current box has on another card."""
    lines = (name for code, name in printed_names(card_id) if not is_anothers(name, card_id, code))
    return tuple(dict.fromkeys(one for name in (card_id, *lines) for one in spellings(name)))


def find_named(text: str, ids: Iterable[str]) -> list[str]:
    """Those of the ids that the text means where people write files: as an id or the name of a
    card in any language, in full, else as the beginning of one."""
    names = {id_: list(search_names(id_)) for id_ in ids}
    typed = simplify(text)
    return [id_ for id_ in names if simplify(id_) == typed] or match_names(text, names)


def type_names(type_: str) -> list[str]:
    names = (type_, *words.type_names(type_, current()))
    return [one for name in names for one in spellings(name)]
