"""`companion tags learn`: learns the chip of each piece of a box."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from common.sentences import Sentence
from companion.chips.entries import Entry
from companion.commands import DONE
from companion.commands.declared import command
from companion.commands.tags import EDITION, ONLY, READER
from companion.commands.tags.walk import BoxCommand, Pending
from companion.language import _, plural, put_after_colon, translate
from companion.settings.config import Config
from tags.links import format_uid
from tags.watch import Tap


@command("tags learn", READER, EDITION, ONLY)
def run(config: Config, args: Namespace) -> int:
    """Learn the box."""
    return Learn(config, args.only).run()


class Learned(NamedTuple):
    """The state that undo restores."""

    uid: bytes
    before: Entry | None
    wanted: Entry


class Learn(BoxCommand):
    """Learns the chip tapped for the piece asked for, then asks for the next."""

    command = "learn"
    offer = Sentence("yes: learn it as {piece}. Enter: leave it as it is.")
    declined = Sentence("Nothing was changed.")

    def __init__(self, config: Config, kinds: Sequence[str]) -> None:
        """Learn the pieces of these kinds (`companion.chips.box.KINDS`)."""
        super().__init__(config, kinds)
        self._lessons: list[Learned] = []

    def explain(self) -> Iterable[str]:
        return (
            _("Tap the chip of each card you are asked for. Enter: skip it."),
            _("Type a card's name, and its number, to jump to it. undo: forget the last chip."),
        )

    def is_done(self, entry: Entry) -> bool:
        """Whether the piece has a chip."""
        return bool(self.registry.find(entry))

    def handle_tap(self, tap: Tap) -> None:
        self.withdraw()
        if tap.uid not in self.registry:
            self.need_asked_for(tap)
        mapped, wanted = self.registry.lookup(tap.uid), self.wanted
        written = self.read_content(tap.uid).entry or self.reader.lookup(tap.uid)
        if mapped is not None:
            self.say(*self.contradiction(mapped, written))
            self._tell_known(tap.uid, mapped)
        elif written is not None and written != self.wanted:
            self._ask_about_record(tap.uid, written)
        elif wanted is None:
            raise ValueError(translate(self.unasked))
        else:
            self.accept(Pending(tap.uid, wanted))

    def handle_line(self, line: str) -> None:
        """Handle `undo`, or what every walk handles."""
        if line == "undo":
            self.withdraw()
            self._undo()
        else:
            super().handle_line(line)

    def finish(self) -> int:
        count = len(self.registry)
        self.say(plural("{number} chip is known.", "{number} chips are known.", count))
        return DONE

    def _tell_known(self, uid: bytes, entry: Entry) -> None:
        """Say what the chip already is, and ask if the piece asked for may be meant."""
        text = _("This is already {piece}.").format(piece=self.box.describe(entry))
        just_learned = bool(self._lessons) and self._lessons[-1].uid == uid
        if entry == self.wanted:
            self.say(text)
            self.go_on()
        elif just_learned or self.wanted is None:
            self.say(text, self.ask_for_next())
        else:
            self.ask(Pending(uid, self.wanted), text)

    def _ask_about_record(self, uid: bytes, entry: Entry) -> None:
        """Handle an unknown chip whose record is not the piece asked for."""
        piece = self.box.describe(entry)
        holders = self.registry.conflicts(uid, entry)
        if not holders:
            self.ask(Pending(uid, entry), _("This chip says it is {piece}.").format(piece=piece))
            return
        double = _("Duplicate: this chip says it is {piece}, but that is chip {uid}.").format(
            piece=piece, uid=format_uid(holders[0][0])
        )
        if self.wanted is None:
            self.say(double)
        else:
            self.ask(Pending(uid, self.wanted), double)

    def accept(self, job: Pending) -> None:
        self.need_free(job)
        before = self.registry.lookup(job.uid)
        self.reader.learn(*job)
        self._lessons.append(Learned(job.uid, before, self.wanted or job.entry))
        self.say(_("Learned: {piece}.").format(piece=self.box.describe(job.entry)))
        if job.entry == self.wanted:
            self.go_on()
        else:
            self.say(self.ask_for_next())

    def _undo(self) -> None:
        if not self._lessons:
            raise ValueError(put_after_colon(_("Nothing to undo.")))
        last = self._lessons[-1]
        if last.before is None:
            self.reader.forget(last.uid)
        else:
            self.reader.learn(last.uid, last.before)
        self._lessons.pop()
        self.say(_("Undone."))
        self.go_to(last.wanted)
