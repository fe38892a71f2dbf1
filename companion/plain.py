"""The line caller: moves are read line by line, answers are plain lines, one fact each.

For screen readers, braille displays and programs: nothing is redrawn, nothing is drawn with boxes,
choices are numbered, and every answer ends with the line that says who is awaited. Answers are on
standard output; what only helps a person to begin is on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion import (
    chips,
    language,
    lines,
    menu,
    plain_commands,
    plain_setup,
    plain_taps,
    plain_voice,
    typed,
)
from companion.clean import clean_text, printable
from companion.inbox import Inbox
from companion.language import _
from companion.readers import TableReader, shares_input
from companion.session import Session, SessionError
from companion.store import GameOpenElsewhere, Store, StoreError
from companion.wording import editions, facts, prompts
from engine import explain
from engine.moves import UnknownMove
from engine.problems import Inconsistent
from engine.refusals import Refused
from tags.watch import ReaderCame, ReaderLost, Said, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from companion.voice.host import Voice
    from engine.moves import Move
    from tags.watch import Event

_ONE_LINE = str.maketrans("\n\r\t", "   ")


def run(options: PlayOptions, config: Config) -> int:
    """Play at the terminal until the input ends. The exit code of `notation.md`."""
    language.use(config.language)
    lines.prepare()
    with Store(config.games) as store:
        try:
            if config.reader != "none":
                chips.load(
                    config.chips
                )  # what is wrong with the chips is said before a game begins
            session = plain_setup.open_session(store, options, config)
        except Inconsistent as error:
            for problem in error.problems:
                where = ".".join(map(str, problem.path))
                note(f"{where}: {problem.text}")
            return 2
        except chips.ChipsError as error:
            note(*error.problems)
            return 2
        except (SessionError, GameOpenElsewhere, StoreError) as error:
            note(str(error))
            return 2
        if session is None:
            return 0
        return Caller(session, config).run()


def note(*told: str) -> None:
    """Tell what is no answer: on standard error, so that answers follow from moves alone."""
    for line in told:
        print(printable(line.translate(_ONE_LINE)), file=sys.stderr, flush=True)


class Caller:
    """A session played by lines and taps."""

    def __init__(self, session: Session, config: Config) -> None:
        self.session: Session = session
        self.leaving = False
        self.config = config
        self.choices: list[menu.Choice] = []  # what a typed number picks from
        self.pending: tuple[str, ...] = ()  # characters tapped so far for one move
        self.unknown_chip: bytes | None = None
        self.last_refusal: Refused | None = None
        self.reader: TableReader | None = None
        self.inbox = Inbox(self._on_event)
        self._answering = False
        self.voice: Voice | None = None  # silent, and not even loaded, until it is wanted

    def run(self) -> int:
        """Answer lines and taps until the input ends."""
        try:
            self.inbox.start(taps=shares_input(self.config))
            if not self._open_reader():
                return 2
            self._greet()
            if plain_voice.wanted(self.config):
                plain_voice.begin(self)
            while not self.leaving and (line := self.inbox.next_line()) is not None:
                self._answering = True
                self.answer(line)
                self._answering = False
        finally:
            if self.reader is not None:
                self.reader.stop()
            if self.voice is not None:
                self.voice.close()
            self.session.close()
        return 0

    def say(self, *told: str) -> None:
        """Print lines of an answer, and let them out at once."""
        for line in told:
            print(printable(line.translate(_ONE_LINE)))
        print(end="", flush=True)

    def refuse(self, reason: str) -> None:
        """Answer that something is not done, and why."""
        self.say(_("Refused: {reason}").format(reason=reason))

    def _greet(self) -> None:
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
        self._prompt()
        if sys.stdin is not None and sys.stdin.isatty():  # a program needs no advice
            note(_("Type help to hear what can be typed."))

    def _prompt(self) -> None:
        """The line that ends every answer: who is awaited and for what."""
        self.say(prompts.awaited(self.session.view))

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
                plain_taps.tapped(self, event)
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
        if self.voice is not None:
            self.voice.hush()
        line = clean_text(line, limit=lines.LONGEST)
        word, _space, rest = line.partition(" ")
        if line.isascii() and line.isdecimal():
            self._pick(line)
        elif line and not plain_commands.answer(self, word, rest.strip()):
            self._move(line)
        self._prompt()

    def _pick(self, number: str) -> None:
        """Play the numbered choice; list the choices first where none were listed."""
        if not self.choices:
            plain_commands.answer(self, "moves", "")
            return
        place = int(number) if len(number) < 6 else 0
        if not 1 <= place <= len(self.choices):
            sentence = (
                _("there is no choice {number}; choose 1.")
                if len(self.choices) == 1
                else _("there is no choice {number}; choose 1 to {last}.")
            )
            self.refuse(sentence.format(number=number, last=len(self.choices)))
            return
        moves = self.choices[place - 1].moves
        if len(moves) == 1:
            self.play(moves[0])
        else:
            self.offer(_("Which one?"), menu.narrowed(self.session.view, moves))

    def _move(self, line: str) -> None:
        view, legal = self.session.view, self.session.legal()
        meant = typed.understand(line, view, legal)
        if len(meant) == 1:
            self.play(meant[0])
        elif meant and meant[0] in legal:
            self.offer(_("Which one?"), menu.narrowed(view, meant))
        else:
            self._unknown(line, typed.near(line, legal))

    def _unknown(self, line: str, offers: list[Move]) -> None:
        """Refuse words that are no move; offer those that may be meant, or say why none is left."""
        view = self.session.view
        self.forget()
        refusal = typed.unknown(line, view)
        if offers:
            refusal = explain.unknown(view, UnknownMove(line, []))
        self.last_refusal = Refused(line, refusal)
        self.refuse(_said(self.last_refusal))
        if offers:
            self.offer(_("Perhaps one of these:"), menu.narrowed(view, offers))
        elif (closed := typed.closed(line, view)) is not None:
            self.say(_("Not now: {reason}").format(reason=closed.reason))

    def play(self, move: Move | str) -> None:
        """Play a move and tell what happened, or why it is refused."""
        self.forget()
        try:
            self.say(*self.session.play(move))
        except Refused as error:
            self.last_refusal = error
            self.refuse(_said(error))
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
            _("End the input to leave; companion play --new begins another game."),
        )

    def offer(self, question: str, choices: Sequence[menu.Choice]) -> None:
        """List what to choose from by number."""
        self.choices = list(choices)
        self.say(question)
        for number, choice in enumerate(self.choices, start=1):
            self.say(f"{number}: {choice.label}")

    def forget(self) -> None:
        """Forget the numbers offered and the characters tapped so far."""
        self.choices = []
        self.pending = ()


def _said(error: Refused) -> str:
    """A refusal with everything that the notation asks for: move, reason, rule and its source."""
    rule, reason, source, _ruling = error.refusal
    named = "" if rule == "move.unknown" else f"{error.move}. "  # its reason names the words
    return f"{named}{reason} ({rule}; {source})"
