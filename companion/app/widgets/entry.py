"""A line to type in. Enter means what was typed before it, however fast the next key comes."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class TextEntry(Input):
    """Textual lets Enter travel up the screens while further letters are already put in."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()
        else:
            await super()._on_key(event)
