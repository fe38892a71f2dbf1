"""The registry: which chip stands for what.

A registry is immutable; learning a chip returns a new one, so undo just keeps the old one. File I/O
is the caller's: ``from_data`` takes and ``to_data`` gives plain mappings, lists and texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from common.sentences import Sentence
from companion.chips.checking import check_data, holds_one_card
from companion.chips.entries import (
    Entry,
    KnownCards,
    ReferenceChip,
)
from tags.uids import LENGTHS, format_uid, is_random


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
                from companion.chips.entry_words import describe

                name = describe(held)
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
