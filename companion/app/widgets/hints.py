"""What a tap would do now, and how the reader is doing."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from companion.app.display import join, paint
from companion.language import _


class Hints(Widget):
    """One line, or two: the reader's state, then a sentence for each kind of card."""

    sentences: tuple[str, ...] = ()
    state = ""
    working = False

    def show(self, sentences: list[str]) -> None:
        """Show what tapping would do."""
        if tuple(sentences) != self.sentences:
            self.sentences = tuple(sentences)
            self.refresh()

    def reader(self, state: str, *, working: bool) -> None:
        """Show the reader's state, in words."""
        self.state, self.working = state, working
        self.refresh()

    def render(self) -> Content:
        """`Reader ready. Taps: …`."""
        state = paint(self.state, "$success" if self.working else "$warning")
        if not self.working or not self.sentences:
            return state
        return join([state, paint(_("  Taps: "), "bold"), paint(" ".join(self.sentences))])
