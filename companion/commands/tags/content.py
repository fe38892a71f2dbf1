"""`companion tags write`, `verify`, `lock` and `erase`: what is on the chips themselves.

Only the chip that is laid on after it was asked for is touched, once; the next one needs its own
asking. `verify` only reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion import chips, language, learning, lines
from companion.clean import clean_text
from companion.commands import DONE, REFUSED, CommandError
from companion.commands.output import answer, complain
from companion.inbox import Inbox
from companion.language import _, plural
from companion.readers import TableReader
from engine.record import Setup
from tags import access, ndef
from tags.access import ChipError
from tags.ndef import ContentError
from tags.readers.base import ReaderGone
from tags.registry import CharacterChip, DistrictChip, format_uid, parse_entry
from tags.watch import ReaderLost, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from tags.registry import Entry
    from tags.watch import Event

PATIENCE = 10.0
"""Seconds that reading or writing a chip may take, retries and all."""


def run(command: str, config: Config, link: str) -> int:
    """Work through chips until the input ends. Raises ChipsError and CommandError."""
    lines.prepare()
    walk = Walk(command, link)
    players = tuple(f"Player {seat}" for seat in range(1, 5))
    rules = Setup(config.edition, players, players[0]).ruleset()
    try:
        reader = TableReader.open(config, rules, on_event=walk.inbox.put)
    except ValueError as error:
        raise CommandError(f"companion tags {command}: {error}") from None
    if reader is None:
        raise CommandError(f"companion tags {command}: no reader is set; use --reader")
    reader.start()
    try:
        return walk.run(reader)
    finally:
        reader.stop()


class Walk:
    """Chips laid on one after the other, and what is typed between them."""

    def __init__(self, command: str, link: str) -> None:
        self.inbox = Inbox(self._on_event)
        self.command = command
        self.link = link
        self.armed = False  # whether the next chip may be touched
        self.wanted: str | None = None  # what the next chip is to be; None for what it is known as
        self.chosen: bytes | None = None  # the chip that lock and erase ask about
        self.asked = 0
        self.seen: dict[Entry, bytes] = {}
        self.wrong = 0

    def run(self, reader: TableReader) -> int:
        """Until the input ends or says that it is done; the exit code."""
        self.reader = reader
        self.inbox.start()
        self._say(_GREETINGS[self.command]())
        while (line := self.inbox.next_line()) is not None:
            line = clean_text(line, limit=lines.LONGEST)
            if line == "done":
                break
            word, _space, rest = line.partition(" ")
            if word == "tap":
                self._lay(rest)
            elif self.command == "verify":
                self._refuse(_("only look: tap a chip, or type done."))
            else:
                (self._arm if self.command == "write" else self._answer)(line)
        if self.command == "verify":
            self._say(
                plural("{number} chip is right.", "{number} chips are right.", len(self.seen)),
                plural("{number} is not.", "{number} are not.", self.wrong),
            )
            return REFUSED if self.wrong else DONE
        return DONE

    def _lay(self, words: str) -> None:
        """Lay a chip on the simulated reader and leave it there until everything is done."""
        deck = self.reader.deck
        uid = deck.find(words.split()) if deck is not None else None
        if uid is None:
            self._refuse(_("the simulated reader has no chip {name}.").format(name=words))
        elif not self.inbox.lay(self.reader, uid, leave=True):
            self._refuse(_("the reader did not see the chip."))
        else:
            self.inbox.lift(self.reader, uid)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ReaderLost):
            complain([event.reason])
        elif isinstance(event, Tap):
            try:
                _STEPS[self.command](self, event.uid)
            except (ChipError, ReaderGone, ContentError, ValueError) as error:
                self.wrong += self.command == "verify"
                self._refuse(_(str(error)))
            except TimeoutError:
                self._refuse(_("the reader did not answer in time."))

    def _on_chip(self, uid: bytes, work: Callable[[Any, bytes], Any]) -> Any:
        return self.reader.on_chip(uid, work).result(PATIENCE)

    def _entry(self, uid: bytes) -> Entry | None:
        """What the chip is known as here, in the simulated deck, or by its own record."""
        return self.reader.lookup(uid)

    # -- write --------------------------------------------------------------------------------

    def _arm(self, line: str) -> None:
        if line:
            try:
                entry = learning.read_entry(line, self.reader.registry)
            except ValueError as error:
                self._refuse(str(error))
                return
            self.wanted = str(entry)
            self._say(_("Now lay on the chip of {entry}.").format(entry=learning.in_words(entry)))
        else:
            self.wanted = None
            self._say(_("Now lay on a chip that is known."))
        self.armed = True

    def _write(self, uid: bytes) -> None:
        entry = self._entry(uid)
        if not self.armed:
            said = _("not known yet") if entry is None else learning.in_words(entry)
            self._say(_("Chip {uid}: {entry}.").format(uid=format_uid(uid), entry=said))
            return
        self.armed = False
        if self.wanted is not None:
            entry = parse_entry(self.wanted, chips.known_cards())
            for other, held in self.reader.registry.conflicts(uid, entry):
                raise ValueError(
                    _("chip {uid} is {entry} already; nothing was written.").format(
                        uid=format_uid(other), entry=learning.in_words(held)
                    )
                )
        if entry is None:
            raise ValueError(_("this chip is not known; type what it is first."))
        self.reader.registry.with_chip(uid, entry)  # refuses what must not be learned
        message = ndef.encode(entry, _name(entry), language.current(), self.link)
        self._on_chip(uid, lambda reader, chip: access.write(reader, chip, message))
        self.reader.learn(uid, entry)
        self._say(_("Written: {entry}. Take it away.").format(entry=learning.in_words(entry)))

    # -- verify -------------------------------------------------------------------------------

    def _verify(self, uid: bytes) -> None:
        found = ndef.decode(self._on_chip(uid, access.read), chips.known_cards())
        if found is None:
            raise ValueError(_("nothing is written on this chip."))
        known = self.reader.registry.lookup(uid)
        if known is not None and str(known) != str(found):
            raise ValueError(
                _("wrong: it says {found}, but is known as {entry}.").format(
                    found=learning.in_words(found), entry=learning.in_words(known)
                )
            )
        first = self.seen.setdefault(found, uid)
        if first != uid and isinstance(found, DistrictChip | CharacterChip):
            raise ValueError(
                _("double: {found} is the chip {uid} as well.").format(
                    found=learning.in_words(found), uid=format_uid(first)
                )
            )
        self._say(_("Right: {entry}.").format(entry=learning.in_words(found)))

    # -- lock and erase -----------------------------------------------------------------------

    def _change(self, uid: bytes) -> None:
        if not self.armed:
            self.chosen, self.asked = uid, 0
            entry = self._entry(uid)
            said = _("not known yet") if entry is None else learning.in_words(entry)
            self._say(
                _("Chip {uid}: {entry}.").format(uid=format_uid(uid), entry=said),
                _("Type yes to go on with this chip."),
            )
            return
        self.armed = False
        if uid != self.chosen:
            raise ValueError(_("this is another chip; nothing was done."))
        if self.command == "erase":
            self._on_chip(uid, access.erase)
            self._say(_("Erased. It is still known by its number."))
            return
        if ndef.decode(self._on_chip(uid, access.read), chips.known_cards()) is None:
            raise ValueError(_("nothing is written on this chip; write it before it is locked."))
        self._on_chip(uid, access.lock)
        self._say(_("Locked for ever."))

    def _answer(self, line: str) -> None:
        if self.chosen is None or self.armed:
            self._refuse(_("tap a chip first."))
        elif line != "yes":
            self.chosen = None
            self._say(_("Nothing was done."))
        elif self.command == "lock" and not self.asked:
            self.asked = 1
            self._say(_("Nobody can ever change this chip again. Type yes once more."))
        else:
            self.armed = True
            self._say(_("Lay the same chip on once more."))

    def _refuse(self, reason: str) -> None:
        self._say(_("Refused: {reason}").format(reason=reason))

    def _say(self, *told: str) -> None:
        answer(told)
        print(end="", flush=True)


def _name(entry: Entry) -> str:
    """What a phone shows: the card's own name."""
    if isinstance(entry, DistrictChip | CharacterChip):
        return language.card(entry.card)
    return learning.in_words(entry)


_STEPS: dict[str, Callable[[Walk, bytes], None]] = {
    "write": Walk._write,
    "verify": Walk._verify,
    "lock": Walk._change,
    "erase": Walk._change,
}

_GREETINGS: dict[str, Callable[[], str]] = {
    "write": lambda: _("Type a card, or Enter for what the chip is known as. One chip each time."),
    "verify": lambda: _("Tap the deck through; done: leave."),
    "lock": lambda: _("Tap the chip to lock. Locking is for ever."),
    "erase": lambda: _("Tap the chip to erase."),
}
