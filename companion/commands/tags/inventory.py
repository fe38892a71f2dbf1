"""`companion tags inventory`: tap every card of a box, and see which games they suffice for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from companion import chips
from companion.chips.box import CARDS, KINDS, Box, check_enough, count_cards
from companion.chips.entries import CardChip, Entry
from companion.commands import DONE
from companion.commands.tags.desk import ChipStation
from companion.commands.tags.walk import describe_missing
from companion.errors.output import answer, answer_json, print_error
from companion.language import _, card, listing, plural, translate
from engine.editions import editions
from tags.uids import format_uid

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.chips.box import Enough
    from companion.settings.config import Config
    from tags.links import ChipLink
    from tags.watch import Tap


_NAMED = 8  # cards named in a line before it only gives their number


class Stock:
    """The chips seen so far, and problems with them."""

    def __init__(self, boxes: list[Box]) -> None:
        """`boxes` to compare with; the first is the table's."""
        self.boxes = boxes
        self.chips: dict[bytes, Entry] = {}
        self.doubles: dict[bytes, bytes] = {}  # each with the other chip for the same card
        self.contradictions: dict[bytes, tuple[Entry, Entry]] = {}  # (learned as, own record)
        self.unknown: set[bytes] = set()
        self.links: dict[bytes, ChipLink] = {}  # links to a table, by the chip with the link

    def add(self, uid: bytes, entry: Entry) -> bytes | None:
        """Add a chip; returns the other chip for the same card, if there is one."""
        self.unknown.discard(uid)
        self.doubles.pop(uid, None)
        self.chips[uid] = entry
        if isinstance(entry, CardChip):
            for other, meaning in self.chips.items():
                if meaning == entry and other != uid and other not in self.doubles:
                    self.doubles[uid] = other
                    return other
        return None

    def is_foreign(self, entry: Entry) -> bool:
        """Whether the piece belongs to none of the boxes."""
        return not any(box.holds(entry) for box in self.boxes)

    def find_missing(self, box: Box) -> list[Entry]:
        """The cards of that box not seen so far."""
        here = set(self.chips.values())
        return [entry for entry in box.pieces(CARDS) if entry not in here]

    def check_enough(self) -> list[Enough]:
        """Which games the cards suffice for, by edition."""
        here = count_cards(self.chips.values())
        return [check_enough(edition, here) for edition in editions()]


def report(stock: Stock) -> Iterable[str]:
    """The report, one fact per line."""
    number = sum(count_cards(stock.chips.values()).values())
    yield plural("{number} card is here.", "{number} cards are here.", number)
    for box in stock.boxes:
        missing = stock.find_missing(box)
        if not missing:
            yield _("{edition}: complete.").format(edition=translate(box.edition.title))
            continue
        yield plural(
            "{{edition}}: {number} card is missing.",
            "{{edition}}: {number} cards are missing.",
            len(missing),
        ).format(edition=translate(box.edition.title))
        yield from describe_missing(box, missing, box.pieces(CARDS))
    yield from _list_wrong(stock)
    for enough in stock.check_enough():
        yield from _verdict(enough)


def _list_wrong(stock: Stock) -> Iterable[str]:
    box = stock.boxes[0]
    for uid, entry in stock.chips.items():
        if stock.is_foreign(entry):
            yield _("Not from this box: {piece}, chip {uid}.").format(
                piece=box.describe(entry), uid=format_uid(uid)
            )
    for uid, other in stock.doubles.items():
        yield _("Duplicate: {piece} is chip {uid} and chip {other}.").format(
            piece=box.describe(stock.chips[uid]), uid=format_uid(other), other=format_uid(uid)
        )
    for uid, (mapping_entry, text) in stock.contradictions.items():
        yield _("Contradiction: chip {uid} is known as {known}, but says {said}.").format(
            uid=format_uid(uid), known=box.describe(mapping_entry), said=box.describe(text)
        )
    if stock.unknown:
        yield plural("{number} chip is unknown.", "{number} chips are unknown.", len(stock.unknown))


