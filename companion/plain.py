"""The line caller: moves are read line by line, answers are plain lines, one fact each.

For screen readers, braille displays and programs: nothing is redrawn, nothing is drawn with boxes,
choices are numbered, and every answer ends with the line that says who is awaited. Answers are on
standard output; what only helps a person to begin is on standard error.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING

from companion import chips, language, plain_commands, plain_setup, taps, typed
from companion.clean import clean_text, printable
from companion.language import _
from companion.readers import TableReader
from companion.session import Session, SessionError
from companion.store import GameOpenElsewhere, Store, StoreError
from companion.wording import labels, prompts
from engine.problems import Inconsistent
from engine.refusals import Refused
from tags.registry import format_uid
from tags.watch import Lift, ReaderCame, ReaderLost, Tap

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from engine.moves import Move
    from tags.watch import Event

LONGEST_LINE = 1000  # characters of a typed line that are read
TAP_PATIENCE = 5.0  # seconds to wait for a simulated tap to come back through the driver


def run(options: PlayOptions, config: Config) -> int:
    """Play at the terminal until the input ends. The exit code of `notation.md`."""
    language.use(config.language)
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    with Store(config.games) as store:
        try:
            session = plain_setup.open_session(store, options, config)
        except Inconsistent as error:
            for problem in error.problems:
                where = ".".join(map(str, problem.path))
                note(f"{where}: {problem.text}")
            return 2
        except (SessionError, GameOpenElsewhere, StoreError) as error:
            note(str(error))
            return 2
        if session is None:
            return 0
        return Caller(session, config).run()


def note(line: str) -> None:
    """Tell what is no answer: on standard error, so that answers follow from moves alone."""
    print(printable(line), file=sys.stderr, flush=True)


class Caller:
    """A session played by lines and taps."""

    def __init__(self, session: Session, config: Config) -> None:
        self.session: Session = session
        self.config = config
        self.choices: list[Move] = []  # what a typed number picks from
        self.pending: tuple[str, ...] = ()  # characters tapped so far for one move
        self.unknown_chip: bytes | None = None
        self.last_refusal: Refused | None = None
        self.reader: TableReader | None = None
        self._events: queue.SimpleQueue[Event | str | None] = queue.SimpleQueue()
        self._lines: deque[str | None] = deque()

    def run(self) -> int:
        """Answer lines and taps until the input ends."""
        if not self._open_reader():
            return 2
        threading.Thread(target=self._read_lines, name="typed lines", daemon=True).start()
        self.say(_("Game {name}.").format(name=self.session.name))
        self.say(prompts.awaited(self.session.view))
        try:
            while (line := self._next_line()) is not None:
                self.answer(line)
        except StoreError as error:
            note(str(error))
            return 2
        finally:
            if self.reader is not None:
                self.reader.stop()
            self.session.close()
        return 0

    def say(self, *lines: str) -> None:
        """Print lines of an answer, and let them out at once."""
        for line in lines:
            print(printable(line))
        sys.stdout.flush()

    # -- what comes in ----------------------------------------------------------------------

    def _open_reader(self) -> bool:
        try:
            self.reader = TableReader.open(
                self.config, self.session.setup.ruleset(), on_event=self._events.put
            )
        except (chips.ChipsError, ValueError) as error:
            note(str(error))
            return False
        if self.reader is not None and not self.reader.simulated:
            self.reader.start()  # the simulated one starts with the first chip laid on it
        return True

    def _read_lines(self) -> None:
        try:
            while line := sys.stdin.readline(LONGEST_LINE * 4):
                self._events.put(line)
        except (OSError, ValueError):
            pass  # the terminal went away: the same as the end of the input
        self._events.put(None)

    def _next_line(self) -> str | None:
        """The next typed line (None at the end); taps that come meanwhile are answered."""
        while not self._lines:
            self._take(self._events.get())
        return self._lines.popleft()

    def _take(self, item: Event | str | None) -> None:
        if item is None or isinstance(item, str):
            self._lines.append(item)
        else:
            self._on_event(item)

    def wait_for(self, *awaited: Event) -> bool:
        """Answer events until all of these have come; whether they have in time."""
        missing = list(awaited)
        while missing:
            try:
                item = self._events.get(timeout=TAP_PATIENCE)
            except queue.Empty:
                return False
            self._take(item)
            if item in missing:
                missing.remove(item)
        return True

    # -- lines ------------------------------------------------------------------------------

    def answer(self, line: str) -> None:
        """Answer one typed line; every answer ends with who is awaited."""
        line = clean_text(line, limit=LONGEST_LINE)
        if not line:
            self.say(prompts.awaited(self.session.view))
            return
        word, _space, rest = line.partition(" ")
        if line.isdecimal():
            self._pick(int(line))
        elif not plain_commands.answer(self, word, rest.strip()):
            self._move(line)
        self.say(prompts.awaited(self.session.view))

    def _pick(self, number: int) -> None:
        if not self.choices:
            self.choices = self.session.legal()
        if 1 <= number <= len(self.choices):
            self.play(self.choices[number - 1])
        else:
            self.say(
                _("Refused: there is no choice {number}; choose 1 to {last}.").format(
                    number=number, last=len(self.choices)
                )
            )

    def _move(self, line: str) -> None:
        meant = typed.understand(line, self.session.view, self.session.legal())
        if len(meant) > 1:
            self.offer(_("Which one?"), meant)
        else:
            self.play(meant[0] if meant else line)

    def play(self, move: Move | str) -> None:
        """Play a move and tell what happened, or why it is refused."""
        self.choices = []
        self.pending = ()
        try:
            self.say(*self.session.play(move))
        except Refused as error:
            self.last_refusal = error
            refusal = error.refusal
            self.say(
                _("Refused: {reason} ({rule}; {source})").format(
                    reason=refusal.reason, rule=refusal.rule, source=refusal.source
                )
            )

    def offer(self, question: str, moves: list[Move]) -> None:
        """List moves to choose from by number."""
        self.choices = moves
        self.say(question)
        view = self.session.view
        for number, move in enumerate(moves, start=1):
            self.say(f"{number} {labels.label(view, move)}")

    # -- chips ------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        match event:
            case Tap(uid=uid):
                self._tapped(uid)
            case ReaderLost(name=name, reason=reason):
                note(_("Reader {name} is gone: {reason}").format(name=name, reason=reason))
            case ReaderCame(name=name):
                note(_("Reader {name} is ready.").format(name=name))
            case Lift():
                pass

    def _tapped(self, uid: bytes) -> None:
        entry = self.reader.lookup(uid) if self.reader is not None else None
        if entry is None:
            self.unknown_chip = uid
            self.say(
                _("Unknown chip {uid}. Type: learn, and what it is.").format(uid=format_uid(uid))
            )
            return
        view = self.session.view
        meaning = taps.meaning(view, self.session.legal(), entry, self.pending)
        self.pending = meaning.pending
        if meaning.action is not None:
            plain_commands.answer(self, meaning.action, "")
        elif meaning.move is not None:
            self.say(_("Tapped: {move}.").format(move=labels.label(view, meaning.move)))
            self.play(meaning.move)
        elif meaning.moves:
            self.offer(_("Which one?"), list(meaning.moves))
        else:
            plain_commands.explain(self, meaning)
