"""`companion tags verify`: compares each chip's content with the mapping, for a whole deck.
Read-only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion import language
from companion.chips.box import CARDS
from companion.chips.entries import CardChip, Entry
from companion.chips.ndef import ContentError
from companion.commands import DONE, REFUSED
from companion.commands.tags.desk import ChipStation
from companion.commands.tags.walk import describe_missing
from companion.language import _, plural
from tags.access import ChipError
from tags.uids import format_uid

if TYPE_CHECKING:
    from companion.settings.config import Config
    from tags.watch import Tap


class Verify(ChipStation):
    """Tap every chip; the summary says which were right and which are missing."""

    command = "verify"

    def __init__(self, config: Config, *, whole_box: bool) -> None:
        """`whole_box` expects every card of the box, otherwise only learned ones."""
        super().__init__(config)
        self._whole_box = whole_box
        self._results: dict[bytes, str] = {}  # the result of each chip; the latest counts
        self._chips: dict[str, bytes] = {}  # the first chip with that record
        self._entries: set[str] = set()

    def greeting(self) -> Iterable[str]:
        """Explain the command."""
        own_entries = [entry for _uid, entry in self.registry.list_own()]
        self._expectations = (
            self.box.pieces(CARDS) if self._whole_box or not own_entries else own_entries
        )
        yield _("Tap every card of the deck. missing: what is still missing. done: leave.")

    def handle_tap(self, tap: Tap) -> None:
        """Check the chip."""
        mapping_entry = self.registry.lookup(tap.uid)
        try:
            chip_entry, link = self.content(tap.uid)
        except (ChipError, ContentError) as error:
            self._count(tap.uid, "unreadable", mapping_entry)
            self.say(_("Unreadable: chip {uid}. {reason}").format(
                uid=format_uid(tap.uid), reason=language.translate(str(error))
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

    def handle_line(self, line: str) -> None:
        """Accept only answers to questions."""
        if line != "missing":
            raise ValueError(_("tap a chip, or type missing or done."))
        self.say(*self._tell_missing())

    def finish(self) -> int:
        """Print the summary; succeeds if all chips were right and none is missing."""
        counts, missing = Counter(self._results.values()), self._tell_missing()
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
        self.say(
            _("Duplicate: {piece} is also chip {uid}.").format(piece=piece, uid=format_uid(other))
        )

    def _tell_empty(self, uid: bytes, entry: Entry | None) -> str:
        if entry is None:
            return _("Empty: nothing is written on chip {uid}.").format(uid=format_uid(uid))
        return _("Empty: nothing is written on {piece}.").format(piece=self.box.describe(entry))

    def _count(self, uid: bytes, what: str, entry: Entry | None) -> None:
        self._results[uid] = what
        if entry is not None:
            self._entries.add(str(entry))

    def _tell_missing(self) -> list[str]:
        missing = [entry for entry in self._expectations if str(entry) not in self._entries]
        return describe_missing(self.box, missing, self._expectations)
