"""The last notice: a refusal, the answer to a tap, what was undone; until the next key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from companion.app import keymap
from companion.app.display import join, paint
from companion.language import _, put_after_colon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.sayings import Saying


class NoticeBar(Widget):
    """Shows one notice; hidden without one."""

    said: Sequence[Saying] = ()
    explained = False
    names: Sequence[str] = ()
    """The players' names."""

    def show(self, said: Sequence[Saying], explained: bool) -> None:
        """Show these; `explained` is whether a key shows the rule behind a refusal."""
        self.said = [one for one in said if one.kind != "list" and not one.private and one.lines]
        refused = [one for one in self.said if one.kind == "refused"]
        self.explained = explained and bool(refused)
        if self.said or self.display:
            self.display = bool(self.said)
            self.set_class(bool(refused), "-refused")
            self.refresh(layout=True)

    def render(self) -> Content:
        """A refusal with its label and the key that explains it; a card and the key to open it."""
        parts: list[Content | str] = []
        for one in self.said:
            if one.kind == "refused":
                reason = put_after_colon(" ".join(one.lines), self.names)
                parts += [paint(_("Refused: "), "bold"), paint(reason, "bold")]
            elif one.card:
                parts.append(_("{card} Enter opens the card.").format(card=one.lines[0]))
            else:
                parts.append(paint(" ".join(one.lines)))
            parts.append("  ")
        if self.explained:
            parts.append(paint(_("{key} says why").format(key=keymap.key("why"))))
        return join(parts)
