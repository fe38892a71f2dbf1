"""What every reader driver offers, and the one way in which it may fail."""

from __future__ import annotations

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
    """A reader that can be asked which chip lies on it.

    All methods block and are called from one thread.  A reader may be opened again after
    ``close`` or after any ``ReaderGone``; its ``name`` stays the same meanwhile.
    """

    @property
    def name(self) -> str:
        """What people and settings call this reader, for example ``usb``."""

    def open(self) -> None:
        """Take hold of the reader.  Raises ``ReaderGone``, and nothing else."""

    def poll(self) -> bytes | None:
        """The uid of the chip lying there now, or None.  Raises ``ReaderGone``, nothing else."""

    def close(self) -> None:
        """Let the reader go.  Never raises; closing twice is harmless."""
