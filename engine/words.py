"""Words that know their forms: names of cards, amounts and lists, in any language.

Each is a plain `str` in code. Inside a sentence, a format spec picks a form:

    {card}            unchanged                       Ассасин    Reine      Assassin
    {card:acc}        a form of the language's data   Ассасина
    {card:of}                                                    de la Reine
    {card:The}        the same, with a capital                              The Assassin
    {card:?убит|убита}  a choice by the gender        убит

`names.LANGUAGE.yaml` holds the forms of a language. An unknown form gives the words
unchanged: a mistake in a translation must not stop a game (tests find it).

A whole sentence is `common.sentences.Sentence`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from gettext import c2py
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from common.sentences import Words, speak
from engine import datafiles

if TYPE_CHECKING:
    from common.sentences import Translate


@datafiles.keep
def language(code: str) -> dict[str, Any]:
    """The data of `names.CODE.yaml`, with English words where an unfinished file lacks any."""
    english = datafiles.load("names.en")
    if code == "en":
        return english
    own = datafiles.load(f"names.{code}") if code in datafiles.list_languages() else {}
    shared = {key: english[key] for key in ("genders", "forms", "plural", "lists")}
    grammar = {"language": code, "cards": {}, **shared, **own}
    for kind in ("nouns", "types", "things"):
        grammar[kind] = {**english[kind], **own.get(kind, {})}
    return grammar


_boxes: tuple[str, ...] = ()  # the boxes whose names are used


def print_as(*boxes: str) -> None:
    """Use the printed names of these editions or printings for cards, types and boxes from now on;
    the first with its own name for something wins."""
    global _boxes
    _boxes = boxes


class Name(Words):
    """The name of a card, a type of districts or an edition, in one language."""

    key: tuple[str, str]
    """Its section of the language's data (`cards`, `types`, `editions`), and its id."""

    _language: dict[str, Any]
    _facts: Mapping[str, Any]

    def speak(self, code: str, translate: Translate) -> str:
        return _name(*self.key, code, _boxes)

    def form(self, form: str) -> str | None:
        own: str | None = self._facts.get(form)
        if own is not None or form not in self._language["forms"]:
            return own
        pattern: str = self._language["forms"][form]
        return pattern.format(name=str.__str__(self))

    def forms(self) -> list[str]:
        return [
            word for key, word in self._facts.items() if key not in ("gender", "also", "letter")
        ]

    def choice(self, options: list[str]) -> str:
        genders = self._language["genders"]
        gender = self._facts.get("gender")
        place: int = genders.index(gender) if gender in genders else 0
        return options[min(place, len(options) - 1)]


class PlayerName(Words):
    _language: dict[str, Any]

    def form(self, form: str) -> str | None:
        name = str.__str__(self)
        for rule in self._language.get("people", ()):
            pattern = rule.get("when", "")
            if form in rule and _compile_beginning(pattern)(_strip_accents(name)):
                stem = name[: len(name) - rule.get("cut", 0)]
                return str(rule[form]).format(stem=stem)
        return None


class Amount(Words):
    """A number of things: `3 gold`, `1 карта` (`{cards:acc}`: `1 карту`)."""

    number: int
    noun: str
    _language: dict[str, Any]

    def speak(self, code: str, translate: Translate) -> str:
        return amount(self.noun, self.number, code)

    def form(self, form: str) -> str | None:
        words: list[str] | None = self._language["nouns"][self.noun].get(form)
        return None if words is None else _count(self.number, words, self._language)


class Listing(Words):
    """Several words joined as the language does; a form applies to each member, a capital only to
    the first."""

    members: tuple[str, ...]
    conjunction: str
    _ways: dict[str, str]

    def speak(self, code: str, translate: Translate) -> str:
        spoken = (speak(member, code, translate) for member in self.members)
        return listing(spoken, code, conjunction=self.conjunction)

    def form(self, form: str) -> str | None:
        if form[0].isupper():
            return None
        members = [format(m, form) if isinstance(m, Words) else m for m in self.members]
        return _join(members, self.conjunction, self._ways)


def person(name: str, code: str = "en") -> PlayerName:
    """The name of a player, with the forms that the language has for people."""
    new = PlayerName(name)
    new._language = language(code)
    return new


def card(card_id: str, code: str = "en") -> Name:
    """The printed name of a character or district (the English one where it has none)."""
    return _name("cards", card_id, code, _boxes)


def name_cards(card_ids: Iterable[str], code: str = "en") -> list[Name]:
    return [card(id_, code) for id_ in card_ids]


def any_district(code: str = "en") -> Name:
    return _name("things", "district", code, ())


def district_type(type_: str, code: str = "en") -> Name:
    """A type of districts, as an adjective beside the word district."""
    return _name("types", type_, code, _boxes)


def edition(edition_id: str, code: str = "en") -> Name:
    """The title of an edition (the one on its box where the language has none for it)."""
    return _name("editions", edition_id, code, ())


def amount(noun: str, number: int, code: str = "en") -> Amount:
    """A number of things, with their noun from `names.*.yaml`."""
    facts = language(code)
    new = Amount(_count(number, facts["nouns"][noun]["one"], facts))
    new.noun, new.number, new._language = noun, number, facts
    return new


