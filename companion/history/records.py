"""The records of all games: the most, the least, the longest, and whose they are.

Who was first keeps a record; an equal one later does not take it.
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
"""Each record, in the order in which they are told. Points, districts, gold, games, rounds; the
longest game is in minutes. The city costs what its districts score, with the Artist's gold."""

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
        """Look at a game, with what its players are called now, their points, and how many games
        in a row each has won."""
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
        """Each record with its value, the game and, where it is somebody's, the player."""
        return [
            {"record": record, **self._held[record]._asdict()}
            for record in NAMES
            if record in self._held
        ]
