"""What somebody asks who cannot glance at the table: a fact a line, the important word first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, amount, card, coins, hand_cards
from companion.wording import editions
from engine.views import awaiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.table import Table


def gold(t: Table, seats: Sequence[int]) -> list[str]:
    """The gold of these players."""
    return [
        _("{player}: {gold}.").format(player=t.seats[seat].name, gold=coins(t.seats[seat].gold))
        for seat in seats
    ]


def hands(t: Table, seats: Sequence[int]) -> list[str]:
    """How many cards these players hold."""
    if not t.rules.counts_cards:
        return [_("Nobody counts cards at this table.")]
    return [
        _("{player}: {cards} in hand.").format(
            player=t.seats[seat].name, cards=hand_cards(t.seats[seat].hand)
        )
        for seat in seats
    ]


def left(t: Table, seats: Sequence[int]) -> list[str]:
    """How many districts each of these players still needs."""
    if not t.rules.counts_cards:
        return [_("Nobody counts districts at this table; the cities are counted at the end.")]
    lines = []
    for seat in seats:
        name, missing = t.seats[seat].name, t.city_size - t.seats[seat].city.size
        if t.is_complete(t.seats[seat]):
            lines.append(_("{player}: the city is complete.").format(player=name))
        else:
            number = amount("district", max(missing, 0))
            lines.append(
                _("{player}: {districts} left to complete the city.").format(
                    player=name, districts=number
                )
            )
    return lines


def crown(t: Table) -> list[str]:
    """Who wears the crown."""
    return [_("Crown: {player}.").format(player=t.seats[t.crown].name)]


def called(t: Table) -> list[str]:
    """Which character is called or plays now, and who has answered so far."""
    lines = [_now(t)]
    for seat in t.seats:
        lines += [
            _("{character}: {player}.").format(character=card(character), player=seat.name)
            for character in seat.revealed
        ]
    return lines


def _now(t: Table) -> str:
    if t.stage == "over":
        return _("The game is over.")
    if t.stage == "selection":
        return _("Nobody is called yet; the characters are being chosen.")
    if t.called not in t.rules.by_rank:
        return _("Every rank has been called.")
    name, waiting = card(t.rules.by_rank[t.called]), awaiting(t)
    if t.turn is not None and waiting is not None:
        return _("Rank {rank}, the {character}: the turn of {player}.").format(
            rank=t.called, character=name, player=t.seats[t.turn.seat].name
        )
    return _("Rank {rank}, the {character}, is being called.").format(rank=t.called, character=name)


def characters(t: Table) -> list[str]:
    """The characters of this game by rank, and what everybody knows of each this round."""
    by_rank = sorted(t.rules.cast, key=lambda id_: t.rules.characters[id_].rank)
    return [_character(t, id_) for id_ in by_rank]


def _character(t: Table, id_: str) -> str:
    fields = {"rank": t.rules.characters[id_].rank, "character": card(id_)}
    holder = next((seat.name for seat in t.seats if id_ in seat.revealed), None)
    if holder is not None:
        return _("{character}, rank {rank}, shown by {player}.").format(player=holder, **fields)
    if id_ in (t.faceup or ()):
        return _("{character}, rank {rank}, lies face up.").format(**fields)
    if id_ == t.killed:
        return _("{character}, rank {rank}, murdered.").format(**fields)
    if id_ == t.bewitched:
        return _("{character}, rank {rank}, bewitched.").format(**fields)
    if id_ == t.robbed:
        return _("{character}, rank {rank}, to be robbed.").format(**fields)
    return _("{character}, rank {rank}.").format(**fields)


def options(t: Table) -> list[str]:
    """The house options of this table, or that there are none."""
    lines = [line for name in t.rules.options for line in editions.in_force(t, name)]
    return lines or [_("No house options; everything is as the box says.")]


def uniques(t: Table) -> list[str]:
    """The unique districts shuffled in, with their costs, cheapest first."""
    found = sorted(t.rules.uniques, key=lambda id_: (t.rules.districts[id_].cost, card(id_)))
    return [
        _("{district}, {cost}.").format(district=card(id_), cost=coins(t.rules.districts[id_].cost))
        for id_ in found
    ]
