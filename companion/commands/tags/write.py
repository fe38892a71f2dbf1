"""`companion tags write`: each piece's link, record and name put on its chip, in the box's order.

A chip that is known is written as what it is; one that is not becomes what is asked for. What would
replace something that is not ours is asked about first, and a chip that comes to light from under
another one is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from companion import chips, language, learning, locations
from companion.commands.tags.course import Course
from companion.commands.tags.desk import Desk
from companion.language import _, plural
from companion.written import Written
from tags import access, ndef
from tags.ndef import ContentError
from tags.registry import CharacterChip, DistrictChip, Entry, format_uid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.config import Config
    from tags.watch import Tap


class Job(NamedTuple):
    """What is to be written on a chip."""

    uid: bytes
    entry: Entry


class Write(Desk):
    """Lay on what is asked for; it is written and looked at, and the next is asked for."""

    command = "write"

    def __init__(self, config: Config, kinds: Sequence[str], *, again: bool) -> None:
        """Write the pieces of these kinds; `again` those as well that were written before."""
        super().__init__(config)
        self._kinds = kinds
        self._written = Written(locations.written_file(config.data))
        self._again = again
        self._now: set[str] = set()  # the pieces that are done since the start
        self._count = 0
        self._asked: Job | None = None  # what `yes` would allow
        self._allowed: Job | None = None  # what waits for its chip to come back
        self._named = False  # whether what is wanted was named, rather than next in the box

    def greeting(self) -> Iterable[str]:
        """How it works, how far it is, and what is asked for."""
        self._course = Course(self.box, self._kinds, self._is_done)
        return (
            _("Lay on the chip of each card that is asked for, and take it away when told."),
            _("Enter: pass it over. A card's name, and its number: that one next."),
            _("back: the one before. missing: what is left. done: leave."),
            self._course.progress(),
            self._course.asked(),
        )

    def tapped(self, tap: Tap) -> None:
        """Write the chip, or ask before something on it is lost."""
        allowed, self._allowed, self._asked = self._allowed, None, None
        if tap.swapped:
            raise ValueError(_("one chip lay on another; take all away, then lay on one."))
        self.need_own_id(tap.uid)
        if allowed is not None:
            if allowed.uid != tap.uid:
                raise ValueError(_("this is another chip; nothing was written."))
            self._write(allowed)
            return
        wanted = self._target(tap.uid)
        if wanted is not None:
            self._look(Job(tap.uid, wanted))

    def typed(self, line: str) -> None:
        """A word about the course, the answer to a question, or a piece to go to."""
        asked, self._asked, self._allowed = self._asked, None, None
        match line:
            case "" | "no" if asked is not None:
                self.say(_("Nothing was written."), self._course.asked())
            case "yes" if asked is not None:
                self._allow(asked)
            case "":
                self._go_on()
            case "back":
                if not self._course.back():
                    raise ValueError(_("this is the first one."))
                self.say(self._course.asked())
            case "missing":
                self.say(*self._course.told_missing(), self._course.progress())
            case _:
                here = [*self.box.copies, *self.box.characters]
                self._course.jump(learning.read_entry(line, self.registry, here=here))
                self._named = True
                self.say(self._course.asked())

    def left(self) -> int:
        """How many were written."""
        self.say(plural("{number} chip is written.", "{number} chips are written.", self._count))
        return super().left()

    def _is_done(self, entry: Entry) -> bool:
        if str(entry) in self._now:
            return True
        held = any(self._written.holds(uid, entry) for uid in self.registry.find(entry))
        return held and not self._again

    def _target(self, uid: bytes) -> Entry | None:
        """What the chip is to become; None, and a question, if another piece was named."""
        known, wanted = self.registry.lookup(uid), self._course.wanted
        if known is None and wanted is None:
            raise ValueError(_("nothing is asked for; type what this chip is, then lay it on."))
        if known is None or wanted is None or not self._named or str(known) == str(wanted):
            return known or wanted
        self._ask(Job(uid, wanted), _("This is {piece}.").format(piece=self.box.in_words(known)))
        return None

    def _look(self, job: Job) -> None:
        """Write at once what costs nothing; ask about the rest."""
        self._need_free(job)
        held = self.on_chip(job.uid, access.read)
        if held == self._message(job.entry):
            self.say(_("{piece} is written already.").format(piece=self._words(job.entry)))
            self._done(job)
            return
        try:
            said = ndef.decode(held, chips.known_cards())
        except ContentError:
            self._ask(job, _("Something that is not ours is on this chip."))
            return
        if said is not None and str(said) != str(job.entry):
            self._ask(job, _("This chip says that it is {piece}.").format(piece=self._words(said)))
            return
        self._write(job)

    def _need_free(self, job: Job) -> None:
        for other, _held in self.registry.conflicts(job.uid, job.entry):
            if other != job.uid:
                raise ValueError(
                    _("chip {uid} is {piece} already; nothing was written.").format(
                        uid=format_uid(other), piece=self._words(job.entry)
                    )
                )

    def _ask(self, job: Job, reason: str) -> None:
        self._asked = job
        self.say(
            reason,
            _("yes: write {piece} on it. Enter: leave it.").format(piece=self._words(job.entry)),
        )

    def _allow(self, job: Job) -> None:
        if self.reader.lying == job.uid:
            self._write(job)
        else:
            self._allowed = job
            self.say(_("Lay the same chip on once more."))

    def _write(self, job: Job) -> None:
        self._need_free(job)
        message = self._message(job.entry)
        self.on_chip(job.uid, lambda reader, chip: access.write(reader, chip, message))
        self._count += 1
        self.say(_("Written: {piece}. Take it away.").format(piece=self._words(job.entry)))
        self._done(job)

    def _done(self, job: Job) -> None:
        if str(self.registry.lookup(job.uid)) != str(job.entry):
            self.reader.learn(job.uid, job.entry)
        self._written.note(job.uid, job.entry)
        self._now.add(str(job.entry))
        if str(job.entry) == str(self._course.wanted):
            self._go_on()

    def _go_on(self) -> None:
        self._named = False
        self._course.advance()
        self.say(self._course.asked())

    def _message(self, entry: Entry) -> bytes:
        if isinstance(entry, DistrictChip | CharacterChip):
            name = language.card(entry.card)
        else:
            name = self._words(entry)
        return ndef.encode(entry, name, language.current(), self.config.link or ndef.DEFAULT_BASE)

    def _words(self, entry: Entry) -> str:
        return self.box.in_words(entry)
