"""The records over all games: most, least, longest, and their holders.

On a tie the earlier holder keeps the record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.history.games import Game

NAMES = (
    "highest_score",
    "lowest_winning_score",
    "widest_margin",
    "most_expensive_city",
    "most_districts",
    "most_gold_left",
    "most_gold_stolen",
    "most_destroyed",
    "longest_streak",
    "most_rounds",
    "fewest_rounds",
    "longest_game",
)
"""All records in the order shown. Units: points, districts, gold, games, rounds; the longest game
in minutes. A city's cost is what its districts score, with the Artist's gold."""

_LEAST = frozenset({"lowest_winning_score", "fewest_rounds"})


class _Held(NamedTuple):
    value: int
    player: str | None
    game: str


class Records:
    """The records so far."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def add(
        self, game: Game, names: Sequence[str], totals: Sequence[int], streaks: Sequence[int]
    ) -> None:
        """Take a game into account, with its players' current names, their points, and how many
        games in a row each has won."""
        ordered = sorted(totals, reverse=True)
        for seat, player in enumerate(game.digest.players):
            whose = (names[seat], game.name)
            self._try("highest_score", totals[seat], *whose)
            self._try("most_expensive_city", player.parts[0], *whose)
            self._try("most_districts", player.city, *whose)
            self._try("most_gold_left", player.gold, *whose)
            self._try("most_gold_stolen", player.stolen, *whose)
            if player.destroyed:
                self._try("most_destroyed", sum(player.destroyed.values()), *whose)
            if player.place == 1:
                self._try("lowest_winning_score", totals[seat], *whose)
                self._try("widest_margin", ordered[0] - ordered[1], *whose)
                if streaks[seat] > 1:
                    self._try("longest_streak", streaks[seat], *whose)
        self._try("most_rounds", game.digest.rounds, None, game.name)
        self._try("fewest_rounds", game.digest.rounds, None, game.name)
        self._try("longest_game", game.minutes, None, game.name)

    def _try(self, record: str, value: int, player: str | None, game: str) -> None:
        held = self._held.get(record)
        if record in _LEAST:
            better = held is None or value < held.value
        else:
            better = value > (held.value if held else 0)
        if better:
            self._held[record] = _Held(value, player, game)

    def data(self) -> list[dict[str, Any]]:
        """Each record with its value, its game and, if one player holds it, the player."""
        return [
            {"record": record, **self._held[record]._asdict()}
            for record in NAMES
            if record in self._held
        ]
