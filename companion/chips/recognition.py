"""Identifies chips: by this table's mapping, else by the chip's own record.

All callers and the reader service use this module. The mapping file is reloaded when it changes;
while it is broken, the last valid mapping stays in use.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, NamedTuple

from companion import chips
from companion.chips import ndef
from companion.chips.entries import parse_entry
from companion.chips.ndef import ContentError
from companion.chips.registry import Registry
from companion.language import _, end_sentence
from tags import access

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from tags.access import ChipAccess


class Reading(NamedTuple):
    """The result of reloading a changed mapping file: whether it was valid (`sound`), and the
    sentence about it."""

    sound: bool
    text: str


class KnownChips:
    """The chips of the mapping file at `path`; thread-safe."""

    def __init__(self, path: str) -> None:
        """Empty until the first `refresh` or `load`."""
        self.path = path
        self.registry = Registry()
        self._seen: object = ()
        self._broken = ""
        self._guard = threading.Lock()

    @classmethod
    def load(cls, path: str) -> KnownChips:
        """The current chips of that file. Raises ChipsError for a broken file."""
        known = cls(path)
        known._seen = known._look()
        known.registry = chips.load(path)
        return known

    def refresh(self) -> Reading | None:
        """Reload the file if it has changed; None if it has not."""
        with self._guard:
            seen = self._look()
            if seen == self._seen:
                return None
            self._seen = seen
            self._broken = self._read(gone=seen is None)
            if self._broken:
                return Reading(False, self._broken)
            sentence = _("Chips reloaded from {path}: {number} in all.")
            return Reading(True, sentence.format(path=self.path, number=len(self.registry)))

    def learn(self, registry: Registry) -> None:
        """Adopt and save that mapping.

        Raises ChipsError, and changes nothing, if it cannot be saved or if the file is broken:
        somebody may be editing it.
        """
        with self._guard:
            if self._broken:
                raise chips.ChipsError([self._broken])
            chips.save(self.path, registry)
            self._seen = self._look()
            self.registry = registry

    def _read(self, *, gone: bool) -> str:
        """Reload the file; returns the problem with it, empty if it is now in use."""
        if gone and len(self.registry):
            return _("{path} is missing; the chips already loaded still work.").format(
                path=self.path
            )
        try:
            self.registry = chips.load(self.path)
        except chips.ChipsError as error:
            problem = error.problems[0]
            return _("{problem} Until that is fixed, the chips already loaded are used.").format(
                problem=end_sentence(problem)
            )
        return ""

    def _look(self) -> object:
        """An identity for the file's current state; None if there is no file."""
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def read_record(reader: ChipAccess, uid: bytes) -> Entry | None:
    """The entry in the chip's own record; None if that is not ours or no card of the catalogue.

    Raises `ChipError` and `ReaderGone`.
    """
    try:
        return ndef.decode(access.read(reader, uid), chips.list_known_cards())
    except ContentError:
        return None


def read_text(text: str) -> Entry | None:
    """The entry in another program's text form, if it is a card of the catalogue."""
    try:
        return parse_entry(text, chips.list_known_cards())
    except ValueError:
        return None
