"""The top line: round, edition and options, secrecy, and who has the crown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from companion.app.display import fit, join, paint
from companion.app.widgets.panel import Panel
from companion.language import _, amount, plural, translate
from engine import casts

if TYPE_CHECKING:
    from engine.table import Table


class Status(Panel):
    """One line about the game as a whole."""

    table: Table | None = None
    reader = ""

    def show(self, table: Table) -> None:
        """Show that table."""
        self.table = table
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """Round and box on the left; the crown on the right, always visible.

        Options take precedence over the name of the box, which is on the table anyway.
        """
        t = self.table
        if t is None:
            return Content("")
        name = t.seats[t.crown].name
        room = max(8, width // 3)
        crown = _("Crown: {player}").format(player=name)
        if cell_len(crown) > room:
            crown = fit(crown, room)
        left = _("Round {round}").format(round=t.round)
        room = max(1, width - cell_len(left) - cell_len(crown) - 1)
        rules = f" · {self._rules(t)}"
        rest = f" · {translate(t.rules.edition.title)}{rules}"
        rest = fit(rest if cell_len(rest) <= room else rules, room)
        return join(
            [paint(left, "bold $gold"), paint(rest, "$quiet"), " ", paint(crown, "bold $gold")]
        )

    def _rules(self, table: Table) -> str:
        parts: list[str] = [amount("district", table.city_size)]
        if table.rules.cast != table.rules.edition.ordinary_cast(len(table.seats)):
            parts.append(_cast_name(table))
        if table.rules.secret:
            parts.append(_("secret"))
        if not table.rules.counts_cards:
            parts.append(_("light mode"))
        others = len(table.rules.options.keys() - {"city_size", "cities"})
        if others:
            parts.append(plural("{number} house rule", "{number} house rules", others))
        return ", ".join(parts)


def _cast_name(table: Table) -> str:
    """The printed cast, if it is one."""
    printed = casts.list_printed(table.rules.edition).values()
    titles = [translate(c.title) for c in printed if set(c.characters) == set(table.rules.cast)]
    return titles[0] if titles else _("chosen characters")
