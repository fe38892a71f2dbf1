"""The full-screen application: it owns the game and the screens, and passes them reader events.

It opens with a game or with the setup screen, as the command line's options say.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from common.clean import printable
from common.problems import Problems
from common.sentences import Sentence
from companion import language
from companion.app import keymap
from companion.app.application import Application
from companion.app.display import titles
from companion.app.face import open_reader
from companion.app.screens.line import LearnScreen, LeaveScreen, LineScreen
from companion.app.screens.picker import Preference, PreferenceScreen
from companion.app.screens.setup_screen import SetupScreen
from companion.app.screens.table_screen import TableScreen
from companion.beside import Beside, Host
from companion.game import Message, ending
from companion.game.session import Session
from companion.language import _, begin_sentence, catalogues, translate
from companion.log.store import Store, StoreError
from companion.readers import reject_tap, simulating
from companion.setup.draft import Draft
from companion.setup.shared import SetUp, find_unfinished, open_given
from tags.links import format_uid
from tags.readers.auto_reader import NOTHING
from tags.watch import ReaderConnected, ReaderDisconnected, ReaderNotice, Tap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.screen import Screen

    from companion.chips.entries import Entry
    from companion.game import Identity, Kind
    from companion.game.conversation import Conversation
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from companion.setup import PlayOptions
    from tags.watch import Event


def play(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Run the caller, with phones connecting to `where`; return 0 after quitting, 2 if it could not
    start (standard error says why)."""
    language.use(config.language)
    code = 2
    with Store(config.games) as store:
        try:
            session = open_given(store, options, config)
        except Problems as error:
            problems = [problem.text for problem in error.problems]
        except StoreError as error:
            problems = [str(error)]
        else:
            code = CallerApp(store, config, options, session, where).play()
            problems = store.take_notices()
    for problem in problems:
        print(printable(translate(problem)), file=sys.stderr)
    return code


