"""The application as screens use it: settings, reader, voice, language, theme."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from textual.binding import BindingType
from textual.content import Content
from textual.events import Event, Key
from textual.message import Message
from textual.widgets import Input

from companion import language
from companion.app import display, keymap
from companion.app.display import STYLES, THEMES, terminal_theme
from companion.app.keymap import TypeAhead
from companion.app.terminal import SafeApp, draw_plain_scrollbars, show_cursor, terminal_is_gone
from companion.language import _

if TYPE_CHECKING:
    from companion.club.publisher import Publisher
    from companion.game import Kind
    from companion.game.session import Session
    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from companion.setup.shared import SetUp
    from companion.voice.host import Voice


class PhoneLobby(Protocol):
    """Where phones join, for the screen that sets up a game."""

    @property
    def is_full(self) -> bool:
        """Whether every seat has a phone."""

    def tell(self) -> list[str]:
        """The address, the code, and how many phones have joined, in short."""

    def draw(self) -> Content:
        """The same with the QR code."""


class PhoneHost(Protocol):
    """The phones that play alongside the screen."""

    @property
    def door(self) -> PhoneLobby | None:
        """Where they join, once they can."""

    def open_lobby(self, set_up: SetUp) -> None:
        """Let them set up a game."""

    def close_lobby(self) -> None:
        """Let them go back to the game."""

    def follow(self) -> None:
        """Connect them to the current game."""

    def answer(self, rest: str) -> None:
        """Run a subcommand of `phones`."""

    def list_news(self) -> list[str]:
        """The sentences about the door that stay on the screen for a while."""

    def stop(self) -> None:
        """Disconnect all of them."""


class Noted(Message):
    """A line for the table, from another thread: about the voice itself, or the club."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Host(SafeApp):
    """What the screens share. `session` is the current game, if any."""

    TITLE = "Citadels"
    CSS_PATH = STYLES / "all.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    _is_themed = False

    def __init__(self, config: Config, session: Session | None) -> None:
        super().__init__()
        # Nothing uses Textual's own notifications and tooltips: every screen is lighter without.
        self._disable_notifications = self._disable_tooltips = True
        self.config = config
        self.session = session
        self.reader: TableReader | None = None
        self.phones: PhoneHost | None = None  # once phones are enabled
        self.club: Publisher | None = None  # once there is a game, if the table is in a club
        self.reader_state: tuple[str, bool] = ("", False)
        self.typed = TypeAhead(self, self._hand_on)
        for theme in THEMES:
            self.register_theme(theme)
        self._set_first_theme("terminal" if self.no_color else config.theme)
        if self.no_color:
            self._add_no_colour()
        display.use_symbols(config.symbols)
        if display.is_plain():
            self.add_class("-plain-signs")
            draw_plain_scrollbars()
        keymap.use(config.keys)
        self.set_keymap(keymap.keymap(config.keys))
        if not config.animation:
            self.animation_level = "none"

    def on_mount(self) -> None:
        """Watch for the terminal's end."""
        if self.config.cursor:
            show_cursor(self)
        self.set_interval(1.0, self._leave_a_closed_terminal)

    def _leave_a_closed_terminal(self) -> None:
        """Quit when the terminal is closed: not every one sends a signal then."""
        if not self.is_headless and terminal_is_gone():
            self.leave_at_once(0)  # a regular exit would hang writing to the closed terminal

    def on_unmount(self) -> None:
        self.let_go()

    def let_go(self) -> None:
        """Release phones, reader and game; everything is already saved."""
        if self.phones is not None:
            self.phones.stop()
        self.voice.close()
        if self.club is not None:
            self.club.close()
        self.close_reader()
        if self.session is not None:
            self.session.close()

    def refresh(
        self, *, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Paint the screen on top, or do nothing for another layout. Textual asks for that when any
        screen is added or removed; but each is laid out when it gets its size."""
        return super().refresh(repaint=repaint, recompose=recompose) if not layout else self

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
            key = keymap.translate_key(key, is_text, keymap.list_bound())
        await super().on_event(key)

    @cached_property
    def voice(self) -> Voice:
        """The voice: created on first use, after the first screen."""
        from companion.voice.host import Voice

        return Voice(self.config.voice, self.note_aside)

    def note_aside(self, text: str) -> None:
        """Show a line beside the table, from any thread."""
        self.post_message(Noted(text))

    def close_reader(self) -> None:
        """Release the reader."""
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
        """Whether phones can join."""
        return False

    def action_phones(self) -> None:
        """Show where phones connect, and whose are connected."""
        self.answer_phones("")

    def action_put_out(self) -> None:
        """Remove the phone that joined last."""
        self.answer_phones("out")

    def answer_phones(self, rest: str) -> None:
        """Run a subcommand of `phones`."""
        if self.phones is None:
            self.tell("note", _("This game has no phones; start it with --phones."))
        else:
            self.phones.answer(rest)

    def tell(self, kind: Kind, text: str) -> None:
        """Show a message beside the table, if there is one."""

    def use_theme(self, name: str) -> None:
        """Switch to that theme: one of `table.THEMES`."""
        if name == "terminal":
            self.register_theme(terminal_theme())
        self.theme = name

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme; none before ours is set, since Textual would find those of its
        own for nothing."""
        return super().get_css_variables() if self._is_themed else {}

    def _set_first_theme(self, name: str) -> None:
        """Use that theme from the first frame on. Merely setting `theme` would parse every style
        twice: for the first frame in Textual's theme, and again in ours."""
        self._is_themed = True
        if name == "terminal":  # another kind of theme: only Textual knows what it changes
            self.use_theme(name)
            return
        self.set_reactive(Host.theme, name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.set_class(self.current_theme.dark, "-dark-mode", update=False)
        self.set_class(not self.current_theme.dark, "-light-mode", update=False)

    def _add_no_colour(self) -> None:
        """Leave every colour to the terminal, as NO_COLOR asks: Textual paints shades of grey."""
        from textual.filter import Monochrome, NoColor

        self._filters = [
            NoColor() if isinstance(each, Monochrome) else each for each in self._filters
        ]

    def show_sheet(self, title: str, text: Content, *, at_end: bool = False) -> None:
        """Open a sheet of text over the table."""
        from companion.app.screens.sheet import Sheet

        self.push_screen(Sheet(title, text, at_end=at_end))
