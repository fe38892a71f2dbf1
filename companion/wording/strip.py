"""The round at a glance: every rank with what is known of it, then how near the end is."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.language import _, card, listing

if TYPE_CHECKING:
    from engine.table import Table

Mark = Literal["called", "now", "faceup", "murdered", "robbed", "bewitched", "warrant", "threat"]


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


def lines(table: Table) -> list[str]:
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
