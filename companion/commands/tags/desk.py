"""The desk: chips laid on one after the other; shared by the commands about chips.

A desk has the reader and the typed lines. A command is a subclass that handles taps and lines; the
words for the simulated reader are common to all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from common.clean import clean_text
from companion import chips, terminal
from companion.chips import learning, ndef
from companion.chips.box import Box
from companion.chips.entries import Entry
from companion.chips.ndef import ContentError
from companion.chips.registry import Registry
from companion.commands import DONE, CommandError, make_reader_error
from companion.errors.output import answer, print_error
from companion.language import _, translate, vocabulary
from companion.readers import reject_late, reject_pair, reject_unfit, simulating
from companion.readers.table_reader import TableReader, shares_input
from companion.settings.config import Config
from companion.terminal.inbox import Inbox
from engine.record import Setup
from tags import links
from tags.access import LATE, ChipError, Operation
from tags.links import ChipLink, format_uid, parse_uid
from tags.readers import ReaderError
from tags.watch import Event, ReaderConnected, ReaderDisconnected, ReaderNotice, Tap


class Content(NamedTuple):
    """A chip's content: the entry in its record, None if empty, and its link to a table."""

    entry: Entry | None
    link: ChipLink | None


PATIENCE = 10.0
"""Seconds to read or write a chip, with retries."""


_WORDS = ("yes", "no", "undo", "back", "missing", "help", "done")
_ALSO = {"y": "yes", "n": "no", "?": "help", "quit": "done", "q": "done"}


