"""What the caller explains: the guided first round and the accessible edition's reference cards.

Lessons are made from public knowledge: the box, the seats and the rank being called. They ignore
who was murdered or robbed, so that they cannot reveal it. Each lesson of a game is told once.
Whether a game is taught is stored beside its log, so that the lessons continue after a pause; they
end with the first round, and undo does not bring them back.

A reference card is read entry by entry, and one's own card in private. Cards 1 to 3 hold the unique
districts, card 4 the characters; a chip may list other cards instead. The voice and the printed
lines use the same entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.language import _, amount, card, current, plural
from companion.language.vocabulary import simplify
from companion.wording import facts
from engine import cards

if TYPE_CHECKING:
    from collections.abc import Callable

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


def lesson(table: Table, *, calls_by_itself: bool = False) -> list[str]:
    """The lesson of this moment, a sentence each; empty if there is none. `calls_by_itself`: the
    companion calls the characters, not the crown."""
    topic, _space, character = moment(table).partition(" ")
    match topic:
        case "selection":
            return _selection(table)
        case "call":
            return _call(table, character, calls_by_itself=calls_by_itself)
        case "turn":
            return _turn(table, character)
    return []


def _selection(table: Table) -> list[str]:
    """The whole game: its aim, a round, the characters, a turn, the end and the points."""
    taken = (
        _("Each round everybody secretly takes a character with a power.")
        if table.rules.picks == 1
        else _("Each round everybody secretly takes two characters with powers.")
    )
    return [
        _("Whose city is worth most at the end wins."),
        taken,
        _("The characters are called by rank; whoever is called plays."),
        _("A turn: take gold or cards, then build a district by paying its cost."),
        _("With {districts} in a city the game ends after that round.").format(
            districts=amount("district", table.city_size)
        ),
        _("Districts count what they cost; all five types and a complete city count extra."),
    ]


def _call(table: Table, character: str, *, calls_by_itself: bool) -> list[str]:
    """What the crowned player says, if they call, and what the card does."""
    text = cards.text_of(
        character, table.rules.edition.id, current(), secret=table.rules.secret
    ).text
    lines = []
    if not calls_by_itself:
        says = _("{player}, who has the crown, says: “Rank {rank}, the {character}!”")
        player = table.seats[table.crown].name
        lines.append(says.format(player=player, rank=table.called, character=card(character)))
    if table.called == min(table.rules.by_rank):
        lines.append(_("Whoever has the card turns it up; if nobody does, the next is called."))
    return [*lines, *facts.sentences(text)]


def _turn(table: Table, character: str) -> list[str]:
    lines = []
    if sum(len(seat.revealed) for seat in table.seats) == 1:
        lines.append(_("A turn: take gold or cards, then build a district by paying its cost."))
    usually = cards.text_of(character, table.rules.edition.id, current()).usually
    return [*lines, *([usually] if usually else [])]


class Teacher:
    """Teaches one game; call `find_news` after every move."""

    def __init__(
        self, settings: GameSettings, calls_by_itself: Callable[[], bool] = lambda: False
    ) -> None:
        """Teach the game with these settings; `calls_by_itself`: as in `lesson`."""
        self._settings = settings
        self._calls_by_itself = calls_by_itself
        self._last = ""
        self.state = settings.get(_KEY) or OFF

    @property
    def on(self) -> bool:
        return self.state == ON

    def switch(self, on: bool) -> None:
        self._remember(ON if on else OFF)
        self._last = ""

    def lesson(self, view: Table) -> list[str]:
        """The lesson of this moment, whether told before or not."""
        if not self.on:
            return []
        if view.round > TAUGHT_ROUND or view.stage == "over":
            self._remember(DONE)
            return []
        return lesson(view, calls_by_itself=self._calls_by_itself())

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


NUMBERS = range(1, 5)
CHARACTERS = 4  # the card of the characters; the others share the unique districts


def list_cards(table: Table, number: int) -> tuple[str, ...]:
    """The ids of the cards on that reference card; empty if there is no such card.

    Districts are sorted by name in the current language.
    """
    if number == CHARACTERS:
        return tuple(sorted(table.rules.cast, key=lambda id_: table.rules.characters[id_].rank))
    uniques = sorted(table.rules.uniques, key=lambda id_: simplify(card(id_)))
    share = -(-len(uniques) // (CHARACTERS - 1))
    return tuple(uniques[(number - 1) * share : number * share]) if number in NUMBERS else ()


def title(table: Table, number: int, ids: tuple[str, ...]) -> str:
    many = len(ids)
    counted = (
        plural("{number} character", "{number} characters", many)
        if ids and ids[0] in table.rules.characters
        else plural("{number} district", "{number} districts", many)
    )
    return _("Reference card {number}: {entries}.").format(number=number, entries=counted)


def entry(table: Table, ids: tuple[str, ...], place: int) -> list[str]:
    """The entry at that place, from 1: its number, then the card, one sentence a line."""
    first, *rest = facts.card_text(table, ids[place - 1])
    return [_("{number}: {entry}").format(number=place, entry=first), *rest]


class Reading(NamedTuple):
    """A reference card being read, and the place, from 1, of the entry read last."""

    number: int
    cards: tuple[str, ...]
    place: int = 1

    def move(self, by: int) -> Reading:
        """The reading moved by some entries, wrapping around at the ends."""
        return self._replace(place=(self.place - 1 + by) % len(self.cards) + 1)

    def tell(self, table: Table) -> list[str]:
        """The entry in lines, preceded by the title at the first one."""
        lines = entry(table, self.cards, self.place)
        return [title(table, self.number, self.cards), *lines] if self.place == 1 else lines
