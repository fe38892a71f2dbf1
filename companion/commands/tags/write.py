"""`companion tags write`, with `--empty` too.

`write` puts each piece's link, record and name on its chip, in box order. A known chip gets its own
content, an unknown one becomes the piece asked for. Overwriting foreign content needs confirmation,
and a chip uncovered when another was lifted is not touched. `--empty` takes one chip at a time,
confirmed, and surely the right one.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence

from common.sentences import Sentence
from companion import chips, language
from companion.chips import ndef
from companion.chips.entries import CardChip, Entry
from companion.chips.ndef import ContentError, Written
from companion.commands import DONE, CommandError
from companion.commands.declared import arg, command
from companion.commands.tags import EDITION, ONLY, READER
from companion.commands.tags.lock import Change
from companion.commands.tags.walk import BoxCommand, Pending
from companion.files import locations
from companion.language import _, plural, translate
from companion.settings.config import Config
from tags.access import ChipError
from tags.watch import Tap

_FORMATTED: dict[str, Sentence] = {
    "blank": Sentence("This chip is blank and must be formatted first; that cannot be undone."),
    "damaged": Sentence("What is on this chip is damaged; it must be formatted again."),
}
"""Faults of a chip that formatting cures, after a question."""


@command(
    "tags write",
    READER,
    EDITION,
    ONLY,
    arg("--empty", action="store_true", help="empty the chips that you tap"),
)
def run(config: Config, args: Namespace) -> int:
    """Write the box, or empty chips."""
    if args.empty:
        return Erase(config).run()
    return Write(config, args.only).run()


class Write(BoxCommand):
    """Writes and verifies the chip laid on for the piece asked for, then asks for the next."""

    command = "write"
    offer = Sentence("yes: write {piece} to it. Enter: leave it as it is.")
    declined = Sentence("Nothing was changed.")

    def __init__(self, config: Config, kinds: Sequence[str]) -> None:
        """Write the pieces of these kinds."""
        super().__init__(config, kinds)
        self._need_room()
        self._contents = Written(locations.written_file(config.data))
        self._count = 0
        self._formats: bytes | None = None  # the chip that is formatted once this is allowed
        self._permit: Pending | None = None  # waiting for its chip to be laid on again

    def explain(self) -> Iterable[str]:
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
        return any(
            self._contents.holds(uid, entry, self.start) for uid in self.registry.find(entry)
        )

    def accept(self, job: Pending) -> None:
        """Write it, at once if the chip is still there."""
        if self.reader.lying == job.uid:
            self._write(job)
        else:
            self._permit = job
            self.say(_("Put the same chip on the reader once more."))

    def handle_tap(self, tap: Tap) -> None:
        self.withdraw()
        job, self._permit = self._permit, None
        self.need_laid_on(tap)
        if job is None:
            self._choose(tap.uid)
        elif job.uid == tap.uid:
            self._write(job)
        else:
            raise ValueError(_("this is another chip; nothing was done."))

    def handle_line(self, line: str) -> None:
        """Handle what every walk handles; a chip is no longer waited for."""
        self._permit = None
        super().handle_line(line)

    def finish(self) -> int:
        self.say(plural("{number} chip written.", "{number} chips written.", self._count))
        return DONE

    def _choose(self, uid: bytes) -> None:
        """Write a known chip as what it is, unless another piece was named."""
        mapped, wanted = self.registry.lookup(uid), self.wanted
        entry = mapped or wanted
        if entry is None:
            raise ValueError(translate(self.unasked))
        if mapped is None or wanted is None or not self.named or mapped == self.wanted:
            self._look(Pending(uid, entry))
        else:
            text = _("This is {piece}.").format(piece=self.box.describe(mapped))
            self.ask(Pending(uid, wanted), text)

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
        self.perform("check", job.uid)  # before anything is asked about a chip that is locked
        try:
            written = ndef.decode(message, chips.load_catalogue())
        except ContentError:
            self.ask(job, _("The chip holds something else."))
            return
        if written is not None and written != job.entry:
            text = _("This chip says it is {piece}.")
            self.ask(job, text.format(piece=self.box.describe(written)))
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
        if self.registry.lookup(job.uid) != job.entry:
            self.reader.learn(job.uid, job.entry)
        self._contents.note(job.uid, job.entry, self.start)

    def _go_on(self, job: Pending) -> None:
        if job.entry == self.wanted:
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


class Erase(Change):
    """Erases a chip's content."""

    command = "write --empty"

    def greeting(self) -> Iterable[str]:
        yield _("Tap the chip to empty. The companion will still know it. done: leave.")

    def check(self, uid: bytes) -> None:
        """Allow only a chip that can be written."""
        self.perform("check", uid)

    def work(self, uid: bytes) -> str:
        self.perform("erase", uid)
        self._contents.forget(uid)
        return _("Erased.")
