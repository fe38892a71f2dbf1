"""The widgets of the caller's screens; each shows a view of the table, independent of others.

The text field is here: Enter submits what was typed before it, however fast the next key comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events


class TextEntry(Input):
    """Textual lets Enter bubble while further letters are already inserted; this field does not."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()
        else:
            await super()._on_key(event)


_HIDDEN = "•••"


class HiddenEntry(TextEntry):
    """While hidden (`password`) it shows that something was typed, but not how much."""

    @property
    def _value(self) -> Text:
        return Text(_HIDDEN, end="") if self.password and self.value else super()._value

    def _position_to_cell(self, position: int) -> int:
        return 0 if self.password else super()._position_to_cell(position)
