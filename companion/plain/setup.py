"""Setting up a game in lines: one question after the other, each with a default and a way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import language, setup, terminal
from companion.files.clean import clean_text, printable
from companion.game.session import Session
from companion.history import people
from companion.language import _, begin_sentence, put_after_colon, translate, vocabulary
from companion.plain import devices
from companion.setup import PlayOptions, shared
from companion.setup.conversation import SetUpTalk
from companion.setup.draft import Draft
from companion.setup.shared import SetUp, print_page
from companion.terminal.modes import at_terminal
from engine import record

if TYPE_CHECKING:
    from companion.log.store import GameInfo, Store
    from companion.plain.devices import LinePhones
    from companion.settings.config import Config
    from engine.record import Setup


def tell(*lines: str) -> None:
    """Print lines of a question and flush them."""
    for line in lines:
        print(printable(translate(line)))
    print(end="", flush=True)


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
    beside: LinePhones | None = None,
    read_aloud: Callable[[Sequence[str]], object] = lambda _lines: None,
) -> Session | None:
    """The session to play; None if the input ended first. `read` returns the next typed line. The
    phones `beside` can set up the game as well; `read_aloud` has the voice read the questions.

    Raises Problems for options that make no game, and SessionError and StoreError as `Session`
    does.
    """
    if options.resume:
        return Session.resume(store, options.game)
    if options.players:
        return Session.begin(store, setup.from_options(options, config), teach=options.teach)
    sessions: list[Session] = []
    last = store.find_last_own_game()
    game = None if options.new or last is None or last.finished else last
    set_up = SetUp(
        Draft.of(options, config, None),
        lambda draft: sessions.append(_begin(store, draft, config)),
        known_names=people.list_offered(store),
        former_names=people.list_former(store),
        again=_players_of(last),
        unfinished=game,
        describe=lambda: shared.describe_unfinished(store, game) if game else [],
        resume=lambda: sessions.append(Session.resume(store, game.id)) if game else None,
    )
    if beside is not None:
        beside.open_lobby(set_up)
    asks_cast = not (options.cast or options.characters)
    lines = LineSetUp(set_up, asks_cast=asks_cast, read_aloud=read_aloud)
    lines.ask(read, beside)
    return sessions[0] if sessions else None


def _begin(store: Store, draft: Draft, config: Config) -> Session:
    session = Session.begin(store, draft.setup(), teach=draft.teach)
    if language.current() != config.language:  # switched meanwhile
        session.speak(language.current())
    return session


def _players_of(last: GameInfo | None) -> tuple[str, ...]:
    """The players of the last game, offered as the default; none if it cannot be read."""
    setup = _setup_of(last)
    return setup.players if setup is not None else ()


def _setup_of(last: GameInfo | None) -> Setup | None:
    try:
        return record.read_setup(last.setup) if last is not None else None
    except Problems:
        return None  # by another version, or with another cards.yaml


class LineSetUp:
    """The set-up in lines. Answer with `line` until `is_done`; each answer ends with the next
    question."""

    def __init__(
        self,
        set_up: SetUp,
        tell: Callable[..., object] = tell,
        *,
        asks_cast: bool = True,
        read_aloud: Callable[[Sequence[str]], object] = lambda _lines: None,
    ) -> None:
        """`tell` prints lines, `read_aloud` has the voice read a question."""
        self._read_aloud = read_aloud
        self.set_up = set_up
        self._tell = tell
        self._talk = SetUpTalk(set_up, self._say, steps=True, asks_cast=asks_cast)
        self._introduction: tuple[str, int] | None = None  # the page whose introduction was printed
        set_up.listeners.append(self._follow)
        self._answering = False
        self._last: list[str] = []  # the last question with its rows
        self._confirmed = False  # whether a sentence has answered the typed line

    def ask(self, read: Callable[[], str | None], beside: LinePhones | None = None) -> None:
        """Ask until the set-up is done, the input ends or somebody quits."""
        self.tell_question()
        while not self.set_up.is_done and (line := read()) is not None:
            if vocabulary.match_word(line.strip(), "quit", "exit"):
                return
            phones = beside.phones if beside is not None else None
            if not devices.answer_line(phones, line.strip(), self._refuse):
                self.line(line)

    def _refuse(self, reason: str) -> None:
        self._tell(refusal(reason, with_label=not at_terminal()))

    def line(self, line: str) -> None:
        """Answer a typed line."""
        before = self._identify_page()
        self._answering, self._confirmed = True, False
        self._talk.line(clean_text(line, limit=terminal.LONGEST))
        self._answering = False
        if not self.set_up.is_done:
            self.tell_question(briefly=self._confirmed and self._identify_page() == before)

    def _identify_page(self) -> tuple[tuple[str, int], int]:
        """The page that is open, and how many rows it has."""
        return self._talk.place, len(self._talk.asked.rows)

    def tell_question(self, *, briefly: bool = False) -> None:
        """Print the current question, the first time with what introduces it; `briefly` without its
        rows."""
        here, place = self.set_up, self._talk.place
        if place[0] == "names" and self._introduction is None:
            title = translate(here.draft.edition.title)
            self._tell(
                _("New game: {edition}.").format(edition=title),
                _("Type light first to track only gold, murders and robberies, not cities."),
                _("Type teach first to have each character explained in the first round."),
            )
            self._introduction = place
        page = self._talk.asked
        self._last = print_page(page)
        lines = page.prompt if briefly else self._last
        self._tell(*lines)
        self._read_aloud(lines)

    def _say(self, kind: str, sentence: str) -> None:
        if kind == "refused":
            self._refuse(sentence)
        else:
            self._confirmed = kind == "told"
            self._tell(sentence)

    def _follow(self) -> None:
        """Print the question again if another face has changed the set-up."""
        if not self._answering and not self.set_up.is_done:
            with language.speaking_to_table():
                if print_page(self._talk.asked) != self._last:
                    self.tell_question()
