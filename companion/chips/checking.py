"""Validates the data of a ``tags.yaml`` and reports every problem at once."""

from __future__ import annotations

from collections.abc import Mapping

from common.checker import Checker
from common.nearest import find_nearest
from common.problems import Path, Problems
from common.sentences import N_, Sentence
from companion.chips.entries import (
    CharacterChip,
    DistrictChip,
    Entry,
    KnownCards,
    check_word,
    parse_entry,
)
from tags.uids import format_uid, is_random, parse_uid

SECTIONS = ("chips", "references")


def holds_one_card(entry: Entry) -> bool:
    """Whether the entry is one physical card, which can carry one chip only."""
    return isinstance(entry, DistrictChip | CharacterChip)


def check_data(
    data: object, known: KnownCards
) -> tuple[dict[bytes, Entry], dict[int, tuple[str, ...]]]:
    """The chips and references that ``data`` describes.

    Raises ``Problems`` with all problems if there are any.
    """
    check = _Check(known)
    chips, references = check.check_all(data)
    if check.problems:
        raise Problems(check.problems)
    return chips, references


class _Check(Checker):
    """One pass over the data, collecting problems."""

    def __init__(self, known: KnownCards) -> None:
        super().__init__()
        self.catalogue = known

    def entries_of(self, path: Path, data: object, what: str) -> Mapping[str, object]:
        """``data`` with its keys as text; if it is no mapping, an empty one, with a problem
        noted."""
        if data is None:
            return {}
        if not isinstance(data, Mapping):
            self.say(path, "This should be {what}.", what=what)
            return {}
        return {str(key): value for key, value in data.items()}

    def check_all(self, data: object) -> tuple[dict[bytes, Entry], dict[int, tuple[str, ...]]]:
        top = self.entries_of((), data, Sentence("a mapping with the keys chips and references"))
        for key in top:
            if key not in SECTIONS:
                near = find_nearest(key, SECTIONS)
                self.say((key,), "There is no key “{key}”.", key=key, near=near)
        # A parser has already rounded or truncated a number used as a key: 041E55 is lost.
        chips = top.get("chips")
        if isinstance(chips, Mapping):
            for key in [key for key in chips if not isinstance(key, str)]:
                self.say(("chips", str(key)), "This chip id must be in quotes.")
            chips = {key: value for key, value in chips.items() if isinstance(key, str)}
        return (
            self.chips(
                self.entries_of(("chips",), chips, Sentence("a mapping from chip ids to entries"))
            ),
            self.references(
                self.entries_of(
                    ("references",),
                    top.get("references"),
                    Sentence("a mapping from numbers to lists of cards"),
                )
            ),
        )

    def chips(self, data: Mapping[str, object]) -> dict[bytes, Entry]:
        chips: dict[bytes, Entry] = {}
        written: dict[bytes, str] = {}
        holders: dict[Entry, str] = {}
        for key, value in data.items():
            uid, entry = self.uid(key), self.entry(key, value)
            if uid is not None and uid in written:
                self.say(("chips", key), "This is the same chip as “{other}”.", other=written[uid])
            elif uid is not None:
                written[uid] = key
            if entry is not None and holds_one_card(entry):
                if entry in holders:
                    self.say(
                        ("chips", key),
                        "The chip “{other}” is already {entry}.",
                        other=holders[entry],
                        entry=entry,
                    )
                holders.setdefault(entry, key)
            if uid is not None and entry is not None:
                chips[uid] = entry
        return chips

    def uid(self, key: str) -> bytes | None:
        try:
            uid = parse_uid(key)
        except ValueError as error:
            self.note(("chips", key), str(error))
            return None
        if is_random(uid):
            self.say(
                ("chips", key),
                "{uid} is the id of a phone or a bank card, which changes every time; "
                "use a sticker or a card.",
                uid=format_uid(uid),
            )
        return uid

    def entry(self, key: str, value: object) -> Entry | None:
        if not isinstance(value, str):
            self.say(("chips", key), "This should be text, such as “district temple 2”.")
            return None
        try:
            return parse_entry(value, self.catalogue)
        except ValueError as error:
            self.note(("chips", key), str(error))
            return None

    def references(self, data: Mapping[str, object]) -> dict[int, tuple[str, ...]]:
        references: dict[int, tuple[str, ...]] = {}
        for key, value in data.items():
            path: Path = ("references", key)
            number = int(key) if key.isascii() and key.isdigit() and len(key) < 3 else 0
            if number < 1:
                self.say(path, "A reference card's number is 1 to 99, not “{key}”.", key=key)
            elif number in references:
                self.say(path, "Reference card {number} is listed twice.", number=number)
            if isinstance(value, list):
                references[number] = self.read_listed(path, value)
            else:
                self.say(path, "This should be a list of card ids.")
        return references

    def read_listed(self, path: Path, cards: list[object]) -> tuple[str, ...]:
        """The card ids of one reference card, each known and each once."""
        seen: list[str] = []
        for index, card in enumerate(cards):
            try:
                word = check_word(str(card), N_("There is no card “{word}”."), self.catalogue.cards)
            except ValueError as error:
                self.note((*path, index), str(error))
                continue
            if word in seen:
                self.say((*path, index), "{word} is listed twice.", word=word)
            seen.append(word)
        return tuple(seen)
