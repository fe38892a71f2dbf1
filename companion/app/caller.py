"""The full-screen application: it owns the game, the reader and the screens, and lets them meet."""

from __future__ import annotations

import gc
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.events import Event, Key
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from companion import language
from companion.app import keymap, layouts, symbols
from companion.app.reading import ReaderEvent, ReaderOpened, keep_taps, open_reader
from companion.app.safe import SafeApp
from companion.app.terminal import plain_scrollbars, show_cursor, terminal_is_gone
from companion.app.themes import THEMES, terminal_theme
from companion.app.typeahead import TypeAhead
from companion.language import _
from engine.sentences import Sentence

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen
    from companion.config import Config
    from companion.game.sayings import Kind
    from companion.options import PlayOptions
    from companion.readers.table_reader import TableReader
    from companion.session import Session
    from companion.store import Store
    from companion.voice.host import Voice


class VoiceSaid(Message):
    """A sentence about the voice itself, from its own thread."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class CallerApp(SafeApp):
    """The caller. `session` is the game to begin with; without one the set-up screen asks."""

    TITLE = "Citadels"
    CSS_PATH = Path(__file__).with_name("caller.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        store: Store,
        config: Config,
        options: PlayOptions,
        session: Session | None,
        problem: str = "",
    ) -> None:
        """`problem` is what the set-up screen says first."""
        super().__init__()
        self.store = store
        self.config = config
        self.options = options
        self.session = session
        self._table: TableScreen | None = None
        self.reader: TableReader | None = None
        self.reader_state: tuple[str, bool] = ("", False)
        self.unknown: bytes | None = None
        self.typed = TypeAhead(self, self._hand_on)
        self.problem = problem
        for theme in THEMES:
            self.register_theme(theme)
        self._begin_in(config.theme)
        symbols.use(config.symbols)
        if symbols.is_plain():
            self.add_class("-plain-signs")
            plain_scrollbars()
        keymap.use(config.keys)
        self.set_keymap(keymap.keymap(config.keys))
        if not config.animation:
            self.animation_level = "none"

    def on_mount(self) -> None:
        """Begin to read chips and to speak, if there is a game."""
        if self.session is not None:
            self._attend(self.session)
        self.call_after_refresh(_collect_from_now_on)
        if self.config.cursor:
            show_cursor(self)
        self.set_interval(1.0, self._leave_a_closed_terminal)

    def _leave_a_closed_terminal(self) -> None:
        """Leave when the terminal is gone: not every one sends a signal when it is closed."""
        if not self.is_headless and terminal_is_gone():
            self.leave_at_once(0)  # a proper exit would wait for ever to write to what is gone

    def on_unmount(self) -> None:
        self.let_go()

    def let_go(self) -> None:
        """Let the reader and the game go; everything is already saved."""
        self.voice.close()
        self._close_reader()
        if self.session is not None:
            self.session.close()

    async def on_event(self, event: Event) -> None:
        """Any key silences the voice, and then waits for its turn."""
        if isinstance(event, Key) and not event.is_forwarded:
            self.voice.hush()
            await self.typed.take(event)
        else:
            await super().on_event(event)

    async def _hand_on(self, key: Key) -> None:
        """Keys of other layouts and capitals are translated here, before anybody looks at them."""
        if not isinstance(self.focused, Input):
            is_text = getattr(self.screen, "is_text", lambda letter: False)
            key = layouts.meant(key, is_text, keymap.bound())
        await super().on_event(key)

    @cached_property
    def voice(self) -> Voice:
        """What speaks to the table: made when it is first asked for, after the first screen."""
        from companion.voice.host import Voice

        return Voice(self.config.voice, self._voice_says)

    def _voice_says(self, text: str) -> None:
        """Take in, from any thread, what is wrong with the voice."""
        self.post_message(VoiceSaid(text))

    def on_voice_said(self, message: VoiceSaid) -> None:
        """Something is wrong with the voice."""
        self.tell("note", message.text)

    # -- language and colours ---------------------------------------------------------------

    def choose_language(self) -> None:
        """Ask for another language."""
        from companion.app.screens.preference import PreferenceScreen

        now = language.current()
        title = _("Language")
        screen = PreferenceScreen("language", title, language.NAMES, now, self.use_language)
        self.push_screen(screen)

    def tell(self, kind: Kind, text: str) -> None:
        """Say something beside the table, if there is one."""
        if self.table is not None:
            self.table.tell(kind, text)

    def use_language(self, code: str) -> None:
        """Speak that language from now on, on every screen that is open."""
        if self.session is not None:
            self.session.speak(code)
        else:
            language.use(code)
        for screen in self.screen_stack:
            relabel = getattr(screen, "relabel", None)
            if relabel is not None:
                self.call_later(relabel)

    def choose_theme(self) -> None:
        """Ask for other colours."""
        from companion.app.screens.preference import PreferenceScreen
        from companion.app.themes import titles

        screen = PreferenceScreen("theme", _("Colours"), titles(), self.theme, self.use_theme)
        self.push_screen(screen)

    def use_theme(self, name: str) -> None:
        """Paint in those colours from now on: one of `config.THEMES`."""
        if name == "terminal":
            self.register_theme(terminal_theme())
        self.theme = name

    def _begin_in(self, name: str) -> None:
        """Paint in those colours from the first frame on. Merely setting `theme` would have every
        style read twice: when the first frame is made in Textual's colours, and again in ours."""
        if name == "terminal":  # a theme of another kind: what it changes, only Textual knows
            self.use_theme(name)
            return
        self.set_reactive(CallerApp.theme, name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.set_class(self.current_theme.dark, "-dark-mode", update=False)
        self.set_class(not self.current_theme.dark, "-light-mode", update=False)

    # -- the game ---------------------------------------------------------------------------

    @property
    def table(self) -> TableScreen | None:
        """The main screen, wherever it lies in the stack."""
        return self._table if self._table in self.screen_stack else None

    def get_default_screen(self) -> Screen[None]:
        """The screen at the bottom: the game to begin with, or the set-up."""
        if self.session is not None:
            return self._table_screen(self.session)
        return self._set_up_screen()

    def begin(self, session: Session) -> None:
        """Play that game; the game before it is let go."""
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
        self._attend(session)

    def _table_screen(self, session: Session) -> TableScreen:
        from companion.app.screens.table import TableScreen  # the set-up has no need of it

        self._table = TableScreen(session, self.config, self.size)
        return self._table

    def _attend(self, session: Session) -> None:
        """Open the reader for that game, in the background, and let the voice listen to it."""
        self._close_reader()
        self.reader_state = Sentence("Opening the reader…"), False
        self.call_after_refresh(open_reader, self, self.config, session.setup.ruleset())
        self.call_after_refresh(lambda: self.voice.attend(session))

    def set_up(self) -> None:
        """Ask who plays what."""
        self.push_screen(self._set_up_screen())

    def _set_up_screen(self) -> Screen[None]:
        from companion.app.screens.setup import SetupScreen

        return SetupScreen(self.store, self.config, self.options, self.session)

    def ask_to_leave(self) -> None:
        """Say that the game is saved, and leave if that is meant."""
        from companion.app.screens.leave import LeaveScreen

        self.push_screen(LeaveScreen(self.session), lambda go: self.exit(0) if go else None)

    async def action_quit(self) -> None:
        """Ctrl+Q, the terminal's own way to leave."""
        self.ask_to_leave()

    # -- dialogs ----------------------------------------------------------------------------

    def show_sheet(self, title: str, text: Content, *, at_end: bool = False) -> None:
        """Lay a sheet of text over the table."""
        from companion.app.screens.sheet import Sheet

        self.push_screen(Sheet(title, text, at_end=at_end))

    def show_cards(self, cards: tuple[str, ...]) -> None:
        """Open the card browser at these cards (all of them if none)."""
        from companion.app.screens.cards import CardsScreen

        if self.table is not None:
            self.push_screen(CardsScreen(self.table.talk.view, cards))

    def open_line(self) -> None:
        """Open the line in which a move can be typed."""
        from companion.app.screens.line import LineScreen

        if self.table is not None:
            self.push_screen(LineScreen(self.table))

    def learn_chip(self) -> None:
        """Choose what the unknown chip stands for."""
        if self.table is None:
            return
        if self.unknown is None or self.reader is None:
            self.table.tell("note", _("Tap the chip to be learned first."))
            return
        from companion.app.screens.learn import LearnScreen

        self.push_screen(LearnScreen(self.table, self.reader, self.unknown))

    def toggle_tray(self) -> None:
        """Show the simulated deck, or put it away."""
        from companion.app.widgets.tray import Tray

        table = self.table
        if table is None:
            return
        if self.reader is None or not self.reader.simulated:
            table.tell("note", _("The tray belongs to the simulated reader."))
            return
        found = table.query(Tray)
        if found and found.first().display:
            self.close_tray()
            return
        if not found:
            table.query_one("#body").mount(Tray(self.reader, table.talk.view.rules))
        table.add_class("-tray")
        table.show_keys()
        self.reader.start()
        table.call_after_refresh(table.query_one(Tray).open)

    def close_tray(self) -> None:
        """Put the tray away."""
        table = self.table
        if table is not None and table.has_class("-tray"):
            table.remove_class("-tray")
            table.show_keys()
            table.query_one("#choices").focus()

    # -- the reader -------------------------------------------------------------------------

    def on_reader_opened(self, message: ReaderOpened) -> None:
        """The reader is there, or will not be."""
        if self.reader is not None and message.reader is not None:
            message.reader.stop()  # opened for a game that was left meanwhile
            return
        self.reader = message.reader
        if message.problem:
            state = Sentence("No reader: {reason}", reason=message.problem)
        elif self.reader is None:
            state = Sentence("No reader: keys do everything.")
        elif self.reader.simulated:
            state = Sentence("Simulated reader ({key}: tray).", key=keymap.key("tray"))
        else:
            state = Sentence("Looking for reader {name}…", name=self.reader.name)
        working = self.reader is not None and self.reader.simulated
        self._reader_is(state, working)
        keep_taps(self)

    def on_reader_event(self, message: ReaderEvent) -> None:
        """A tap goes to the screen on top; the reader's coming and going is shown."""
        from tags.watch import ReaderCame, ReaderLost, Said, Tap

        match message.event:
            case Tap(uid=uid) as tap:
                self.chip(uid, self.reader.seat(tap) if self.reader is not None else None)
            case Said(text=text) if self.table is not None:
                self.table.tell("note", text)
            case ReaderCame(name=name):
                ready = Sentence("Reader {name} is ready.", name=name)
                if self.reader is not None and self.reader.simulated:
                    ready = Sentence("The simulated reader is ready.")
                self._reader_is(ready, True)
            case ReaderLost(name=name, reason=reason):
                gone = Sentence("Reader {name} is gone: {reason}", name=name, reason=reason)
                self._reader_is(gone, False)
            case _:
                pass

    def chip(self, uid: bytes, seat: int | None = None) -> None:
        """A chip was laid on the own reader of that seat, or on one of all."""
        table = self.table
        entry = self.reader.lookup(uid) if self.reader is not None else None
        if table is None:
            return
        taker = getattr(self.screen, "chip", None)
        if taker is not None:
            taker(uid, entry)  # the screen on top wants chips for itself
            return
        while self.screen is not table and len(self.screen_stack) > 1:
            self.pop_screen()
        if entry is None:
            from tags.uids import format_uid

            self.unknown = uid
            text = _("Unknown chip {uid}. {key} says what it is.").format(
                uid=format_uid(uid), key=keymap.key("learn")
            )
            table.tell("note", text)
            return
        table.tapped(entry, uid, seat)

    def _reader_is(self, state: str, working: bool) -> None:
        """Show that, in whatever language is in force when it is shown."""
        self.reader_state = (state, working)
        if self.table is not None:
            self.table.show_reader()

    def _close_reader(self) -> None:
        if self.reader is not None:
            self.reader.stop()
            self.reader = None


def _collect_from_now_on() -> None:
    """The program itself is no garbage: leave it out, and collect what comes."""
    gc.freeze()
    gc.enable()
