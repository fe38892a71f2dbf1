"""The private moment: one person chooses, and nothing of it is shown, spoken or repeated to others.

It is a state: it answers questions and ends only with a choice or a command to leave.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion import verbs
from companion.game.asking import Offer, Row
from companion.language import _, card, vocabulary
from companion.language.names import card_names, player_names
from companion.language.vocabulary import match_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.moves import Move
    from engine.table import Table


class PrivateMoment(NamedTuple):
    """The moves from which one person chooses, by player; the player may still be undecided."""

    by_player: Mapping[str, tuple[Move, ...]]
    player: str = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the person who chooses; none until that person is known."""
        return self.by_player.get(self.player, ())

    def question(self) -> str:
        """What everybody sees and hears of it."""
        if not self.player:
            return _("Who is choosing in private?")
        return _(
            "{player} is choosing in private; everyone else, please don't look or listen."
        ).format(player=self.player)

    def offer(self, table: Table) -> Offer:
        """The rows: the players, or that player's choices, characters by rank."""
        if not self.player:
            seats = table.rules.seat_of
            names = sorted(self.by_player, key=lambda name: seats[name])
            return Offer("", tuple(Row(name, (), seats[name] + 1, card=name) for name in names))
        return Offer(
            "", tuple(_row(table, place, m) for place, m in enumerate(self.moves, start=1))
        )

    def find_row(self, table: Table, words: str) -> Row | None:
        """The row with that number, or with a name of which the words are an unambiguous prefix."""
        rows = self.offer(table).rows
        if words.isascii() and words.isdecimal() and len(words) < 4:
            return next((row for row in rows if row.number == int(words)), None)
        exact = [row for row in rows if any(move.text == words for move in row.moves)]
        names = (
            {row.card: card_names(row.card) for row in rows if row.card}
            if self.player
            else player_names(row.card for row in rows)
        )
        matches = match_names(words, names)
        candidates = exact or [row for row in rows if row.card in matches]
        return candidates[0] if len(candidates) == 1 else None


def _row(table: Table, place: int, move: Move) -> Row:
    characters = move.words("C")
    if not characters:
        return Row(verbs.label(table, move), (move,), place)
    rank = table.rules.characters[characters[-1]].rank
    return Row(card(characters[-1]), (move,), rank, card=characters[-1])


def begin(table: Table, moves: Sequence[Move]) -> PrivateMoment:
    """A private moment for these moves; if several players could choose, it asks who first."""
    by_player: dict[str, tuple[Move, ...]] = {}
    for move in moves:
        name = move.args[0] if move.verb == "choose" else _name_asked(table)
        by_player[name] = (*by_player.get(name, ()), move)
    return PrivateMoment(by_player, next(iter(by_player)) if len(by_player) == 1 else "")


def _name_asked(table: Table) -> str:
    return table.seats[table.questions[-1].seat].name if table.questions else table.acting.name


class InPrivate(Enum):
    """What a line in a private moment may be besides a choice."""

    LEAVE = "leave"
    REPEAT = "repeat"


def read_request(line: str) -> InPrivate | None:
    """What the line asks for; None if it should be a choice."""
    if line in (".", ",") or vocabulary.match_word(line, "back"):
        return InPrivate.LEAVE
    if line in ("", "0", "/", "?", "*0") or vocabulary.match_word(line, "repeat", "moves", "help"):
        return InPrivate.REPEAT
    return None
