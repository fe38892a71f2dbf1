"""What a verb of the notation is to people: one record with all that faces and voice need."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.language import coins

if TYPE_CHECKING:
    from engine.table import Table
    from engine.words import Amount

Words = tuple[str, ...]  # of a move, without its verb
Heard = Literal["called", "kept", "named", "unsaid"]
Private = Literal["", "targets", "always"]


class Verb(NamedTuple):
    """One verb. Sentences are made when they are asked for, in the language then in force.

    What people type for it is in `locale/*/words.yaml`.
    """

    label: Callable[[Table, Words], str]
    """The whole move as a row of a list, at the table where it is legal."""
    told: Callable[[Table, Words, Table], str]
    """What the move did, from the tables before and after it."""
    does: Callable[[Words], str] | None = None
    """The power in two or three words, as one of what may be done: `murder`."""
    fold: Callable[[Table, int], str] | None = None
    """One row for so many moves of the verb; None where there is never more than one."""
    asks: Callable[[], Words] = tuple
    """What is asked when the words are picked: a question for each, the last for all after it.
    `{player}` is who decides."""
    of_player: Callable[[], str] = lambda: "{player}"
    """The row of one player, where the player is only a part of the move."""
    of_card: Callable[[int], str] = lambda place: "{card}"
    """The row of a card at that place of the move (from 0)."""
    of_fixed: Callable[[], str] | None = None
    """The row of its fixed word, where that does not mean the same in other verbs."""
    unit: Callable[[int], Amount] = coins
    """What a number of the move counts."""
    price: Callable[[Table, Words], int] | None = None
    """What the move costs in gold, where that may decide between two of them."""
    rest: Callable[[Table, Words, int], str] | None = None
    """What differs from that place on, where the names of the words do not say it."""
    key: str = ""
    """The letter that picks it; shared only with verbs that are never offered beside it."""
    heard: Heard = "kept"
    """How it is spoken: `called` even where only calls are; `named` where it names another player;
    `unsaid` never, being secret or done by whoever was just asked."""
    private: Private = ""
    """What only one player may notice: `always`, or `targets` where the table says so."""
    hint: Callable[[], str] | None = None
    """What tapping a card, a token or the crown would do."""
    chip: Callable[[], str] | None = None
    """What its action chip does; None where there is no such chip."""
