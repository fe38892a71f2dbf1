"""Who gets a seat: decided here from facts alone, without an effect. `Site` carries it out.

The table's code shows what everybody may see, and takes a seat that is free and holds nothing
private. A seat's own code opens that seat, always. Nobody asks, and nobody allows.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from common.sentences import Sentence


class Proof(IntEnum):
    """What a phone or a program has shown."""

    NOTHING = 0
    TABLE = 1
    """The table's code."""

    SEAT = 2
    """The seat's own code, or its key."""


class Facts(NamedTuple):
    """What is known of a phone and of the seat that it wants."""

    proof: Proof
    wants_seat: bool = True
    has_phone: bool = False
    is_private: bool = False
    """Whether the seat holds what only its player may know."""

    is_public: bool = False
    """Whether the house is public."""


class Decision(NamedTuple):
    """Whether the phone gets the seat; otherwise it may look on, or the `reason` says why not, with
    its HTTP `status`."""

    lets_in: bool = False
    status: int = 200
    reason: str = ""


LET_IN, SHOW = Decision(lets_in=True), Decision()
NO_CODE = Decision(status=403, reason=Sentence("Enter the table's code first."))
OWN_CODE = Decision(
    status=409,
    reason=Sentence("This seat needs its own code, which is shown where the game was started."),
)


def decide(facts: Facts) -> Decision:
    """Whether that phone gets the seat that it wants."""
    if facts.proof is Proof.NOTHING:
        return NO_CODE
    if not facts.wants_seat:
        return SHOW
    if facts.proof is Proof.SEAT:
        return LET_IN
    if facts.is_public or facts.has_phone or facts.is_private:
        return OWN_CODE
    return LET_IN
