"""The record of a verb: everything that faces and voice need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.language import coins

if TYPE_CHECKING:
    from engine.table import Table
    from engine.words import Amount

Words = tuple[str, ...]  # of a move, without its verb
Heard = Literal["called", "kept", "named", "unsaid"]
Private = Literal["", "targets", "always"]
YES, NO = 4, 5
"""The numbers of verbs that say yes or no to the one question that they answer."""


class Verb(NamedTuple):
    """One verb. Its sentences are created on demand, in the current language.

    One that may be a choice of several moves needs `fold` and `asks`. Its typed names are in
    `locale/*/words.yaml`.
    """

    label: Callable[[Table, Words], str]
    """The whole move as a row, at the table where it is legal."""
    told: Callable[[Table, Words, Table], str]
    """What the move did, from the tables before and after it."""
    does: Callable[[Words], str] | None = None
    """What it does in two or three words, as a choice: `murder`. A verb that has it and can be said
    without naming a player or card has an action chip."""
    key: str = ""
    """The letter that picks it; shared only with verbs that are never offered together with it, as
    `a`, `b`, `m`, `n`, `w` and `x` by the powers of characters. No action of the screen has it."""
    number: int = 7
    """Its number in every list, in every box and language; 0 for none. Shared only with verbs that
    are never offered together with it, as 7 by the powers of characters; a second one of the same
    character has a free one from 80 on. Single digits are not those of the types of districts, so
    that a digit can begin a district's number."""
    heard: Heard = "kept"
    """How it is spoken: `called` even if only calls are; `kept`, for a power that touches another
    player; `named` if it names one; `unsaid` never, being secret or a player's own affair."""
    spoken: Callable[[Table, Words, Table], str] | None = None
    """What the voice says of it, if that is shorter than `told`: what it leaves out can be asked
    for."""
    private: Private = ""
    """What others must not notice: `always`, or `targets` if the table keeps targets secret."""
    is_lost: bool = False
    """Whether it costs nothing and cannot be made good after the turn, so that it is asked about
    once before the turn ends."""
    hint: Callable[[], str] | None = None
    """What tapping a card, a token or the crown would do."""
    fold: Callable[[Table, int], str] | None = None
    """One row for that many moves of the verb; None if there is never more than one."""
    asks: Callable[[], Words] = tuple
    """The question for each word to pick, the last for all after it. `{player}` is who decides."""
    of_another: Callable[[], str] = str
    """The row of the other players, in a list that has amounts too."""
    of_fixed: Callable[[], str] | None = None
    """The row of its fixed word, if that differs in meaning from other verbs' words."""
    unit: Callable[[int], Amount] = coins
    """What a number in the move counts."""
    price: Callable[[Table, Words], int] | None = None
    """What the move costs in gold, if two moves may differ in it."""
    rests: Callable[[Table, Sequence[Words], int], list[str]] | None = None
    """What differs in each of several moves from `place` on, if the names of the words do not say
    it."""
    instead: Words = ()
    """Other moves that mean it where they are none themselves, as they are typed."""
