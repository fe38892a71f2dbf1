"""`companion tags learn`: a deck learned chip by chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import learning, lines
from companion.clean import clean_text
from companion.commands import DONE, CommandError
from companion.commands.output import answer, complain
from companion.inbox import Inbox
from companion.language import _, plural
from companion.readers import TableReader
from engine.record import Setup
from tags.registry import DistrictChip, format_uid
from tags.watch import ReaderLost, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from tags.registry import Entry, Registry
    from tags.watch import Event


def run(config: Config) -> int:
    """Learn until the input ends. Raises ChipsError and CommandError."""
    lines.prepare()
    learner = Learner()
    players = tuple(f"Player {seat}" for seat in range(1, 5))
    rules = Setup(config.edition, players, players[0]).ruleset()
    try:
        reader = TableReader.open(config, rules, on_event=learner.inbox.put)
    except ValueError as error:
        raise CommandError(f"companion tags learn: {error}") from None
    if reader is None:
        raise CommandError("companion tags learn: no reader is set; use --reader simulated or usb")
    reader.start()
    try:
        learner.run(reader)
    finally:
        reader.stop()
    return DONE


class Learner:
    """A deck learned chip by chip: tap, say what it is, tap the next."""

    def __init__(self) -> None:
        self.inbox = Inbox(self._on_event)
        self.tapped: bytes | None = None
        self.before: list[Registry] = []  # what undo goes back to
        self.last: Entry | None = None

    def run(self, reader: TableReader) -> None:
        """Learn until the input ends or says that it is done."""
        self.reader = reader
        self.inbox.start()
        self._say(
            _("Tap a chip, then type what it is: tavern, king, player 2, crown, reference 1."),
            _("Enter alone: the next copy of the card before."),
            _("undo: forget the last one. done: leave."),
        )
        while (line := self.inbox.next_line()) is not None:
            line = clean_text(line, limit=lines.LONGEST)
            if line == "done":
                break
            word, _space, rest = line.partition(" ")
            if word == "tap":
                self._lay(rest)
            else:
                self.line(line)
        known = len(self.reader.registry)
        self._say(plural("{number} chip is known.", "{number} chips are known.", known))

    def line(self, line: str) -> None:
        """Take what was typed about the chip that was tapped last."""
        if line == "undo":
            self._undo()
        elif self.tapped is None:
            self._refuse(_("tap a chip first."))
        else:
            self._learn(self.tapped, line)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Tap):
            self.tapped = event.uid
            known = self.reader.registry.lookup(event.uid)
            said = _("not known yet") if known is None else learning.in_words(known)
            self._say(_("Chip {uid}: {entry}.").format(uid=format_uid(event.uid), entry=said))
        elif isinstance(event, ReaderLost):
            complain([event.reason])

    def _lay(self, words: str) -> None:
        """Lay a chip of the simulated deck on the reader, or one with an id: `tap chip 04…`."""
        deck = self.reader.deck
        uid = deck.find(words.split()) if deck is not None else None
        if uid is None:
            self._refuse(_("the simulated reader has no chip {name}.").format(name=words))
        elif not self.inbox.lay(self.reader, uid, leave=False):
            self._refuse(_("the reader did not see the chip."))

    def _learn(self, uid: bytes, line: str) -> None:
        registry = self.reader.registry
        try:
            if not line and isinstance(self.last, DistrictChip):
                line = self.last.card
            entry = learning.read_entry(line, registry)
            self.reader.learn(uid, entry)
        except ValueError as error:
            self._refuse(str(error))
            return
        self.before.append(registry)
        self.last = entry
        self._say(
            _("Learned: {uid} is {entry}.").format(
                uid=format_uid(uid), entry=learning.in_words(entry)
            )
        )

    def _undo(self) -> None:
        if not self.before:
            self._refuse(_("there is nothing to take back."))
            return
        self.reader.restore(self.before.pop())
        self.last = None
        self._say(_("Taken back."))

    def _refuse(self, reason: str) -> None:
        self._say(_("Refused: {reason}").format(reason=reason))

    def _say(self, *told: str) -> None:
        answer(told)
        print(end="", flush=True)
