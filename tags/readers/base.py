"""The interface of every reader driver, and its only exception."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from tags.presence import Road, UnfitKind

Fault = Literal["permission", "busy", "software", "missing", "silent", "failed"]
"""Why a reader cannot be used: no permission, held by another program, library not installed, not
plugged in, not answering, or connection lost."""


class ReaderGone(Exception):
    """The reader cannot be used now; opening it again later may help.

    The message is a sentence for users: what happened and what to do. ``fault`` is the same for
    programs, so that a caller can translate it.
    """

    def __init__(self, message: str, fault: Fault = "failed") -> None:
        super().__init__(message)
        self.fault: Fault = fault


class Reader(Protocol):
    """A reader that can be polled for the chips on it.

    All methods block and are called from one thread. A reader may be opened again after ``close``
    or after any ``ReaderGone``; its ``name`` never changes. What it cannot see or do is in its
    attribute ``road`` (``find_road``); one with a buzzer has ``signal(accepted)``, which raises
    only ``ReaderGone``; one that receives names of chips has ``name_of(uid)``, None for a chip
    without one; one that recognizes cards that cannot be used has ``find_kind(uid)``.
    """

    @property
    def name(self) -> str:
        """This reader's name for users and settings, for example ``usb``."""

    def open(self) -> None:
        """Open the reader. Raises only ``ReaderGone``."""

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips on the reader now, as many as it can see at once.

        Raises only ``ReaderGone``.
        """

    def close(self) -> None:
        """Close the reader. Never raises; idempotent."""


def find_road(reader: object) -> Road:
    """What the reader can see and do: its attribute ``road``; without one it is polled, and writes
    if it can ``select`` a chip."""
    road: Road | None = getattr(reader, "road", None)
    return Road(writes=hasattr(reader, "select")) if road is None else road


def signal(reader: object, is_accepted: bool) -> None:
    """Sound the reader's buzzer, if any, for an accepted or refused tap.

    Called in the reader's own thread.  Raises ``ReaderGone``.
    """
    sound = getattr(reader, "signal", None)
    if sound is not None:
        sound(is_accepted)


def find_name(reader: object, uid: bytes) -> str | None:
    """The name that the reader received for the chip, if any."""
    name_of: Callable[[bytes], str | None] | None = getattr(reader, "name_of", None)
    return name_of(uid) if name_of is not None else None


def find_kind(reader: object, uid: bytes) -> UnfitKind | None:
    """The kind of a card that cannot be used, as the reader saw it in its last poll."""
    ask: Callable[[bytes], UnfitKind | None] | None = getattr(reader, "find_kind", None)
    return ask(uid) if ask is not None else None
