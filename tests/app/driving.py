"""Drives the real caller in tests: keys, typed lines, and chips on the simulated reader.

```python
async with start_table(["Anna", "Kurt", "Ashley", "Ben"], reader="simulated") as table:
    await table.keys("f", "1", "1")       # keys as Textual names them
    await table.line("call")              # `:`, the line, Enter
    await table.tap("Anna")               # through the emulated reader and its real driver
    assert "Anna" in table.text()         # the visible screen
    table.session.record().data()         # the saved record
```

The store is a real one in the test's own `COMPANION_DATA`; a game left unfinished can be resumed
with `start_table(resume=True)`.
"""

from __future__ import annotations

import asyncio
import builtins
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from companion import language
from companion.app.caller_app import CallerApp
from companion.chips import learning
from companion.game import CurrentQuestion, Identity
from companion.game.session import Session
from companion.log.store import Store
from companion.phones.serving.where import Where
from companion.settings import config as settings
from companion.setup import PlayOptions
from companion.setup.shared import open_given
from tags.watch import Event, Lift, ReaderConnected, ReaderDisconnected
from tests.waiting import PATIENCE

Seen = TypeVar("Seen")


_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def _parse_once(stylesheet: Stylesheet, *words: Any, **names: Any) -> list[RuleSet]:
    """What a part of a style sheet says, read once for all tests of this process."""
    key = (words, tuple(names.items()), tuple(stylesheet._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(stylesheet, *words, **names)
    return _parsed[key]


Stylesheet._parse_rules = _parse_once  # type: ignore[assignment, method-assign]

_render_update = Compositor.render_update


def _leave_unpainted(compositor: Compositor, full: bool = False, *words: Any, **names: Any) -> Any:
    """Only count what changes: nobody sees what is painted without a terminal. `Driver.text`
    renders the whole screen."""
    if full:
        return _render_update(compositor, full, *words, **names)
    compositor._dirty_regions.clear()
    return None


Compositor.render_update = _leave_unpainted  # type: ignore[assignment, method-assign]


class DrivenApp(CallerApp):
    """The caller, which also records its reader's events, and counts its paints."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.seen: list[Event] = []
        self.painted = 0

    def post_display_hook(self) -> None:
        """Count what was painted; Textual calls this after it."""
        self.painted += 1

    def hear_reader(self, event: Event, gone: Identity | None) -> None:
        self.seen.append(event)
        super().hear_reader(event, gone)


class Driver:
    """A simulated user of the caller."""

    def __init__(self, app: DrivenApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot
        self._read: tuple[object, int] | None = None
        self._text = ""

    @property
    def session(self) -> Session:
        assert self.app.session is not None
        return self.app.session

    @property
    def asked(self) -> CurrentQuestion:
        assert self.app.table is not None
        return self.app.table.talk.asked

    async def row(self, label: str) -> None:
        """Press the number of the row with this label prefix, and Enter if more digits could
        follow."""
        row = next(row for row in self.asked.offer.rows if row.label.startswith(label))
        await self.keys(*str(row.number))
        if self.asked.typed:
            await self.keys("enter")

    def text(self) -> str:
        """The whole screen as text, one line per row; read anew once something was painted."""
        value = self.painted()
        if value != self._read:
            self._read, self._text = value, screen_text(self.app)
        return self._text

    def painted(self) -> tuple[object, int]:
        """The screen on top and the number of paints: while this is the same, so is `text`."""
        return self.app.screen, self.app.painted

    def rows(self) -> list[str]:
        return self.text().split("\n")

    async def keys(self, *keys: str) -> None:
        """Press keys, each once the effect of the one before is painted."""
        for key in keys:
            send_key(self.app, key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type text into the focused widget."""
        for character in text:
            send_key(self.app, character)
        await self.settle()

    async def enter(self, text: str) -> None:
        """Type text into the focused widget, and Enter."""
        await self.type(text)
        await self.keys("enter")

    async def line(self, text: str) -> None:
        """Open the command line, type a line, press Enter."""
        send_key(self.app, "colon")
        await self.settle()
        for character in text:
            send_key(self.app, character)
        await self.keys("enter")

    async def resize(self, width: int, height: int) -> None:
        """Change the terminal's size, in cells; the screen hears of it once the app is idle."""
        await self.pilot.resize_terminal(width, height)
        await self.wait_until(
            lambda: self.app.screen.size == (width, height), f"the size {width} x {height}"
        )

    async def settle(self) -> None:
        """Wait until all messages are handled and the screen is painted and stable."""
        await self.wait_for_rest(self.painted)

    async def wait_for_rest(self, look: Callable[[], Seen]) -> Seen:
        """The result of `look` once three in a row are equal on an idle screen; the last one if
        the caller has ended."""
        end = time.monotonic() + PATIENCE
        seens = [look()]
        while await self.pause():
            seens = [look()] if is_busy(self.app) else [*seens[-2:], look()]
            if len(seens) == 3 and all(one == seens[0] for one in seens):
                break
            assert time.monotonic() < end, "the screen never rests"
        return seens[-1]

    async def pause(self) -> bool:
        """Wait until the widgets have handled their messages; False if the caller has ended.

        The pilot messages every widget and waits for each, and would wait forever for one that a
        stopping caller closes first.
        """
        pause = asyncio.ensure_future(self.pilot.pause(0))
        while not pause.done() and not self.app._exit:
            await asyncio.wait({pause}, timeout=0.02)
        if self.app._exit:
            pause.cancel()
            await asyncio.gather(pause, return_exceptions=True)
            return False
        await pause
        return True

    async def wait_until(
        self, action: Callable[[], bool], what: str = "it", rest: bool = True
    ) -> None:
        """Wait until `happened()` is true (and the screen is stable), or fail."""
        end = time.monotonic() + PATIENCE
        while not action():
            assert time.monotonic() < end, f"{what} never happened:\n{self.text()}"
            await asyncio.sleep(0.005)
        if rest:
            await self.settle()

    async def tap(self, words: str) -> None:
        """Tap a chip on the simulated reader, like `tap WORDS`, and wait for the lift."""
        uid = await self.uid(words)
        reader, before = self.app.reader, len(self.app.seen)
        assert reader is not None
        reader.start()
        reader.lay(uid)
        lift = Lift(uid)
        await self.wait_until(lambda: lift in self.app.seen[before:], f"the tap of {words}")

    async def uid(self, words: str) -> bytes:
        """The simulated deck's chip named by `words`."""
        await self.wait_until(lambda: self.app.reader is not None, "opening the reader", rest=False)
        assert self.app.reader is not None
        assert self.app.reader.deck is not None
        return learning.find_deck_chip(words, self.app.reader.deck)

    async def unplug(self) -> None:
        """Unplug the reader and wait until the caller has noticed."""
        before = len(self.app.seen)
        assert self.app.reader is not None
        self.app.reader.unplug()
        await self.wait_until(
            lambda: self._has_seen(ReaderDisconnected, before), "losing the reader"
        )

    async def plug(self) -> None:
        """Plug it in again and wait until it is ready."""
        before = len(self.app.seen)
        assert self.app.reader is not None
        self.app.reader.plug()
        await self.wait_until(
            lambda: self._has_seen(ReaderConnected, before), "the reader's return"
        )

    def _has_seen(self, kind: builtins.type[Event], since: int) -> bool:
        return any(isinstance(event, kind) for event in self.app.seen[since:])


def send_key(app: CallerApp, key: str) -> None:
    """Send a key as the terminal driver would, without the pilot's wait for idleness."""
    name = _character_to_key(key) if len(key) == 1 else key
    event = Key(name, key if len(key) == 1 else _CHARACTERS.get(key))
    event.set_sender(app)
    assert app._driver is not None
    app._driver.send_message(event)


_CHARACTERS = {"space": " ", "colon": ":", "slash": "/", "question_mark": "?", "enter": "\r"}


def screen_text(app: CallerApp) -> str:
    """The terminal's contents as text."""
    return "\n".join(strip.text.rstrip() for strip in screen_strips(app))


def screen_strips(app: CallerApp) -> list[Strip]:
    """The terminal's contents row by row; the only use of the compositor.

    The screen is passed its background, as in real painting: it caches the result, and would
    otherwise show no background from then on.
    """
    visible_screen_stack.set(app._background_screens)
    return app.screen._compositor.render_strips()


def is_busy(app: CallerApp) -> bool:
    """Whether a widget has unread messages, or a pending layout or repaint."""
    screen = app.screen
    widgets = [screen, *screen.walk_children(Widget)]
    return bool(
        screen._dirty_widgets
        or screen._callbacks
        or len(screen._compositor.widgets) < 2  # nothing in it yet
        or any(widget._layout_required or widget._repaint_required for widget in widgets)
        or any(not pump._message_queue.empty() for pump in (app, *widgets))
    )


@asynccontextmanager
async def start_table(
    players: Sequence[str] | None = ("Anna", "Kurt", "Ashley", "Ben"),
    *,
    crown: str | None = None,
    secrecy: str = "announced",
    house: dict[str, Any] | None = None,
    moves: Iterable[str] = (),
    resume: bool = False,
    reader: str = "none",
    size: tuple[int, int] = (80, 24),
    theme: str = "dark",
    options: PlayOptions | None = None,
    settings_too: dict[str, Any] | None = None,
    where: Where | None = None,
) -> AsyncIterator[Driver]:
    """Run the caller on a new game after these moves, on the last game with `resume`, or at the
    set-up screen if `players` is None. `reader` is `none` or `simulated`; `options` are the game's
    (edition, cast), `settings_too` further settings; phones connect to `where`."""
    chosen_settings = {"reader": reader, "secrecy": secrecy, "theme": theme}
    chosen_settings |= settings_too or {}
    config = settings.load(options=chosen_settings)
    options = (options or PlayOptions())._replace(
        new=bool(players) and not resume,
        players=None if resume or players is None else tuple(players),
        crown=crown,
        options=house,
        secrecy=secrecy,
        resume=resume,
    )
    with Store(config.games) as store:
        session = open_given(store, options, config) if resume or players else None
        for move in moves:
            assert session is not None
            session.play(move)
        app = DrivenApp(store, config, options, session, where)
        try:
            async with app.run_test(size=size) as pilot:
                driver = Driver(app, pilot)
                await driver.settle()
                yield driver
        finally:
            language.use("en")  # also after a failure: other tests expect English
