"""`companion tags lock`: makes a chip read-only; and what changes one chip at a time, confirmed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from companion.chips.ndef import Written
from companion.commands import DONE
from companion.commands.declared import command
from companion.commands.tags import READER
from companion.commands.tags.desk import ChipStation
from companion.files import locations
from companion.language import _, plural
from companion.settings.config import Config
from tags.links import format_uid
from tags.watch import Tap


@command("tags lock", READER)
def run(config: Config, _args: Namespace) -> int:
    """Lock chips."""
    return Lock(config).run()


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
            self.say(_("Nothing was changed."))
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
        self.say(
            plural("{number} chip was changed.", "{number} chips were changed.", self._changes)
        )
        return DONE

    def _do(self, uid: bytes) -> None:
        text = self.work(uid)
        self._changes += 1
        self.say(text)

    def _tell(self, uid: bytes) -> list[str]:
        mapped, (written, link) = self.registry.lookup(uid), self.read_content(uid)
        entry = mapped or written
        name = _("unknown") if entry is None else self.box.describe(entry)
        line = _("Chip {uid}: {piece}.").format(uid=format_uid(uid), piece=name)
        return [line, *self.contradiction(mapped, written), *self.tell_link(link)]


class Lock(Change):
    """Makes a chip read-only permanently."""

    command = "lock"

    def greeting(self) -> Iterable[str]:
        yield _(
            "Tap the chip to lock. Locking is permanent: nobody can ever write to it "
            "again. done: leave."
        )

    def questions(self) -> list[str]:
        return [
            *super().questions(),
            _("Nobody can ever change this chip again. Type yes once more."),
        ]

    def check(self, uid: bytes) -> None:
        """Allow only a chip whose record matches the mapping."""
        (written, link), mapped = self.content(uid), self.registry.lookup(uid)
        self.perform("check", uid)
        if not written or self.contradiction(mapped, written) or self.check_link(uid, link):
            raise ValueError(_("write this chip before you lock it."))

    def work(self, uid: bytes) -> str:
        self.check(uid)
        self.perform("lock", uid)
        return _("Locked permanently.")
