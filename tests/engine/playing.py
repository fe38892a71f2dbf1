"""Shared by the engine's tests: tables, records, random games, and a table's full state."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from common.problems import Problems
from engine import record
from engine.editions import editions
from engine.explain import Refusal, Refused
from engine.referee import Referee
from engine.ruleset import Ruleset
from engine.table import Built, City, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

NAMES = ("Anna", "Kurt", "Ashley", "Ben", "Zoë", "van Dyk", "Li")
SIZES = range(2, 8)
SECRECIES = ("announced", "secret")
HEAD = ("edition", "characters", "districts", "secrecy", "options", "crown")


def make_ordinary(edition_id: str, players: Sequence[str], **settings: Any) -> Ruleset:
    """The rules of an edition's ordinary game."""
    return Ruleset(editions()[edition_id], players, **settings)


def make_table(players: int, **settings: Any) -> Table:
    """A `classic_2016` table before the first move; the first seat holds the crown."""
    return Table(make_ordinary("classic_2016", NAMES[:players], **settings), 0)


def game(*moves: str, players: int = 4, crown: str = "Anna", **head: Any) -> Referee:
    """A game from the head of a record (`position=` and so on) with these moves played."""
    head.setdefault("players", list(NAMES[:players]))
    referee = Referee(record.read({"crown": crown, **head}).start)
    for move in moves:
        referee.play(move)
    return referee


def set_up_turn(
    character: str,
    *,
    players: Mapping[str, Any] | None = None,
    turn: dict[str, Any] | None = None,
    **rest: Any,
) -> Referee:
    """Anna's turn as that character; `rest` are further keys of `position`, or of the head."""
    head = {key: rest.pop(key) for key in HEAD if key in rest}
    size = rest.pop("size", 4)
    place = {"turn": {"player": "Anna", "character": character, **(turn or {})}, **rest}
    return game(players=size, position={"players": players or {}, **place}, **head)


def texts(referee: Referee) -> list[str]:
    """The legal moves, as text."""
    return [move.text for move in referee.list_legal_moves()]


def legal_of(referee: Referee, verb: str) -> list[str]:
    """The legal moves of that verb, as text."""
    return [move.text for move in referee.list_legal_moves() if move.verb == verb]


def expect_refusal(referee: Referee, move: str, rule: str) -> Refusal:
    """Play a move that must be refused by that rule and change nothing; returns the refusal."""
    before, fingerprint, moves = referee.table, table_state(referee.table), referee.moves
    with pytest.raises(Refused) as exception_info:
        referee.play(move)
    assert exception_info.value.refusal.rule == rule, exception_info.value.refusal
    assert referee.table is before
    assert table_state(before) == fingerprint
    assert referee.moves == moves
    return exception_info.value.refusal


def problems_of(position: dict[str, Any] | None = None, **head: Any) -> list[str]:
    """The problems of a record, as `place: text`; none if it is sound."""
    head.setdefault("players", list(NAMES[:4]))
    if position is not None:
        head["position"] = position
    try:
        record.read(head)
    except Problems as error:
        return [f"{'.'.join(map(str, p.path))}: {p.text}" for p in error.problems]
    return []


def table_state(table: Table) -> Any:
    """A table's full state without its rules, as immutable plain values."""
    return _simplify({name: getattr(table, name) for name in Table.__slots__ if name != "rules"})


_ATOMS = {bool, int, str, type(None)}


def _simplify(value: Any) -> Any:
    if type(value) in _ATOMS:
        return value
    if isinstance(value, City):
        return (
            "city",
            _simplify(value.cards),
            sorted(value.ids),
            _simplify(value.effects),
            value.size,
        )
    if isinstance(value, Built):
        return tuple(value)
    if isinstance(value, dict):
        return sorted((key, _simplify(item)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(map(_simplify, value))
    if isinstance(value, (list, tuple)):
        return [_simplify(item) for item in value]
    if hasattr(type(value), "__slots__"):
        slots = type(value).__slots__
        return (type(value).__name__, [(name, _simplify(getattr(value, name))) for name in slots])
    return value


def random_game(
    table: Table, seed: int | str, *, rounds: int = 60, choose: bool = True
) -> Iterator[Referee]:
    """A random game, the referee given before every decision, and once more at the end.

    It ends when over, or after `rounds` rounds, as random players rarely finish; without `choose`
    no choice is recorded. At a table without cities the verb is chosen first: a turn with a hundred
    possible amounts would hardly ever end.
    """
    chance = random.Random(seed)
    referee = Referee(table)
    while referee.table.phase != "over" and referee.table.round <= rounds:
        yield referee
        # a choice can be recorded any number of times: prevents endless games
        index = sum(len(seat.chosen) for seat in referee.table.seats)
        is_done = not choose or index >= len(referee.table.seats)
        moves = [
            move for move in referee.list_legal_moves() if not (is_done and move.verb == "choose")
        ]
        if not table.rules.tracks_cities:
            verb = chance.choice(sorted({move.verb for move in moves}))
            moves = [move for move in moves if move.verb == verb]
        referee.play(chance.choice(moves))
    yield referee


def positions(
    players: Iterable[int], seeds: Iterable[int], *, every: int = 1, **settings: Any
) -> Iterator[Referee]:
    """Referees at moments of random games, one moment in `every`."""
    for size in players:
        for seed in seeds:
            for table in _play_once(size, seed, **settings)[::every]:
                yield Referee(table)


@cache
def _play_once(size: int, seed: int, **settings: Any) -> tuple[Table, ...]:
    """The tables of a random game, which is played once in a process for all that look at it."""
    steps = random_game(make_table(size, **settings), f"{size}:{seed}")
    return tuple(referee.table for referee in steps)
