"""Checks the plain content of a ``tags.yaml`` and reports every problem at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tags.entries import (
    CharacterChip,
    DistrictChip,
    Entry,
    KnownCards,
    check_word,
    nearest,
    parse_entry,
)
from tags.sentences import N_, Sentence, suggesting
from tags.uids import format_uid, is_random, parse_uid

SECTIONS = ("chips", "references")


@dataclass(frozen=True)
class Problem:
    """One thing wrong with the data.

    ``path`` leads to it through keys and list positions, so that whoever read the file can name
    the line; ``text`` is a sentence.
    """

    path: tuple[str | int, ...]
    text: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path))}: {self.text}" if self.path else self.text


class RegistryError(ValueError):
    """The data is no registry; ``problems`` are all the reasons, in the order of the file."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def holds_one_card(entry: Entry) -> bool:
    """Whether the entry is one physical card, which can carry one chip only."""
    return isinstance(entry, DistrictChip | CharacterChip)


def check_data(
    data: object, known: KnownCards
) -> tuple[dict[bytes, Entry], dict[int, tuple[str, ...]]]:
    """The chips and references that ``data`` describes.

    Raises ``RegistryError`` with all problems when there is any.
    """
    check = _Check(known)
    chips, references = check.everything(data)
    if check.problems:
        raise RegistryError(check.problems)
    return chips, references


class _Check:
    """One pass over the data that collects problems instead of stopping at the first."""

    def __init__(self, known: KnownCards) -> None:
        self.known = known
        self.problems: list[Problem] = []

    def report(self, path: tuple[str | int, ...], text: str) -> None:
        self.problems.append(Problem(path, text))

    def mapping(self, path: tuple[str | int, ...], data: object, what: str) -> Mapping[str, object]:
        """``data`` with its keys as text, or an empty mapping and a problem."""
        if data is None:
            return {}
        if not isinstance(data, Mapping):
            self.report(path, Sentence("This should be {what}.", what=what))
            return {}
        return {str(key): value for key, value in data.items()}

    def everything(self, data: object) -> tuple[dict[bytes, Entry], dict[int, tuple[str, ...]]]:
        top = self.mapping((), data, Sentence("a mapping with the keys chips and references"))
        for key in top:
            if key not in SECTIONS:
                problem = Sentence("There is no key “{key}”.", key=key)
                self.report((key,), suggesting(problem, nearest(key, SECTIONS)))
        # A number as key has been rounded or cut by whoever read the file: 041E55 is lost.
        chips = top.get("chips")
        if isinstance(chips, Mapping):
            for key in [key for key in chips if not isinstance(key, str)]:
                self.report(("chips", str(key)), Sentence("This chip id must stand in quotes."))
            chips = {key: value for key, value in chips.items() if isinstance(key, str)}
        return (
            self.chips(
                self.mapping(("chips",), chips, Sentence("a mapping from chip ids to entries"))
            ),
            self.references(
                self.mapping(
                    ("references",), top.get("references"), Sentence("a mapping from numbers")
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
                self.report(
                    ("chips", key),
                    Sentence("This is the same chip as “{other}”.", other=written[uid]),
                )
            elif uid is not None:
                written[uid] = key
            if entry is not None and holds_one_card(entry):
                if entry in holders:
                    self.report(
                        ("chips", key),
                        Sentence(
                            "The chip “{other}” is {entry} already.",
                            other=holders[entry],
                            entry=entry,
                        ),
                    )
                holders.setdefault(entry, key)
            if uid is not None and entry is not None:
                chips[uid] = entry
        return chips

    def uid(self, key: str) -> bytes | None:
        try:
            uid = parse_uid(key)
        except ValueError as error:
            self.report(("chips", key), str(error))
            return None
        if is_random(uid):
            self.report(
                ("chips", key),
                Sentence(
                    "{uid} is the changing id of a phone or a bank card; it cannot stand for "
                    "anything.",
                    uid=format_uid(uid),
                ),
            )
        return uid

    def entry(self, key: str, value: object) -> Entry | None:
        if not isinstance(value, str):
            self.report(
                ("chips", key), Sentence("This should be a text such as “district temple 2”.")
            )
            return None
        try:
            return parse_entry(value, self.known)
        except ValueError as error:
            self.report(("chips", key), str(error))
            return None

    def references(self, data: Mapping[str, object]) -> dict[int, tuple[str, ...]]:
        references: dict[int, tuple[str, ...]] = {}
        for key, value in data.items():
            path: tuple[str | int, ...] = ("references", key)
            number = int(key) if key.isascii() and key.isdigit() and len(key) < 3 else 0
            if number < 1:
                self.report(
                    path, Sentence("A reference card's number is 1 to 99, not “{key}”.", key=key)
                )
            elif number in references:
                self.report(
                    path, Sentence("Reference card {number} is listed twice.", number=number)
                )
            if isinstance(value, list):
                references[number] = self.listed(path, value)
            else:
                self.report(path, Sentence("This should be a list of card ids."))
        return references

    def listed(self, path: tuple[str | int, ...], cards: list[object]) -> tuple[str, ...]:
        """The card ids of one reference card, each known and each once."""
        seen: list[str] = []
        for index, card in enumerate(cards):
            try:
                word = check_word(str(card), N_("There is no card “{word}”."), self.known.cards)
            except ValueError as error:
                self.report((*path, index), str(error))
                continue
            if word in seen:
                self.report((*path, index), Sentence("{word} is listed twice.", word=word))
            seen.append(word)
        return tuple(seen)
