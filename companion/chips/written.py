"""Which chips have been written as what: a list beside the games that is only ever added to.

It is a memory aid, so that writing a deck can go on where it stopped; what a chip really holds is
on the chip.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from companion import own_files
from companion.chips import ChipsError
from companion.locations import cannot_be_read, cannot_be_saved
from tags.registry import format_uid, parse_uid

if TYPE_CHECKING:
    from tags.registry import Entry

_LARGEST = 1_000_000  # bytes; a deck takes 4,000


class Written:
    """The list in the file at `path`, which need not exist; lines that say nothing are nothing."""

    def __init__(self, path: str) -> None:
        """Raises ChipsError for a file that cannot be read."""
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

    def holds(self, uid: bytes, entry: Entry) -> bool:
        """Whether that is what was last written on the chip."""
        return self._entries.get(uid) == str(entry)

    def note(self, uid: bytes, entry: Entry | None) -> None:
        """Remember what is on the chip now, None for nothing.

        Raises ChipsError if it cannot be saved.
        """
        said = "" if entry is None else str(entry)
        if self._entries.get(uid, "") == said:
            return
        self._entries[uid] = said
        try:
            own_files.make_folder(os.path.dirname(self._path))
            with open(self._path, "a", encoding="utf-8", opener=own_files.private) as file:
                file.write(f"{format_uid(uid)} {said}".rstrip() + "\n")
        except OSError as error:
            raise ChipsError([cannot_be_saved(self._path, error)]) from None
