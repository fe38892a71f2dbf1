"""Setting up a game in lines: one question after the other, each with a default and a way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from common.clean import clean_text, printable
from companion import language, terminal
from companion.game import Identity, Message
from companion.game.session import Session
from companion.game.talk import tell_rows
from companion.history import people
from companion.language import _, begin_sentence, put_after_colon, translate, vocabulary
from companion.plain import line_phones
from companion.plain.line_phones import tell
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from companion.setup.setup_talk import NamesPage, SetUpTalk
from companion.setup.shared import SetUp, open_given
from companion.terminal.raw_mode import at_terminal

if TYPE_CHECKING:
    from companion.beside import Beside
    from companion.log.store import Store
    from companion.settings.config import Config
    from companion.terminal.inbox import Inbox


def refusal(reason: str, names: Iterable[str] = (), *, with_label: bool = True) -> str:
    """Why something is refused; `with_label` with the word for it. `names` are the players'.

    A program finds the word at the beginning of every answer to input that did nothing
    (notation.md); people hear it only where a rule of the game forbids something.
    """
    if with_label:
        return _("Refused: {reason}").format(reason=put_after_colon(reason, names))
    return begin_sentence(reason, names)


def open_session(
    store: Store,
    options: PlayOptions,
    config: Config,
    read: Callable[[], str | None],
    beside: Beside | None = None,
    inbox: Inbox | None = None,
) -> Session | None:
    """The session to play; None if the input ended first. `read` returns the next typed line. The
    phones `beside` can set up the game as well, and the voice reads the questions. In an `inbox` at
    a terminal a question stands before the cursor. Raises Problems for options that make no game,
    and SessionError and StoreError as `Session` does."""
    if (given := open_given(store, options, config)) is not None:
        return given
    sessions: list[Session] = []
    last = store.find_last_own_game()
    game = None if options.new or last is None or last.finished else last
    set_up = SetUp(
        Draft.of(options, config, None),
        lambda draft: sessions.append(_begin(store, draft, config)),
        store,
        again=tuple(people.list_players(store, last.id)) if last is not None else (),
        unfinished=game,
        resume=lambda id_: sessions.append(Session.resume(store, id_)),
    )
    if beside is not None:
        beside.open_lobby(set_up)
        if inbox is not None:
            set_up.listeners.append(lambda: inbox.interrupt() if set_up.is_done else None)
    LineSetUp(set_up, inbox=inbox, beside=beside).ask(read)
    return sessions[0] if sessions else None


def _begin(store: Store, draft: Draft, config: Config) -> Session:
    session = draft.begin(store)
    if language.current() != config.language:  # switched meanwhile
        session.speak(language.current())
    return session


def asks_to_leave(line: str) -> bool:
    """Whether a line typed in a set-up is no answer, but leaves the companion."""
    return bool(vocabulary.match_word(line.strip(), "quit", "exit"))


class LineSetUp:
    """The set-up in lines. Answer with `line` until `is_done`; each answer ends with the next
    question."""

    def __init__(
        self,
        set_up: SetUp,
        tell: Callable[..., object] = tell,
        *,
        inbox: Inbox | None = None,
        beside: Beside | None = None,
    ) -> None:
        """`tell` prints lines; for `inbox` and `beside` see `open_session`."""
        self._inbox, self._beside = inbox, beside
        self.set_up = set_up
        self._tell = tell
        self._talk = SetUpTalk(set_up, self._hear, steps=True)
        self._is_introduced = False
        set_up.listeners.append(self._follow)
        self._answering = False
        self._last: list[str] = []  # the last question with its rows
        self._confirmed = False  # whether a sentence has answered the typed line

    @property
    def identity(self) -> Identity:
        """What is asked now, for a line that begins."""
        with language.speaking_to_table():
            return self._talk.identity

    def ask(self, read: Callable[[], str | None]) -> None:
        """Ask until the set-up is done, the input ends or somebody quits."""
        self.tell_question()
        inbox = self._inbox
        echo = inbox.limit_echo(lambda _text: True, lambda: self.identity) if inbox else None
        with echo or nullcontext():
            while not self.set_up.is_done and (line := read()) is not None:
                if asks_to_leave(line):
                    break
                begun = inbox.begun if inbox is not None else None
                phones = self._beside.phones if self._beside is not None else None
                if not line_phones.answer_line(phones, line.strip(), self._refuse):
                    self.line(line, begun if isinstance(begun, Identity) else None)
        if inbox is not None:
            inbox.ask_no_more()

    def _refuse(self, reason: str) -> None:
        self._tell(refusal(reason, with_label=not at_terminal()))

    def line(self, line: str, begun: Identity | None = None) -> None:
        """Answer a typed line; `begun` is what was asked when it began, if that is known."""
        before = self._talk.top, len(self._talk.offer.rows)
        self._answering, self._confirmed = True, False
        self._talk.line(clean_text(line, limit=terminal.LONGEST), begun=begun)
        self._answering = False
        if not self.set_up.is_done:
            is_same = (self._talk.top, len(self._talk.offer.rows)) == before
            self.tell_question(briefly=self._confirmed and is_same)

    def tell_question(self, *, briefly: bool = False) -> None:
        """Print the current question, the first time with what introduces it; `briefly` without its
        rows."""
        if isinstance(self._talk.top, NamesPage) and not self._is_introduced:
            title = translate(self.set_up.draft.edition.title)
            self._tell(
                _("New game: {edition}.").format(edition=title),
                _(
                    "Type play for a whole game, explain to have it explained, or count to only "
                    "count the points; the names alone play."
                ),
            )
            self._is_introduced = True
        question, self._last = self._print()
        lines = question if briefly else self._last
        if self._inbox is not None and self._inbox.has_prompt:
            *before, asked = question
            self._tell(*before, *lines[len(question) :])
            self._inbox.ask(printable(asked))
        else:
            self._tell(*lines)
        if self._beside is not None and not self._beside.is_hosted:
            self._beside.voice.read_set_up(lines)

    def _print(self) -> tuple[list[str], list[str]]:
        """The question as lines, without and with its rows."""
        asked = self._talk.asked
        question = asked.question.splitlines()
        return question, [*question, *tell_rows(asked.offer.rows)]

    def _hear(self, message: Message) -> None:
        for line in message.lines:
            if message.kind == "refused":
                self._refuse(line)
            else:
                self._confirmed = message.kind == "told"
                self._tell(line)

    def _follow(self) -> None:
        """Print the question again if another face has changed the set-up."""
        if not self._answering and not self.set_up.is_done:
            with language.speaking_to_table():
                if self._print()[1] != self._last:
                    with self._inbox.step_aside() if self._inbox is not None else nullcontext():
                        self.tell_question()
