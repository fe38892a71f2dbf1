"""`companion tags verify` and `inventory`: tap every card of a deck or box, in any order.

`verify` compares each chip's content with the mapping; `inventory` tells which games the cards
suffice for. Both only read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion import chips
from companion.chips.box import CARDS, KINDS, Box, Enough, check_enough, count_cards
from companion.chips.entries import CardChip, Entry
from companion.chips.ndef import ContentError
from companion.commands import DONE, REFUSED
from companion.commands.tags.desk import ChipStation
from companion.commands.tags.walk import describe_missing
from companion.errors.output import answer, answer_json, print_error
from companion.language import _, card, listing, plural, translate
from engine.editions import editions
from tags.access import ChipError
from tags.links import ChipLink, format_uid

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.settings.config import Config
    from tags.watch import Tap


class AnyOrder(ChipStation):
    """Takes chips in any order; `missing` lists what has not been seen."""

    explanation: Sentence
    """What to do and which words there are."""

    def list_missing(self) -> list[str]:
        """Lines with the pieces not seen so far."""
        raise NotImplementedError

    def greeting(self) -> Iterable[str]:
        """Explain the command."""
        yield translate(self.explanation)

    def handle_line(self, line: str) -> None:
        """Accept only answers to questions."""
        if line != "missing":
            raise ValueError(_("tap a chip, or type missing or done."))
        self.say(*self.list_missing())

    def tell_double(self, entry: Entry, other: bytes) -> str:
        """The line about a second chip for the same card."""
        return _("Duplicate: {piece} is also chip {uid}.").format(
            piece=self.box.describe(entry), uid=format_uid(other)
        )


class Verify(AnyOrder):
    """Tap every chip; the summary says which were right and which are missing."""

    command = "verify"
    explanation = Sentence(
        "Tap every card of the deck. missing: what is still missing. done: leave."
    )

    def __init__(self, config: Config, *, whole_box: bool) -> None:
        """`whole_box` expects every card of the box, otherwise only learned ones."""
        super().__init__(config)
        self._whole_box = whole_box
        self._results: dict[bytes, str] = {}  # the result of each chip; the latest counts
        self._chips: dict[str, bytes] = {}  # the first chip with that record
        self._entries: set[str] = set()

    def begin(self) -> None:
        """Expect the box, or the pieces learned."""
        own_entries = [entry for _uid, entry in self.registry.list_own()]
        self._expectations = (
            self.box.pieces(CARDS) if self._whole_box or not own_entries else own_entries
        )

    def handle_tap(self, tap: Tap) -> None:
        """Check the chip."""
        mapping_entry = self.registry.lookup(tap.uid)
        try:
            chip_entry, link = self.content(tap.uid)
        except (ChipError, ContentError) as error:
            self._count(tap.uid, "unreadable", mapping_entry)
            self.say(_("Unreadable: chip {uid}. {reason}").format(
                uid=format_uid(tap.uid), reason=translate(str(error))
            ))  # fmt: skip
            return
        if chip_entry is None:
            self._count(tap.uid, "empty", mapping_entry)
            self.say(self._tell_empty(tap.uid, mapping_entry))
        elif wrong := self.contradiction(mapping_entry, chip_entry):
            self._count(tap.uid, "wrong", mapping_entry)
            self.say(*wrong)
        else:
            self._check_double(tap.uid, chip_entry, self.check_link(tap.uid, link))
            self.say(*self.tell_link(link))

    def finish(self) -> int:
        """Print the summary; succeeds if all chips were right and none is missing."""
        counts, missing = Counter(self._results.values()), self.list_missing()
        lines = [
            plural("{number} chip is correct.", "{number} chips are correct.", counts["right"])
        ]
        others = {
            "wrong": plural("{number} is wrong.", "{number} are wrong.", counts["wrong"]),
            "double": plural(
                "{number} is a duplicate.", "{number} are duplicates.", counts["double"]
            ),
            "empty": plural("{number} is empty.", "{number} are empty.", counts["empty"]),
            "unreadable": plural(
                "{number} could not be read.", "{number} could not be read.", counts["unreadable"]
            ),
        }
        lines += [line for what, line in others.items() if counts[what]]
        self.say(*missing, *lines)
        return REFUSED if missing or any(counts[what] for what in others) else DONE

    def _check_double(self, uid: bytes, entry: Entry, wrong_link: list[str]) -> None:
        first = self._chips.setdefault(str(entry), uid)
        others = [other for other, _held in self.registry.conflicts(uid, entry)]
        other = first if first != uid else next(iter(others), uid)
        piece = self.box.describe(entry)
        if other == uid or not isinstance(entry, CardChip):
            self._count(uid, "wrong" if wrong_link else "right", entry)
            right = _("Correct: {piece}.").format(piece=piece)
            wrong = _("Wrong link: {piece}.").format(piece=piece)
            self.say(*((wrong, *wrong_link) if wrong_link else (right,)))
            return
        self._count(uid, "double", entry)
        self.say(self.tell_double(entry, other))

    def _tell_empty(self, uid: bytes, entry: Entry | None) -> str:
        if entry is None:
            return _("Empty: nothing is written on chip {uid}.").format(uid=format_uid(uid))
        return _("Empty: nothing is written on {piece}.").format(piece=self.box.describe(entry))

    def _count(self, uid: bytes, what: str, entry: Entry | None) -> None:
        self._results[uid] = what
        if entry is not None:
            self._entries.add(str(entry))

    def list_missing(self) -> list[str]:
        """Lines with the pieces expected and not seen so far."""
        missing = [entry for entry in self._expectations if str(entry) not in self._entries]
        return describe_missing(self.box, missing, self._expectations)


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


class Inventory(AnyOrder):
    """Tap the box's cards in any order."""

    command = "inventory"
    explanation = Sentence(
        "Tap every card of the box, in any order. missing: what is still missing. done: the report."
    )

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

    def list_missing(self) -> list[str]:
        """Lines with the cards of each box not seen so far."""
        return [
            line
            for box in self.stock.boxes
            for line in describe_missing(box, self.stock.find_missing(box), box.pieces(CARDS))
        ]

    def _find_simulated(self, uid: bytes) -> Entry | None:
        """The card of these boxes for the simulated chip, for trying out."""
        if not self.reader.simulated:
            return None
        pieces = (piece for box in self.stock.boxes for piece in box.pieces(KINDS))
        return next((piece for piece in pieces if chips.make_simulated_uid(piece) == uid), None)

    def _tell(self, entry: Entry, again: bool, other: bytes | None) -> list[str]:
        piece = self.box.describe(entry)
        if other is not None:
            return [self.tell_double(entry, other)]
        if self.stock.is_foreign(entry):
            return [_("Not from this box: {piece}.").format(piece=piece)]
        if again:
            return [_("Already here: {piece}.").format(piece=piece)]
        return [_("Here: {piece}.").format(piece=piece)]


def run_inventory(config: Config, options: Namespace) -> int:
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
