"""The application as screens use it: settings, reader, voice, language, theme."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import BindingType
from textual.content import Content
from textual.events import Event, Key
from textual.screen import Screen
from textual.widgets import Input

from companion import language
from companion.app import display, keymap
from companion.app.display import SHEET_WIDTH, THEMES, terminal_theme
from companion.app.keymap import TypeAhead
from companion.app.screens.sheet import Sheet
from companion.app.terminal import SafeApp, draw_plain_scrollbars, terminal_is_gone
from companion.language import _, begin_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.phones_beside import PhonesBeside
    from companion.beside import Beside
    from companion.game import Identity, Kind
    from companion.game.session import Session
    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from companion.voice.table_voice import Voice


Only = TypeVar("Only", bound=Screen[None])


class Application(SafeApp):
    """What the screens share. `session` is the current game, if any, and `beside` whoever hears of
    it."""

    beside: Beside

    TITLE = "Citadels"
    CSS_PATH = Path(__file__).with_name("screens.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, config: Config, session: Session | None) -> None:
        # Textual paints shades of grey for NO_COLOR, unless the colours are the terminal's own.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") is not None else None)
        self.config = config
        self.session = session
        self.reader: TableReader | None = None
        self.phones: PhonesBeside | None = None  # once they can join
        self.reader_state: tuple[str, bool] = ("", False)
        self.lost_readers: dict[str, str] = {}
        """What to say of each reader that was lost and is not back yet."""

        self.gone: Identity | None = None
        """The question that a phone changed last; a tap from before belongs to it."""

        self.typed = TypeAhead(self, self._hand_on)
        for theme in THEMES:
            self.register_theme(theme)
        self.use_theme("terminal" if self.no_color else config.theme)
        display.use_symbols(config.symbols)
        if display.is_plain():
            self.add_class("-plain-signs")
            draw_plain_scrollbars()
        keymap.use(config.keys)
        self.set_keymap(keymap.keymap(config.keys))
        self.animation_level = "none"

    def on_mount(self) -> None:
        """Watch for the terminal's end; hold keys until the first screen is there to take them."""
        self.typed.hold()
        self.screen.call_after_refresh(self.typed.release)
        if self.config.cursor:
            self.show_cursor()
        self.set_interval(1.0, self._leave_a_closed_terminal)

    def _leave_a_closed_terminal(self) -> None:
        """Quit when the terminal is closed: not every one sends a signal then."""
        if not self.is_headless and terminal_is_gone():
            self.end_by_signal(signal.SIGHUP)  # a regular exit would hang writing to it

    def on_unmount(self) -> None:
        self.let_go()

    def let_go(self) -> None:
        """Release reader and game, and whoever hears of it; everything is already saved."""
        self.beside.close()
        self.close_reader()
        if self.session is not None:
            self.session.close()

    async def on_event(self, event: Event) -> None:
        """Let any key silence the voice, then queue it."""
        if isinstance(event, Key) and not event.is_forwarded:
            self.voice.hush()
            await self.typed.take(event)
        else:
            await super().on_event(event)

    async def _hand_on(self, key: Key) -> None:
        """Translate keys of other layouts and capitals before anything handles them."""
        if not isinstance(self.focused, Input):
            is_text = getattr(self.screen, "is_text", lambda letter: False)
            key = keymap.translate_key(key, is_text)
        await super().on_event(key)

    @property
    def voice(self) -> Voice:
        return self.beside.voice

    def close_reader(self) -> None:
        if self.reader is not None:
            self.reader.stop()
            self.reader = None

    # -- language, theme, text -------------------------------------------------------------------

    def use_language(self, code: str) -> None:
        """Switch to that language on every open screen."""
        if self.session is not None:
            self.session.speak(code)
        else:
            language.use(code)
        for screen in self.screen_stack:
            relabel = getattr(screen, "relabel", None)
            if relabel is not None:
                self.call_later(relabel)

    @property
    def has_phones(self) -> bool:
        return self.beside.where is not None

    @property
    def has_reader(self) -> bool:
        """Whether there is a reader, a real one or one that was asked for."""
        return self.reader is not None and not self.reader.stands_in

    @property
    def has_simulated_reader(self) -> bool:
        return self.has_reader and self.reader is not None and self.reader.simulated

    def action_phones(self) -> None:
        """Show where phones connect, and whose are connected."""
        self.answer_phones("")

    def action_put_out(self) -> None:
        """Remove the phone that joined last."""
        self.answer_phones("out")

    def answer_phones(self, rest: str) -> None:
        if self.phones is None:
            self.tell("note", begin_sentence(_("this game has no phones; start it with --phones.")))
        else:
            self.phones.answer(rest)

    def tell(self, kind: Kind, text: str) -> None:
        """Show a message beside the table, if there is one."""

    def use_theme(self, name: str) -> None:
        """Switch to that theme: one of `all_settings.THEMES`."""
        if name == "terminal":
            self.register_theme(terminal_theme())
        self.theme = name

    def show_sheet(
        self, title: str, text: Content, *, at_end: bool = False, width: int = SHEET_WIDTH
    ) -> None:
        """Open a sheet of text over the table, in lines of at most `width` cells."""
        self.open_only(Sheet, lambda sheet: sheet.show(title, text, at_end=at_end, width=width))

    def open_only(self, kind: type[Only], prepare: Callable[[Only], object]) -> None:
        """Open the app's only screen of that kind as `prepare` leaves it: mounting another each
        time would take twice as long as painting it."""
        if not self.is_screen_installed(kind.__name__):
            self.install_screen(kind(), kind.__name__)
        screen = self.get_screen(kind.__name__, kind)
        prepare(screen)
        if screen not in self.screen_stack:
            self.push_screen(screen)
