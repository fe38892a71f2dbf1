"""The order of pieces through a box: the current one and the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion import language
from companion.chips.entries import DistrictChip
from companion.language import _, plural, translate

if TYPE_CHECKING:
    from companion.chips.box import Box
    from companion.chips.entries import Entry


class Course:
    """A sequence of a box's pieces that skips those already done."""

    def __init__(self, box: Box, kinds: Sequence[str], is_done: Callable[[Entry], bool]) -> None:
        """`kinds` as in `companion.chips.box`; starts at the first piece that is not done."""
        self.box = box
        self.pieces = box.pieces(kinds)
        self._is_done = is_done
        self._place = -1
        self.wanted: Entry | None = None
        self.advance()

    def advance(self) -> None:
        """Move to the next piece that is not done; to none after the last."""
        rest = range(self._place + 1, len(self.pieces))
        found = next((place for place in rest if not self._is_done(self.pieces[place])), None)
        self._place = len(self.pieces) if found is None else found
        self.wanted = None if found is None else self.pieces[found]

    def go_back(self) -> bool:
        """Move to the previous piece, done or not; False at the first."""
        if self._place <= 0:
            return False
        self._place -= 1
        self.wanted = self.pieces[self._place]
        return True

    def jump(self, entry: Entry) -> None:
        """Move to that piece and continue from there, even if it is not in the sequence."""
        if entry in self.pieces:
            self._place = self.pieces.index(entry)
        elif self.wanted in self.pieces:
            self._place -= 1  # return to the current piece afterwards
        self.wanted = entry

    def find_missing(self) -> list[Entry]:
        """The pieces that are not done, in order."""
        return [piece for piece in self.pieces if not self._is_done(piece)]

    def ask_for_next(self) -> str:
        """The line that asks for the next chip, or says that none is left."""
        if self.wanted is not None:
            return _("Next: {piece}.").format(piece=self.box.describe(self.wanted))
        missing = len(self.find_missing())
        if missing:
            return plural(
                "That was the last one. {number} was skipped; type its name to go back to it.",
                "That was the last one. {number} were skipped; type a name to go back to it.",
                missing,
            )
        return _("All done.")

    def progress(self) -> str:
        """The progress: `Citadels Classic (2016): 23 of 84 done.`"""
        return _("{edition}: {done} of {all} done.").format(
            edition=translate(self.box.edition.title),
            done=len(self.pieces) - len(self.find_missing()),
            all=len(self.pieces),
        )

    def list_missing(self) -> list[str]:
        """A line for each card that is not done, with its copies."""
        return describe_missing(self.box, self.find_missing(), self.pieces)


def describe_missing(box: Box, missing: Sequence[Entry], pieces: Sequence[Entry]) -> list[str]:
    """A line for each missing piece; copies of a card share one: `Tavern, 3 of 5`."""
    told: list[str] = []
    for entry in missing:
        copies = [e for e in pieces if isinstance(e, DistrictChip) and _is_same_card(e, entry)]
        if len(copies) > 1:
            here = sum(copy not in missing for copy in copies)
            line = _("Missing: {district}, {here} of {most} here.").format(
                district=language.card(copies[0].card), here=here, most=len(copies)
            )
        else:
            line = _("Missing: {piece}.").format(piece=box.describe(entry))
        told.append(line)
    return list(dict.fromkeys(told))


def _is_same_card(one: DistrictChip, other: Entry) -> bool:
    return isinstance(other, DistrictChip) and one.card == other.card