def _verdict(enough: Enough) -> Iterable[str]:
    """Whether one edition is playable, and what it lacks."""
    title = translate(enough.edition.title)
    if enough.complete:
        yield _("Can play {edition}: the whole box is here.").format(edition=title)
    elif enough.playable:
        yield _("Can play {edition}; missing from the box: {missing}.").format(
            edition=title, missing=_list(enough.missing)
        )
    elif enough.needed:
        yield _("Cannot play {edition}; missing: {missing}.").format(
            edition=title, missing=_list(enough.needed)
        )
    if enough.uniques_short:
        yield plural(
            "Cannot play {{edition}}: it needs {number} more unique district.",
            "Cannot play {{edition}}: it needs {number} more unique districts.",
            enough.uniques_short,
        ).format(edition=title)


def _list(missing: dict[str, int]) -> str:
    """The cards with their numbers: `Tavern (2), King and 12 more`."""
    names = [
        card(id_) if n == 1 else _("{card} ({number})").format(card=card(id_), number=n)
        for id_, n in missing.items()
    ]
    if len(names) <= _NAMED:
        return listing(names)
    return _("{first} and {number} more").format(
        first=", ".join(names[: _NAMED - 1]), number=len(names) - _NAMED + 1
    )


def as_data(stock: Stock) -> dict[str, Any]:
    """The report for programs: cards by id, chips by number."""
    return {
        "chips": {format_uid(uid): str(entry) for uid, entry in stock.chips.items()},
        "boxes": [
            {
                "edition": box.edition.id,
                "missing": [str(entry) for entry in stock.find_missing(box)],
                "foreign": [str(e) for e in stock.chips.values() if not box.holds(e)],
            }
            for box in stock.boxes
        ],
        "doubles": {format_uid(uid): format_uid(other) for uid, other in stock.doubles.items()},
        "contradictions": {
            format_uid(uid): {"known": str(mapping_entry), "says": str(text)}
            for uid, (mapping_entry, text) in stock.contradictions.items()
        },
        "unknown": sorted(map(format_uid, stock.unknown)),
        "links": {format_uid(uid): str(link) for uid, link in stock.links.items()},
        "editions": {
            enough.edition.id: {
                "playable": enough.playable,
                "complete": enough.complete,
                "missing": enough.missing,
                "needed": enough.needed,
                "unique_districts_short": enough.uniques_short,
            }
            for enough in stock.check_enough()
        },
    }


class Inventory(ChipStation):
    """Tap the box's cards in any order."""

    command = "inventory"

    def __init__(self, config: Config, stock: Stock, *, quiet: bool) -> None:
        """`quiet` keeps standard output for the report."""
        super().__init__(config)
        self.stock = stock
        self._quiet = quiet

    def say(self, *lines: str) -> None:
        """Print lines other than the report."""
        if self._quiet:
            print_error(lines)
        else:
            super().say(*lines)

    def greeting(self) -> Iterable[str]:
        """Explain the command."""
        yield _(
            "Tap every card of the box, in any order. missing: what is still missing. "
            "done: the report."
        )

    def handle_tap(self, tap: Tap) -> None:
        """Count the chip."""
        mapping_entry, (said, link) = self.registry.lookup(tap.uid), self.read_content(tap.uid)
        entry = mapping_entry or said or self._find_simulated(tap.uid)
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
        if mapping_entry is not None and said is not None and str(mapping_entry) != str(said):
            self.stock.contradictions[tap.uid] = mapping_entry, said
        again, other = tap.uid in self.stock.chips, self.stock.add(tap.uid, entry)
        self.say(
            *self._tell(entry, again, other),
            *self.contradiction(mapping_entry, said),
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
        for uid, entry in chips.load(config.chips, config.deck or "").list_own():
            stock.add(uid, entry)
    else:
        Inventory(config, stock, quiet=options.json).run()
    if options.json:
        answer_json(as_data(stock))
    else:
        answer(report(stock))
    return DONE
