"""The full-screen application: it owns the game and the screens, and passes them reader events.

It opens with a game or with the setup screen, as the command line's options say.
"""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from common.problems import Problems
from common.sentences import Sentence
from companion import language, setup
from companion.app import keymap
from companion.app.face import ChipLaid, ReaderEvent, ReaderOpened, open_reader
from companion.app.host import Host, Noted, PhoneHost, PhoneLobby
from companion.app.screens import OpeningScreen
from companion.files.clean import printable
from companion.language import _, translate
from companion.log.store import Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.screen import Screen

    from companion.app.screens.table import TableScreen
    from companion.game import Kind
    from companion.game.session import Session
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions
    from companion.setup.draft import Draft
    from companion.setup.shared import SetUp


def play(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Run the caller, with phones connecting to `where`; return 0 after quitting, 2 if it could not
    start (standard error says why)."""
    gc.disable()  # until the first screen is painted: nothing created before is garbage
    language.use(config.language)
    with Store(config.games) as store:
        app = CallerApp(store, config, options, where=where)
        code = app.play()
    for problem in app.problems:
        print(printable(problem), file=sys.stderr)
    return code


def open_session(store: Store, options: PlayOptions, config: Config) -> Session:
    """The game that the options ask for.

    Raises Problems for options that make no game, and StoreError as `Session` does.
    """
    from companion.game.session import Session  # lazy: it imports the rules

    if options.resume:
        return Session.resume(store, options.game)
    return Session.begin(store, setup.from_options(options, config), teach=options.teach)


class CallerApp(Host):
    """The caller. `session` is the game to start with; else the options say which, or people do."""

    def __init__(
        self,
        store: Store,
        config: Config,
        options: PlayOptions,
        session: Session | None = None,
        where: Where | None = None,
    ) -> None:
        """`where` is where phones connect; None without phones."""
        super().__init__(config, session)
        self.store = store
        self.options = options
        self.problems: list[str] = []
        """Why the game could not be opened, in sentences."""
        self.where = where
        self.unknown: bytes | None = None
        self._table: TableScreen | None = None

    def on_mount(self) -> None:
        """Start the reader and the voice, if there is a game."""
        if self.session is not None:
            self._follow(self.session)

    def _open_game(self) -> None:
        """Open the game that the options ask for; end if that cannot be done."""
        try:
            session = open_session(self.store, self.options, self.config)
        except Problems as error:
            self._give_up(*(problem.text for problem in error.problems))
        except StoreError as error:
            self._give_up(str(error))
        else:
            self.begin(session)

    def _give_up(self, *problems: str) -> None:
        self.problems = [translate(problem) for problem in problems]
        self.exit(2)

    def on_noted(self, message: Noted) -> None:
        """Show a line from another thread."""
        self.tell("note", translate(message.text))

    def tell(self, kind: Kind, text: str) -> None:
        """Show a message beside the table, if there is one."""
        if self.table is not None:
            self.table.tell(kind, text)

    # -- the game ---------------------------------------------------------------------------

    @property
    def table(self) -> TableScreen | None:
        """The main screen, wherever it is in the stack."""
        return self._table if self._table in self.screen_stack else None

    def get_default_screen(self) -> Screen[None]:
        """The screen at the bottom: the game to start with, or what is shown until one is open."""
        if self.session is not None:
            return self._table_screen(self.session)
        if self.options.resume or self.options.players:
            title = _("CITADELS  opening the game…")
            return OpeningScreen(title, self.options.players or (), self._open_game)
        title, heading = _("CITADELS  a new game"), _("Players in seat order, clockwise")
        return OpeningScreen(title, [heading], self.action_new_game)

    def begin(self, session: Session) -> None:
        """Switch to that game; the one before is released."""
        if self.session is not None and self.session is not session:
            self.session.close()
        self.session = session
        table = self.table
        if table is None:
            self.push_screen(self._table_screen(session))
        else:
            while self.screen is not table:
                self.pop_screen()
            table.begin(session)
        self._follow(session)

    def _table_screen(self, session: Session) -> TableScreen:
        from companion.app.screens.table import TableScreen  # lazy: the setup does not need it

        self._table = TableScreen(session, self.config, self.size)
        return self._table

    def _follow(self, session: Session) -> None:
        """Open the reader for that game in the background, and let the voice listen to it."""
        self.close_reader()
        self.reader_state = Sentence("Opening the reader…"), False
        self.call_after_refresh(open_reader, self, self.config, session.setup.ruleset())
        self.call_after_refresh(lambda: self.voice.follow(session))
        if self.config.club is not None:
            self.call_after_refresh(self._follow_in_club, session)
        if self.where is not None:
            self.call_after_refresh(self._follow_with_phones, self.where)

    def _follow_in_club(self, session: Session) -> None:
        from companion.club.publisher import Publisher  # lazy: few tables are in a club

        if self.club is None:
            self.club = Publisher(self.config, self.note_aside)
        self.club.follow(session)

    def _follow_with_phones(self, where: Where) -> None:
        self._need_phones(where).follow()

    def _need_phones(self, where: Where) -> PhoneHost:
        from companion.app.phones import PhonesBeside

        if self.phones is None:
            self.phones = PhonesBeside(self, where, lambda: self.table)
        return self.phones

    @property
    def has_phones(self) -> bool:
        """Whether phones can join."""
        return self.where is not None

    def _set_up_screen(self) -> Screen[None]:
        from companion.app.screens.setup import SetupScreen
        from companion.history import people
        from companion.setup.draft import Draft
        from companion.setup.shared import SetUp, describe_unfinished, find_unfinished

        playing = self.session
        draft = Draft.of(self.options, self.config, playing.setup if playing else None)
        draft.before = playing.setup.players if playing and self.has_phones else ()
        game = None if playing or self.options.new else find_unfinished(self.store)
        set_up = SetUp(
            draft,
            self._begin_drafted,
            known_names=people.list_offered(self.store),
            former_names=people.list_former(self.store),
            unfinished=game,
            describe=lambda: describe_unfinished(self.store, game) if game else [],
            resume=lambda: self._resume(game.name) if game else None,
            leave=self._leave_set_up,
        )
        set_up.stays = playing is None
        self.call_after_refresh(self._open_lobby, set_up)
        return SetupScreen(set_up, self.config, find_door=self._find_door)

    def _resume(self, name: str) -> None:
        from companion.game.session import Session

        self.begin(Session.resume(self.store, name))

    def _find_door(self) -> PhoneLobby | None:
        return self.phones.door if self.phones is not None else None

    def _open_lobby(self, set_up: SetUp) -> None:
        if self.where is not None and not set_up.is_done:
            self._need_phones(self.where).open_lobby(set_up)

    def _begin_drafted(self, draft: Draft) -> None:
        """Play the game that was drafted. Raises StoreError."""
        from companion.game.session import Session

        before = self.session.settings if self.session and draft.is_same_group else None
        self.begin(Session.begin(self.store, draft.setup(), teach=draft.teach, before=before))

    def _leave_set_up(self) -> None:
        """Go back to the game."""
        if self.table is not None:
            while self.screen is not self.table:
                self.pop_screen()
        if self.phones is not None:
            self.phones.close_lobby()

    # -- actions of keys and commands -----------------------------------------------------------

    def action_new_game(self) -> None:
        """Open the setup screen."""
        self.push_screen(self._set_up_screen())

    def action_rematch(self) -> None:
        """Start another game with the same players."""
        from companion.game import ending
        from companion.game.session import Session
        from companion.log.store import StoreError

        if self.session is None:
            return
        try:
            again, before = ending.next_game(self.session.setup), self.session.settings
            session = Session.begin(self.store, again, before=before)
        except StoreError as error:
            self.tell("refused", translate(str(error)))
        else:
            self.begin(session)

    def action_leave(self) -> None:
        """Say that the game is saved, and quit if confirmed."""
        from companion.app.screens.line import LeaveScreen

        self.push_screen(LeaveScreen(self.session), lambda go: self.exit(0) if go else None)

    async def action_quit(self) -> None:
        """Ctrl+Q, the terminal's usual way to quit."""
        self.action_leave()

    def action_help_quit(self) -> None:
        """Ctrl+C, which Textual would answer in English, and only with the key for quitting."""
        self.action_leave()

    def action_language(self) -> None:
        """Choose another language."""
        from companion.language import catalogues

        names = {code: catalogues.own_name(code) for code in catalogues.list_offered()}
        self._choose_value("language", _("Language"), names, language.current(), self.use_language)

    def action_theme(self) -> None:
        """Choose another theme."""
        from companion.app.display import titles

        self._choose_value("theme", _("Colours"), titles(), self.theme, self.use_theme)

    def _choose_value(
        self, key: str, title: str, values: Mapping[str, str], now: str, use: Callable[[str], None]
    ) -> None:
        """Choose another value of that setting."""
        from companion.app.screens.picker import Preference, PreferenceScreen

        preference = Preference(key, title, values, now, use)
        screen = PreferenceScreen.find(self, preference, lambda text: self.tell("refused", text))
        if screen not in self.screen_stack:
            self.push_screen(screen)

    def action_line(self) -> None:
        """Open the line for typing a move."""
        from companion.app.screens.line import LineScreen

        table = self.table
        if table is None:
            return

        def answer(line: str | None) -> None:
            if line:
                table.call_later(table.line, line)

        self.push_screen(LineScreen(table.talk.may_show), answer)

    def action_learn(self) -> None:
        """Choose what the unknown chip stands for."""
        table = self.table
        if table is None:
            return
        if self.unknown is None or self.reader is None:
            table.tell("note", _("First tap the chip to learn."))
            return
        from companion.app.screens.line import LearnScreen

        def tell(text: str | None) -> None:
            if text:
                self.unknown = None
                table.tell("told", text)

        self.push_screen(LearnScreen(table.talk.view.rules, self.reader, self.unknown), tell)

    # -- the reader -------------------------------------------------------------------------

    def on_reader_opened(self, message: ReaderOpened) -> None:
        """Take over the opened reader, or show why there is none."""
        if self.reader is not None and message.reader is not None:
            message.reader.stop()  # opened for a game that was closed meanwhile
            return
        self.reader = message.reader
        if message.problem:
            state = Sentence("No reader: {reason}", reason=message.problem)
        elif self.reader is None:
            state = Sentence("No reader: play with the keys.")
        elif self.reader.simulated:
            state = Sentence("Simulated reader ({key}: tray).", key=keymap.key("tray"))
        else:
            state = Sentence("Looking for reader {name}…", name=self.reader.name)
        working = self.reader is not None and self.reader.simulated
        self._show_reader_state(state, working)
        if self.table is not None:
            self.table.talk.face.keep_reader(alone=False)

    def on_reader_event(self, message: ReaderEvent) -> None:
        """Pass a tap to the screen on top; show when the reader connects or disconnects."""
        from companion.readers import reject_tap
        from tags.watch import ReaderConnected, ReaderDisconnected, ReaderNotice, Tap

        match message.event:
            case Tap() as tap if (reason := reject_tap(tap)) is not None:
                self.tell("note", reason)
            case Tap(uid=uid) as tap:
                self.take_chip(uid, self.reader.seat(tap) if self.reader is not None else None)
            case ReaderNotice(text=text):
                self.tell("note", text)
            case ReaderConnected(name=name) if self.reader is not None:
                self._show_reader_state(self.reader.tell_ready(name), True)
            case ReaderDisconnected(name=name, reason=reason):
                sentence = Sentence("Lost reader {name}: {reason}", name=name, reason=reason)
                self._show_reader_state(sentence, False)
            case _:
                pass

    def on_chip_laid(self, message: ChipLaid) -> None:
        """Handle a chip that the screen on top passed on as it closed."""
        self.take_chip(message.uid)

    def take_chip(self, uid: bytes, seat: int | None = None) -> None:
        """Handle a chip on that seat's own reader, or on a shared one."""
        table = self.table
        reader = self.reader
        if table is None or reader is None:
            return
        entry = reader.lookup(uid)
        taker = getattr(self.screen, "take_chip", None)
        if taker is not None:
            taker(uid, entry)  # the screen on top takes chips itself
            return
        while self.screen is not table and len(self.screen_stack) > 1:
            self.pop_screen()
        if entry is None:
            from tags.links import format_uid

            self.unknown = uid
            text = _("Unknown chip {uid}. Press {key} to say what it is.").format(
                uid=format_uid(uid), key=keymap.key("learn")
            )
            table.tell("note", text)
            reader.signal(uid, None if table.talk.taps_are_secret else False)
            return
        reader.signal(uid, table.tap(entry, uid, seat))

    def _show_reader_state(self, state: str, working: bool) -> None:
        """Show the reader's state, in the language current when it is shown."""
        self.reader_state = (state, working)
        if self.table is not None:
            self.table.show_reader()
