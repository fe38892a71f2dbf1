"""Reading and writing what is on one chip, whichever driver the reader has.

A driver offers ``ChipAccess``; the functions here do whole things with it.  Each names the chip it
is about, selects no other, begins anew when the chip was silent for a moment, and writing looks
afterwards, in a selection of its own, whether it is there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, Protocol, TypeAlias, TypeVar

from tags.sentences import Sentence
from tags.type2 import ChipSilent, Exchange, Type2, UnfitError, Unfitness

ChipFault: TypeAlias = Unfitness | Literal["lifted", "unverified", "reader"]
"""Why nothing came of it: taken away, written but not found as written, unfit (see there),
or a reader that only tells ids."""

ATTEMPTS = 3
"""How often a chip is selected anew when it does not answer, before it counts as lifted."""

Result = TypeVar("Result")


class ChipError(Exception):
    """The chip could not be read, written or locked.

    The message is one sentence for people; ``fault`` says the same for programs.
    """

    def __init__(self, fault: ChipFault) -> None:
        super().__init__(SENTENCES[fault])
        self.fault: ChipFault = fault


SENTENCES: dict[ChipFault, Sentence] = {
    "lifted": Sentence("The chip was taken away too early; lay it on again until it is done."),
    "unverified": Sentence(
        "The chip does not hold what was written; write it again or take another chip."
    ),
    "reader": Sentence(
        "This reader tells only the ids of chips; use another one to read or write them."
    ),
    "locked": Sentence("This chip is locked for ever and can only be read."),
    "protected": Sentence("This chip is protected by a password; take another one."),
    "small": Sentence("This chip is too small for what belongs on it; take an NTAG213 or larger."),
    "unprepared": Sentence(
        "This chip is not prepared for tags (NDEF); take an NTAG213, 215 or 216."
    ),
    "unsupported": Sentence(
        "Only NTAG213, 215 and 216 can be used so; of this chip only the id is known."
    ),
}
"""One sentence for each fault, in English."""


class ChipAccess(Protocol):
    """What a driver offers besides ``Reader`` where chips can be read and written.

    Used in the reader's own thread, between polls (``Watcher.request``).
    """

    def select(self, uid: bytes) -> AbstractContextManager[Exchange | None]:
        """The radio on, and exactly the chip ``uid`` selected; None when it does not lie there.

        The exchange raises ``ChipSilent``; everything here raises ``ReaderGone`` as polling does.
        """


class DistantChips(ABC):
    """A reader that another program has, and which does whole things with its chips itself.

    Each method is the function of that name below, for any thread but the one that hears from
    that program.
    """

    @abstractmethod
    def read(self, uid: bytes) -> bytes:
        """The message on the chip."""

    @abstractmethod
    def write(self, uid: bytes, message: bytes) -> None:
        """Put ``message`` on the chip."""

    @abstractmethod
    def erase(self, uid: bytes) -> None:
        """Leave no message on the chip."""

    @abstractmethod
    def lock(self, uid: bytes) -> None:
        """Make the chip read-only for ever."""


def read(reader: ChipAccess | DistantChips, uid: bytes) -> bytes:
    """The message (NDEF) on the chip, empty for none; takes some 50 ms.

    Raises ``ChipError`` and ``ReaderGone``.
    """
    if isinstance(reader, DistantChips):
        return reader.read(uid)
    return _with_chip(reader, uid, lambda chip: chip.read())


def write(reader: ChipAccess | DistantChips, uid: bytes, message: bytes) -> None:
    """Put ``message`` on the chip instead of what is there, and look whether it is.

    A chip taken away meanwhile holds the old message, none, or the whole new one.  Raises
    ``ChipError`` and ``ReaderGone``.
    """
    if isinstance(reader, DistantChips):
        reader.write(uid, message)
        return
    _with_chip(reader, uid, lambda chip: chip.write(message))
    if read(reader, uid) != message:
        raise ChipError("unverified")


def erase(reader: ChipAccess | DistantChips, uid: bytes) -> None:
    """Leave no message on the chip, nor its bytes.  Raises ``ChipError`` and ``ReaderGone``."""
    if isinstance(reader, DistantChips):
        reader.erase(uid)
        return
    _with_chip(reader, uid, lambda chip: chip.wipe())
    if read(reader, uid):
        raise ChipError("unverified")


def lock(reader: ChipAccess | DistantChips, uid: bytes) -> None:
    """Make the chip read-only for ever: this cannot be taken back by anybody.

    Locking again what was locked in part finishes it.  Raises ``ChipError`` and ``ReaderGone``.
    """
    if isinstance(reader, DistantChips):
        reader.lock(uid)
        return
    _with_chip(reader, uid, lambda chip: chip.lock())
    if not _with_chip(reader, uid, lambda chip: chip.is_locked()):
        raise ChipError("unverified")


def _with_chip(reader: ChipAccess, uid: bytes, work: Callable[[Type2], Result]) -> Result:
    """``work`` done with the chip, begun anew while the chip is there and silent."""
    if not hasattr(reader, "select"):
        raise ChipError("reader")
    for _ in range(ATTEMPTS):
        with reader.select(uid) as exchange:
            if exchange is None:
                raise ChipError("lifted")
            try:
                return work(Type2(exchange))
            except UnfitError as unfit:
                raise ChipError(unfit.why) from None
            except ChipSilent:
                continue
    raise ChipError("lifted")
