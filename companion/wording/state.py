"""Answers for players who cannot see the table: a fact a line, the important word first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, amount, card, coins, hand_cards
from companion.language.vocabulary import simplify
from companion.wording import editions
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.table import Table


def gold(table: Table, seats: Sequence[int]) -> list[str]:
    """The gold of these players."""
    return [
        _("{player}: {gold}.").format(
            player=table.seats[seat].name, gold=coins(table.seats[seat].gold)
        )
        for seat in seats
    ]


def hands(table: Table, seats: Sequence[int]) -> list[str]:
    """The number of cards these players hold."""
    if not table.rules.counts_cards:
        return [_("This table doesn't count cards.")]
    return [
        _("{player}: {cards} in hand.").format(
            player=table.seats[seat].name, cards=hand_cards(table.seats[seat].hand)
        )
        for seat in seats
    ]


def tell_left(table: Table, seats: Sequence[int]) -> list[str]:
    """The number of districts each of these players still needs."""
    if not table.rules.counts_cards:
        return [_("This table doesn't count districts; the cities are counted at the end.")]
    lines = []
    for seat in seats:
        name, missing = table.seats[seat].name, table.city_size - table.seats[seat].city.size
        if table.is_complete(table.seats[seat]):
            lines.append(_("{player}: the city is complete.").format(player=name))
        else:
            number = amount("district", max(missing, 0))
            lines.append(
                _("{player}: {districts} left to complete the city.").format(
                    player=name, districts=number
                )
            )
    return lines


def crown(table: Table) -> list[str]:
    """Who has the crown."""
    return [_("Crown: {player}.").format(player=table.seats[table.crown].name)]


def tell_called(table: Table) -> list[str]:
    """The character called or playing now, and who has answered so far."""
    lines = [_tell_now(table)]
    for seat in table.seats:
        lines += [
            _("{character}: {player}.").format(character=card(character), player=seat.name)
            for character in seat.revealed
        ]
    return lines


def _tell_now(table: Table) -> str:
    if table.stage == "over":
        return _("The game is over.")
    if table.stage == "selection":
        return _("No one has been called yet; the characters are being chosen.")
    if table.called not in table.rules.by_rank:
        return _("Every rank has been called.")
    name, waiting = card(table.rules.by_rank[table.called]), find_awaited(table)
    if table.turn is not None and waiting is not None:
        return _("Rank {rank}, the {character}: {player}'s turn.").format(
            rank=table.called, character=name, player=table.seats[table.turn.seat].name
        )
    return _("Rank {rank}, the {character}, is being called.").format(
        rank=table.called, character=name
    )


def characters(table: Table) -> list[str]:
    """The characters of this game by rank, with what is publicly known of each this round."""
    by_rank = sorted(table.rules.cast, key=lambda id_: table.rules.characters[id_].rank)
    return [_character(table, id_) for id_ in by_rank]


def _character(table: Table, id_: str) -> str:
    fields = {"rank": table.rules.characters[id_].rank, "character": card(id_)}
    holder = next((seat.name for seat in table.seats if id_ in seat.revealed), None)
    if holder is not None:
        return _("{character}, rank {rank}, shown by {player}.").format(player=holder, **fields)
    if id_ in (table.faceup or ()):
        return _("{character}, rank {rank}, face up.").format(**fields)
    if id_ == table.killed:
        return _("{character}, rank {rank}, murdered.").format(**fields)
    if id_ == table.bewitched:
        return _("{character}, rank {rank}, bewitched.").format(**fields)
    if id_ == table.robbed:
        return _("{character}, rank {rank}, to be robbed.").format(**fields)
    return _("{character}, rank {rank}.").format(**fields)


def options(table: Table) -> list[str]:
    """The table's house options, or that there are none."""
    lines = [line for name in table.rules.options for line in editions.describe_ruling(table, name)]
    return lines or [_("No house rules; everything is as in the box.")]


def uniques(table: Table) -> list[str]:
    """The unique districts shuffled in, with their costs, cheapest first."""
    ids = sorted(
        table.rules.uniques, key=lambda id_: (table.rules.districts[id_].cost, simplify(card(id_)))
    )
    return [
        _("{district}, {cost}.").format(
            district=card(id_), cost=coins(table.rules.districts[id_].cost)
        )
        for id_ in ids
    ]
