"""The lesson of the first round, in a strip of its own below the table; hidden where none is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from companion.app.display import joined, shown
from companion.app.keymap import Keys, label
from companion.language import _

if TYPE_CHECKING:
    from companion.teaching import Teacher


class Lesson(Static):
    """A few rows of text at most; the whole of a card's text is one key away (K)."""

    def show(self, teacher: Teacher, keys: Keys) -> None:
        """Show this moment's lesson, or hide; `keys` has the one that ends it."""
        lesson = teacher.lesson()
        self.set_class(bool(lesson), "-taught")
        if lesson:
            heading = shown(
                _("Teaching ({key} ends it)").format(key=label(keys["teach"][0])), "bold $gold"
            )
            self.update(joined([heading, Content("  "), shown(" ".join(lesson))]))
