"""`companion tags check`: tap every card, in any order; it says which chips are right, which cards
are missing, and which boxes can be played with those that are here. It only reads."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable

from companion import chips
from companion.chips.box import CARDS, KINDS, Enough, check_enough, count_cards
from companion.chips.entries import CardChip, Entry
from companion.chips.ndef import ContentError, Written
from companion.commands import DONE, REFUSED
from companion.commands.declared import Answer, arg, command
from companion.commands.tags import EDITION, READER
from companion.commands.tags.desk import ChipStation, Content
from companion.commands.tags.walk import describe_missing
from companion.files import locations
from companion.language import _, card, listing, plural, translate
from companion.settings.config import Config
from engine.editions import editions
from tags.access import ChipError
from tags.links import format_uid
from tags.watch import Tap

_NAMED = 8  # cards named in a line before it only gives their number
_BY_ID = ("reader", "unsupported")  # faults of chips that are known by their ids alone


@command(
    "tags check",
    READER,
    EDITION,
    arg("--known", action="store_true", help="count from the learned chips instead of tapping"),
)
def run(config: Config, args: Namespace) -> Answer:
    """The report on the chips tapped, or with `known` on those learned; 0 if all are right and none
    is missing."""
    check = Check(config, whole_box=args.edition is not None or args.known)
    if args.known:
        check.here = dict(chips.load(config.chips, config.deck or "").list_own())
        check.expect([*check.here.values()])
    else:
        check.run()
    is_right = not check.faults and not check.find_missing()
    return Answer(check.report(), code=DONE if is_right else REFUSED)


class Check(ChipStation):
    """The chips seen so far, and what is wrong with them."""

    command = "check"

    def __init__(self, config: Config, *, whole_box: bool) -> None:
        """`whole_box` expects every card of the box, otherwise the learned ones."""
        super().__init__(config)
        self._whole_box = whole_box
        self._expected: list[Entry] = []
        self._written = Written(locations.written_file(config.data))
        self.here: dict[bytes, Entry] = {}
        self.faults: dict[bytes, str] = {}
        """What is wrong with a chip: unreadable, other (than ours), empty, unknown, contradiction,
        double or link."""

    def begin(self) -> None:
        self.expect([entry for _uid, entry in self.registry.list_own()])

    def expect(self, learned: list[Entry]) -> None:
        """Expect the box, or what is learned."""
        self._expected = self.box.pieces(CARDS) if self._whole_box or not learned else learned

    def greeting(self) -> Iterable[str]:
        yield _("Tap every card, in any order. missing: what is still missing. done: the report.")

    def handle_line(self, line: str) -> None:
        """Accept only the question what is missing."""
        if line != "missing":
            raise ValueError(_("tap a chip, or type missing or done."))
        self.say(*self._tell_missing())

    def handle_tap(self, tap: Tap) -> None:
        uid = tap.uid
        known = self.reader.lookup(uid) or self._find_simulated(uid)
        self.faults.pop(uid, None)
        try:
            said, link = self.content(uid)
        except (ChipError, ContentError) as error:
            by_id = isinstance(error, ChipError) and error.fault in _BY_ID and known is not None
            if not by_id:
                is_read = isinstance(error, ContentError)
                self._note(uid, known, "other" if is_read else "unreadable")
                reason = translate(str(error))
                text = _("Unreadable: chip {uid}. {reason}")
                if is_read:
                    text = _("Chip {uid} was read. {reason}")
                self.say(text.format(uid=format_uid(uid), reason=reason))
                return
            said, link = Content(None, None)
        entry = known or said
        if entry is None:
            self._note(uid, None, "unknown")
            text = _("Unknown chip {uid}: not learned, and not written by the companion.")
            self.say(text.format(uid=format_uid(uid)))
            return
        self.say(*self._judge(uid, entry, Content(said, link)), *self.tell_link(link))

    def _judge(self, uid: bytes, entry: Entry, content: Content) -> list[str]:
        """Note the chip of that piece; returns what is right or wrong with it."""
        piece = self.box.describe(entry)
        if wrong := self.contradiction(entry, content.entry):
            self._note(uid, entry, "contradiction")
            return wrong
        others = [other for other, meaning in self.here.items() if meaning == entry]
        others += [other for other, _held in self.registry.conflicts(uid, entry)]
        other = next((one for one in others if one != uid), None)
        if other is not None and isinstance(entry, CardChip):
            self._note(uid, entry, "double")
            text = _("Duplicate: {piece} is also chip {uid}.")
            return [text.format(piece=piece, uid=format_uid(other))]
        if content.entry is None and self._written.holds(uid, entry, self.start):
            self._note(uid, entry, "empty")
            return [_("Empty: nothing is written on {piece}.").format(piece=piece)]
        wrong = self.check_link(uid, content.link) if content.entry is not None else []
        self._note(uid, entry, "link" if wrong else "")
        if wrong:
            return [_("Wrong link: {piece}.").format(piece=piece), *wrong]
        return [_("Correct: {piece}.").format(piece=piece)]

    def _note(self, uid: bytes, entry: Entry | None, fault: str) -> None:
        if entry is not None:
            self.here[uid] = entry
        if fault:
            self.faults[uid] = fault

    def _find_simulated(self, uid: bytes) -> Entry | None:
        """The card of this box for the simulated chip, for trying out."""
        pieces = self.box.pieces(KINDS) if self.reader.simulated else ()
        return next((piece for piece in pieces if chips.make_simulated_uid(piece) == uid), None)

    # -- the report ----------------------------------------------------------------------------

    def find_missing(self) -> list[Entry]:
        """The pieces expected and not seen so far."""
        here = set(self.here.values())
        return [entry for entry in self._expected if entry not in here]

    def _tell_missing(self) -> list[str]:
        return describe_missing(self.box, self.find_missing(), self._expected)

    def report(self) -> Iterable[str]:
        """The report, one fact per line."""
        yield from self._tell_missing()
        right = sum(uid not in self.faults for uid in self.here)
        yield plural("{number} chip is correct.", "{number} chips are correct.", right)
        yield from _tell_faults(Counter(self.faults.values()))
        for uid, entry in self._list_foreign():
            text = _("Not from this box: {piece}, chip {uid}.")
            yield text.format(piece=self.box.describe(entry), uid=format_uid(uid))
        for enough in self._list_enough():
            if enough.playable or enough.edition == self.box.edition:
                yield from _verdict(enough)

    def _list_foreign(self) -> list[tuple[bytes, Entry]]:
        return [(uid, entry) for uid, entry in self.here.items() if not self.box.holds(entry)]

    def _list_enough(self) -> list[Enough]:
        """Which games the cards suffice for, by edition."""
        here = count_cards(self.here.values())
        return [check_enough(edition, here) for edition in editions()]


def _tell_faults(counts: Counter[str]) -> Iterable[str]:
    wrong = counts["contradiction"] + counts["link"]
    if wrong:
        yield plural("{number} is wrong.", "{number} are wrong.", wrong)
    if number := counts["double"]:
        yield plural("{number} is a duplicate.", "{number} are duplicates.", number)
    if number := counts["empty"]:
        yield plural("{number} is empty.", "{number} are empty.", number)
    if number := counts["unreadable"]:
        yield plural("{number} could not be read.", "{number} could not be read.", number)
    if number := counts["other"]:
        yield plural("{number} holds something else.", "{number} hold something else.", number)
    if number := counts["unknown"]:
        yield plural("{number} chip is unknown.", "{number} chips are unknown.", number)


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
        card(id_) if n == 1 else _("{value} ({meaning})").format(value=card(id_), meaning=n)
        for id_, n in missing.items()
    ]
    if len(names) <= _NAMED:
        return listing(names)
    return _("{first} and {number} more").format(
        first=", ".join(names[: _NAMED - 1]), number=len(names) - _NAMED + 1
    )
