"""The line caller: moves are read line by line, answers are plain lines, one fact each.

For screen readers, braille displays and programs: nothing is redrawn, nothing is drawn with boxes,
choices are numbered, and every answer ends with the line that says who is awaited. Answers are on
standard output; what only helps a person to begin is on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion import chips, language, vocabulary
from companion.clean import clean_text, printable
from companion.game.privacy import may_show
from companion.intent import menu, typed
from companion.language import _, said
from companion.plain import commands, keypad, private_moment, queries, setup, taps
from companion.privacy import is_private
from companion.readers.table_reader import TableReader, shares_input
from companion.session import Session
from companion.store import Store, StoreError
from companion.terminal import lines
from companion.terminal.inbox import Inbox
from companion.terminal.modes import at_terminal
from companion.voice.host import Voice
from companion.wording import editions, facts, prompts
from engine import explain
from engine.moves import UnknownMove
from engine.problems import Inconsistent
from engine.refusals import Refused
from engine.sentences import placed
from tags.watch import ReaderCame, ReaderLost, Said, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from companion.reference import Reading
    from engine.moves import Move
    from tags.watch import Event

    Offer = tuple[str, list[menu.Choice]]  # a question and what it offers

_WHILE_READING = ("next", "back", "repeat", "tap", "hold", "lift")
"""Words after which a reference card is still listened to; any other ends it."""

_UNREADABLE = "\N{REPLACEMENT CHARACTER}"

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


class Caller:
    """A session played by lines and taps."""

    def __init__(self, session: Session, store: Store, config: Config, inbox: Inbox) -> None:
        self.session: Session = session
        self.store = store
        self.config = config
        self.leaving = False
        self.choices: list[menu.Choice] = []  # what a typed number picks from
        self.before: list[Offer] = []  # the lists behind it, to go back to
        self.private: tuple[Move, ...] = ()  # what one person chooses from in private
        self.reading: Reading | None = None  # the reference card being listened to
        self.pending: tuple[str, ...] = ()  # cards and players tapped so far for one move
        self.digits = ""  # number chips tapped so far
        self.answered: list[str] = []  # the last answer, to be repeated
        self.unknown_chip: bytes | None = None
        self.last_refusal: Refused | None = None
        self.reader: TableReader | None = None
        self.inbox = inbox
        self.inbox.on_event = self._on_event
        self._question = ""  # the words above the choices
        self._saying: list[str] = []
        self._answering = False
        self.voice = Voice(config.voice, note)

    def run(self) -> int:
        """Answer lines and taps until the input ends."""
        try:
            if shares_input(self.config):
                self.inbox.share()
            if not self._open_reader():
                return 2
            self._greet()
            if at_terminal():  # a program needs no advice
                note(_("Type help to hear what can be typed."))
            self.voice.attend(self.session)
            with self.inbox.showing(self._may_show):
                while not self.leaving and (line := self.inbox.next_line()) is not None:
                    self._answering = True
                    self.answer(line)
                    self._answering = False
        finally:
            if self.reader is not None:
                self.reader.stop()
            self.voice.close()
            self.session.close()
        return 0

    def change_game(self, session: Session) -> None:
        """Play that game from now on; the one before is saved and let go."""
        self.session.close()
        self.session = session
        self.voice.attend(session)
        self.forget()
        self.last_refusal, self.unknown_chip = None, None
        if self.reader is not None:
            self.reader.stop()
        self._open_reader()
        self._greet(prompt=False)

    def say(self, *told: str) -> None:
        """Print lines of an answer, and let them out at once."""
        self._saying += told
        for line in told:
            print(printable(said(line).translate(_ONE_LINE)))
        print(end="", flush=True)

    def refuse(self, reason: str) -> None:
        """Answer that something is not done, and why."""
        self.say(_("Refused: {reason}").format(reason=said(reason)))

    def refuse_move(self, error: Refused) -> None:
        """Answer that a move is refused, with all that the notation asks for: the move, the reason,
        the rule and its source."""
        rule, reason, source, _ruling = error.refusal
        sentence = _("{move}. {reason} ({rule}; {source})")
        if rule == "move.unknown":  # its reason names the words
            sentence = _("{reason} ({rule}; {source})")
        self.refuse(
            sentence.format(move=error.move, reason=said(reason), rule=rule, source=said(source))
        )

    def _greet(self, *, prompt: bool = True) -> None:
        """Say which game this is, what was done last, and who is awaited."""
        self.say(
            _("Game {name}.").format(name=self.session.name),
            *editions.agreed(self.session.view),
        )
        if self.session.referee.moves:
            self.say(_("Last: {what}").format(what=" ".join(self.session.last_told())))
        elif not self.session.over:
            self.say(*prompts.selection_steps(self.session.view))
        self.teach()
        if prompt:
            self._prompt()

    def _prompt(self) -> None:
        """The line that ends every answer: who is awaited and for what."""
        if self.reader is not None:
            self.reader.hold_private(private_moment.hides_typing(self))
        if self._saying:
            self.answered, self._saying = self._saying, []
        self.say(prompts.question(self.session.view))
        self._saying = []

    def _may_show(self, text: str) -> bool:
        """Whether everybody may see a line typed so far."""
        session = self.session
        return not self.private and may_show(session.view, session.legal(), text)

    # -- what comes in ----------------------------------------------------------------------

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
                taps.tapped(self, event)
                if not self._answering:  # else the typed line's answer ends with it
                    self._prompt()
            case ReaderLost(reason=reason):
                note(reason)
            case Said(text=text):
                note(text)
            case ReaderCame(name=name):
                note(_("Reader {name} is ready.").format(name=name))

    # -- lines ------------------------------------------------------------------------------

    def answer(self, line: str) -> None:
        """Answer one typed line; every answer ends with who is awaited."""
        self.voice.hush()
        line = clean_text(line, limit=lines.LONGEST)
        if _UNREADABLE in line:
            self.refuse(_("that line cannot be read: it is not UTF-8 text."))
            self._prompt()
            return
        answered = bool(self.private) and private_moment.answer(self, line)
        if not line:
            self.reading = None
        if line and not answered and not keypad.answer(self, line):
            self.command(line)
        self._prompt()

    def command(self, line: str) -> None:
        """Do what a line says: a command, a question, or a move."""
        if vocabulary.in_english(line).partition(" ")[0] not in _WHILE_READING:
            self.reading = None
        asked = vocabulary.in_english(line)
        if not commands.answer(self, asked) and not queries.instead(self, asked):
            self._move(line)

    def read(self, reading: Reading) -> None:
        """Listen to an entry of a reference card."""
        self.forget()
        self.reading = reading
        told = reading.told(self.session.view)
        self.say(*told)
        self.voice.read(told)

    def _move(self, line: str) -> None:
        view, legal = self.session.view, self.session.legal()
        meant = typed.understand(line, view, legal)
        private = [m for m in meant if is_private(view, m.verb)]
        if private:
            private_moment.in_words(self, private)
        elif len(meant) == 1:
            self.play(meant[0])
        elif meant and meant[0] in legal:
            self.offer(_("Which one?"), menu.narrowed(view, meant))
        else:
            self._unknown(line, typed.near(line, view, legal))

    def _unknown(self, line: str, offers: list[Move]) -> None:
        """Refuse words that are no move; offer those that may be meant, or say why none is left."""
        view = self.session.view
        self.forget()
        if offers and is_private(view, offers[0].verb):
            private_moment.unknown(self, line, offers)
            return
        refusal = typed.unknown(line, view, self.session.legal())
        if offers:
            refusal = explain.unknown(UnknownMove(line, []))
        self.last_refusal = Refused(line, refusal)
        self.refuse_move(self.last_refusal)
        if offers:
            self.offer(_("Perhaps one of these:"), menu.narrowed(view, offers))
        elif (closed := typed.closed(line, view)) is not None:
            self.say(_("Not now: {reason}").format(reason=said(closed.reason)))

    def take(self, moves: Sequence[Move]) -> None:
        """Do what was picked: play the one move, or ask on among several."""
        if any(is_private(self.session.view, move.verb) for move in moves):
            private_moment.begin(self, moves)
        elif len(moves) == 1:
            self.play(moves[0])
        else:
            behind = (self._question, self.choices)
            before = [*self.before, behind] if self.choices else []
            self.offer(_("Which one?"), menu.narrowed(self.session.view, moves))
            self.before = before

    def play(self, move: Move | str) -> None:
        """Play a move and tell what happened, or why it is refused."""
        self.forget()
        try:
            self.say(*self.session.play(move))
        except Refused as error:
            self.last_refusal = error
            self.refuse_move(error)
            if error.move == "gold":  # the word also asks
                self.say(*facts.gold(self.session.view))
        except StoreError as error:
            self.refuse(str(error))
        else:
            self.teach()
            if self.session.over:
                self._tell_end()

    def teach(self) -> None:
        """Explain this moment where the first round is taught and it has not been explained."""
        lesson = self.session.teacher.news()
        self.say(*(_("Teaching: {sentence}").format(sentence=sentence) for sentence in lesson))

    def _tell_end(self) -> None:
        """The scores, and what can still be done."""
        self.say(
            *facts.score(self.session.view),
            _("undo: take the last move back. score: hear the scores again."),
            _("new: begin another game. End the input to leave."),
        )

    def offer(self, question: str, choices: Sequence[menu.Choice]) -> None:
        """List what to choose from by number, as the first list."""
        self.forget_lists()
        self.show(question, choices)

    def show(self, question: str, choices: Sequence[menu.Choice]) -> None:
        """List what to choose from by number."""
        self._question, self.choices = question, list(choices)
        self.digits, self.reading = "", None
        self.say(question)
        for number, choice in menu.numbered(self.choices).items():
            self.say(f"{number}: {choice.label}")

    def forget_lists(self) -> None:
        """Forget the numbers offered."""
        self.choices, self.before, self.digits = [], [], ""
        self.private, self.reading = (), None

    def forget(self) -> None:
        """Forget the numbers offered and the cards tapped so far."""
        self.forget_lists()
        self.pending = ()
