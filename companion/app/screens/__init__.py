"""The caller's screens and dialogs, one per module; here the one that is painted before any of them
is imported, and what all have in common: none is styled or laid out twice."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import TYPE_CHECKING, Self

from textual._time import get_time
from textual.events import ScreenResume
from textual.geometry import Region, Size
from textual.messages import Layout
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widget import Widget

from companion.app.display import STYLES, lines, paint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import App
    from textual.content import Content

    from companion.app.host import Host


class FirstScreen(Screen[ScreenResultType]):
    """A screen that is painted as soon as it is mounted."""

    STYLES = "dialogs"
    """The file with the styles of such screens, beside those of all. Parsing takes as long as
    painting, so each file is parsed when the first screen needs it."""

    _laid_out = 0.0  # when, on the clock of messages
    _theme = ""  # for which it was styled

    def _post_register(self, app: App[object]) -> None:
        """Read the styles before any are applied to it."""
        super()._post_register(app)
        read_styles(app, self.STYLES)
        self._theme = app.theme

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Skip the style update except for another theme: widgets were styled when mounted, so it
        would only take time."""
        event.refresh_styles = self._theme != self.app.theme
        self._theme = self.app.theme

    def _screen_resized(self, size: Size) -> None:
        """Skip the layout for the size that the screen has: Textual tells it to a new dialog, and
        to every screen below it, again."""
        if size != self._size:
            super()._screen_resized(size)

    async def _on_layout(self, message: Layout) -> None:
        """Ignore what was asked for before the last layout."""
        if message.time < self._laid_out:
            message.stop()
            message.prevent_default()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Lay out once: Textual would do so again for the sizes that it has just given, which
        changes nothing unless a scrollbar has come or gone. After scrolling alone, it gives no
        sizes: what was asked for is still to be done."""
        if scroll and not self._layout_widgets:
            super()._refresh_layout(size, scroll)
            return
        self._laid_out = get_time()
        widgets = list(self.walk_children(Widget))
        for widget in widgets:
            if widget._layout_required:
                _forget_arrangement(widget)
        before = [widget.scrollbars_enabled for widget in widgets]
        super()._refresh_layout(size, scroll)
        if before == [widget.scrollbars_enabled for widget in widgets]:
            for widget in widgets:
                for each in (widget, widget._vertical_scrollbar):
                    if each is not None:
                        each._layout_required = False


def _forget_arrangement(widget: Widget) -> None:
    """Let the next layout arrange the widget anew, as Textual does once the widget is idle."""
    for ancestor in widget.ancestors:
        if not isinstance(ancestor, Widget):
            return
        ancestor._clear_arrangement_cache()
        ancestor._layout_updates += 1
        if not ancestor.styles.auto_dimensions:
            return


class OpeningScreen(FirstScreen[None]):
    """The first frame of all: painted before the game or the set-up is imported."""

    app: Host
    STYLES = "all"  # those that the application reads anyway

    def __init__(self, title: str, rows: Sequence[str], open_caller: Callable[[], object]) -> None:
        """`open_caller` is called once this is painted; keys typed meanwhile are for what it
        opens."""
        super().__init__()
        self.lines = (title, *rows)
        self.open_caller = open_caller
        self._is_opening = False

    def render(self) -> Content:
        """A title, and what will be below it."""
        title, *rows = self.lines
        return lines(
            (paint(title, "bold $primary"), "", *(paint(row, "bold $gold") for row in rows))
        )

    def on_mount(self) -> None:
        """Hold keys until the caller is open."""
        self.app.typed.hold()

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Open the caller as soon as this event has painted the first frame, once. Textual would
        wait for the next frame."""
        super().on_screen_resume(event)
        if not self._is_opening:
            self._is_opening = True
            self.call_later(self._open)

    def _open(self) -> None:
        self.open_caller()
        self.app.screen.call_after_refresh(self.app.typed.release)


class Dialog(FirstScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A screen above another, painted as soon as it is mounted. Whatever it holds is composed."""

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Paint it, or do nothing for another layout. Textual asks for that once everything is
        mounted; but a dialog is laid out when it gets its size, and when what it holds changes."""
        if layout:
            return self
        return super().refresh(*regions, repaint=repaint, recompose=recompose)


def read_styles(app: App[object], name: str) -> None:
    """Have the application know the styles of a file, which it parses once it needs them."""
    path = STYLES / f"{name}.tcss"
    if not app.stylesheet.has_source(str(path)):
        app.stylesheet.add_source(path.read_text(encoding="utf-8"), (str(path), ""))


def prepare(app: App[object], *modules: str) -> None:
    """Import these modules, parse the styles of dialogs and re-enable garbage collection, while
    people look at the first frame: neither it nor the first key waits for this."""
    for module in modules:
        import_module(module)
    read_styles(app, Dialog.STYLES)
    app.stylesheet.parse()
    _enable_garbage_collection()


def _enable_garbage_collection() -> None:
    """Re-enable garbage collection, excluding the program's own objects, which live to the end.

    Where it was never off (tests, other programs), garbage of earlier screens would be kept too."""
    if not gc.isenabled():
        gc.freeze()
        # A full collection visits all that Textual keeps of 1,024 painted widgets, closed ones too,
        # and takes as long as painting twice. The usual 10 would make every tenth key wait for it.
        young, middle, _old = gc.get_threshold()
        gc.set_threshold(young, middle, 100)
        gc.enable()
