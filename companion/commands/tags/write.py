"""`companion tags write`, `lock` and `erase`: what changes a chip.

`write` puts each piece's link, record and name on its chip, in box order. A known chip gets its own
content, an unknown one becomes the piece asked for. Overwriting foreign content needs confirmation,
and a chip uncovered when another was lifted is not touched. `lock` and `erase` take one chip at a
time, confirmed, and surely the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import chips, language
from companion.chips import ndef
from companion.chips.entries import CardChip, Entry
from companion.chips.ndef import ContentError, Written
from companion.commands import DONE, CommandError
from companion.commands.tags.desk import ChipStation
from companion.commands.tags.walk import BoxCommand, Pending
from companion.files import locations
from companion.language import _, plural, translate
from tags.access import ChipError
from tags.links import format_uid

if TYPE_CHECKING:
    from companion.settings.config import Config
    from tags.watch import Tap


_FORMATTED: dict[str, Sentence] = {
    "blank": Sentence("This chip is blank and must be formatted first; that cannot be undone."),
    "damaged": Sentence("What is on this chip is damaged; it must be formatted again."),
}
"""Faults of a chip that formatting cures, after a question."""


class Write(BoxCommand):
    """Writes and verifies the chip laid on for the piece asked for, then asks for the next."""

    command = "write"
    offer = Sentence("yes: write {piece} to it. Enter: leave it as it is.")
    declined = Sentence("Nothing was written.")
    taken = Sentence("chip {uid} is already {piece}; tap that one, or press Enter to skip it.")
    unasked = Sentence(
        "no card is being asked for; type what this chip is, then put it on the reader."
    )

    def __init__(self, config: Config, kinds: Sequence[str], *, again: bool) -> None:
        """Write the pieces of these kinds; with `again`, those written before too."""
        super().__init__(config, kinds)
        self._need_room()
        self._contents = Written(locations.written_file(config.data))
        self._again = again
        self._now: set[str] = set()  # the pieces done since the start
        self._count = 0
        self._formats: bytes | None = None  # the chip that is formatted once this is allowed
        self._permit: Pending | None = None  # waiting for its chip to be laid on again

    def explain(self) -> Iterable[str]:
        """Explain chips and keys."""
        if self.start.host:
            yield _("A phone held to a chip will open {link} followed by the chip's id.").format(
                link=self.start.text
            )
        yield from (
            _(
                "Put the chip of each card you are asked for on the reader, and take it "
                "away when told."
            ),
            _("Enter: skip it. Type a card's name, and its number, to jump to it."),
        )

    def is_done(self, entry: Entry) -> bool:
        """Whether the piece was written, according to the list."""
        if str(entry) in self._now:
            return True
        is_held = any(
            self._contents.holds(uid, entry, self.start) for uid in self.registry.find(entry)
        )
        return is_held and not self._again

    def accept(self, job: Pending) -> None:
        """Write it, at once if the chip is still there."""
        if self.reader.lying == job.uid:
            self._write(job)
        else:
            self._permit = job
            self.say(_("Put the same chip on the reader once more."))

    def handle_tap(self, tap: Tap) -> None:
        """Write the chip, or ask before overwriting."""
        self.withdraw()
        job, self._permit = self._permit, None
        self.need_laid_on(tap)
        if job is None:
            self._choose(tap.uid)
        elif job.uid == tap.uid:
            self._write(job)
        else:
            raise ValueError(_("this is another chip; nothing was written."))

    def handle_line(self, line: str) -> None:
        """Handle what every walk handles; a chip is no longer waited for."""
        self._permit = None
        super().handle_line(line)

    def finish(self) -> int:
        """Say how many were written."""
        self.say(plural("{number} chip written.", "{number} chips written.", self._count))
        return DONE

    def _choose(self, uid: bytes) -> None:
        """Write a known chip as what it is, unless another piece was named."""
        mapping_entry, target = self.registry.lookup(uid), self.wanted
        entry = mapping_entry or target
        if entry is None:
            raise ValueError(translate(self.unasked))
        if (
            mapping_entry is None
            or target is None
            or not self.named
            or self.is_wanted(mapping_entry)
        ):
            self._look(Pending(uid, entry))
        else:
            text = _("This is {piece}.").format(piece=self.box.describe(mapping_entry))
            self.ask(Pending(uid, target), text)

    def _look(self, job: Pending) -> None:
        """Write at once if nothing is lost; otherwise ask."""
        self.need_free(job)
        try:
            message = self.perform("read", job.uid)
        except ChipError as error:
            if error.fault not in _FORMATTED:
                raise
            self._formats = job.uid
            self.ask(job, translate(_FORMATTED[error.fault]))
            return
        if message == self._message(job):
            self._keep(job)
            self.say(_("{piece} is already written.").format(piece=self.box.describe(job.entry)))
            self._go_on(job)
            return
        try:
            chip_entry = ndef.decode(message, chips.load_catalogue())
        except ContentError:
            self.ask(job, _("This chip already holds something else."))
            return
        if chip_entry is not None and str(chip_entry) != str(job.entry):
            text = _("This chip says it is {piece}.")
            self.ask(job, text.format(piece=self.box.describe(chip_entry)))
            return
        self._write(job)

    def _write(self, job: Pending) -> None:
        self.need_free(job)
        message = self._message(job)
        if self._formats == job.uid:
            self.perform("format", job.uid)
        self._formats = None
        self.perform("write", job.uid, message)
        self._keep(job)
        self._count += 1
        self.say(_("Written: {piece}. Take it away.").format(piece=self.box.describe(job.entry)))
        self._go_on(job)

    def _keep(self, job: Pending) -> None:
        """Save the chip's meaning, then report it."""
        if str(self.registry.lookup(job.uid)) != str(job.entry):
            self.reader.learn(job.uid, job.entry)
        self._contents.note(job.uid, job.entry, self.start)

    def _go_on(self, job: Pending) -> None:
        self._now.add(str(job.entry))
        if self.is_wanted(job.entry):
            self.go_on()

    def _message(self, job: Pending) -> bytes:
        name = self.box.describe(job.entry)
        if isinstance(job.entry, CardChip):
            name = language.card(job.entry.card)
        return ndef.encode(job.entry, name, language.current(), self.start, job.uid)

    def _need_room(self) -> None:
        """Raise CommandError if the link is too long for some card's chip."""
        lacking = ndef.count_lacking(self.start, chips.load_catalogue())
        name = self.start.host or self.start.text
        if lacking > 0:
            problem = Sentence(
                "{name} is too long for an NTAG213; at most {number} characters fit",
                name=name,
                number=len(name) - lacking,
            )
            raise CommandError.of("tags: link", problem)


