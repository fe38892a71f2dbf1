"""The state of the line caller: its games, its reader and voice, and the lines it prints.

The voice is off by default, since a screen reader reads the lines.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from common.clean import printable
from companion.beside import Beside, Host
from companion.game import ending
from companion.game.session import Session
from companion.language import _, plural, translate
from companion.log.store import GameInfo, Store, StoreError
from companion.plain import setup
from companion.plain.setup import LineSetUp, refusal
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from companion.setup.shared import SetUp
from companion.terminal import break_line
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game import Identity
    from companion.game.conversation import Conversation
    from companion.phones.serving.phones import Phones
    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from companion.terminal.inbox import Inbox


_LENGTH = 120  # of a line shared by several sentences

_ONE_LINE = str.maketrans("\n\r\t", "   ")


def note(*lines: str) -> None:
    """Print unprompted lines on standard error, so that standard output depends on moves alone."""
    for text in lines:
        line = printable(translate(text).translate(_ONE_LINE))
        print(*break_line(line, sys.stderr), sep="\n", file=sys.stderr, flush=True)


def _join_lines(sentences: list[str]) -> list[str]:
    """The sentences joined into lines of a readable length."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < _LENGTH:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


class LineHost(Host):
    """The lines, as what runs beside them needs them, before the first game."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox

    def post(self, work: Callable[[], None]) -> None:
        self.inbox.post(work)

    def note(self, text: str) -> None:
        """Print it on standard error, between two lines of the conversation."""
        with self.inbox.step_aside():
            note(text)


class CallerState(LineHost):
    """The state that the line caller's operations work on; `Caller` plays with it."""

    session: Session
    talk: Conversation

    def __init__(
        self, store: Store, config: Config, inbox: Inbox, beside: Beside | None = None
    ) -> None:
        """`beside` has been there while the game was set up."""
        super().__init__(inbox)
        self.store = store
        self.config = config
        self.beside = beside if beside is not None else Beside(self, config)
        self.beside.host = self
        self.voice = self.beside.voice
        self.reader: TableReader | None = None
        self.unknown_chip: bytes | None = None
        self.set_up: LineSetUp | None = None  # of the next game, while it is asked for
        self.gone: Identity | None = None
        """A question that a phone has ended: a tap or a line may still be meant for it, of a
        private one the next that comes, of another what has come in already."""

        self.leaving = False
        self._pending: list[str] = []  # sentences waiting for the next question
        self._last_line = ""  # the last line
        self.is_beside = False  # whether the output answers no line, while one may be typed

    @property
    def phones(self) -> Phones | None:
        """The phones, once they are served."""
        return self.beside.phones

    def find_talk(self) -> Conversation:
        return self.talk

    def lookup(self, uid: bytes) -> Entry | None:
        return self.reader.lookup(uid) if self.reader is not None else None

    def tell(self, *lines: str) -> None:
        """Print lines and flush them; skip one that repeats the line before."""
        waiting, self._pending = self._pending, []
        with self.inbox.step_aside() if self.is_beside else nullcontext():
            for text in (*_join_lines(waiting), *lines):
                line = printable(translate(text).translate(_ONE_LINE))
                if line != self._last_line:
                    print(*break_line(line, sys.stdout), sep="\n")
                    self._last_line = line
            print(end="", flush=True)

    def ask(self, question: str) -> None:
        """Leave the question before the cursor."""
        with self.inbox.step_aside() if self.is_beside else nullcontext():
            self.inbox.ask(printable(question.translate(_ONE_LINE)))

    def begin_drafted(self, draft: Draft) -> None:
        """Play the game that was drafted, in place of this one. Raises StoreError."""
        raise NotImplementedError

    def leave_set_up(self) -> None:
        """Continue this game instead of setting up another one."""
        raise NotImplementedError

    def refuse(self, reason: str) -> None:
        names = [seat.name for seat in self.session.view.seats]
        self.tell(refusal(reason, names, with_label=not self.talk.people))


_RECENT = 9  # saved games listed


def list_games(caller: CallerState, rest: str) -> None:
    """List the saved games, the one played last first."""
    number = caller.store.count()
    caller.tell(plural("{number} saved game.", "{number} saved games.", number))
    caller.tell(*map(describe, caller.store.games(_RECENT)))
    caller.tell(_("Type open and a name to continue that game."))


def describe(game: GameInfo) -> str:
    """A saved game in a line: its name, its players, its progress."""
    moves = plural("{number} move", "{number} moves", game.moves)
    sentence = _("{name}: {names}, {moves}, over.") if game.finished else _(
        "{name}: {names}, {moves}."
    )  # fmt: skip
    return sentence.format(name=game.name, names=_players(game), moves=moves)


def _players(game: GameInfo) -> str:
    names = game.setup.get("players")
    return ", ".join(map(str, names)) if isinstance(names, list) else "?"


def open_game(caller: CallerState, rest: str) -> Session | None:
    game = caller.store.find(rest) if rest else None
    if game is None:
        caller.refuse(
            _("no saved game is called {name}; type games to list them.").format(name=rest)
            if rest
            else _("which game? Type open and its name; games lists them.")
        )
    elif game == caller.session.game:
        caller.tell(_("This game is already open."))
    else:
        try:
            return Session.resume(caller.store, game)
        except StoreError as error:
            caller.refuse(str(error))
    return None


def start_new(caller: CallerState, rest: str) -> Session | None:
    """Start another game by questions, or on the phones; this one stays saved."""
    caller.talk.forget()
    draft = Draft.of(PlayOptions(), caller.config, caller.session.setup)
    draft.before = caller.session.setup.players if caller.phones is not None else ()
    set_up = SetUp(
        draft,
        caller.begin_drafted,
        caller.store,
        again=caller.session.setup.players,
        leave=caller.leave_set_up,
    )
    caller.beside.open_lobby(set_up)
    caller.set_up = setup.LineSetUp(set_up, caller.tell, inbox=caller.inbox, beside=caller.beside)
    caller.set_up.tell_question()
    return None


def rematch(caller: CallerState, rest: str) -> Session | None:
    try:
        return ending.begin_next(caller.session)
    except StoreError as error:
        caller.refuse(str(error))
        return None


def voice(caller: CallerState, rest: str) -> None:
    """`voice on`, `voice off`, or its state."""
    word = fold(rest)
    if word in ("on", "off"):
        caller.voice.switch(word == "on")
    elif word:
        caller.refuse(_("type voice on or voice off."))
        return
    on = caller.voice.speaks_to_table
    caller.tell(_("The voice is on.") if on else _("The voice is off."))


def speed_up(caller: CallerState, rest: str) -> None:
    _change_speed(caller, 1)


def slow_down(caller: CallerState, rest: str) -> None:
    _change_speed(caller, -1)


def hush(caller: CallerState, rest: str) -> None:
    """Silence the voice; every typed line does that, this one does nothing else."""
    caller.voice.hush()


def _change_speed(caller: CallerState, steps: int) -> None:
    if not caller.voice.on:
        caller.refuse(_("the voice is off; type voice on."))
        return
    speed = caller.voice.change_speed(steps)
    caller.tell(_("Speed {number} percent.").format(number=speed))
