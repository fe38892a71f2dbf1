"""The registry: which chip stands for what.

A registry is immutable; learning a chip returns a new one, so undo just keeps the old one. File I/O
is the caller's: ``from_data`` takes and ``to_data`` gives plain mappings, lists and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from common.problems import Checker, Path, Problems, find_nearest
from common.sentences import N_, Sentence
from companion.chips.entries import (
    CharacterChip,
    DistrictChip,
    Entry,
    KnownCards,
    ReferenceChip,
    check_word,
    parse_entry,
)
from tags.uids import LENGTHS, format_uid, is_random, parse_uid

if TYPE_CHECKING:
    from collections.abc import Callable


_CHIP = re.compile(
    r"""(\s+["']?)([0-9A-Fa-f:]+)(["']?\s*:\s+)([^#"'\n]*[^#"'\s])(\s*(?:\s\#.*)?)"""
)


def edit_mapping_text(
    text: str, chips: Mapping[bytes, str], means: Callable[[str], str | None]
) -> str | None:
    """The text with exactly these chips; None for any other layout.

    `means` translates an entry as somebody wrote it.
    """
    lines = text.splitlines()
    heads = [place for place, line in enumerate(lines) if re.fullmatch(r"chips:\s*(#.*)?", line)]
    if len(heads) != 1:
        return None
    kept = lines[: heads[0] + 1]
    missing, end, indent = dict(chips), len(kept), "  "
    for place, line in enumerate(lines[heads[0] + 1 :], start=heads[0] + 1):
        if line and not line[0].isspace() and not line.startswith("#"):
            kept += lines[place:]
            break
        chip = _CHIP.fullmatch(line)
        if chip is None:
            kept.append(line)
            continue
        try:
            uid = parse_uid(chip[2])
        except ValueError:
            return None
        if uid in missing:
            entry = missing.pop(uid)
            same = means(chip[4]) == entry
            kept.append(line if same else f"{chip[1]}{chip[2]}{chip[3]}{entry}{chip[5]}")
            end, indent = len(kept), re.sub(r"\S.*", "", line)
    new = [f"{indent}{uid.hex().upper()}: {entry}" for uid, entry in missing.items()]
    return "\n".join([*kept[:end], *new, *kept[end:]]) + "\n"


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


class Registry:
    """Chips and their meanings, in the order learned."""

    def __init__(
        self,
        chips: Mapping[bytes, Entry] | None = None,
        references: Mapping[int, Iterable[str]] | None = None,
    ) -> None:
        """``chips`` are not validated; ``references`` are the cards that each number lists."""
        self._references = {n: tuple(cards) for n, cards in (references or {}).items()}
        self._chips = {uid: _strip_cards(entry) for uid, entry in (chips or {}).items()}

    @classmethod
    def from_data(cls, data: object, known: KnownCards | None = None) -> Registry:
        """Build the registry from ``data``, the plain content of a ``tags.yaml``.

        All scalars may be texts; None is an empty registry. Ids are checked against ``known`` if it
        is given. Raises ``Problems`` with every problem at once.
        """
        chips, references = check_data(data, known or KnownCards())
        return cls(chips, references)

    def to_data(self) -> dict[str, object]:
        """Plain data that ``from_data`` turns into an equal registry."""
        data: dict[str, object] = {
            "chips": {format_uid(uid): str(entry) for uid, entry in self._chips.items()}
        }
        if self._references:
            data["references"] = {n: list(cards) for n, cards in self._references.items()}
        return data

    @property
    def references(self) -> Mapping[int, tuple[str, ...]]:
        """The card ids that each reference card lists."""
        return MappingProxyType(self._references)

    def lookup(self, uid: bytes) -> Entry | None:
        """The chip's entry; a reference comes with its cards."""
        entry = self._chips.get(uid)
        if isinstance(entry, ReferenceChip):
            return replace(entry, cards=self._references.get(entry.number, ()))
        return entry

    def find(self, entry: Entry) -> list[bytes]:
        """The chips for ``entry``, ignoring the cards of a reference."""
        wanted = _strip_cards(entry)
        return [uid for uid, held in self._chips.items() if held == wanted]

    def conflicts(self, uid: bytes, entry: Entry) -> list[tuple[bytes, Entry]]:
        """The chips that must change before ``uid`` can stand for ``entry``.

        That is ``uid`` itself if it has another meaning, and any other chip for the same copy of a
        card. Tokens, crowns, actions and references may have several chips.
        """
        wanted = _strip_cards(entry)
        return [
            (other, held)
            for other, held in self
            if (other == uid and _strip_cards(held) != wanted)
            or (other != uid and held == wanted and holds_one_card(held))
        ]

    def with_chip(self, uid: bytes, entry: Entry) -> Registry:
        """A registry in which ``uid`` stands for ``entry``, replacing its meaning.

        If a reference comes with cards, its number now lists these. Raises ``ValueError`` with one
        sentence for an invalid id, or if another chip stands for this copy of a card (see
        ``conflicts``).
        """
        if len(uid) not in LENGTHS:
            raise ValueError(
                Sentence("A chip id has 4, 7 or 10 bytes, not {number}.", number=len(uid))
            )
        if is_random(uid):
            raise ValueError(
                Sentence(
                    "The chip {uid} is a phone or a bank card, which changes its id "
                    "every time; use a sticker or a card instead.",
                    uid=format_uid(uid),
                )
            )
        for other, held in self.conflicts(uid, entry):
            if other != uid:
                from companion.chips.words import describe_entry

                name = describe_entry(held)
                raise ValueError(
                    Sentence("The chip {uid} is already {held}.", uid=format_uid(other), held=name)
                )
        references = dict(self._references)
        if isinstance(entry, ReferenceChip) and entry.cards:
            references[entry.number] = entry.cards
        return Registry({**self._chips, uid: entry}, references)

    def without(self, uid: bytes) -> Registry:
        """A registry without ``uid``, whether or not this one has it."""
        rest = {other: entry for other, entry in self._chips.items() if other != uid}
        return Registry(rest, self._references)

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
        return self._chips == other._chips and self._references == other._references

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Registry of {len(self)} chips>"


def _strip_cards(entry: Entry) -> Entry:
    """The entry as stored: a reference's cards are kept separately."""
    return replace(entry, cards=()) if isinstance(entry, ReferenceChip) else entry