class CallerApp(Application, Host):
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
        self.unknown: bytes | None = None
        self._table: TableScreen | None = None
        self.beside = Beside(self, config, where, self._open_door)

    def on_mount(self) -> None:
        if self.session is not None:
            self._follow(self.session)

    def tell(self, kind: Kind, text: str) -> None:
        if self.table is not None:
            self.table.tell(kind, text)

    # -- the game ---------------------------------------------------------------------------

    @property
    def table(self) -> TableScreen | None:
        """The table screen, wherever it is in the stack."""
        return self._table if self._table in self.screen_stack else None

    def get_default_screen(self) -> Screen[None]:
        """The screen at the bottom: the game to start with, or its set-up."""
        return self._table_screen(self.session) if self.session else self._set_up_screen()

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
        self._table = TableScreen(session, self.config, self.size)
        return self._table

    def _follow(self, session: Session) -> None:
        """Open the reader for that game, and let everybody beside the table hear of it: both once
        it is painted."""
        self.close_reader()
        self.call_after_refresh(self._tell_notices)
        self.reader_state = Sentence("Opening the reader…"), False
        self.call_after_refresh(
            open_reader,
            self,
            self.config,
            session.setup.ruleset(),
            self.take_reader,
            self.hear_reader,
        )
        self.call_after_refresh(self.beside.attend, session)
        self.call_after_refresh(self._show_door)  # whose seats are this game's now

    def _tell_notices(self) -> None:
        """Show what is to be told about settings of former versions and about the log, once."""
        for text in [*(notice.text for notice in self.config.notices), *self.store.take_notices()]:
            self.tell("note", translate(text))
        self.config.notices = ()

    def _set_up_screen(self) -> Screen[None]:
        playing = self.session
        draft = Draft.of(self.options, self.config, playing.setup if playing else None)
        draft.before = playing.setup.players if playing and self.has_phones else ()
        game = None if playing or self.options.new else find_unfinished(self.store)
        set_up = SetUp(
            draft,
            self._begin_drafted,
            self.store,
            unfinished=game,
            resume=lambda id_: self.begin(Session.resume(self.store, id_)),
            leave=self._leave_set_up,
        )
        set_up.stays = playing is None
        self.call_after_refresh(self._open_lobby, set_up)
        return SetupScreen(set_up, self.config)

    def _open_lobby(self, set_up: SetUp) -> None:
        if not set_up.is_done:
            set_up.listeners.append(self._show_door)
            self.beside.open_lobby(set_up)

    def _begin_drafted(self, draft: Draft) -> None:
        """Play the game that was drafted. Raises StoreError."""
        self.begin(draft.begin(self.store, self.session))

    def _leave_set_up(self) -> None:
        if self.table is not None:
            while self.screen is not self.table:
                self.pop_screen()
        self.beside.close_lobby()

    def _open_door(self, phones: Phones) -> None:
        from companion.app.phones_beside import PhonesBeside  # heavy: the web server

        self.phones = PhonesBeside(phones, self.tell, self.push_screen)
        self._show_door()

    def _show_door(self) -> None:
        for screen in self.screen_stack:
            show = getattr(screen, "show_door", None)
            if show is not None and screen.is_mounted:
                show()

    # -- what runs beside it (companion.beside.Host) --------------------------------------------

    def post(self, work: Callable[[], None]) -> None:
        self.call_later(self.do_posted, work)

    def do_posted(self, work: Callable[[], None]) -> None:
        """Run work, and repaint what it has changed on the table."""
        table = self.table
        if table is None:
            work()
            return
        before, version = table.talk.session.view, table.talk.session.version
        talk, asked, is_typed = table.talk, table.talk.identity, bool(table.talk.asked.typed)
        messages, table.messages = table.messages, []
        work()
        if table.talk.session.version == version and table.talk.session.view is before:
            table.messages = table.messages or messages
            table.show_notice()
            return
        if talk is not table.talk or asked != talk.identity:
            self.gone = asked
            is_typed |= self.typed.drop()
            if is_typed:
                table.messages.append(Message("refused", (table.talk.tell_dropped(asked),)))
        table.catch_up()
        for screen in self.screen_stack:
            catch_up = getattr(screen, "catch_up", None)
            if catch_up is not None and screen is not table:
                catch_up()

    def note(self, text: str) -> None:
        """Show it beside the table, unless it stands there already."""
        if self.phones is None or text not in self.phones.list_news():
            self.tell("note", translate(text))

    def find_talk(self) -> Conversation | None:
        return self.table.talk if self.table is not None else None

    def lookup(self, uid: bytes) -> Entry | None:
        return self.reader.lookup(uid) if self.reader is not None else None

    def tell_remedy(self) -> str:
        return keymap.key("put_out")

    # -- actions of keys and commands -----------------------------------------------------------

    def action_new_game(self) -> None:
        self.push_screen(self._set_up_screen())

    def action_rematch(self) -> None:
        if self.session is None:
            return
        try:
            session = ending.begin_next(self.session)
        except StoreError as error:
            self.tell("refused", translate(str(error)))
        else:
            self.begin(session)

    def action_leave(self) -> None:
        """Say that the game is saved, and quit if confirmed."""
        self.push_screen(LeaveScreen(self.session), lambda go: self.exit(0) if go else None)

    async def action_quit(self) -> None:
        """Ctrl+Q, the terminal's usual way to quit."""
        self.action_leave()

    def action_help_quit(self) -> None:
        """Ctrl+C, which Textual would answer in English, and only with the key for quitting."""
        self.action_leave()

    def action_language(self) -> None:
        names = {code: catalogues.own_name(code) for code in catalogues.list_offered()}
        self._choose_value("language", _("Language"), names, language.current(), self.use_language)

    def action_theme(self) -> None:
        self._choose_value("theme", _("Colours"), titles(), self.theme, self.use_theme)

    def _choose_value(
        self, key: str, title: str, values: Mapping[str, str], now: str, use: Callable[[str], None]
    ) -> None:
        preference = Preference(key, title, values, now, use)
        refuse = partial(self.tell, "refused")
        self.open_only(PreferenceScreen, lambda screen: screen.ask(preference, refuse))

    def action_line(self) -> None:
        self._open_line(_("Type a move. Esc closes."))

    def action_tray(self) -> None:
        """Open the line for the name of a card to tap on the simulated reader."""
        if self.reader is None or not self.reader.simulated:
            self.tell("note", begin_sentence(simulating.tell_missing()))
        else:
            self._open_line(_("Tap a card: type its name. Esc closes."), before="tap ")

    def _open_line(self, title: str, before: str = "") -> None:
        """Open a line; `before` is typed before whatever people type."""
        table = self.table
        if table is None:
            return

        talk, begun = table.talk, table.shown

        def may_show(text: str) -> bool:
            return talk.identity == begun and talk.may_show(before + text)

        def answer(line: str | None) -> None:
            if line:
                table.call_later(table.line, before + line, begun)

        self.push_screen(LineScreen(title, may_show), answer)

    def action_learn(self) -> None:
        table = self.table
        if table is None:
            return
        if self.unknown is None or self.reader is None:
            table.tell("note", _("First tap the chip to learn."))
            return

        def tell(text: str | None) -> None:
            if text:
                self.unknown = None
                table.tell("told", text)

        self.push_screen(LearnScreen(table.talk.view.rules, self.reader, self.unknown), tell)

    # -- the reader -------------------------------------------------------------------------

    def take_reader(self, reader: TableReader | None, problem: str) -> None:
        """Take over the opened reader, or show why there is none."""
        if self.reader is not None and reader is not None:
            reader.stop()  # opened for a game that was closed meanwhile
            return
        self.reader = reader
        if problem:
            state = Sentence("No reader: {reason}", reason=problem)
        elif self.reader is None or self.reader.stands_in:
            state = Sentence("")  # without a reader there is nothing to say about taps
        elif self.reader.simulated:
            state = Sentence("Simulated reader ({key}: tray).", key=keymap.key("tray"))
        else:
            state = Sentence("Looking for reader {name}…", name=self.reader.name)
        self._show_reader_state(state, self.has_simulated_reader)
        if self.reader is not None:
            notices = [translate(one) for one in self.reader.notices if one != NOTHING]
            self.tell("note", " ".join(notices))

    def hear_reader(self, event: Event, gone: Identity | None) -> None:
        """Pass a tap to the screen on top; show when the reader connects or disconnects. `gone` is
        the question that a phone had changed last when it happened."""
        match event:
            case Tap() as tap if (reason := reject_tap(tap)) is not None:
                self.tell("note", reason)
            case Tap() if self.gone is not None and self.gone is not gone:
                if self.table is not None:
                    self.tell("refused", self.table.talk.tell_dropped(self.gone))
            case Tap(uid=uid) as tap:
                self.take_chip(uid, self.reader.seat(tap) if self.reader is not None else None)
            case ReaderNotice(text=text):
                self.tell("note", text)
            case ReaderConnected(name=name) if self.reader is not None:
                self.lost_readers.pop(name, None)
                lost = next(iter(self.lost_readers.values()), None)
                self._show_reader_state(lost or self.reader.tell_ready(name), lost is None)
            case ReaderDisconnected(name=name, reason=reason):
                sentence = Sentence("Lost reader {name}: {reason}", name=name, reason=reason)
                self.lost_readers[name] = sentence
                self._show_reader_state(sentence, False)
            case _:
                pass

    def take_chip(self, uid: bytes, seat: int | None = None) -> None:
        """Handle a chip on that seat's own reader, or on a shared one."""
        table = self.table
        reader = self.reader
        if table is None or reader is None:
            return
        entry = reader.lookup(uid)
        taker = getattr(self.screen, "take_chip", None)
        if taker is not None and taker(uid, entry):
            return  # the screen on top takes chips itself
        while self.screen is not table and len(self.screen_stack) > 1:
            self.pop_screen()
        if entry is None:
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
