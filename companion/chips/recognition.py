"""What a chip is: as this table learned it, else as the chip itself says.

The callers and the reader service look chips up here and nowhere else. The mapping file is read
again when it changes; while it is broken, what was read last is used.
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
    """What came of reading a mapping file that had changed: whether it could be used (`sound`),
    and the sentence about it."""

    sound: bool
    text: str


class KnownChips:
    """The chips of the mapping file at `path`; for any thread."""

    def __init__(self, path: str) -> None:
        """Nothing is known before the first `refresh` or `load`."""
        self.path = path
        self.registry = Registry()
        self._seen: object = ()
        self._broken = ""
        self._guard = threading.Lock()

    @classmethod
    def load(cls, path: str) -> KnownChips:
        """The chips of that file now. Raises ChipsError for a broken file."""
        known = cls(path)
        known._seen = known._look()
        known.registry = chips.load(path)
        return known

    def refresh(self) -> Reading | None:
        """Read the file if it has changed; None if it has not."""
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
        """Take that mapping into force and save it.

        Raises ChipsError, and changes nothing, if it cannot be saved or if the file is broken: what
        somebody is editing there is not written over.
        """
        with self._guard:
            if self._broken:
                raise chips.ChipsError([self._broken])
            chips.save(self.path, registry)
            self._seen = self._look()
            self.registry = registry

    def _read(self, *, gone: bool) -> str:
        """Read the file; what is wrong with it, nothing if it is now in force."""
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
        """What tells one state of the file from another; None if there is none."""
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def from_record(reader: ChipAccess, uid: bytes) -> Entry | None:
    """What the chip itself says that it is; only a card of the catalogue is believed, and what is
    one that is not ours says nothing.

    Raises `ChipError` and `ReaderGone`.
    """
    try:
        return ndef.decode(access.read(reader, uid), chips.list_known_cards())
    except ContentError:
        return None


def from_text(text: str) -> Entry | None:
    """What somebody else called the chip, if that is a card of the catalogue."""
    try:
        return parse_entry(text, chips.list_known_cards())
    except ValueError:
        return None
