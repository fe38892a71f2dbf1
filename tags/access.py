"""Reading and writing what is on one chip, whichever driver the reader has.

A driver offers ``ChipAccess``; the functions here do whole things with it.  Each names the chip it
is about, selects no other, starts again when the chip was silent for a moment, and writing looks
afterwards, in a selection of its own, whether it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, Protocol, TypeAlias, TypeVar

from common.sentences import Sentence
from tags.type2 import ChipSilent, Exchange, Type2, UnfitError, Unfitness, WriteRefused

ChipFault: TypeAlias = Unfitness | Literal["lifted", "unverified", "reader", "unpassed"]
"""Why nothing came of it: taken away, written but not found as written, unfit (see there), or a
reader that only tells ids, or only reads and writes."""

ATTEMPTS = 3
"""How often a chip is selected again when it does not answer, before it counts as lifted."""

Result = TypeVar("Result")


class ChipError(Exception):
    """The chip could not be read, written or locked.

    The message is one sentence for people; ``fault`` says the same for programs.
    """

    def __init__(self, fault: ChipFault) -> None:
        super().__init__(SENTENCES[fault])
        self.fault: ChipFault = fault


SENTENCES: dict[ChipFault, Sentence] = {
    "lifted": Sentence("The chip was taken away too early; put it back until it is done."),
    "unverified": Sentence(
        "The chip did not keep what was written; write it again or use another chip."
    ),
    "reader": Sentence(
        "This reader can only tell the ids of chips; use another one to read or write them."
    ),
    "unpassed": Sentence(
        "This reader can only read and write chips; use another one to lock them."
    ),
    "locked": Sentence("This chip is locked permanently and can only be read."),
    "protected": Sentence("This chip is protected by a password; use another one."),
    "small": Sentence("This chip is too small for what belongs on it; use an NTAG213 or larger."),
    "unprepared": Sentence("This chip is not NDEF-formatted; use an NTAG213, 215 or 216."),
    "unsupported": Sentence(
        "That works only with NTAG213, 215 and 216; all that is known of this chip is its id."
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


def read(reader: ChipAccess, uid: bytes) -> bytes:
    """The message (NDEF) on the chip, empty for none; takes some 50 ms.

    Raises ``ChipError`` and ``ReaderGone``.
    """
    return _with_chip(reader, uid, lambda chip: chip.read())


def write(reader: ChipAccess, uid: bytes, message: bytes) -> None:
    """Put ``message`` on the chip instead of what is there, and look whether it is.

    A chip taken away meanwhile holds the old message, none, or the whole new one.  Raises
    ``ChipError`` and ``ReaderGone``.
    """
    _with_chip(reader, uid, lambda chip: chip.write(message))
    if read(reader, uid) != message:
        raise ChipError("unverified")


def erase(reader: ChipAccess, uid: bytes) -> None:
    """Leave no message on the chip, nor its bytes.  Raises ``ChipError`` and ``ReaderGone``."""
    _with_chip(reader, uid, lambda chip: chip.wipe())
    if read(reader, uid):
        raise ChipError("unverified")


def lock(reader: ChipAccess, uid: bytes) -> None:
    """Make the chip read-only permanently: nobody can undo this.

    Locking again what was locked in part finishes it.  Raises ``ChipError`` and ``ReaderGone``.
    """
    _with_chip(reader, uid, lambda chip: chip.lock())
    if not _with_chip(reader, uid, lambda chip: chip.is_locked()):
        raise ChipError("unverified")


def _with_chip(reader: ChipAccess, uid: bytes, work: Callable[[Type2], Result]) -> Result:
    """``work`` done with the chip, started again while the chip is there and silent."""
    if not hasattr(reader, "select"):
        raise ChipError("reader")
    for _ in range(ATTEMPTS):
        with reader.select(uid) as exchange:
            if exchange is None:
                raise ChipError("lifted")
            try:
                return work(Type2(exchange))
            except WriteRefused as refused:
                page = refused.page
            except UnfitError as unfit:
                raise ChipError(unfit.why) from None
            except ChipSilent:
                continue
        raise ChipError(_why_refused(reader, uid, page))
    raise ChipError("lifted")


def _why_refused(reader: ChipAccess, uid: bytes, page: int) -> ChipFault:
    """Why the chip would not take that page, as it says when it is selected again."""
    with reader.select(uid) as exchange:
        try:
            return "lifted" if exchange is None else Type2(exchange).why_refused(page)
        except ChipSilent:
            return "lifted"
        except UnfitError as unfit:
            return unfit.why
