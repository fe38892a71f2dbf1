"""Read and write one chip, with any driver.

A driver offers ``ChipAccess``; the functions here are complete operations on it. Each selects only
the given chip and retries when it is briefly silent; writing verifies the result in a separate
selection.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, Protocol, TypeAlias, TypeVar

from common.sentences import Sentence
from tags.readers import find_traits
from tags.type2 import ChipProblem, ChipSilent, Transceive, Type2, UnsuitableChip, WriteRefused

ChipFault: TypeAlias = ChipProblem | Literal["lifted", "mute", "unverified", "reader", "unpassed"]
"""Why an operation failed: chip taken away, silent while it lies there, verification failed,
unfit (see there), or a reader that only reports ids, or only reads and writes."""

ATTEMPTS = 3
"""How often a silent chip is selected again before it counts as lifted."""

Operation: TypeAlias = Literal["read", "write", "format", "erase", "lock", "check"]
"""What can be done with one chip; see the function of that name."""

LATE = Sentence("The reader did not answer in time; check what is on the chip.")
"""What to say when an operation took too long; one that has begun may still be done."""

Result = TypeVar("Result")


class ChipError(Exception):
    """The chip could not be read, written or locked.

    The message is a sentence for users; ``fault`` is the same for programs.
    """

    def __init__(self, fault: ChipFault) -> None:
        super().__init__(SENTENCES[fault])
        self.fault: ChipFault = fault


SENTENCES: dict[ChipFault, Sentence] = {
    "lifted": Sentence("The chip was taken away too early; put it back until it is done."),
    "mute": Sentence(
        "This chip lies there but does not answer; lay it closer, away from metal, or use another."
    ),
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
    "blank": Sentence("This chip is blank; “companion tags write” can format it."),
    "damaged": Sentence(
        "What is on this chip is damaged; “companion tags write” can format it again."
    ),
    "altered": Sentence(
        "Another program has set this chip up in a way that cannot be changed; it can be learned, "
        "but not written."
    ),
    "unprepared": Sentence("This chip is not NDEF-formatted; use an NTAG213, 215 or 216."),
    "unsupported": Sentence(
        "That works only with NTAG213, 215 and 216; all that is known of this chip is its id."
    ),
}
"""One sentence for each fault, in English."""


class ChipAccess(Protocol):
    """What a driver offers besides ``Reader`` if it can read and write chips.

    Used in the reader's own thread, between polls (``Watcher.request``).
    """

    def select(self, uid: bytes) -> AbstractContextManager[Transceive | None]:
        """Switch the radio on and select exactly the chip ``uid``; None if it is not there.

        The exchange raises ``ChipSilent``; everything here raises ``ReaderError`` as polling does.
        """


def perform(reader: ChipAccess, operation: Operation, uid: bytes, message: bytes = b"") -> bytes:
    """Do it with the chip; returns the message that was read, otherwise nothing.

    ``message`` is the one to write. Raises ``ChipError`` and ``ReaderError``.
    """
    match operation:
        case "read":
            return read(reader, uid)
        case "write":
            write(reader, uid, message)
        case "format":
            format_chip(reader, uid)
        case "erase":
            erase(reader, uid)
        case "lock":
            lock(reader, uid)
        case "check":
            _do_with_chip(reader, uid, check)
    return b""


def check(chip: Type2) -> None:
    """Raise ``UnsuitableChip`` for a chip that says that it can only be read."""
    if chip.is_read_only():
        raise UnsuitableChip("locked")


def read(reader: ChipAccess, uid: bytes) -> bytes:
    """The message (NDEF) on the chip, empty for none; takes some 50 ms.

    Raises ``ChipError`` and ``ReaderError``.
    """
    return _do_with_chip(reader, uid, lambda chip: chip.read())


def write(reader: ChipAccess, uid: bytes, message: bytes) -> None:
    """Replace the chip's message with ``message`` and verify it.

    A chip taken away meanwhile holds the old message, none, or the complete new one. Raises
    ``ChipError`` and ``ReaderError``.
    """
    _do_with_chip(reader, uid, lambda chip: chip.write(message))
    if read(reader, uid) != message:
        raise ChipError("unverified")


def format_chip(reader: ChipAccess, uid: bytes) -> None:
    """Prepare a blank or damaged NTAG21x for a message. Raises ``ChipError`` and
    ``ReaderError``."""
    _do_with_chip(reader, uid, lambda chip: chip.format())
    if read(reader, uid):
        raise ChipError("unverified")


def erase(reader: ChipAccess, uid: bytes) -> None:
    """Erase the chip's message and its bytes. Raises ``ChipError`` and ``ReaderError``."""
    _do_with_chip(reader, uid, lambda chip: chip.wipe())
    if read(reader, uid):
        raise ChipError("unverified")


def lock(reader: ChipAccess, uid: bytes) -> None:
    """Make the chip read-only permanently: nobody can undo this.

    Locking a partly locked chip again completes it. Raises ``ChipError`` and ``ReaderError``.
    """
    _do_with_chip(reader, uid, lambda chip: chip.lock())
    if not _do_with_chip(reader, uid, lambda chip: chip.is_locked()):
        raise ChipError("unverified")


def _do_with_chip(reader: ChipAccess, uid: bytes, work: Callable[[Type2], Result]) -> Result:
    """Do ``work`` with the chip, retrying while the chip is there but silent."""
    if not find_traits(reader).writes:
        raise ChipError("reader")
    for _ in range(ATTEMPTS):
        with reader.select(uid) as exchange:
            if exchange is None:
                raise ChipError("lifted")
            try:
                return work(Type2(exchange))
            except WriteRefused as error:
                page = error.page
            except UnsuitableChip as unfit:
                raise ChipError(unfit.why) from None
            except ChipSilent:
                continue
        raise ChipError(_explain_refusal(reader, uid, page))
    raise ChipError("mute")


def _explain_refusal(reader: ChipAccess, uid: bytes, page: int) -> ChipFault:
    """Why the chip refused to write that page, found by selecting it again."""
    with reader.select(uid) as exchange:
        try:
            return "lifted" if exchange is None else Type2(exchange).explain_refusal(page)
        except ChipSilent:
            return "lifted"
        except UnsuitableChip as unfit:
            return unfit.why
