"""Recognizing chips, and learning new ones from what a person types.

A chip is identified by this table's mapping, else by its own record. The mapping file is reloaded
when it changes; while it is broken, the last valid mapping stays in use.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Sequence

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion import chips, language
from companion.chips import SimulatedDeck, ndef
from companion.chips.entries import (
    ACTIONS,
    KINDS,
    CardChip,
    CharacterChip,
    DistrictChip,
    Entry,
    PlayerChip,
    parse_entry,
)
from companion.chips.ndef import ContentError
from companion.chips.registry import Registry
from companion.language import _, end_sentence, listing
from companion.language.vocabulary import match_names, names_of_cards, player_names
from engine.moves import fold, split
from tags.links import parse_uid


class KnownChips:
    """The chips of the mapping file at `path`; thread-safe."""

    def __init__(self, path: str, deck: str = "") -> None:
        """Empty until the first `refresh` or `load`; chips are learned for that deck."""
        self.path = path
        self._deck = deck
        self.registry = Registry(deck=deck)
        self._file_state: object = ()
        self._problem = ""
        self._guard = threading.Lock()

    @classmethod
    def load(cls, path: str, deck: str = "") -> KnownChips:
        """The current chips of that file. Raises ChipsError for a broken file."""
        known_chips = cls(path, deck)
        known_chips._file_state = known_chips._look()
        known_chips.registry = chips.load(path, deck)
        return known_chips

    def refresh(self) -> str | None:
        """Reload the file if it has changed; returns the sentence about it, None if it has not."""
        with self._guard:
            view = self._look()
            if view == self._file_state:
                return None
            self._file_state = view
            self._problem = self._read(is_missing=view is None)
            if self._problem:
                return self._problem
            sentence = _("Chips reloaded from {path}: {number} in all.")
            return sentence.format(path=self.path, number=len(self.registry))

    def learn(self, registry: Registry) -> str:
        """Adopt and save that mapping; returns the path of the copy made before (`chips.save`), if
        any. Raises ChipsError, and changes nothing, if it cannot be saved or if the file is broken:
        somebody may be editing it."""
        with self._guard:
            if self._problem:
                raise chips.ChipsError([self._problem])
            copy = chips.save(self.path, registry)
            self._file_state = self._look()
            self.registry = registry
            return copy

    def _read(self, *, is_missing: bool) -> str:
        """Reload the file; returns the problem with it, empty if it is now in use."""
        if is_missing and len(self.registry):
            return _("{path} is missing; the chips already loaded still work.").format(
                path=self.path
            )
        try:
            self.registry = chips.load(self.path, self._deck)
        except chips.ChipsError as error:
            problem = error.problems[0]
            return _("{problem} Until that is fixed, the chips already loaded are used.").format(
                problem=end_sentence(problem)
            )
        return ""

    def _look(self) -> object:
        """An identity for the file's current state; None if there is no file."""
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino


def read_message(message: bytes) -> Entry | None:
    """The entry in a chip's message; None if that is not ours or no card of the catalogue."""
    try:
        return ndef.decode(message, chips.load_catalogue())
    except ContentError:
        return None


def read_text(text: str) -> Entry | None:
    """The entry in another program's text form, if it is a card of the catalogue."""
    try:
        return parse_entry(text, chips.load_catalogue())
    except ValueError:
        return None


def read_entry(
    text: str, registry: Registry, players: Sequence[str] = (), here: Collection[str] = ()
) -> Entry:
    """Parse what a chip stands for: `tavern 2`, `king`, `Ben`, `crown`, `end`, `number 3`.

    A district without a copy number is its first copy without a chip. A player's whole name comes
    first; of several cards with the same name, those of this game (`here`) are meant. Raises
    ValueError with one sentence for words that match nothing, or several entries.
    """
    words = chips.translate_words(split(text) or [])
    if not words:
        raise ValueError(_("say what it is: a card and its copy, a player, crown, or reference 1."))
    if words[0] in KINDS:
        return parse_entry(" ".join(words), chips.load_catalogue())
    for seat, name in enumerate(players):
        if fold(name) == fold(" ".join(words)):
            return PlayerChip(seat + 1)
    if words[0] == "number" or (len(words) == 1 and words[0] in ACTIONS):
        return parse_entry(f"action {words[-1]}", chips.load_catalogue())
    number = words.pop() if words[-1].isdecimal() and len(words) > 1 else None
    entry = _find_named(" ".join(words), players, here)
    if isinstance(entry, DistrictChip):
        copy = number or str(find_next_copy(registry, entry.card))
        return parse_entry(f"district {entry.card} {copy}", chips.load_catalogue())
    if number in (None, "1"):
        return entry
    return parse_entry(f"{entry} {number}", chips.load_catalogue())  # refused: there is one


def find_next_copy(registry: Registry, district: str) -> int:
    """The first copy of that district without a chip (the last copy if all have one)."""
    copies = chips.load_catalogue().districts[district]
    copies_used = {
        entry.copy
        for _uid, entry in registry.list_own()
        if isinstance(entry, DistrictChip) and entry.card == district
    }
    return next((copy for copy in range(1, copies + 1) if copy not in copies_used), copies)


def _find_named(text: str, players: Sequence[str], here: Collection[str]) -> Entry:
    """The player or the card called so; a district's first copy."""
    catalogue = chips.load_catalogue()
    names = names_of_cards(sorted(catalogue.cards))
    cards = match_names(text, names)
    cards = [id_ for id_ in cards if id_ in here] or cards
    entries: list[Entry] = [
        PlayerChip(players.index(name) + 1) for name in match_names(text, player_names(players))
    ]
    entries += (
        CharacterChip(id_) if id_ in catalogue.characters else DistrictChip(id_) for id_ in cards
    )
    if len(entries) == 1:
        return entries[0]
    if entries:
        labels = (
            language.card(one.card) if isinstance(one, CardChip) else one.describe(players)
            for one in entries[:6]
        )
        raise ValueError(
            _("{name} could be {cards}; type more of the name.").format(
                name=text, cards=listing(labels, conjunction="or")
            )
        )
    problem = Sentence("there is no card called “{name}”", name=text)
    raise ValueError(end_sentence(suggest(problem, find_nearest(text, names))))


def find_deck_chip(text: str, deck: SimulatedDeck) -> bytes:
    """The chip for the typed words. Raises ValueError with a sentence."""
    first, *rest = chips.translate_words(split(text) or []) or [""]
    if first == "chip":
        return parse_uid(" ".join(rest))
    here = (*deck.rules.cast, *deck.rules.districts)
    uid = deck.find_entry(read_entry(text, Registry(), deck.rules.player_names, here))
    if uid is None:
        raise ValueError(_("the simulated deck has no chip {name}.").format(name=text))
    return uid