def listing(members: Iterable[str], code: str = "en", *, conjunction: str = "and") -> Listing:
    """The members joined as the language does: commas, and `and` or `or` before the last."""
    ways: dict[str, str] = language(code)["lists"]
    words = tuple(members)
    joined = Listing(_join(words, conjunction, ways))
    joined.members, joined.conjunction, joined._ways = words, conjunction, ways
    return joined


def cards(card_ids: Iterable[str], code: str = "en", *, conjunction: str = "and") -> Listing:
    return listing(name_cards(card_ids, code), code, conjunction=conjunction)


@datafiles.keep
def printed_names(card_id: str) -> tuple[tuple[str, str], ...]:
    """Every name printed on the card, with its language."""
    return tuple(_printed_names(card_id))


def _printed_names(card_id: str) -> Iterator[tuple[str, str]]:
    own = datafiles.load("districts").get(card_id, {}).get("names")
    if own:  # a card of the table's own
        yield from own.items()
        return
    for code in datafiles.list_languages():
        facts = language(code)["cards"].get(card_id, {})
        if facts:
            others = _list_other_names("cards", card_id, code)
            for name in dict.fromkeys((facts["name"], *others, *facts.get("also", ()))):
                yield code, name


def type_names(type_: str, code: str) -> list[str]:
    """Every name of a type of districts in that language, in all its forms and of any box."""
    usual = _name("types", type_, code, ())
    return [
        *district_type(type_, code).forms(),
        *usual.forms(),
        *_list_other_names("types", type_, code),
    ]


def _list_other_names(kind: str, id_: str, code: str) -> list[str]:
    """Its other names, from boxes that have their own."""
    boxes = language(code).get("printings", {}).values()
    return [box[kind][id_]["name"] for box in boxes if id_ in box.get(kind, ())]


def is_anothers(name: str, card_id: str, code: str) -> bool:
    """Whether the current box has that name on a different card.

    An old name of one card may now belong to another: `Manufacture` is the French Smithy or the
    Factory, depending on the box.
    """
    return _bearers(code, _boxes).get(name, card_id) != card_id


@datafiles.keep
def _bearers(code: str, boxes: tuple[str, ...]) -> dict[str, str]:
    """The card with each printed name in that box."""
    characters, districts = datafiles.load("characters"), datafiles.load("districts")
    by_printing = {id_: facts["printings"] for id_, facts in characters.items()}
    by_printing |= {id_: facts["copies"] for id_, facts in districts.items()}
    ids = (id_ for id_, printings in by_printing.items() if not set(boxes).isdisjoint(printings))
    return {str(_name("cards", id_, code, boxes)): id_ for id_ in ids}


@datafiles.keep
def _name(kind: str, id_: str, code: str, boxes: tuple[str, ...]) -> Name:
    data = language(code)
    facts = usual = data.get(kind, {}).get(id_)
    printings = data.get("printings", {})
    for box in reversed(boxes):  # the first one wins
        facts = printings.get(box, {}).get(kind, {}).get(id_) or facts
    if facts is None:
        facts = {"name": _name_untranslated(kind, id_, code)}
    elif usual and "letter" in usual:  # a box may change the word and keep the mark
        facts = {"letter": usual["letter"], **facts}
    new = Name(facts["name"])
    new.key, new._language, new._facts = (kind, id_), data, facts
    return new


def _name_untranslated(kind: str, id_: str, code: str) -> str:
    """The name of a custom card, or of a card without one in this language."""
    if kind == "editions":
        return str(datafiles.load("editions")[id_]["title"])
    names = datafiles.load("districts").get(id_, {}).get("names") or {}
    return str(names.get(code) or names.get("en") or language("en")[kind][id_]["name"])


def _join(members: Sequence[str], conjunction: str, ways: dict[str, str]) -> str:
    if len(members) < 2:
        return str.__format__("".join(members), "")
    *others, last = members
    first = others[0]
    for other in others[1:]:
        first = ways["between"].format(first=first, second=other)
    return ways[conjunction].format(first=first, second=last)


def _count(number: int, words: list[str], language: dict[str, Any]) -> str:
    return f"{number} {choose_form(number, words, language['plural'])}"


def choose_by_number(number: int, ways: list[str], code: str) -> str:
    """The variant that goes with the number in that language."""
    return choose_form(number, ways, language(code)["plural"])


def choose_form(number: int, forms: list[str], rule: str) -> str:
    """The form that goes with the number by that rule, as gettext's `Plural-Forms` has it."""
    return forms[min(_plural_rule(rule)(number), len(forms) - 1)]


@cache
def _plural_rule(expression: str) -> Callable[[int], int]:
    """Compile a plural rule: a number to the index of a noun's word."""
    if expression == "n != 1":  # spares English the import
        return lambda number: int(number != 1)
    rule: Callable[[int], int] = c2py(expression)
    return rule


@cache
def _compile_beginning(pattern: str) -> Callable[[str], object]:
    """A function that tells whether a word begins with the pattern."""
    return re.compile(pattern).match


def _strip_accents(name: str) -> str:
    """The name in small letters, Latin ones without accents."""
    plain = name.casefold().replace("œ", "oe").replace("æ", "ae")
    return normalize("NFD", plain).encode("ascii", "ignore").decode() or plain
