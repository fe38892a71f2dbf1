"""The lesson of the guided first round, in a strip below the table; hidden without one."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from companion.app.display import join, paint, wrap
from companion.app.keymap import label
from companion.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.app.keymap import Keys


class Lesson(Widget):
    """A few rows of text at most; a longer lesson ends in an ellipsis with the key that shows the
    full card it explains."""

    text = heading = end = ""

    def show(self, lesson: Sequence[str], keys: Keys, *, of_card: bool = False) -> None:
        """Show this moment's lesson, or hide; `keys` has the one that ends teaching. `of_card`
        means that it explains a card, which the card browser has too."""
        self.set_class(bool(lesson), "-taught")
        self.text = " ".join(lesson)
        self.heading = _("Lesson ({key} ends it)").format(key=label(keys["teach"][0]))
        key = label(keys["card_texts"][0])
        self.end = _("… {key}: the whole card").format(key=key) if of_card else "…"
        self.refresh()

    def render(self) -> Content:
        """As much of the lesson as fits."""
        width, height = self.content_size
        words = self.text.split(" ")

        def rows(count: int) -> list[Content]:
            return wrap(self._paint(words, count), max(width, 1))

        count = len(words)
        if len(rows(count)) > height:
            count = max(bisect(range(1, count), height, key=lambda few: len(rows(few))), 1)
        return Content("\n").join(rows(count))

    def _paint(self, words: list[str], count: int) -> Content:
        parts = [paint(self.heading, "bold $gold"), paint("  " + " ".join(words[:count]))]
        if count < len(words):
            parts += [paint(" "), paint(self.end, "$quiet")]
        return join(parts)
