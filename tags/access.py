"""Read and write one chip, with any driver.

``perform`` does complete operations, in the reader's own thread, between polls. Each selects only
the given chip and retries when it is briefly silent; what changes a chip is verified in a separate
selection.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias, TypeVar

from common.sentences import Sentence
from tags.readers import Reader
from tags.type2 import ChipProblem, ChipSilent, Type2, UnsuitableChip, WriteRefused

ChipFault: TypeAlias = ChipProblem | Literal["lifted", "mute", "unverified", "reader", "unpassed"]
"""Why an operation failed: chip taken away, silent while it lies there, verification failed,
unfit (see there), or a reader that only reports ids, or only reads and writes."""

ATTEMPTS = 3
"""How often a silent chip is selected again before it counts as lifted."""

Operation: TypeAlias = Literal["read", "write", "format", "erase", "lock", "check"]
"""What can be done with one chip: read or replace its message, prepare a blank or damaged NTAG21x
for one, erase it and its bytes, make the chip read-only permanently, check that it is not."""

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


def perform(reader: Reader, operation: Operation, uid: bytes, message: bytes = b"") -> bytes:
    """Do it with the chip; returns the message (NDEF) that was read, empty for none, otherwise
    nothing. Reading takes some 50 ms.

    ``message`` is the one to write: a chip taken away meanwhile holds the old one, none, or the
    complete new one. Locking a partly locked chip again completes it; nobody can undo it. Raises
    ``ChipError`` and ``ReaderError``.
    """
    do = partial(_do_with_chip, reader, uid)
    match operation:
        case "read":
            return do(Type2.read)
        case "check":
            do(_need_writable)
            return b""
        case "lock":
            do(Type2.lock)
            is_done = do(Type2.is_locked)
        case "write":
            do(lambda chip: chip.write(message))
            is_done = do(Type2.read) == message
        case "format":
            do(Type2.format)
            is_done = not do(Type2.read)
        case "erase":
            do(Type2.wipe)
            is_done = not do(Type2.read)
    if not is_done:
        raise ChipError("unverified")
    return b""


def _need_writable(chip: Type2) -> None:
    """Raise ``UnsuitableChip`` for a chip that says that it can only be read."""
    if chip.is_read_only():
        raise UnsuitableChip("locked")


def _do_with_chip(reader: Reader, uid: bytes, work: Callable[[Type2], Result]) -> Result:
    """Do ``work`` with the chip, retrying while the chip is there but silent."""
    if not reader.traits.writes:
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


def _explain_refusal(reader: Reader, uid: bytes, page: int) -> ChipFault:
    """Why the chip refused to write that page, found by selecting it again."""
    with reader.select(uid) as exchange:
        try:
            return "lifted" if exchange is None else Type2(exchange).explain_refusal(page)
        except ChipSilent:
            return "lifted"
        except UnsuitableChip as unfit:
            return unfit.why
