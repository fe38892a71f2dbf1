"""The line of keys at the bottom of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import join, paint
from companion.app.widgets.panel import Panel

if TYPE_CHECKING:
    from textual import events


class KeyLine(Panel):
    """Keys with their actions; the first ones are kept if the line is short."""

    items: list[tuple[str, str, str]] = []  # noqa: RUF012 - replaced, never changed

    def show(self, items: list[tuple[str, str, str]]) -> None:
        """Show (key, label, action) in this order."""
        if items != self.items:
            self.items = items
            self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """As many as fit."""
        parts: list[Content | str] = []
        gap = " " * self._gap(width)
        for _end, key, text, _action in self._places(width):
            parts += [paint(key, "bold $gold"), paint(f" {text}{gap}")]
        return join(parts)

    def _gap(self, width: int) -> int:
        """The cells between two keys: one only if that lets more of them fit."""
        count = sum(cell_len(f"{key} {text}") + 2 for key, text, _action in self.items)
        return 1 if count > width else 2

    def _places(self, width: int) -> list[tuple[int, str, str, str]]:
        """Where each key ends, as far as they fit."""
        places, end, gap = [], 0, self._gap(width)
        for key, text, action in self.items:
            end += cell_len(f"{key} {text}") + gap
            if end - gap > width:
                break
            places.append((end, key, text, action))
        return places

    async def on_click(self, event: events.Click) -> None:
        """Run the clicked key's action."""
        at = event.get_content_offset(self)
        if at is None:
            return
        for end, _key, _text, action in self._places(self.content_size.width):
            if at.x < end:
                await self.screen.run_action(action)
                return
