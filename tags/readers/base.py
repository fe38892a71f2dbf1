"""What every reader driver offers, and the one way in which it may fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

Fault = Literal["permission", "busy", "software", "missing", "silent", "failed"]
"""Why a reader cannot be used: no permission, held by another program, a library is missing on
this computer, not plugged in, plugged in but not answering, or broke off in the middle."""


class ReaderGone(Exception):
    """The reader cannot be used now; opening it again later may help.

    The message is one sentence for people: what happened and what to do.  ``fault`` says the same
    for programs, so that a caller can put it in another language.
    """

    def __init__(self, message: str, fault: Fault = "failed") -> None:
        super().__init__(message)
        self.fault: Fault = fault


class Reader(Protocol):
    """A reader that can be asked which chips lie on it.

    All methods block and are called from one thread.  A reader may be opened again after
    ``close`` or after any ``ReaderGone``; its ``name`` stays the same meanwhile.  One that never
    misses a chip, such as a file, has the attribute ``certain`` and it is true; one that can be
    heard has ``signal(accepted)``, which raises ``ReaderGone`` and nothing else; one that is told
    what a chip is called has ``says(uid)``, None for a chip of which it knows nothing but the id.
    """

    @property
    def name(self) -> str:
        """What people and settings call this reader, for example ``usb``."""

    def open(self) -> None:
        """Take hold of the reader.  Raises ``ReaderGone``, and nothing else."""

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips lying there now, as many of them as this reader can see at once.

        Raises ``ReaderGone``, and nothing else.
        """

    def close(self) -> None:
        """Let the reader go.  Never raises; closing twice is harmless."""


def signal(reader: object, accepted: bool) -> None:
    """Let people hear at the reader whether a tap was accepted, where it can be heard.

    Called in the reader's own thread.  Raises ``ReaderGone``.
    """
    sound = getattr(reader, "signal", None)
    if sound is not None:
        sound(accepted)


def find_name(reader: object, uid: bytes) -> str | None:
    """What the reader was told that the chip is called, if it can be told."""
    says: Callable[[bytes], str | None] | None = getattr(reader, "says", None)
    return says(uid) if says is not None else None
