"""The refusal, the answer to a tap or what was taken back: above the keys, until the next move."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from companion.app import keymap
from companion.app.display import joined, shown
from companion.app.notices import Notice
from companion.language import _


class NoticeBar(Widget):
    """Says one thing; hidden when there is nothing to say."""

    notice = Notice("note", "")

    def show(self, notice: Notice) -> None:
        """Show that notice."""
        self.notice = notice
        self.display = bool(notice.text)
        self.set_class(notice.kind == "refused", "-refused")
        self.refresh(layout=True)

    def render(self) -> Content:
        """The text, a refusal with its word and the key that explains it."""
        kind, text = self.notice
        if kind != "refused":
            return shown(text)
        return joined(
            [
                shown(_("Refused: "), "bold"),
                shown(text, "bold"),
                shown("  "),
                shown(_("{key} says why").format(key=keymap.key("why"))),
            ]
        )
