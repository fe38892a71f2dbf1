"""The number of everything that can be picked: it depends on the kind of thing, never on a list.

A player has the number of the seat, a character its rank, a district type its place among the five,
an amount itself. A district has two digits: its type (unique districts begin at 5 and take a
further digit for every nine), then its place among its kind, by cost. Within one player's city a
district is numbered by its place there.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from engine.cards import DISTRICT_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.cards import District
    from engine.ruleset import Ruleset
    from engine.table import Seat

PER_DIGIT = 9  # districts that share a first digit
_HIGHEST = 99


@lru_cache(maxsize=8)
def number_districts(rules: Ruleset) -> Mapping[str, int]:
    """The two-digit number of each district of the game.

    If a table has so many extra cards that the digits run out, the rest are found by name only.
    """
    coded = ((id_, digit * 10 + place) for id_, digit, place in _places(rules))
    return {id_: number for id_, number in coded if number <= _HIGHEST}


def _places(rules: Ruleset) -> Iterator[tuple[str, int, int]]:
    """Each district with its first digit and its place (from 1) among those that share it."""
    further = count(len(DISTRICT_TYPES) + 1)  # next first digits for those that overflow their type
    for digit, type_ in enumerate(DISTRICT_TYPES, start=1):
        ids = sorted(rules.types[type_], key=lambda id_: _order(rules.districts[id_]))
        for begin in range(0, len(ids), PER_DIGIT):
            tens = next(further) if begin else digit
            for place, id_ in enumerate(ids[begin : begin + PER_DIGIT], start=1):
                yield id_, tens, place


def _order(district: District) -> tuple[int, str]:
    """Sort by cost; unique districts, which people look up by name, by id."""
    return (0 if district.type == "unique" else district.cost, district.id)


def find_type_number(type_: str) -> int:
    """The number of a type of districts."""
    return DISTRICT_TYPES.index(type_) + 1


def find_in_city(seat: Seat, district: str) -> int | None:
    """The place of the first card of that name in a city, from 1; None if there is none."""
    ids = [card.id for card in seat.city.cards]
    return ids.index(district) + 1 if district in ids else None
