"""What a tap would do now, and the reader's state."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from companion.app.display import join, paint, wrap


class Hints(Widget):
    """One line, or two: the reader's state, then a sentence for each kind of card."""

    sentences: tuple[str, ...] = ()
    state = ""
    working = False

    def show(self, sentences: list[str]) -> None:
        """Show what a tap would do."""
        if tuple(sentences) != self.sentences:
            self.sentences = tuple(sentences)
            self.refresh()

    def show_reader(self, state: str, *, working: bool) -> None:
        """Show the reader's state, in words."""
        self.state, self.working = state, working
        self.refresh()

    def render(self) -> Content:
        """The reader's state, and as many whole sentences as fit."""
        state = paint(self.state, "$success" if self.working else "$warning")
        if not self.working:
            return state
        for left_out in range(len(self.sentences)):
            shown = self.sentences[: len(self.sentences) - left_out] + ("…",) * bool(left_out)
            told = join([state, "  ", paint(" ".join(shown))])
            if len(wrap(told, self.size.width)) <= self.size.height:
                return told
        return state
