"""Answers for players who cannot see the table: a fact a line, the important word first.

Among them is the round at a glance: every rank with what is known of it, then how near the end is.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Literal

from common.named_tuples import NamedTuple
from companion.language import _, amount, card, coins, hand_cards, listing
from companion.language.vocabulary import simplify
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.table import Table


Mark = Literal["called", "now", "faceup", "murdered", "robbed", "bewitched", "warrant", "threat"]


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
    from companion.wording import editions  # lazy: few tables have house rules to tell

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


class Rank(NamedTuple):
    """A rank of the round, with the id of its character and its public marks."""

    rank: int
    character: str
    player: str  # who has revealed the character; "" if nobody yet
    marks: tuple[Mark, ...]


def ranks(table: Table) -> list[Rank]:
    """Every rank in order."""
    owners = {character: seat.name for seat in table.seats for character in seat.revealed}
    return [
        Rank(rank, character, owners.get(character, ""), tuple(_marks(table, rank, character)))
        for rank, character in sorted(table.rules.by_rank.items())
    ]


def _marks(table: Table, rank: int, character: str) -> list[Mark]:
    over = table.stage == "over"
    holds: dict[Mark, bool] = {
        "called": rank < table.called or (over and rank <= table.called),
        "now": rank == table.called and not over,
        "faceup": character in (table.faceup or ()),
        "murdered": character == table.killed,
        "robbed": character == table.robbed,
        "bewitched": character == table.bewitched,
        "warrant": character in table.warrants,
        "threat": character in table.threats,
    }
    return [mark for mark, applies in holds.items() if applies]


def name_mark(mark: Mark) -> str:
    """The word for a mark."""
    return {
        "called": _("called"),
        "now": _("now", "this rank is being called"),
        "faceup": _("face up"),
        "murdered": _("murdered"),
        "robbed": _("robbed"),
        "bewitched": _("bewitched"),
        "warrant": _("warrant"),
        "threat": _("threat"),
    }[mark]


def describe_mark(mark: Mark, character: str) -> str:
    """The word for a mark of that character, which agrees with its gender."""
    sentences = {
        "murdered": _("{character:?murdered}"),
        "robbed": _("{character:?robbed}"),
        "bewitched": _("{character:?bewitched}"),
    }
    return sentences.get(mark, name_mark(mark)).format(character=card(character))


def ending(table: Table) -> str:
    """That this is the last round, else who is one district short of a complete city; else ""."""
    if table.first_complete:
        return _("LAST ROUND.")
    if not table.rules.counts_cards:
        return ""
    near = [seat.name for seat in table.seats if seat.city.size == table.city_size - 1]
    if not near:
        return ""
    return _("One district from the end: {names}.").format(names=listing(near))


def brief_ending(table: Table) -> str:
    """The same in a few letters: `6/7 Ben, Mia`; "" if nobody is near."""
    if table.first_complete or not ending(table):
        return ending(table).rstrip(".")
    near = [seat for seat in table.seats if seat.city.size == table.city_size - 1]
    names = ", ".join(seat.name for seat in near)
    return f"{table.city_size - 1}/{table.city_size} {names}"


def shorten(name: str, longest: int) -> str:
    """A name in at most `longest` letters and a full stop: `Archit.`; "" for none."""
    if len(name) <= longest + 1 or not longest:
        return name if longest else ""
    return name[:longest].rstrip(" -’'") + "."


def _append(first: str, second: str) -> str:
    return _("{first}; {second}").format(first=first, second=second)


def list_round(table: Table) -> list[str]:
    """The round in words: all ranks in one line, then the result of `ending`."""
    words = reduce(_append, map(_write_in_words, ranks(table)))
    result = [_("Round {round}: {ranks}.").format(round=table.round, ranks=words), ending(table)]
    return [line for line in result if line]


def _write_in_words(rank: Rank) -> str:
    """`4 King, murdered`: a rank that was called and whose player is known needs no mark for it."""
    marks = [mark for mark in rank.marks if mark != "called" or not rank.player]
    owner = [rank.player] if rank.player else []
    words = ", ".join(
        [
            card(rank.character),
            *owner,
            *(describe_mark(mark, rank.character) for mark in marks),
        ]
    )
    return _("{rank} {known}").format(rank=rank.rank, known=words)
