"""`companion tags inventory`: tap every card of a box, and see which games they suffice for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion import chips
from companion.chips.box import CARDS, KINDS, Box
from companion.chips.entries import Entry
from companion.commands import DONE
from companion.commands.tags.course import describe_missing
from companion.commands.tags.desk import Desk
from companion.commands.tags.stock import Stock, as_data, report
from companion.errors.output import answer, answer_json, complain
from companion.language import _
from tags.uids import format_uid

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.settings.config import Config
    from tags.watch import Tap


class Inventory(Desk):
    """Tap the box's cards in any order."""

    command = "inventory"

    def __init__(self, config: Config, stock: Stock, *, quiet: bool) -> None:
        """`quiet` keeps standard output for the report."""
        super().__init__(config)
        self.stock = stock
        self._quiet = quiet

    def say(self, *told: str) -> None:
        """Print lines other than the report."""
        if self._quiet:
            complain(told)
        else:
            super().say(*told)

    def greeting(self) -> Iterable[str]:
        """Explain the command."""
        yield _(
            "Tap every card of the box, in any order. missing: what is still missing. "
            "done: the report."
        )

    def handle_tap(self, tap: Tap) -> None:
        """Count the chip."""
        known, (said, link) = self.registry.lookup(tap.uid), self.read_content(tap.uid)
        entry = known or said or self._find_simulated(tap.uid)
        if link is not None:
            self.stock.links[tap.uid] = link
        if entry is None:
            self.stock.unknown.add(tap.uid)
            self.say(
                _("Unknown chip {uid}: not learned, and not written by the companion.").format(
                    uid=format_uid(tap.uid)
                )
            )
            return
        if known is not None and said is not None and str(known) != str(said):
            self.stock.contradictions[tap.uid] = known, said
        again, other = tap.uid in self.stock.chips, self.stock.add(tap.uid, entry)
        self.say(
            *self._tell(entry, again, other),
            *self.contradiction(known, said),
            *self.tell_link(link),
            *(self.check_link(tap.uid, link) if link is not None else ()),
        )

    def handle_line(self, line: str) -> None:
        """Accept only answers to questions."""
        if line != "missing":
            raise ValueError(_("tap a chip, or type missing or done."))
        for box in self.stock.boxes:
            self.say(*describe_missing(box, self.stock.find_missing(box), box.pieces(CARDS)))

    def _find_simulated(self, uid: bytes) -> Entry | None:
        """The card of these boxes for the simulated chip, for trying out."""
        if not self.reader.simulated:
            return None
        pieces = (piece for box in self.stock.boxes for piece in box.pieces(KINDS))
        return next((piece for piece in pieces if chips.make_simulated_uid(piece) == uid), None)

    def _tell(self, entry: Entry, again: bool, other: bytes | None) -> list[str]:
        piece = self.box.describe(entry)
        if other is not None:
            return [
                _("Duplicate: {piece} is also chip {uid}.").format(
                    piece=piece, uid=format_uid(other)
                )
            ]
        if self.stock.is_foreign(entry):
            return [_("Not from this box: {piece}.").format(piece=piece)]
        if again:
            return [_("Already here: {piece}.").format(piece=piece)]
        return [_("Here: {piece}.").format(piece=piece)]


def run(config: Config, options: Namespace) -> int:
    """Take the inventory and report. Raises ChipsError and CommandError."""
    boxes = [Box(edition) for edition in options.edition or [config.edition]]
    stock = Stock(boxes)
    if options.known:
        for uid, entry in chips.load(config.chips):
            stock.add(uid, entry)
    else:
        Inventory(config, stock, quiet=options.json).run()
    if options.json:
        answer_json(as_data(stock))
    else:
        answer(report(stock))
    return DONE