class ChipStation:
    """Handles chips laid on one after the other, and lines typed in between."""

    command = ""
    _line = ""  # the raw line

    def __init__(self, config: Config) -> None:
        """A desk for the box and chips of the settings."""
        terminal.use_utf8()
        self.config = config
        self.box = Box(config.edition)
        self.start = links.parse(config.link)
        self.inbox = Inbox(self._on_event)

    # -- for subclasses ------------------------------------------------------------------------

    def greeting(self) -> Iterable[str]:
        """The first lines, repeated after `help`."""
        return ()

    def begin(self) -> None:
        """Prepare what needs the mapping, once the reader is open."""

    def handle_tap(self, tap: Tap) -> None:
        """Handle a tap. ChipError, ReaderError, ContentError and ValueError are reported as
        refusals."""
        raise NotImplementedError

    def handle_line(self, line: str) -> None:
        """Handle a typed line; the desk's own words are passed in English. Errors as above."""
        raise NotImplementedError

    def finish(self) -> int:
        """Handle the end of the input; returns the exit code."""
        return DONE

    # -- the main loop -------------------------------------------------------------------------

    def run(self) -> int:
        """Run until the input ends. Raises ChipsError and CommandError."""
        self.reader = self._open()
        self.inbox.start(taps=shares_input(self.config))
        self.reader.start()
        try:
            if self.reader.simulated:
                print_error(
                    [
                        _(
                            "Simulated reader: tap and a card's name taps its chip; hold and "
                            "lift work too."
                        )
                    ]
                )
            self.begin()
            self.say(*self.greeting())
            while (line := self.inbox.read_line()) is not None:
                line = clean_text(line, limit=terminal.LONGEST)
                typed = vocabulary.match_word(line, *_WORDS, *_ALSO) or line
                word = _ALSO.get(typed, typed)
                if word == "done":
                    break
                self._line = line
                self._guard(self._take, word)
            return self.finish()
        finally:
            self.reader.stop()
            self.inbox.close()

    def say(self, *texts: str) -> None:
        """Print lines, flushed at once."""
        answer(texts)
        print(end="", flush=True)

    def refuse(self, reason: str) -> None:
        """Say that something is not done, and why."""
        self.say(_("Refused: {reason}").format(reason=reason))

    @property
    def registry(self) -> Registry:
        """The current mapping of this table."""
        return self.reader.registry

    def perform(self, operation: Operation, uid: bytes, message: bytes = b"") -> bytes:
        """Do it with that chip; returns the message read. Raises ChipError and ReaderError; what
        has not begun in time is not done."""
        future = self.reader.perform(operation, uid, message)
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            future.cancel()
            raise ReaderError(LATE, "silent") from None

    def content(self, uid: bytes) -> Content:
        """The chip's content. Raises ContentError for foreign content, and as `perform` does."""
        message = self.perform("read", uid)
        return Content(ndef.decode(message, chips.load_catalogue()), ndef.decode_link(message))

    def _take_tap(self, tap: Tap) -> None:
        """Check the tap and pass it on. Raises ValueError for an accidental one, and as
        `handle_tap`."""
        reason = reject_unfit(tap) or reject_late(tap) or reject_pair(tap)
        if reason is not None:
            self.say(reason)
        else:
            self.handle_tap(tap)

    def need_laid_on(self, tap: Tap) -> None:
        """Raise ValueError for a chip that may lie there by accident: it was uncovered when another
        was lifted, or lay there before it was asked for."""
        if tap.swapped:
            raise ValueError(
                _("there were two chips on the reader; take them all away, then tap one.")
            )
        self.need_asked_for(tap)

    def need_asked_for(self, tap: Tap) -> None:
        """Raise ValueError for a chip that lay there before anything was asked for."""
        if tap.found:
            raise ValueError(
                _("chip {uid} was there before you were asked; take it away, and tap it "
                    "again if you mean it.").format(uid=format_uid(tap.uid))
            )  # fmt: skip

    def contradiction(self, mapped: Entry | None, written: Entry | None) -> list[str]:
        """A line if the chip's meaning here differs from its record, otherwise none."""
        if mapped is None or written is None or mapped == written:
            return []
        return [
            _("Contradiction: this chip is known as {known}, but says it is {said}.").format(
                known=self.box.describe(mapped), said=self.box.describe(written)
            )
        ]

    def read_content(self, uid: bytes) -> Content:
        """The chip's content, empty if it cannot be read."""
        try:
            return self.content(uid)
        except (ChipError, ReaderError, ContentError):
            return Content(None, None)

    def check_link(self, uid: bytes, link: ChipLink | None) -> list[str]:
        """A line if the chip's link is missing or leads elsewhere, otherwise none."""
        is_of_chip = link is None or link.uid == uid
        is_of_table = not self.start.host or (link is not None and link.start == self.start)
        if is_of_chip and is_of_table:
            return []
        return [_("The chip does not have this table's link to it; write this chip again.")]

    def tell_link(self, link: ChipLink | None) -> list[str]:
        """A line with the chip's link, if it is a table's."""
        return [] if link is None else [_("Link: {link}").format(link=link)]

    def _open(self) -> TableReader:
        seats = tuple(f"Player {seat}" for seat in range(1, 5))
        rules = Setup(self.config.edition, seats, seats[0]).ruleset()
        try:
            reader = TableReader.open(
                self.config,
                rules,
                on_event=self.inbox.put,
                program=f"companion tags {self.command}",
                over=True,
            )
        except ValueError as error:
            raise CommandError.of(f"companion tags {self.command}", str(error)) from None
        if reader is None:
            raise make_reader_error(f"companion tags {self.command}")
        print_error(reader.notices)
        return reader

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Tap):
            self._guard(self._take_tap, event)
        elif isinstance(event, ReaderDisconnected):
            print_error([event.reason])
        elif isinstance(event, ReaderNotice):
            print_error([event.text])
        elif isinstance(event, ReaderConnected) and not self.reader.simulated:
            print_error([translate(self.reader.tell_ready(event.name))])

    def _guard(self, work: Callable[[Any], None], options: object) -> None:
        """Run `work`; errors of chips, lines and files are reported, and the loop continues."""
        try:
            work(options)
        except chips.ChipsError as error:
            self.refuse(error.problems[0])
        except (ChipError, ReaderError, ContentError, ValueError) as error:
            self.refuse(translate(str(error)))

    # -- typed words ---------------------------------------------------------------------------

    def _take(self, line: str) -> None:
        first, _space, rest = line.partition(" ")
        word = vocabulary.match_word(first, *simulating.WORDS)
        if word in ("tap", "hold") or (word is not None and not rest):
            answered = simulating.do(word, self.reader, self.inbox, lambda: self._find_chip(rest))
            self.say(*([answered] if answered else []))
        elif line == "help":
            self.say(*self.greeting())
        else:
            self.handle_line(line)

    def _find_chip(self, words: str) -> bytes:
        """A card's chip on the simulated reader, or one by its id: `chip 04…`."""
        first, *rest = chips.translate_words(words.split()) or [""]
        if first == "chip":
            return parse_uid(" ".join(rest))
        return chips.make_simulated_uid(learning.read_entry(words, Registry()))
