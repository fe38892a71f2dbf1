"""The line caller: a conversation whose answers are plain lines, one fact each.

For screen readers, braille displays and programs: nothing is redrawn, there are no boxes, and every
answer ends with the current question. Answers go to standard output; hints for getting started to
standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from common.clean import clean_text
from common.problems import Problems
from common.sentences import locate
from companion import chips, extending, language, terminal
from companion.beside import Beside
from companion.game import Identity, Message
from companion.game.conversation import Conversation
from companion.game.keypad import is_keypad
from companion.game.modes import MODES
from companion.game.session import Session
from companion.language import _, end_sentence, translate
from companion.log.store import Store, StoreError
from companion.plain import caller_state, devices, help_topics, line_phones, setup
from companion.plain.caller_state import CallerState, LineHost, note
from companion.readers import simulating
from companion.readers.table_reader import TableReader, shares_input
from companion.setup.shared import offer_languages
from companion.terminal.inbox import Inbox
from companion.terminal.raw_mode import at_terminal
from companion.wording import codes
from companion.wording.editions_told import language_called, language_name, refuse_language
from tags.readers.auto_reader import NOTHING
from tags.watch import Event, ReaderConnected, ReaderDisconnected, ReaderNotice, Tap

if TYPE_CHECKING:
    Operation = Callable[[CallerState, str], Session | None]

    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions
    from companion.setup.draft import Draft


def find(word: str, rest: str) -> Operation | None:
    """The operation for this command, by its English name, with these arguments."""
    return OPERATIONS.get(word) if not rest or word in _WITH_WORDS else None


def _language(caller: CallerState, rest: str) -> None:
    code = language_called(rest)
    if code is not None:
        caller.session.speak(code)
        caller.talk.forget()
    elif rest:
        caller.refuse(refuse_language(rest))
        return
    current = language_name(language.current())
    caller.tell(_("Language: {language}.").format(language=current))
    if not rest:
        caller.tell(offer_languages())


def _quit(caller: CallerState, rest: str) -> None:
    caller.leaving = True


OPERATIONS: dict[str, Operation] = {
    "voice": caller_state.voice,
    "faster": caller_state.speed_up,
    "slower": caller_state.slow_down,
    "hush": caller_state.hush,
    "phones": devices.answer_phones,
    "help": help_topics.answer,
    "language": _language,
    "new": caller_state.start_new,
    "rematch": caller_state.rematch,
    "games": caller_state.list_games,
    "open": caller_state.open_game,
    "quit": _quit,
    "exit": _quit,
    "learn": devices.learn,
    **{word: devices.simulate(word) for word in simulating.WORDS},
}
"""What each command does, with its arguments; some return a game to switch to."""

_WITH_WORDS = frozenset({"voice", "phones", "help", "language", "open", "learn", "tap", "hold"})


_UNREADABLE = "\N{REPLACEMENT CHARACTER}"


def play(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Play at the terminal until the input ends, with phones if `where` is given. Return the exit
    code."""
    language.use(config.language)
    terminal.use_utf8()
    inbox = Inbox()
    inbox.start(keys=True)
    beside = Beside(LineHost(inbox), config, where, line_phones.tell_code)
    try:
        return play_game(
            config,
            lambda store: setup.open_session(
                store, options, config, inbox.read_line, beside, inbox
            ),
            inbox,
            beside,
        )
    finally:
        inbox.close()


def play_game(
    config: Config,
    open_session: Callable[[Store], Session | None],
    inbox: Inbox,
    beside: Beside,
) -> int:
    """Play a game, and close what runs `beside`; return the exit code: 2 if no game could be
    opened, with the reason on standard error."""
    with Store(config.games) as store, closing(beside):
        try:
            if config.readers[0].path != "none":
                chips.load(config.chips)  # its problems are told before a game begins
            session = open_session(store)
        except Problems as error:
            note(*(locate(".".join(map(str, p.path)), p.text) for p in error.problems))
            return 2
        except chips.ChipsError as error:
            note(*error.problems)
            return 2
        except StoreError as error:
            note(str(error))
            return 2
        if session is None:
            return 0
        return Caller(session, store, config, inbox, beside).run()


