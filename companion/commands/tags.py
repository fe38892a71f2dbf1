"""`companion tags list` and `companion tags learn`: what each chip of this table stands for."""

from __future__ import annotations

import queue
import sys
import threading
from typing import TYPE_CHECKING

from companion import chips, learning
from companion.clean import clean_text
from companion.commands import DONE, REFUSED, CommandError, settings
from companion.commands.output import answer, complain
from companion.commands.parsing import Parser
from companion.readers import TableReader
from engine.record import Setup
from tags.registry import DistrictChip, format_uid
from tags.watch import ReaderLost, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from tags.registry import Entry, Registry
    from tags.watch import Event


def run(words: list[str]) -> int:
    """List the chips of this table, or learn new ones."""
    parser = Parser("tags", "The chips: what each of them stands for.")
    parser.add_argument("command", choices=("list", "learn"), help="what to do")
    parser.add_argument("--reader", metavar="READER", help="for learn: simulated, usb, or a path")
    options = parser.parse_args(words)
    config = settings.load({"reader": options.reader})
    try:
        return _list(config) if options.command == "list" else _learn(config)
    except chips.ChipsError as error:
        raise CommandError(*error.problems, code=REFUSED) from None


def _list(config: Config) -> int:
    registry = chips.load(config.chips)
    answer(f"{format_uid(uid)}: {entry}" for uid, entry in registry)
    complain([f"{len(list(registry))} chips in {config.chips}"])
    return DONE


def _learn(config: Config) -> int:
    inbox: queue.SimpleQueue[Event | str | None] = queue.SimpleQueue()
    players = tuple(f"Player {seat}" for seat in range(1, 5))
    rules = Setup(config.edition, players, players[0]).ruleset()
    try:
        reader = TableReader.open(config, rules, on_event=inbox.put)
    except ValueError as error:
        raise CommandError(f"companion tags learn: {error}") from None
    if reader is None:
        raise CommandError("companion tags learn: no reader is set; use --reader simulated or usb")
    threading.Thread(target=_read_lines, args=(inbox,), daemon=True).start()
    reader.start()
    try:
        Learner(reader).run(inbox)
    finally:
        reader.stop()
    return DONE


def _read_lines(inbox: queue.SimpleQueue[Event | str | None]) -> None:
    for line in sys.stdin:
        inbox.put(line)
    inbox.put(None)


class Learner:
    """A deck learned chip by chip: tap, say what it is, tap the next."""

    def __init__(self, reader: TableReader) -> None:
        self.reader = reader
        self.tapped: bytes | None = None
        self.before: list[Registry] = []  # what undo goes back to
        self.last: Entry | None = None

    def run(self, inbox: queue.SimpleQueue[Event | str | None]) -> None:
        """Learn until the input ends or says that it is done."""
        answer(["Tap a chip, then type what it is: tavern, king, player 2, crown, reference 1."])
        answer(["Enter alone: the next copy of the card before. undo: forget the last one. done."])
        while (item := inbox.get()) is not None:
            if isinstance(item, Tap):
                self._tap(item.uid)
            elif isinstance(item, ReaderLost):
                complain([item.reason])
            elif isinstance(item, str):
                line = clean_text(item)
                if line == "done":
                    break
                if line.startswith("tap "):
                    self._lay(line.removeprefix("tap "), inbox)
                else:
                    self.line(line)
        answer([f"{len(list(self.reader.registry))} chips are known."])

    def _lay(self, words: str, inbox: queue.SimpleQueue[Event | str | None]) -> None:
        """Lay a simulated chip and wait for its tap, so that typed lines keep their order."""
        deck = self.reader.deck
        uid = deck.find(words.split()) if deck is not None else None
        if uid is None:
            answer([f"Refused: the simulated reader has no chip {words}."])
            return
        self.reader.lay(uid)
        put_back: list[Event | str | None] = []
        try:
            while True:
                item = inbox.get(timeout=5.0)
                if isinstance(item, Tap):
                    self._tap(item.uid)
                    break
                put_back.append(item)
        except queue.Empty:
            answer(["Refused: the reader did not see the chip."])
        for item in put_back:
            inbox.put(item)

    def _tap(self, uid: bytes) -> None:
        self.tapped = uid
        known = self.reader.registry.lookup(uid)
        answer([f"Chip {format_uid(uid)}: {known if known is not None else 'not known yet'}."])

    def line(self, line: str) -> None:
        """Take what was typed about the chip that was tapped last."""
        if line == "undo":
            self._undo()
        elif self.tapped is None:
            answer(["Refused: tap a chip first."])
        else:
            self._say(line)

    def _say(self, line: str) -> None:
        registry = self.reader.registry
        try:
            if not line and isinstance(self.last, DistrictChip):
                line = self.last.card
            entry = learning.read_entry(line, registry)
            taken = registry.conflicts(self.tapped or b"", entry)
            if taken:
                raise ValueError(f"{entry} is already chip {format_uid(taken[0][0])}")
            self.reader.learn(self.tapped or b"", entry)
        except ValueError as error:
            answer([f"Refused: {error}"])
            return
        self.before.append(registry)
        self.last = entry
        answer([f"Learned: {format_uid(self.tapped or b'')} is {entry}."])

    def _undo(self) -> None:
        if not self.before:
            answer(["Refused: there is nothing to take back."])
            return
        self.reader.restore(self.before.pop())
        self.last = None
        answer(["Taken back."])
