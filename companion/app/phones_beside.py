"""Phones alongside the full screen: started once it is painted; their work runs between two
keys."""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from typing import TYPE_CHECKING

from textual.content import Content

from companion import extending
from companion.app import keymap
from companion.app.face import start_loader
from companion.app.screens.sheet import PhonesSheet
from companion.app.widgets.code import draw_code
from companion.game import Message
from companion.game.session import Listener
from companion.language import _
from companion.phones.serving import guard
from companion.phones.serving.where import link_with_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.application import Application
    from companion.app.screens.table_screen import TableScreen
    from companion.game.session import Session
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.setup.shared import SetUp

SHARED = ("companion.chips", "companion.game.session")
"""What the pages and the screen import."""


class PhonesBeside(Listener):
    """The phones of an app, connecting to `where`."""

    def __init__(
        self, app: Application, where: Where, find_table: Callable[[], TableScreen | None]
    ) -> None:
        """`find_table` returns the table screen once there is one."""
        self._app = app
        self._find_table = find_table
        self._where = where
        self._phones: Phones | None = None
        self._is_over = False
        self._set_up: SetUp | None = None

    def tell_begun(self, session: Session) -> None:
        """Connect phones to that game; the first time, start serving them."""
        table = self._find_table()
        if self._phones is not None and table is not None:
            self._phones.follow(table.talk)
        else:
            self._load()

    def open_lobby(self, set_up: SetUp) -> None:
        """Let phones set up that game."""
        set_up.listeners.append(self._note_change)
        if self._phones is not None:
            self._phones.open_lobby(set_up)
        else:
            self._set_up = set_up
            set_up.stays = True
            self._load()

    def close_lobby(self) -> None:
        """Let the phones go back to the game."""
        if self._phones is not None:
            self._phones.close_lobby()

    @property
    def door(self) -> PhonesBeside | None:
        """Where phones join: this, once they can."""
        return self if self._phones is not None else None

    @property
    def is_full(self) -> bool:
        """Whether every seat has a phone."""
        door = self._phones.door if self._phones is not None else None
        return door is not None and len(door.taken) == len(door.players)

    def tell(self) -> list[str]:
        """The address, the code, and how many phones have joined, in short."""
        assert self._phones is not None
        door = self._phones.door
        told = [self._where.url, _("Code: {code}").format(code=guard.format_code(door.code))]
        if door.players:
            count = _("{phones} of {players} phones")
            told.append(count.format(phones=len(door.taken), players=len(door.players)))
        return told

    def draw(self) -> Content:
        """The same with the QR code."""
        assert self._phones is not None
        return self._draw(tuple(self.tell()), self._phones.door.code)

    def _note_change(self) -> None:
        """Have the screens show who has joined."""
        for screen in self._app.screen_stack:
            show = getattr(screen, "show_door", None)
            if show is not None and screen.is_mounted:
                show()

    def _load(self) -> None:
        loop, context = asyncio.get_running_loop(), copy_context()

        def post(work: Callable[[], None]) -> None:
            loop.call_soon_threadsafe(lambda: self._do(work), context=context)

        def load() -> None:
            from companion.phones.serving import phones  # lazy: a slow import

            del phones
            post(lambda: self._open(post))

        extending.list_words()  # imported here first for the same reason
        start_loader(load, "loading the phones", *SHARED)

    def _open(self, post: Callable[[Callable[[], None]], None]) -> None:
        from companion.phones.serving.phones import Phones

        app, table = self._app, self._find_table()
        set_up = self._set_up if table is None else None
        if self._is_over or self._phones is not None or (table is None and set_up is None):
            return
        self._phones = Phones(
            table.talk if table is not None else None,
            app.config,
            self._where,
            post=post,
            tell=self._tell,
            say=app.voice.announce,
            remedy=lambda: keymap.key("put_out"),
            lookup=lambda uid: app.reader.lookup(uid) if app.reader else None,
            set_up=set_up,
        )
        self._phones.start()
        self._note_change()

    def _do(self, work: Callable[[], None]) -> None:
        """Run work, and repaint what changed on the table."""
        table = self._find_table()
        if self._is_over:
            return
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
            self._app.gone = asked
            is_typed |= self._app.typed.drop()
            if is_typed:
                table.messages.append(Message("refused", (table.talk.tell_dropped(asked),)))
        table.catch_up()
        for screen in self._app.screen_stack:
            catch_up = getattr(screen, "catch_up", None)
            if catch_up is not None and screen is not table:
                catch_up()

    def _tell(self, text: str) -> None:
        if text not in self.list_news():
            self._app.tell("note", text)

    def list_news(self) -> list[str]:
        """Whose phone came last, or which seat was freed."""
        return self._phones.site.list_news() if self._phones is not None else []

    def answer(self, rest: str) -> None:
        """Run `phones` and its subcommands."""
        if self._phones is None:
            self._app.tell("note", _("Access for phones is being set up; try again in a moment."))
            return
        from companion.phones.serving import typed_phones

        report = typed_phones.answer(self._phones, rest)
        if report.refused:
            self._app.tell("refused", report.lines[0])
        elif report.code:
            title = _("{player}'s phone").format(player=report.player) if report.player else None
            shown = self._draw(report.lines, report.code)
            sheet = PhonesSheet(
                title or _("Phones"),
                shown,
                self._list_players(),
                lambda player: self.answer(f"code {player}"),
            )
            self._app.push_screen(sheet)
        else:
            self._app.tell("note", " ".join(report.lines))

    def _list_players(self) -> tuple[str, ...]:
        return self._phones.door.known_names if self._phones is not None else ()

    def _draw(self, seats: tuple[str, ...], code: str) -> Content:
        assert self._phones is not None
        return draw_code(link_with_code(self._where.url, code), "", *seats)

    def stop(self) -> None:
        """Disconnect every phone."""
        self._is_over = True
        if self._phones is not None:
            self._phones.stop()
