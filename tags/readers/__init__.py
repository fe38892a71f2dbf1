"""The interface of every reader driver: all that one has to know is here.

Its place in the settings and what people are told of its faults is a `Road` (`tags.readers.roads`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Literal

from tags.presence import Traits, UnfitKind
from tags.type2 import Transceive

Fault = Literal["permission", "busy", "software", "missing", "silent", "failed"]
"""Why a reader cannot be used: no permission, held by another program, library not installed, not
plugged in, not answering, or connection lost."""

INTERVAL = 0.05
"""Seconds from one poll to the next."""


class ReaderError(Exception):
    """The reader cannot be used now; opening it again later may help.

    The message is a sentence for users: what happened and what to do. ``fault`` is the same for
    programs, so that a caller can translate it.
    """

    def __init__(self, message: str, fault: Fault = "failed") -> None:
        super().__init__(message)
        self.fault: Fault = fault


class Reader:
    """A reader that can be polled for the chips on it; a driver is a subclass, and leaves out what
    it cannot do.

    A `tags.watch.Watcher` calls it, from one thread: it opens the reader and polls it every
    ``INTERVAL``. When ``open`` or ``poll`` raises anything, it closes the reader, tells people why,
    and opens it again after 1 to 10 seconds. What the first poll after opening sees lay there
    already, and plays nothing. An ``OSError`` is told by its number (`tags.readers.faults`), in the
    words of the reader's `Road`; a ``ReaderError`` is a sentence of its own, and the only exception
    of the other methods.
    """

    name: str
    """What users and settings call it, for example ``usb``; it never changes."""

    road = ""
    """The name of its road in `ROADS`, unless all that it raises is a ``ReaderError``."""

    traits = Traits(writes=False, reads_bytes=False)
    """What it can see and do: here, people lay chips on, and a program tells their ids."""

    def open(self) -> None:
        """Open the reader, which is closed; may take seconds."""
        raise NotImplementedError

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips on the reader now, as many as it can see at once; without waiting
        for one to come.

        A chip that no poll has returned for ``DROPOUT``, 0.3 seconds, has been lifted; without
        ``by_hand``, after two polls. An id that was never learned counts when two polls in a row
        return it.
        """
        raise NotImplementedError

    def select(self, uid: bytes) -> AbstractContextManager[Transceive | None]:
        """Switch the radio on and select exactly the chip ``uid``; None if it is not there. The
        exchange also raises ``ChipSilent``. For a reader that ``writes``."""
        raise NotImplementedError

    def signal(self, is_accepted: bool) -> None:
        """Sound the buzzer for an accepted or refused tap."""

    def name_of(self, uid: bytes) -> str | None:
        """The name that the reader received for the chip, if any."""
        return None

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        """The kind of a card that cannot be used, as the reader saw it in its last poll."""
        return None

    def take_notice(self) -> str | None:
        """The next sentence that the reader has to tell, each once; None without one."""
        return None

    def close(self) -> None:
        """Close the reader. Never raises; idempotent."""
