"""The demonstration on the full screen: the caller, driven by a record instead of by people."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.events import Event, Key, MouseDown

from companion.app.caller_app import CallerApp
from companion.game.demonstration import Demonstration, open_demo_store
from companion.language import _
from companion.setup import PlayOptions

if TYPE_CHECKING:
    from companion.log.store import Store
    from companion.settings.config import Config


def run(config: Config) -> int:
    """Show it until it ends or a key is pressed. Return the exit code."""
    with open_demo_store() as log:
        return DemoApp(log, config).play()


class DemoApp(CallerApp):
    """A caller that plays automatically; any key or click ends it."""

    def __init__(self, log: Store, config: Config) -> None:
        self.demonstration = Demonstration(log)
        super().__init__(log, config, PlayOptions(), self.demonstration.session)

    def on_mount(self) -> None:
        self.call_after_refresh(self.wait_for_next, [""])

    async def on_event(self, event: Event) -> None:
        if isinstance(event, Key | MouseDown):
            self.exit(0)
        else:
            await super().on_event(event)

    def wait_for_next(self, lines: list[str]) -> None:
        """Leave time to read what was told, then continue."""
        if self.table is not None:
            what = lines[0] or _("this game plays itself.")
            text = _("Demo, any key ends it: {what}").format(what=what)
            self.table.tell("told", text)
        # A timer of Textual's never fires if the computer keeps it waiting for longer than its
        # interval when it starts.
        asyncio.get_running_loop().call_later(
            self.demonstration.pause(lines), self.call_later, self.step
        )

    def step(self) -> None:
        table = self.table
        if table is None or self.demonstration.over:
            self.exit(0)
            return
        table.talk.people = False  # nobody answers questions
        table.talk.playing.with_forced = False  # the record contains every move
        move = self.demonstration.next_move()
        table.act(lambda talk: talk.play(move))
        self.wait_for_next(self.demonstration.session.tell_last())
