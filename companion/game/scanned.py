"""Codes typed by a scanner: a chip's short name on a line of its own counts as a tap.

Labels carry them (companion.labels); `tags.yaml` uses the same names: `district tavern 3`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.moves import fold

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.game.talk import Talk

_WORDS = (2, 3)  # words in a short name


def read(talk: Talk, line: str) -> Entry | None:
    """The chip whose short name the line is; None for any other line, and for a player's own name.

    Those of the crown and of reference cards are commands already: who has it, and what it says.
    """
    words = line.lower().split()
    if len(words) not in _WORDS:
        return None
    if any(fold(name) == fold(line) for name in talk.view.rules.player_names):
        return None
    from companion.chips import learning  # chips are imported with the first tap
    from companion.chips.entries import ReferenceChip

    entry = learning.read_text(" ".join(words))
    return None if isinstance(entry, ReferenceChip) else entry


def is_overheard(talk: Talk, entry: Entry) -> bool:
    """Whether that chip, typed on a line that others have read, could reveal a secret."""
    from companion.chips.entries import CharacterChip, PlayerChip

    if talk.private is not None or talk.reading.own:
        return True
    return talk.taps_are_secret and isinstance(entry, CharacterChip | PlayerChip)