class Caller(CallerState):
    """A game played by lines and taps: the conversation's `Face` as plain lines."""

    def __init__(
        self,
        session: Session,
        store: Store,
        config: Config,
        inbox: Inbox,
        beside: Beside | None = None,
    ) -> None:
        """`beside` has been there while the game was set up."""
        super().__init__(store, config, inbox, beside)
        inbox.on_event = self._on_event
        self._answering = False
        self._in_words = False  # whether the line answered was typed in words
        self._last_question = ""  # the last question

        self._begin(session)

    def run(self) -> int:
        """Answer lines and taps until the input ends."""
        try:
            if shares_input(self.config):
                self.inbox.share()
            if not self._open_reader():
                return 2
            self.beside.attend(self.session)
            note(*self.store.take_notices())
            self.talk.greet()
            if at_terminal():  # a program needs no hints
                self.tell()
                note(_("Type help for the list of commands."))
            self._prompt()
            with self.inbox.limit_echo(self._may_show, self._find_asked):
                while not self.leaving and (line := self.inbox.read_line()) is not None:
                    self.answer(line)
                if self.beside.is_hosted and not self.leaving and not at_terminal():
                    self.inbox.stay()  # for the phones
            self._say_saved()
        except KeyboardInterrupt:
            self._say_saved()
            raise
        finally:
            if self.reader is not None:
                self.reader.stop()
            self.session.close()
            note(*self.store.take_notices())
        return 0

    def _say_saved(self) -> None:
        if self.leaving or at_terminal():
            self.inbox.ask_no_more()
            self.tell(_("The game is saved."))

    def _may_show(self, text: str) -> bool:
        return self.gone is None and (self.set_up is not None or self.talk.may_show(text))

    def _find_asked(self) -> Identity:
        return self.set_up.identity if self.set_up is not None else self.talk.identity

    def _change_game(self, session: Session) -> None:
        """Switch to that game; the one before is saved and released."""
        self.session.close()
        self._begin(session)
        self.beside.attend(session)
        self.unknown_chip = None
        if self.reader is not None:
            self.reader.stop()
        self._open_reader()
        self.talk.greet()

    # -- the set-up of the next game -----------------------------------------------------------

    def begin_drafted(self, draft: Draft) -> None:
        session = draft.begin(self.store, self.session)
        self.set_up = None
        self._change_game(session)
        if not self._answering:
            self._prompt()

    def leave_set_up(self) -> None:
        self.set_up = None
        self.beside.close_lobby()
        self.tell(_("The game continues."))
        if not self._answering:
            self._prompt()

    def answer(self, line: str) -> None:
        """Answer one typed line; every answer ends with the current question."""
        self._answering = True
        self.voice.hush()
        if _UNREADABLE in line:
            self.refuse(_("that line can't be read: it isn't UTF-8 text."))
        else:
            line = clean_text(line, limit=terminal.LONGEST).removeprefix(":").lstrip()
            self._in_words = not is_keypad(line)
            begun = (self.gone if self.talk.people else None) or self.inbox.begun
            begun = begun if isinstance(begun, Identity) else None
            if self.set_up is None:
                self.talk.line(line, in_public=self.inbox.was_seen, begun=begun)
            elif setup.asks_to_leave(line):
                self.leaving = True
            elif not line_phones.answer_line(self.phones, line, self.refuse):
                self.set_up.line(line, begun)
        self.gone = None
        if not self.leaving:
            self._prompt()
        self._answering = False

    # -- the conversation's Face (companion.game.Face) ---------------------------------

    def say(self, message: Message) -> None:
        """Print it; for people, what was played and the next question share a line."""
        if message.kind == "told" and self.talk.playing.with_forced:
            brief = message.brief if self._in_words else message.shown
            brief = brief if self._answering else None
            if brief == () and self.talk.asked.question == self._last_question:
                brief = None  # nothing else would confirm it
            self._pending += message.lines if brief is None else brief
            return
        if message.known and self.talk.people:
            return  # a blind player knows the numbers, and others type names; `moves` reads them
        if message.title:
            self.tell(message.title)
        for line in message.lines:
            if message.kind == "refused":
                self.refuse(line)
            else:
                self.tell(line)
        if message.code and sys.stdout.isatty():
            print("\n".join(codes.draw(message.code)), flush=True)

    def do(self, word: str, rest: str) -> bool:
        operation = find(word, rest)
        if operation is None:
            return False
        session = operation(self, rest)
        if session is not None:
            self._change_game(session)
        return True

    # -- lines ---------------------------------------------------------------------------------

    def _prompt(self) -> None:
        """Print the line that ends every answer: the current question."""
        if self.set_up is not None:
            return  # its question was printed
        current = self.talk.asked
        question = translate(current.question)
        if self.inbox.has_prompt:
            name = self.session.view.seats[current.seat or 0].name
            is_addressed = bool(self._pending) and self._pending[-1].startswith(f"{name} ")
            self.tell()
            address = f"{end_sentence(name)} "
            self.ask(question.removeprefix(address) if is_addressed else question)
        elif not self.talk.playing.with_forced:
            self.tell(question)
        elif question != self._last_question or not (self._last_line or self._pending):
            name = self.session.view.seats[current.seat or 0].name
            if self._pending and self._pending[-1].startswith(f"{name} "):
                self._pending.append(question.removeprefix(f"{end_sentence(name)} "))
            else:
                self._pending.append(question)
        self.tell()
        self._last_question, self._last_line = question, ""  # the next answer may be the same

    # -- what runs beside it (companion.beside.Host) -------------------------------------------

    def post(self, work: Callable[[], None]) -> None:
        """Run work between two answers; what it does for a phone is told here, too."""

        def do() -> None:
            before = self.session.version
            self.is_beside = True
            asked = self._find_asked()
            with self.inbox.step_aside(is_sure=False):
                work()
                is_another = asked != self._find_asked()
                if is_another:
                    self.gone = asked
                    if not asked.private:
                        self.inbox.post(self._forget_gone)
                if is_another or self.session.version != before:
                    self._prompt()
            self.is_beside = False

        self.inbox.post(do)

    def _forget_gone(self) -> None:
        """All that had come in before the question changed has been handled."""
        self.gone = None

    # -- input ---------------------------------------------------------------------------------

    def _begin(self, session: Session) -> None:
        self.session = session
        self._last_question = ""
        people = at_terminal()
        plays_forced = self.config.plays_forced(people=people)
        self.talk = Conversation(
            session,
            self,
            MODES,
            people=people,
            plays_forced=plays_forced,
            list_more=extending.list_words,
        )

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
        if self.reader is not None:
            note(*(one for one in self.reader.notices if one != NOTHING))
        if self.reader is not None and not self.reader.simulated:
            self.reader.start()  # the simulated one starts with the first chip laid on it
        return True

    def _on_event(self, event: Event) -> None:
        match event:
            case Tap():
                devices.hand_over_tap(self, event)
                self.gone = None
                if not self._answering:  # else the typed line's answer ends with it
                    self._prompt()
            case ReaderDisconnected(reason=reason):
                note(reason)
            case ReaderNotice(text=text):
                note(text)
            case ReaderConnected(name=name) if self.reader is not None:
                note(translate(self.reader.tell_ready(name)))
