"""Words that know their forms: names of cards, amounts and lists, in any language.

Each is a `str` as it stands, so whoever wants no more than that need not know. Inside a sentence
it is formatted with what the sentence needs of it:

    {card}            as it stands                    Ассасин    Reine      Assassin
    {card:acc}        a form of the language's data   Ассасина
    {card:of}                                                    de la Reine
    {card:The}        the same, with a capital                              The Assassin
    {card:?убит|убита}  a choice by the gender        убит

`names.LANGUAGE.yaml` holds the forms of a language. A form that it does not know gives the words as
they stand: a slip in a translation must not stop a game (tests find it).

A whole sentence is `engine.sentences.Sentence`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import datafiles, languages
from engine.sentences import Words, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from engine.sentences import Translate


def language(code: str) -> dict[str, Any]:
    """What `names.CODE.yaml` says."""
    return datafiles.load(f"names.{code}")


_printing = ""  # whose names the cards have, one of the columns of the card files


def print_as(printing: str) -> None:
    """Call the cards from now on what that printing calls them."""
    global _printing
    _printing = printing


class Name(Words):
    """The name of a card, or of a type of districts, in one language."""

    key: tuple[str, str]
    """The part of the language's data it is from (`cards`, `types`), and its id there."""

    _language: dict[str, Any]
    _facts: Mapping[str, Any]

    def speak(self, code: str, translate: Translate) -> str:
        return _name(*self.key, code, _printing)

    def form(self, form: str) -> str | None:
        own: str | None = self._facts.get(form)
        if own is not None or form not in self._language["forms"]:
            return own
        pattern: str = self._language["forms"][form]
        return pattern.format(name=str.__format__(self, ""))

    def forms(self) -> list[str]:
        """The name as it stands, and in each form that it has of its own."""
        return [
            word for key, word in self._facts.items() if key not in ("gender", "also", "letter")
        ]

    def choice(self, options: list[str]) -> str:
        genders = self._language["genders"]
        place: int = genders.index(self._facts.get("gender", genders[0]))
        return options[min(place, len(options) - 1)]


class Amount(Words):
    """A number of things: `3 gold`, `1 карта` (`{cards:acc}`: `1 карту`)."""

    number: int
    noun: str
    _language: dict[str, Any]

    def speak(self, code: str, translate: Translate) -> str:
        return amount(self.noun, self.number, code)

    def form(self, form: str) -> str | None:
        words: list[str] | None = self._language["nouns"][self.noun].get(form)
        return None if words is None else _counted(self.number, words, self._language)


class Listing(Words):
    """Several words joined in the language's way; a form is each member's, a capital the first
    one's alone."""

    members: tuple[str, ...]
    joined: str
    _ways: dict[str, str]

    def speak(self, code: str, translate: Translate) -> str:
        said = (spoken(member, code, translate) for member in self.members)
        return listing(said, code, joined=self.joined)

    def form(self, form: str) -> str | None:
        if form[0].isupper():
            return None
        members = [format(m, form) if isinstance(m, Words) else m for m in self.members]
        return _joined(members, self.joined, self._ways)


def card(card_id: str, code: str = "en") -> Name:
    """The printed name of a character or district (the English one where it has none)."""
    return _name("cards", card_id, code, _printing)


def any_district(code: str = "en") -> Name:
    """What a district is called of which nobody knows which it is."""
    return _name("things", "district", code, "")


def district_type(type_: str, code: str = "en") -> Name:
    """A type of districts, as an adjective beside the word district."""
    return _name("types", type_, code, "")


def amount(noun: str, number: int, code: str = "en") -> Amount:
    """So many of what the noun of `names.*.yaml` counts."""
    facts = language(code)
    new = Amount(_counted(number, facts["nouns"][noun]["one"], facts))
    new.noun, new.number, new._language = noun, number, facts
    return new


def listing(members: Iterable[str], code: str = "en", *, joined: str = "and") -> Listing:
    """The members joined as the language does: `joined` is `and` or `or`; commas between others."""
    ways: dict[str, str] = language(code)["lists"]
    kept = tuple(members)
    new = Listing(_joined(kept, joined, ways))
    new.members, new.joined, new._ways = kept, joined, ways
    return new


def cards(card_ids: Iterable[str], code: str = "en", *, joined: str = "and") -> Listing:
    """The printed names of several cards, joined."""
    return listing((card(id_, code) for id_ in card_ids), code, joined=joined)


def printed_names(card_id: str) -> Iterable[tuple[str, str]]:
    """Every name printed on the card, with its language."""
    own = datafiles.load("districts").get(card_id, {}).get("names")
    if own:  # a card of the table's own
        yield from own.items()
        return
    for code in languages.named():
        facts = language(code)["cards"].get(card_id, {})
        if facts:
            boxes = language(code).get("printings", {}).values()
            others = (box[card_id]["name"] for box in boxes if card_id in box)
            for name in dict.fromkeys((facts["name"], *others, *facts.get("also", ()))):
                yield code, name


def is_anothers(name: str, card_id: str, code: str) -> bool:
    """Whether the printing in force has that name on another card than this one.

    An old name of one card may be another's: `Manufacture` is the French Smithy or the Factory,
    as the box has it.
    """
    return _bearers(code, _printing).get(name, card_id) != card_id


@datafiles.kept
def _bearers(code: str, printing: str) -> dict[str, str]:
    """The card of that printing that bears each printed name."""
    characters, districts = datafiles.load("characters"), datafiles.load("districts")
    held = {id_: facts["printings"] for id_, facts in characters.items()}
    held |= {id_: facts["copies"] for id_, facts in districts.items()}
    ids = (id_ for id_, printings in held.items() if printing in printings)
    return {str(_name("cards", id_, code, printing)): id_ for id_ in ids}


@datafiles.kept
def _name(kind: str, id_: str, code: str, printing: str) -> Name:
    data = language(code)
    otherwise = data.get("printings", {}).get(printing, {})
    facts = otherwise.get(id_) or data[kind].get(id_)
    if facts is None:  # a card of the table's own, or one without a name in this language
        names = datafiles.load("districts").get(id_, {}).get("names") or {}
        name = names.get(code) or names.get("en") or language("en")[kind][id_]["name"]
        facts = {"name": name}
    new = Name(facts["name"])
    new.key, new._language, new._facts = (kind, id_), data, facts
    return new


def _joined(members: Sequence[str], joined: str, ways: dict[str, str]) -> str:
    if len(members) < 2:
        return str.__format__("".join(members), "")
    *others, last = members
    first = others[0]
    for other in others[1:]:
        first = ways["between"].format(first=first, second=other)
    return ways[joined].format(first=first, second=last)


def _counted(number: int, words: list[str], language: dict[str, Any]) -> str:
    return f"{number} {words[_plural_rule(language['plural'])(number)]}"


@cache
def _plural_rule(expression: str) -> Callable[[int], int]:
    """Which of a noun's words a number takes."""
    if expression == "n != 1":  # English need not wait for the import
        return lambda number: int(number != 1)
    from gettext import c2py  # the reader of exactly these expressions

    rule: Callable[[int], int] = c2py(expression)
    return rule
