"""Who sits where: groups of four to seven by points, with few repeated meetings and first crowns.

A draw depends on nothing but its inputs. It fills the tables from the top by points, and exchanges
players as long as that saves more than it moves them away from players of their strength.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    Met = Mapping[frozenset[str], int]  # how often each two players have sat at one table

LEAST, USUAL, MOST = 4, 5, 7
"""Players at a table."""

REACH = 3  # tables up and down from a player's own ones with which an exchange is tried
ROUNDS = 20  # at most
TRIES, FEW = 10, 20  # orders of equals that are tried, for so few tables


class Entrant(NamedTuple):
    name: str
    points: Fraction | int = 0
    starts: int = 0  # games begun with the crown
    byes: int = 0  # rounds without a seat so far


class Draw(NamedTuple):
    tables: tuple[tuple[str, ...], ...]
    """The players of each table in seat order, first the one who begins with the crown."""

    byes: tuple[str, ...] = ()
    """Who has no seat in this round."""


def plan_sizes(players: int, size: int = USUAL, most_tables: int | None = None) -> list[int]:
    """The number of players at each table, the larger ones first: near to `size`, and even. The sum
    is lower than `players` only if there are not enough tables. Raises ValueError for fewer than
    four players, or without a table."""
    if players < LEAST or most_tables == 0:
        raise ValueError(players)
    least_tables = -(-players // MOST)
    if most_tables is not None and least_tables > most_tables:
        return [MOST] * most_tables
    last = min(players // LEAST, most_tables or players)
    tables = min(
        range(least_tables, last + 1),
        key=lambda number: (abs(players - size * number) * 840 // number, number),
    )
    return [players // tables + (table < players % tables) for table in range(tables)]


def draw(players: Sequence[Entrant], sizes: Sequence[int], meetings: Met, seed: str) -> Draw:
    """Seat the players at tables of these sizes; who is left over has a bye: those with the fewest
    byes so far, then those with the fewest points. `seed` decides between equals."""
    chance = Random(seed)
    everybody = sorted(players, key=lambda player: player.name)
    order = {player.name: chance.random() for player in everybody}
    ranking = sorted(everybody, key=lambda player: (-player.points, order[player.name]))
    left_over = len(ranking) - sum(sizes)
    idle = sorted(reversed(ranking), key=lambda player: player.byes)[:left_over]
    out = {player.name for player in idle}
    sitting = [player for player in ranking if player.name not in out]
    least, tables = _search(sitting, sizes, meetings)
    for _try in range(TRIES - 1 if len(sizes) <= FEW else 0):
        if not least:
            break
        mixed = sorted(sitting, key=lambda player: (-player.points, chance.random()))
        cost, others = _search(mixed, sizes, meetings)
        if cost < least:
            least, tables = cost, others
    return Draw(
        tuple(_choose_start(table, order) for table in tables),
        tuple(player.name for player in idle),
    )


def _search(
    players: Sequence[Entrant], sizes: Sequence[int], meetings: Met
) -> tuple[int, list[list[Entrant]]]:
    """The cost of the best tables found from that order on, and the tables."""
    search = _Search(players, sizes, meetings)
    tables = search.run()
    cost = sum(search.cost(place, table) for place, table in enumerate(tables))
    return cost, [[players[one] for one in table] for table in tables]


def _choose_start(table: Sequence[Entrant], order: Mapping[str, float]) -> tuple[str, ...]:
    seats = sorted(table, key=lambda player: order[player.name])
    first = min(seats, key=lambda player: player.starts)
    return (first.name, *(player.name for player in seats if player is not first))


class _Search:
    def __init__(self, players: Sequence[Entrant], sizes: Sequence[int], meetings: Met) -> None:
        self._tables: list[list[int]] = []
        for size in sizes:
            begin = sum(map(len, self._tables))
            self._tables.append(list(range(begin, begin + size)))
        at = [table for table, seats in enumerate(self._tables) for _seat in seats]
        equals: dict[Fraction | int, list[int]] = {}
        for table, player in zip(at, players, strict=True):
            equals.setdefault(player.points, []).append(table)
        self._home = [(equals[one.points][0], equals[one.points][-1]) for one in players]
        fewest = min(player.starts for player in players)
        self._starts = [player.starts - fewest for player in players]
        index = {player.name: number for number, player in enumerate(players)}
        self._repeats: dict[tuple[int, int], int] = {}
        for pair, times in meetings.items():
            one, other = (index.get(name, -1) for name in sorted(pair))
            if one >= 0 and other >= 0:
                self._repeats[one, other] = self._repeats[other, one] = 2 * times * (times + 1)

    def cost(self, table: int, seats: Sequence[int]) -> int:
        """The second meeting of two players costs 4, the third 12; a table where everybody has
        begun a game 4; a seat one table away from one's equals 1, two tables away 4."""
        cost = 4 * min(self._starts[one] for one in seats)
        for one in seats:
            low, high = self._home[one]
            away = max(low - table, table - high, 0)
            cost += away * away
        costs = self._repeats
        return cost + sum(costs.get(pair, 0) for pair in combinations(seats, 2))

    def run(self) -> list[list[int]]:
        """The tables, once no exchange of two players near each other saves anything."""
        tables = self._tables
        costs = [self.cost(table, seats) for table, seats in enumerate(tables)]
        for _round in range(ROUNDS):
            if not any([self._improve(table, costs) for table in range(len(tables))]):
                break
        return tables

    def _improve(self, table: int, costs: list[int]) -> bool:
        """Make each exchange of that table that saves something; whether there was any."""
        tables, has_changed = self._tables, False
        for mine in range(len(tables[table]) if costs[table] else 0):
            low, high = self._home[tables[table][mine]]
            low, high = max(min(low, table) - REACH, 0), max(high, table) + REACH + 1
            for other in range(low, min(high, len(tables))):
                for its in range(len(tables[other])) if other != table else ():
                    seats, others = tables[table], tables[other]
                    seats[mine], others[its] = others[its], seats[mine]
                    new = self.cost(table, seats), self.cost(other, others)
                    if sum(new) < costs[table] + costs[other]:
                        costs[table], costs[other] = new
                        has_changed = True
                    else:
                        seats[mine], others[its] = others[its], seats[mine]
        return has_changed
