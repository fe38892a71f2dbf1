"""The private moment: one person chooses, and nothing of it is shown, said or repeated to others.

It is a state: questions are answered inside it, and only a choice, or a word to leave, ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game import verbs
from companion.game.asking import Offer, Row
from companion.intent import typed
from companion.language import _, card
from companion.vocabulary import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.moves import Move
    from engine.table import Table


class PrivateMoment(NamedTuple):
    """The moves among which one person chooses, by player; who it is may still be open."""

    by_player: Mapping[str, tuple[Move, ...]]
    player: str = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the person who chooses; none while it is open who that is."""
        return self.by_player.get(self.player, ())

    def question(self) -> str:
        """What everybody sees and hears of it."""
        if not self.player:
            return _("Who chooses in private?")
        return _("{player} chooses in private; nobody else looks or listens.").format(
            player=self.player
        )

    def offer(self, t: Table) -> Offer:
        """The rows: who, or what that person may choose, characters by their rank."""
        if not self.player:
            seats = t.rules.seat_of
            names = sorted(self.by_player, key=lambda name: seats[name])
            return Offer("", tuple(Row(name, (), seats[name] + 1, card=name) for name in names))
        return Offer("", tuple(_row(t, place, m) for place, m in enumerate(self.moves, start=1)))

    def meant(self, t: Table, words: str) -> Row | None:
        """The row that the words name: its number, or an unambiguous beginning of a name."""
        rows = self.offer(t).rows
        if words.isascii() and words.isdecimal() and len(words) < 4:
            return next((row for row in rows if row.number == int(words)), None)
        exact = [row for row in rows if any(move.text == words for move in row.moves)]
        known = {row.card: _names(row) for row in rows if row.card}
        found = typed.named(words, known)
        named = exact or [row for row in rows if row.card in found]
        return named[0] if len(named) == 1 else None


def _names(row: Row) -> list[str]:
    """What may be typed for a row: a card's names, or the player's."""
    return typed.card_names(row.card) if row.moves else [plain(row.card)]


def _row(t: Table, place: int, move: Move) -> Row:
    characters = move.words("C")
    if not characters:
        return Row(verbs.label(t, move), (move,), place)
    rank = t.rules.characters[characters[-1]].rank
    return Row(card(characters[-1]), (move,), rank, card=characters[-1])


def begin(t: Table, moves: Sequence[Move]) -> PrivateMoment:
    """A private moment for these moves; whose it is stays open where several could choose."""
    by_player: dict[str, tuple[Move, ...]] = {}
    for move in moves:
        name = move.args[0] if move.verb == "choose" else _asked(t)
        by_player[name] = (*by_player.get(name, ()), move)
    return PrivateMoment(by_player, next(iter(by_player)) if len(by_player) == 1 else "")


def _asked(t: Table) -> str:
    return t.seats[t.questions[-1].seat].name if t.questions else t.acting.name
