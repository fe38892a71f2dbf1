"""The registry: which chip stands for what.

A registry is immutable; learning a chip returns a new one, so undo just keeps the old one. File I/O
is the caller's: ``from_data`` takes and ``to_data`` gives plain mappings, lists and texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from common.clean import LONGEST_NAME, is_name, read_number
from common.problems import Checker, Path, Problems, find_nearest
from common.sentences import N_, Sentence
from companion.chips.entries import (
    CardChip,
    Entry,
    PieceCatalogue,
    ReferenceChip,
    check_word,
    make_number_problem,
    parse_entry,
)
from tags.links import LENGTHS, NO_ID, format_uid, parse_uid

SECTIONS = ("chips", "decks", "references")

MOST_CHIPS = 20_000
"""The most chips of all decks together."""


class _RegistryCheck(Checker):
    """One pass over the data, collecting problems."""

    def __init__(self, catalogue: PieceCatalogue) -> None:
        super().__init__()
        self.catalogue = catalogue
        self._spellings: dict[bytes, str] = {}  # the chips of all decks, as their ids are written

    def entries_of(self, path: Path, data: object, what: str) -> Mapping[str, object]:
        """``data`` with its keys as text; if it is no mapping, an empty one, with a problem
        noted."""
        if data is None:
            return {}
        if not isinstance(data, Mapping):
            self.say(path, "This should be {what}.", what=what)
            return {}
        return {str(key): value for key, value in data.items()}

    def check_all(self, data: object) -> Registry:
        """The registry that ``data`` describes, as far as it is valid."""
        top = self.entries_of((), data, Sentence("a mapping with the keys chips and references"))
        for key in top:
            if key not in SECTIONS:
                near = find_nearest(key, SECTIONS)
                self.say((key,), "There is no key “{key}”.", key=key, near=near)
        sections: list[tuple[str, Path, object]] = [("", ("chips",), top.get("chips"))]
        names = self.entries_of(
            ("decks",), top.get("decks"), Sentence("a mapping from names of decks to their chips")
        )
        for name, chips in names.items():
            if not is_name(name):
                self.say(("decks", name), "A deck's name has 1 to {most} letters.",
                         most=LONGEST_NAME)  # fmt: skip
            sections.append((name, ("decks", name), chips))
        entries: dict[bytes, Entry] = {}
        decks: dict[bytes, str] = {}
        for name, path, section in sections:
            for uid, entry in self.chips(path, section).items():
                entries[uid] = entry
                decks[uid] = name
        if len(self._spellings) > MOST_CHIPS:
            self.say(
                (),
                "There are {number} chips in this file, and it holds {most} at most. Take out "
                "decks that you no longer use, or give them a file of their own (paths: chips:).",
                number=len(self._spellings),
                most=MOST_CHIPS,
            )
        references = self.entries_of(
            ("references",),
            top.get("references"),
            Sentence("a mapping from numbers to lists of cards"),
        )
        return Registry(entries, self.references(references), decks=decks)

    def chips(self, path: Path, section: object) -> dict[bytes, Entry]:
        """The chips of one deck."""
        # A parser has already rounded or truncated a number used as a key: 041E55 is lost.
        if isinstance(section, Mapping):
            for key in [key for key in section if not isinstance(key, str)]:
                self.say((*path, str(key)), "This chip id must be in quotes.")
            section = {key: value for key, value in section.items() if isinstance(key, str)}
        data = self.entries_of(path, section, Sentence("a mapping from chip ids to entries"))
        chips: dict[bytes, Entry] = {}
        holders: dict[Entry, str] = {}
        for key, value in data.items():
            place: Path = (*path, key)
            uid, entry = self.uid(place, key), self.entry(place, value)
            if uid is not None and uid in self._spellings:
                other = self._spellings[uid]
                self.say(place, "This is the same chip as “{other}”.", other=other)
            elif uid is not None:
                self._spellings[uid] = key
            if isinstance(entry, CardChip):
                if entry in holders:
                    self.say(
                        place,
                        "The chip “{other}” is already {entry}.",
                        other=holders[entry],
                        entry=entry,
                    )
                holders.setdefault(entry, key)
            if uid is not None and entry is not None:
                chips[uid] = entry
        return chips

    def uid(self, path: Path, key: str) -> bytes | None:
        try:
            uid = parse_uid(key)
        except ValueError as error:
            self.note(path, str(error))
            return None
        return uid

    def entry(self, path: Path, value: object) -> Entry | None:
        if not isinstance(value, str):
            self.say(path, "This should be text, such as “district temple 2”.")
            return None
        try:
            return parse_entry(value, self.catalogue)
        except ValueError as error:
            self.note(path, str(error))
            return None

    def references(self, data: Mapping[str, object]) -> dict[int, tuple[str, ...]]:
        references: dict[int, tuple[str, ...]] = {}
        for key, value in data.items():
            path: Path = ("references", key)
            number = read_number(key, 2) or 0
            if number < 1:
                self.note(path, make_number_problem(key, 99))
            elif number in references:
                self.say(path, "Reference card {number} is listed twice.", number=number)
            if isinstance(value, list):
                references[number] = self.read_listed(path, value)
            else:
                self.say(path, "This should be a list of card ids.")
        return references

    def read_listed(self, path: Path, cards: list[object]) -> tuple[str, ...]:
        """The card ids of one reference card, each known and each once."""
        lines: list[str] = []
        for index, card in enumerate(cards):
            try:
                word = check_word(str(card), N_("There is no card “{word}”."), self.catalogue.cards)
            except ValueError as error:
                self.note((*path, index), str(error))
                continue
            if word in lines:
                self.say((*path, index), "{word} is listed twice.", word=word)
            lines.append(word)
        return tuple(lines)


class Registry:
    """Chips and their meanings, in the order learned.

    Each belongs to a deck. In every deck a card's copy has one chip; ``deck`` is the one that
    chips are learned for, "" for the chips without one. Any deck's chip is recognized.
    """

    def __init__(
        self,
        chips: Mapping[bytes, Entry] | None = None,
        references: Mapping[int, Iterable[str]] | None = None,
        *,
        decks: Mapping[bytes, str] | None = None,
        deck: str = "",
    ) -> None:
        """``chips`` are not validated; ``references`` are the cards that each number lists;
        ``decks`` are the decks of chips that have one."""
        self.deck = deck
        self._references = {n: tuple(cards) for n, cards in (references or {}).items()}
        self._chips = dict(chips or {})
        self._decks = {uid: name for uid, name in (decks or {}).items() if name}

    @classmethod
    def from_data(cls, data: object, cards: PieceCatalogue | None = None) -> Registry:
        """Build the registry from ``data``, the plain content of a ``tags.yaml``.

        All scalars may be texts; None is an empty registry. Ids are checked against ``cards`` if it
        is given. Raises ``Problems`` with every problem at once.
        """
        check = _RegistryCheck(cards or PieceCatalogue())
        registry = check.check_all(data)
        if check.problems:
            raise Problems(check.problems)
        return registry

    def to_data(self) -> dict[str, object]:
        """Plain data that ``from_data`` turns into an equal registry."""
        decks = {
            name: {format_uid(uid): entry for uid, entry in chips.items()}
            for name, chips in self.list_decks().items()
        }
        data: dict[str, object] = {"chips": decks.pop("")}
        if decks:
            data["decks"] = decks
        if self._references:
            data["references"] = {n: list(cards) for n, cards in self._references.items()}
        return data

    def list_decks(self) -> dict[str, dict[bytes, str]]:
        """The chips of each deck in words, first those without a deck."""
        decks: dict[str, dict[bytes, str]] = {"": {}}
        for uid, entry in self._chips.items():
            decks.setdefault(self._decks.get(uid, ""), {})[uid] = str(entry)
        return decks

    def with_deck(self, deck: str) -> Registry:
        return Registry(self._chips, self._references, decks=self._decks, deck=deck)

    def join(self, other: Registry) -> tuple[Registry, list[str]]:
        """This registry with the chips of the other, and the contradictions between them, a
        sentence each. Chips of a deck with a name stay in it; the others go to this one's deck."""
        joined = self
        conflicts: list[str] = []
        for name, chips in other.list_decks().items():
            joined = joined.with_deck(name or self.deck)
            for uid in chips:
                entry = other.lookup(uid)
                assert entry is not None
                held = joined.conflicts(uid, entry)
                conflicts += [
                    Sentence(
                        "{uid} would be {entry}, but here {other} is {held}.",
                        uid=format_uid(uid),
                        entry=entry,
                        other=format_uid(there),
                        held=meaning,
                    )
                    for there, meaning in held
                ]
                joined = joined if held else joined.with_chip(uid, entry)
        return joined.with_deck(self.deck), conflicts

    def list_own(self) -> list[tuple[bytes, Entry]]:
        """The chips of the current deck and their meanings."""
        return [(uid, entry) for uid, entry in self if self._decks.get(uid, "") == self.deck]

    @property
    def references(self) -> Mapping[int, tuple[str, ...]]:
        return MappingProxyType(self._references)

    def lookup(self, uid: bytes) -> Entry | None:
        """The chip's entry, complete."""
        entry = self._chips.get(uid)
        return None if entry is None else self.complete(entry)

    def complete(self, entry: Entry) -> Entry:
        """The entry; a reference with the cards that its number lists here."""
        if isinstance(entry, ReferenceChip):
            return replace(entry, cards=self._references.get(entry.number, ()))
        return entry

    def find(self, entry: Entry) -> list[bytes]:
        """The current deck's chips for ``entry``."""
        return [
            uid
            for uid, meaning in self._chips.items()
            if meaning == entry and self._decks.get(uid, "") == self.deck
        ]

    def conflicts(self, uid: bytes, entry: Entry) -> list[tuple[bytes, Entry]]:
        """The chips that must change before ``uid`` can stand for ``entry``.

        That is ``uid`` itself if it has another meaning, and any other chip of the current deck for
        the same copy of a card. Tokens, crowns, actions and references may have several chips.
        """
        meaning = self.lookup(uid)
        own = [] if meaning in (None, entry) else [(uid, meaning)]
        if not isinstance(entry, CardChip):
            return own
        return [*((other, entry) for other in self.find(entry) if other != uid), *own]

    def with_chip(self, uid: bytes, entry: Entry) -> Registry:
        """A registry in which ``uid`` stands for ``entry``, replacing its meaning.

        If a reference comes with cards, its number now lists these. Raises ``ValueError`` with one
        sentence for an invalid id, or if another chip stands for this copy of a card (see
        ``conflicts``).
        """
        if len(uid) not in LENGTHS:
            raise ValueError(NO_ID)
        for other, meaning in self.conflicts(uid, entry):
            if other != uid:
                name = meaning.describe()
                raise ValueError(
                    Sentence("The chip {uid} is already {held}.", uid=format_uid(other), held=name)
                )
        references = dict(self._references)
        if isinstance(entry, ReferenceChip) and entry.cards:
            references[entry.number] = entry.cards
        same = self._chips.get(uid) == entry
        decks = self._decks if same else {**self._decks, uid: self.deck}
        return Registry({**self._chips, uid: entry}, references, decks=decks, deck=self.deck)

    def without(self, uid: bytes) -> Registry:
        """A registry without ``uid``, whether or not this one has it."""
        rest = {other: entry for other, entry in self._chips.items() if other != uid}
        decks = {other: deck for other, deck in self._decks.items() if other != uid}
        return Registry(rest, self._references, decks=decks, deck=self.deck)

    def __iter__(self) -> Iterator[tuple[bytes, Entry]]:
        for uid in self._chips:
            entry = self.lookup(uid)
            if entry is not None:
                yield uid, entry

    def __len__(self) -> int:
        return len(self._chips)

    def __contains__(self, uid: object) -> bool:
        return uid in self._chips

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Registry):
            return NotImplemented
        return (self._chips, self._references, self._decks) == (
            other._chips, other._references, other._decks
        )  # fmt: skip

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Registry of {len(self)} chips>"
