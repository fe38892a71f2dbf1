"""A log of what was written on which chip, stored beside the games; append-only.

It is only an aid, so that writing a deck can resume; a chip's real content is on the chip.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from common import own_files
from companion.chips import ChipsError
from companion.files.locations import cannot_be_read, cannot_be_saved
from tags.uids import format_uid, parse_uid

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from tags.links import Start

_LARGEST = 1_000_000  # bytes; a deck takes 4,000


class Written:
    """The list in the file at `path`, which need not exist; invalid lines are skipped."""

    def __init__(self, path: str) -> None:
        """Raises ChipsError if the file cannot be read."""
        self._path = path
        self._entries: dict[bytes, str] = {}
        try:
            lines = own_files.read(path, _LARGEST).decode(errors="replace").splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            raise ChipsError([cannot_be_read(path, error)]) from None
        for line in lines:
            uid, _, entry = line.partition(" ")
            try:
                self._entries[parse_uid(uid)] = entry.strip()
            except ValueError:
                continue

    def holds(self, uid: bytes, entry: Entry, start: Start) -> bool:
        """Whether this was last written on the chip, with a link of that start."""
        return self._entries.get(uid) == _words(entry, start)

    def note(self, uid: bytes, entry: Entry, start: Start) -> None:
        """Save what is on the chip now.  Raises ChipsError if that fails."""
        self._keep(uid, _words(entry, start))

    def forget(self, uid: bytes) -> None:
        """Save that the chip is empty.  Raises as `note` does."""
        self._keep(uid, "")

    def _keep(self, uid: bytes, said: str) -> None:
        if self._entries.get(uid, "") == said:
            return
        self._entries[uid] = said
        try:
            own_files.make_folder(os.path.dirname(self._path))
            with open(self._path, "a", encoding="utf-8", opener=own_files.open_private) as file:
                file.write(f"{format_uid(uid)} {said}".rstrip() + "\n")
        except OSError as error:
            raise ChipsError([cannot_be_saved(self._path, error)]) from None


def _words(entry: Entry, start: Start) -> str:
    """The entry, with the table of its link; links to custom pages are not distinguished."""
    return f"{entry} {start.text}" if start.host else str(entry)
