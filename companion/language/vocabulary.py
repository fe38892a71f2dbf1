"""What people type, in the language of the table: commands, verbs and the small words of moves.

`locale/CODE/words.yaml` lists the words of a language under those of the notation, which always
work as well; those that the box in play prints come first. Any unambiguous beginning will do.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from companion.language import in_force
from companion.language.in_force import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Names = dict[str, list[str]]  # a word, an id or a player -> the names that may be typed for it


@lru_cache(maxsize=4096)  # a line is compared with hundreds of names, most of them known before
def plain(text: str) -> str:
    """A word or name without what people leave out when they type: capitals, accents, hyphens,
    apostrophes, spaces between its words."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.translate(WITHOUT_MARKS))
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def spellings(text: str) -> tuple[str, ...]:
    """How a word or name may be typed, `plain`: without its accents, or with the two letters that
    stand for one on keyboards without it (`haendler`, `hoejby`)."""
    return tuple(dict.fromkeys((plain(text), plain(spell_out(text)))))


def spell_out(text: str) -> str:
    """The text with two letters for each umlaut and the like."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_SPELT_OUT)


# Letters that Unicode does not take apart into a letter and a mark.
WITHOUT_MARKS = str.maketrans(
    {"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
_SPELT_OUT = str.maketrans(
    {"ä": "ae", "Ä": "AE", "ö": "oe", "Ö": "OE", "ü": "ue", "Ü": "UE"}
    | {"ø": "oe", "Ø": "OE", "å": "aa", "Å": "AA"}
)


def in_english(line: str) -> str:
    """The line with its command in English, and the word after it where that is a fixed one; a
    line that begins with no command of the language stays as it is."""
    first, space, rest = line.partition(" ")
    if rest == "?":  # as French sets it
        first, rest = f"{first}?", ""
    if first.endswith("?") and not rest and match_word(first, "gold"):
        return "gold?"
    commands, verbs = _words("commands"), _words("verbs")
    meant = _match_words(
        first, {**commands, **{f"verb {verb}": known for verb, known in verbs.items()}}
    )
    if len(meant) != 1 or meant[0] not in commands:
        return line
    after = _AFTER.get(meant[0], ())
    fixed = _match_words(
        rest, {word: own for word, own in _words("topics").items() if word in after}
    )
    return f"{meant[0]}{space}{fixed[0] if len(fixed) == 1 else rest}"


_AFTER = {
    "help": ("moves", "questions", "game", "chips", "secret", "keypad"),
    "moves": ("all",),
    "teach": ("on", "off"),
    "phones": ("out", "allow", "refuse", "all"),
    "voice": ("on", "off"),
}
"""The fixed words that may come after a command."""


def match_word(typed: str, *english: str) -> str | None:
    """The one of these words that is typed, whole, in English or in the language of the table."""
    wanted = plain(typed)
    return next((one for one in english if wanted and _is_one_of(wanted, (one, *_own(one)))), None)


def _is_one_of(wanted: str, words: Iterable[str]) -> bool:
    return any(wanted in spellings(word) for word in words)


def find_typed(english: str) -> str:
    """What people type for that word in the language of the table."""
    return next(iter(_own(english)), english)


def list_typed(english: str) -> list[str]:
    """Everything that may be typed for that word."""
    return [english, *_own(english)]


def find_name(english: str) -> str:
    """What that command or verb is called in the language of the table."""
    own = {**_words("commands"), **_words("verbs")}.get(english)
    return own[0] if own else english


def verbs(word: str, known: Iterable[str]) -> list[str]:
    """Those of the verbs that the word is, or else begins."""
    own = {**_words("commands"), **_words("verbs")}
    return _match_words(word, {verb: [verb, *own.get(verb, ())] for verb in known})


def is_small_word(typed: str, english: str) -> bool:
    """Whether it is, or begins, a fixed word of moves: `nobody`, `gold`, `from`."""
    wanted = plain(typed)
    return any(
        known.startswith(wanted) for word in small_words(english) for known in spellings(word)
    )


def small_words(english: str) -> list[str]:
    """What may be typed for a fixed word of moves."""
    return [english, *_words("small").get(english, ())]


def small(english: str) -> str:
    """What is typed for a fixed word of moves."""
    return next(iter(_words("small").get(english, ())), english)


def translate_notation(notation: str) -> str:
    """Words of the notation in the language of the table: `income gold N` as `revenu or N`."""
    first, *words = notation.split(" ")
    small = _words("small")
    verb = next(iter(_own(first) or small.get(first, [])), first)
    return " ".join([verb, *(next(iter(small.get(w, ())), w) for w in words)])


def _own(english: str) -> list[str]:
    """The words of the language for an English one."""
    return [own for kind in _WHOLE for own in _words(kind).get(english, ())]


_WHOLE = ("commands", "verbs", "topics", "answers", "chips")


def match_names(typed: str, names: Names) -> list[str]:
    """The keys whose names, `plain`, the typed words are, or else begin."""
    wanted = plain(typed)
    if not wanted:
        return []
    exact = [key for key, known in names.items() if wanted in known]
    return exact or [
        key for key, known in names.items() if any(name.startswith(wanted) for name in known)
    ]


def _match_words(typed: str, known: Mapping[str, Iterable[str]]) -> list[str]:
    """The English words whose names the typed one is, or else begins."""
    return match_names(
        typed,
        {key: [one for name in names for one in spellings(name)] for key, names in known.items()},
    )


def _words(kind: str) -> Names:
    return of_language(current(), kind)


def of_language(code: str, kind: str) -> Names:
    """What is typed in that language for the English words of a kind: `commands`, `verbs`, ..."""
    return _of_boxes(code, kind, in_force.boxes())


@cache
def _of_boxes(code: str, kind: str, boxes: tuple[str, ...]) -> Names:
    usual: Names = in_force.words_of(code).get(kind, {})
    printed: Names = in_force.find_printed(code, kind, boxes)
    if not printed:
        return usual
    return {
        word: list(dict.fromkeys([*printed.get(word, ()), *usual.get(word, ())]))
        for word in {**usual, **printed}
    }