class Change(ChipStation):
    """Tap a chip, confirm, lay the same chip on again."""

    def __init__(self, config: Config) -> None:
        """Nothing is chosen yet."""
        super().__init__(config)
        self._contents = Written(locations.written_file(config.data))
        self._target: bytes | None = None
        self._consents = 0
        self._changes = 0

    def work(self, uid: bytes) -> str:
        """Do it; returns the line with the result. Errors as in `handle_tap`."""
        raise NotImplementedError

    def check(self, uid: bytes) -> None:
        """Raise ValueError, or as `content` does, for a chip that is not suitable."""

    def questions(self) -> list[str]:
        """The questions to confirm, one after the other, before anything is done."""
        return [_("Type yes to continue with this chip.")]

    def handle_tap(self, tap: Tap) -> None:
        """Choose the chip, or change the confirmed one."""
        ready = self._target is not None and self._consents == len(self.questions())
        uid, self._target, self._consents = self._target, None, 0
        self.need_laid_on(tap)
        if ready and tap.uid != uid:
            raise ValueError(_("this is another chip; nothing was done."))
        if ready:
            self._do(tap.uid)
            return
        self.say(*self._tell(tap.uid))
        self.check(tap.uid)
        self._target = tap.uid
        self.say(self.questions()[0])

    def handle_line(self, line: str) -> None:
        """Continue on yes, cancel on anything else."""
        if self._target is None:
            raise ValueError(_("tap a chip first."))
        questions = self.questions()
        if line != "yes" or self._consents == len(questions):
            self._target, self._consents = None, 0
            self.say(_("Nothing was done."))
            return
        self._consents += 1
        if self._consents < len(questions):
            self.say(questions[self._consents])
        elif self.reader.lying == self._target:
            uid, self._target, self._consents = self._target, None, 0
            self._do(uid)
        else:
            self.say(_("Put the same chip on the reader once more."))

    def finish(self) -> int:
        """Say how many chips were changed."""
        self.say(
            plural("{number} chip was changed.", "{number} chips were changed.", self._changes)
        )
        return DONE

    def _do(self, uid: bytes) -> None:
        text = self.work(uid)
        self._changes += 1
        self.say(text)

    def _tell(self, uid: bytes) -> list[str]:
        entries, (mapping_entry, link) = self.registry.lookup(uid), self.read_content(uid)
        entry = entries or mapping_entry
        name = _("unknown") if entry is None else self.box.describe(entry)
        line = _("Chip {uid}: {piece}.").format(uid=format_uid(uid), piece=name)
        return [line, *self.contradiction(entries, mapping_entry), *self.tell_link(link)]


class Lock(Change):
    """Makes a chip read-only permanently."""

    command = "lock"

    def greeting(self) -> Iterable[str]:
        """Explain the command."""
        yield _(
            "Tap the chip to lock. Locking is permanent: nobody can ever write to it "
            "again. done: leave."
        )

    def questions(self) -> list[str]:
        """Ask twice."""
        return [
            *super().questions(),
            _("Nobody can ever change this chip again. Type yes once more."),
        ]

    def check(self, uid: bytes) -> None:
        """Allow only a chip whose record matches the mapping."""
        (mapping_entry, link), entries = self.content(uid), self.registry.lookup(uid)
        if mapping_entry is None:
            raise ValueError(_("nothing is written on this chip; write it before you lock it."))
        if self.contradiction(entries, mapping_entry) or self.check_link(uid, link):
            raise ValueError(_("write this chip again before you lock it."))

    def work(self, uid: bytes) -> str:
        """Lock the chip and verify it."""
        self.check(uid)
        self.perform("lock", uid)
        return _("Locked permanently.")


class Erase(Change):
    """Erases a chip's content."""

    command = "erase"

    def greeting(self) -> Iterable[str]:
        """Explain the command."""
        yield _("Tap the chip to erase. The companion will still know it. done: leave.")

    def work(self, uid: bytes) -> str:
        """Erase the chip and verify that it is empty."""
        self.perform("erase", uid)
        self._contents.forget(uid)
        if self.registry.lookup(uid) is None:
            return _("Erased.")
        return _("Erased. The companion still knows it by its id.")
