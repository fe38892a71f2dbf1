"""The guided first round: what is chosen, what is called, what the called character does.

Lessons are made from public knowledge: the box, the seats and the rank being called. They ignore
who was murdered or robbed, so that they cannot reveal it. Each lesson of a game is told once.
Whether a game is taught is stored beside its log, so that the lessons continue after a pause; they
end with the first round, and undo does not bring them back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, card, current
from companion.wording import facts
from engine import cards

if TYPE_CHECKING:
    from companion.log.open_game import GameSettings
    from engine.table import Table


TAUGHT_ROUND = 1

ON, OFF, DONE = "on", "off", "done"
_KEY = "teaching"


def moment(table: Table) -> str:
    """The subject of the lesson: `selection`, `call C` or `turn C` of a character, or ""."""
    if table.round != TAUGHT_ROUND:
        return ""
    if table.phase == "turn":
        return f"turn {table.playing.character}"
    if table.phase == "calling":
        return f"call {table.rules.by_rank[table.called]}"
    return "selection" if table.phase == "selection" else ""


def lesson(table: Table) -> list[str]:
    """The lesson of this moment, a sentence each; empty if there is none."""
    topic, _space, character = moment(table).partition(" ")
    return {"": _teach_nothing, "selection": _selection, "call": _call, "turn": _turn}[topic](
        table, character
    )


def _teach_nothing(table: Table, character: str) -> list[str]:
    return []


def _selection(table: Table, character: str) -> list[str]:
    player = table.seats[table.crown].name
    lines = [_("Follow the steps; keep your character hidden until it is called.")]
    if table.rules.picks == 1:
        lines.insert(0, _("In each round everybody secretly takes a character with a power."))
    else:
        lines.insert(0, _("In each round everybody secretly takes two characters with powers."))
    return [
        *lines,
        _("{player} has the crown, chooses first, and then calls rank after rank.").format(
            player=player
        ),
        _("Say when everyone has chosen; each character is explained when it is called."),
    ]


def _call(table: Table, character: str) -> list[str]:
    """What the crowned player says, and what the card does."""
    text = cards.text_of(
        character, table.rules.edition.id, current(), secret=table.rules.secret
    ).text
    lines = [
        _("{player}, who has the crown, says: “Rank {rank}, the {character}!”").format(
            player=table.seats[table.crown].name, rank=table.called, character=card(character)
        )
    ]
    if table.called == min(table.rules.by_rank):
        lines.append(_("Whoever has the card turns it up; if nobody does, the next is called."))
    return [*lines, *facts.sentences(text)]


def _turn(table: Table, character: str) -> list[str]:
    """What is usually done in the turn."""
    lines = []
    if sum(len(seat.revealed) for seat in table.seats) == 1:
        lines.append(_("A turn: take gold or cards, then build a district by paying its cost."))
    usually = cards.text_of(character, table.rules.edition.id, current()).usually
    return [*lines, *([usually] if usually else [])]


class Teacher:
    """Teaches one game; call `find_news` after every move."""

    def __init__(self, settings: GameSettings) -> None:
        """Teach the game with these settings."""
        self._settings = settings
        self._last = ""
        self.state = settings.get(_KEY) or OFF

    @property
    def on(self) -> bool:
        """Whether lessons are given."""
        return self.state == ON

    def switch(self, on: bool) -> None:
        """Turn lessons on or off."""
        self._remember(ON if on else OFF)
        self._last = ""

    def lesson(self, view: Table) -> list[str]:
        """The lesson of this moment, whether told before or not."""
        if not self.on:
            return []
        if view.round > TAUGHT_ROUND or view.stage == "over":
            self._remember(DONE)
            return []
        return lesson(view)

    def teach_between(self, before: Table, after: Table) -> list[str]:
        """What a move gives to teach, from the views around it; for faces that show every move."""
        if moment(before) == moment(after):
            return []
        return self.lesson(after)

    def repeat(self) -> None:
        """Let the next `find_news` repeat the current lesson."""
        self._last = ""

    def find_news(self, view: Table) -> list[str]:
        """The lesson of this moment unless it was the last one told."""
        lines = self.lesson(view)
        before, self._last = self._last, moment(view) if self.on else ""
        return lines if self._last != before else []

    def _remember(self, state: str) -> None:
        self.state = state
        self._settings.put(_KEY, state)
