"""The state of the line caller: its game, reader and voice, and the lines it prints."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from companion.files.clean import printable
from companion.language import translate
from companion.plain.setup import refusal
from companion.voice.host import Voice

if TYPE_CHECKING:
    from companion.club.publisher import Publisher
    from companion.game.conversation import Conversation
    from companion.game.session import Session
    from companion.log.store import Store
    from companion.phones.serving.phones import Phones
    from companion.plain.setup import LineSetUp
    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from companion.setup.draft import Draft
    from companion.terminal.inbox import Inbox

_LENGTH = 120  # of a line shared by several sentences

_ONE_LINE = str.maketrans("\n\r\t", "   ")


def note(*lines: str) -> None:
    """Print unprompted lines on standard error, so that standard output depends on moves alone."""
    for line in lines:
        print(printable(translate(line).translate(_ONE_LINE)), file=sys.stderr, flush=True)


def _join_lines(sentences: list[str]) -> list[str]:
    """The sentences joined into lines of a readable length."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < _LENGTH:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


class CallerState:
    """The state that the line caller's operations work on; `Caller` plays with it."""

    session: Session
    talk: Conversation

    def __init__(
        self, store: Store, config: Config, inbox: Inbox, voice: Voice | None = None
    ) -> None:
        self.store = store
        self.config = config
        self.inbox = inbox
        self.voice = voice if voice is not None else Voice(config.voice, note)
        self.club: Publisher | None = None
        if config.club is not None:
            from companion.club.publisher import Publisher  # lazy: few tables are in a club

            self.club = Publisher(config, self._note_aside)
        self.reader: TableReader | None = None
        self.phones: Phones | None = None
        self.unknown_chip: bytes | None = None
        self.set_up: LineSetUp | None = None  # of the next game, while it is asked for
        self.leaving = False
        self._pending: list[str] = []  # sentences waiting for the next question
        self._last_line = ""  # the last line
        self.is_beside = False  # whether the output answers no line, while one may be typed

    def _note_aside(self, text: str) -> None:
        """Print a line on standard error between two lines of the conversation, from any thread."""
        self.inbox.post(lambda: self._note_between(text))

    def _note_between(self, text: str) -> None:
        with self.inbox.step_aside():
            note(text)

    def attend_beside(self, session: Session) -> None:
        """Let the voice and the club follow that game."""
        self.voice.follow(session)
        if self.club is not None:
            self.club.follow(session)

    def tell(self, *lines: str) -> None:
        """Print lines and flush them; skip one that repeats the line before."""
        waiting, self._pending = self._pending, []
        with self.inbox.step_aside() if self.is_beside else nullcontext():
            for text in (*_join_lines(waiting), *lines):
                line = printable(translate(text).translate(_ONE_LINE))
                if line != self._last_line:
                    print(line)
                    self._last_line = line
            print(end="", flush=True)

    def begin_drafted(self, draft: Draft) -> None:
        """Play the game that was drafted, in place of this one. Raises StoreError."""
        raise NotImplementedError

    def leave_set_up(self) -> None:
        """Continue this game instead of setting up another one."""
        raise NotImplementedError

    def refuse(self, reason: str, *, by_rule: bool = False) -> None:
        """Answer why something is not done: `by_rule`, or because it cannot be understood."""
        names = [seat.name for seat in self.session.view.seats]
        self.tell(refusal(reason, names, with_label=by_rule or not self.talk.people))
