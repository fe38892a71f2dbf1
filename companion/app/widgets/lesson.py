"""The lesson of the first round, in a strip of its own below the table; hidden where none is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from companion.app.display import join, paint
from companion.app.keymap import Keys, label
from companion.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence


class Lesson(Static):
    """A few rows of text at most; the whole of a card's text is one key away (K)."""

    def show(self, lesson: Sequence[str], keys: Keys) -> None:
        """Show this moment's lesson, or hide; `keys` has the one that ends teaching."""
        self.set_class(bool(lesson), "-taught")
        if lesson:
            heading = paint(
                _("Lesson ({key} ends it)").format(key=label(keys["teach"][0])), "bold $gold"
            )
            self.update(join([heading, Content("  "), paint(" ".join(lesson))]))
