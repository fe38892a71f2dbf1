"""The round at a glance: every rank with what is known of it, then what ends the game soon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.language import _, card, listing

if TYPE_CHECKING:
    from engine.table import Table

Mark = Literal["called", "now", "faceup", "murdered", "robbed", "bewitched", "warrant", "threat"]


class Rank(NamedTuple):
    """A rank of the round, with the id of its character and the marks that everybody knows."""

    rank: int
    character: str
    player: str  # who has shown the character; nobody yet: empty
    marks: tuple[Mark, ...]


def ranks(t: Table) -> list[Rank]:
    """Every rank in order, from the view `t`."""
    shown = {character: seat.name for seat in t.seats for character in seat.revealed}
    return [
        Rank(rank, character, shown.get(character, ""), tuple(_marks(t, rank, character)))
        for rank, character in sorted(t.rules.by_rank.items())
    ]


def _marks(t: Table, rank: int, character: str) -> list[Mark]:
    over = t.stage == "over"
    holds: dict[Mark, bool] = {
        "called": rank < t.called or (over and rank <= t.called),
        "now": rank == t.called and not over,
        "faceup": character in (t.faceup or ()),
        "murdered": character == t.killed,
        "robbed": character == t.robbed,
        "bewitched": character == t.bewitched,
        "warrant": character in t.warrants,
        "threat": character in t.threats,
    }
    return [mark for mark, held in holds.items() if held]


def named(mark: Mark) -> str:
    """What a mark is called."""
    return {
        "called": _("called"),
        "now": _("now"),
        "faceup": _("face up"),
        "murdered": _("murdered"),
        "robbed": _("robbed"),
        "bewitched": _("bewitched"),
        "warrant": _("warrant"),
        "threat": _("threat"),
    }[mark]


def ending(t: Table) -> str:
    """That this is the last round, else who is one district short of a city; else nothing."""
    if t.first_complete:
        return _("LAST ROUND.")
    if not t.rules.counts_cards:
        return ""
    near = [seat.name for seat in t.seats if seat.city.size == t.city_size - 1]
    if not near:
        return ""
    return _("One district short: {names}.").format(names=listing(near))


def lines(t: Table) -> list[str]:
    """The round in words: all ranks in one line, then what `ending` says."""
    words = "; ".join(map(_in_words, ranks(t)))
    told = [_("Round {round}: {ranks}.").format(round=t.round, ranks=words), ending(t)]
    return [line for line in told if line]


def _in_words(rank: Rank) -> str:
    """`4 King, murdered`: a rank that was called and whose player is known needs no mark for it."""
    marks = [mark for mark in rank.marks if mark != "called" or not rank.player]
    known = [rank.player] if rank.player else []
    words = ", ".join([card(rank.character), *known, *map(named, marks)])
    return _("{rank} {known}").format(rank=rank.rank, known=words)
