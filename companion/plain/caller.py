"""The line caller: a conversation whose answers are plain lines, one fact each.

For screen readers, braille displays and programs: nothing is redrawn, nothing is drawn with boxes,
and every answer ends with the question that is asked now. Answers are on standard output; what only
helps a person to begin is on standard error.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import chips, language
from companion.clean import clean_text, printable
from companion.game import keypad
from companion.game.conversation import Conversation
from companion.language import _, said
from companion.plain import chip_words, deeds, setup
from companion.plain.asking import refusal
from companion.privacy import may_be_named
from companion.readers.table_reader import TableReader, shares_input
from companion.store import Store, StoreError
from companion.terminal import lines
from companion.terminal.inbox import Inbox
from companion.terminal.modes import at_terminal
from companion.voice.host import Voice
from engine.problems import Inconsistent
from engine.sentences import placed
from tags.watch import ReaderCame, ReaderLost, Said, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from companion.game.sayings import Saying
    from companion.options import PlayOptions
    from companion.session import Session
    from tags.watch import Event

_UNREADABLE = "\N{REPLACEMENT CHARACTER}"

_LENGTH = 120  # of a line in which several sentences stand

_ONE_LINE = str.maketrans("\n\r\t", "   ")


def play(options: PlayOptions, config: Config) -> int:
    """Play at the terminal until the input ends. The exit code of the command."""
    language.use(config.language)
    lines.prepare()
    inbox = Inbox()
    inbox.start(keys=True)
    try:
        return _play(options, config, inbox)
    finally:
        inbox.close()


def _play(options: PlayOptions, config: Config, inbox: Inbox) -> int:
    with Store(config.games) as store:
        try:
            if config.reader != "none":  # what is wrong with the chips is said before a game begins
                chips.load(config.chips)
            session = setup.open_session(store, options, config, inbox.next_line)
        except Inconsistent as error:
            note(*(placed(".".join(map(str, p.path)), p.text) for p in error.problems))
            return 2
        except chips.ChipsError as error:
            note(*error.problems)
            return 2
        except StoreError as error:
            note(str(error))
            return 2
        if session is None:
            return 0
        return Caller(session, store, config, inbox).run()


def note(*told: str) -> None:
    """Tell what is no answer: on standard error, so that answers follow from moves alone."""
    for line in told:
        print(printable(said(line).translate(_ONE_LINE)), file=sys.stderr, flush=True)


def _in_lines(sentences: list[str]) -> list[str]:
    """The sentences one behind the other, as many as a line holds well."""
    found: list[str] = []
    for sentence in sentences:
        if found and len(found[-1]) + len(sentence) < _LENGTH:
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found


class Caller:
    """A game played by lines and taps: the conversation's `Face` in lines."""

    def __init__(self, session: Session, store: Store, config: Config, inbox: Inbox) -> None:
        self.store = store
        self.config = config
        self.inbox = inbox
        self.inbox.on_event = self._on_event
        self.voice = Voice(config.voice, note)
        self.reader: TableReader | None = None
        self.unknown_chip: bytes | None = None
        self.leaving = False
        self._answering = False
        self._in_words = False  # whether what is answered was typed in words
        self._told: list[str] = []  # sentences that wait for the question behind them
        self._printed = ""  # the last line
        self._asked = ""  # the last question
        self._begin(session)

    def run(self) -> int:
        """Answer lines and taps until the input ends."""
        try:
            if shares_input(self.config):
                self.inbox.share()
            if not self._open_reader():
                return 2
            self.talk.greet()
            self._prompt()
            if at_terminal():  # a program needs no advice
                note(_("Type help to hear what can be typed."))
            self.voice.attend(self.session)
            with self.inbox.showing(lambda text: self.talk.may_show(text)):
                while not self.leaving and (line := self.inbox.next_line()) is not None:
                    self.answer(line)
        finally:
            if self.reader is not None:
                self.reader.stop()
            self.voice.close()
            self.session.close()
        return 0

    def change_game(self, session: Session) -> None:
        """Play that game from now on; the one before is saved and let go."""
        self.session.close()
        self._begin(session)
        self.voice.attend(session)
        self.unknown_chip = None
        if self.reader is not None:
            self.reader.stop()
        self._open_reader()
        self.talk.greet()

    def answer(self, line: str) -> None:
        """Answer one typed line; every answer ends with what is asked."""
        self._answering = True
        self.voice.hush()
        if _UNREADABLE in line:
            self.refuse(_("that line cannot be read: it is not UTF-8 text."))
        else:
            line = clean_text(line, limit=lines.LONGEST).removeprefix(":").lstrip()
            self._in_words = not keypad.is_keys(line)
            self.talk.line(line, seen=self.inbox.was_seen)
        if not self.leaving:
            self._prompt()
        self._answering = False

    # -- what the conversation wants (companion.game.sayings.Face) -----------------------------

    def say(self, saying: Saying) -> None:
        """Print it; what was played, for people, in one line with the question behind it."""
        if saying.kind == "told" and self.talk.playing.with_forced:
            brief = saying.brief if self._in_words and self._answering else None
            if brief == () and self.talk.asked.question == self._asked:
                brief = None  # nothing else would say that it was done
            self._told += saying.lines if brief is None else brief
            return
        if saying.title:
            self.tell(saying.title)
        for line in saying.lines:
            if saying.kind == "refused":
                self.refuse(line)
            else:
                self.tell(line)

    def do(self, word: str, rest: str) -> bool:
        """Do what only this face can; whether it could."""
        return deeds.do(self, word, rest)

    def keep_reader(self, alone: bool) -> None:
        """Keep taps from every other program while a secret may be tapped."""
        if self.reader is not None:
            named = may_be_named(self.session.view, self.session.legal())
            self.reader.hold_private(alone or named)

    # -- lines ---------------------------------------------------------------------------------

    def tell(self, *told: str) -> None:
        """Print lines, and let them out at once; none that repeats the line before."""
        waiting, self._told = self._told, []
        for text in (*_in_lines(waiting), *told):
            line = printable(said(text).translate(_ONE_LINE))
            if line != self._printed:
                print(line)
                self._printed = line
        print(end="", flush=True)

    def refuse(self, reason: str) -> None:
        """Answer that something is not done, and why."""
        self.tell(refusal(reason))

    def _prompt(self) -> None:
        """The line that ends every answer: what is asked."""
        asked = self.talk.asked
        self.keep_reader(asked.private)
        question = said(asked.question)
        if not self.talk.playing.with_forced:
            self.tell(question)
        elif question != self._asked or not (self._printed or self._told):
            address = f"{self.session.view.seats[asked.seat or 0].name}"
            if self._told and self._told[-1].startswith(f"{address} "):
                self._told.append(question.removeprefix(f"{address}. "))
            else:
                self._told.append(question)
        self.tell()
        self._asked, self._printed = question, ""  # the next answer may be the same

    # -- what comes in -------------------------------------------------------------------------

    def _begin(self, session: Session) -> None:
        self.session = session
        self._asked = ""
        people = at_terminal()
        forced = self.config.plays_forced(people=people)
        self.talk = Conversation(session, self, people=people, plays_forced=forced)

    def _open_reader(self) -> bool:
        try:
            self.reader = TableReader.open(
                self.config, self.session.setup.ruleset(), on_event=self.inbox.put
            )
        except chips.ChipsError as error:
            note(*error.problems)
            return False
        except ValueError as error:
            note(str(error))
            return False
        if self.reader is not None and not self.reader.simulated:
            self.reader.start()  # the simulated one starts with the first chip laid on it
        return True

    def _on_event(self, event: Event) -> None:
        match event:
            case Tap():
                chip_words.tapped(self, event)
                if not self._answering:  # else the typed line's answer ends with it
                    self._prompt()
            case ReaderLost(reason=reason):
                note(reason)
            case Said(text=text):
                note(text)
            case ReaderCame(name=name):
                note(_("Reader {name} is ready.").format(name=name))
