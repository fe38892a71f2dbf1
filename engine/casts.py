"""Choose a cast: one character per rank, as the box and the number of players allow, or a cast
printed in a rulebook.

Nothing here is random: for a random cast, the caller passes a function that picks an item. The
restrictions are those that `engine.record` checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, Protocol, TypeVar

from engine import cards
from engine.editions import Edition, PrintedCast, printed_casts
from engine.ruleset import find_taken_out, list_cast_sizes

WITH = "_with_"
"""Between a printed cast's id and the substitutes of a way to play it."""

LAST_RANK = 8  # every cast has ranks 1 to 8; rank 9 is optional

_Thing = TypeVar("_Thing")


class Pick(Protocol):
    """A source of randomness: picks one item of a sequence, like `random.choice`."""

    def __call__(self, things: Sequence[_Thing], /) -> _Thing: ...


class Cast(NamedTuple):
    """The characters, and the unique districts shuffled in; None: the edition's own."""

    characters: tuple[str, ...]
    districts: tuple[str, ...] | None


def candidates(edition: Edition, players: int) -> dict[int, tuple[str, ...]]:
    """The box's characters allowed for this many players, by rank; rank 9 only where allowed.

    Source: the character cards (Queen, Emperor) and the Set-up of each rulebook (rank 9).
    """
    by_rank: dict[int, list[str]] = {}
    for id_, card in cards.characters().items():
        if edition.printing not in card.printings:
            continue
        if card.players is None or players in card.players:
            by_rank.setdefault(card.rank, []).append(id_)
    if LAST_RANK + 1 not in list_cast_sizes(edition, players):
        by_rank.pop(LAST_RANK + 1, None)
    return {rank: tuple(ids) for rank, ids in sorted(by_rank.items())}


def needs_ninth(edition: Edition, players: int) -> bool:
    """Whether this many players must play with a character of rank 9."""
    return players in edition.nine_with or LAST_RANK not in list_cast_sizes(edition, players)


def has_choice(edition: Edition, players: int) -> bool:
    """Whether the box offers this many players more than one cast."""
    by_rank = candidates(edition, players)
    free_ninth = LAST_RANK + 1 in by_rank and not needs_ninth(edition, players)
    return free_ninth or any(len(ids) > 1 for ids in by_rank.values())


def uniques(edition: Edition, cast: Sequence[str]) -> tuple[str, ...]:
    """The box's unique districts that may be shuffled in with that cast."""
    out = find_taken_out(edition, cast)
    districts = cards.districts(edition.printing)
    return tuple(id_ for id_, d in districts.items() if d.type == "unique" and id_ not in out)


def list_printed(edition: Edition) -> dict[str, PrintedCast]:
    """The casts that the edition's rulebook prints, by id."""
    return {id_: cast for id_, cast in printed_casts().items() if cast.edition == edition.id}


def list_ways(edition: Edition, cast: PrintedCast, players: int) -> dict[str, Cast]:
    """Every way to play the printed cast with this many players, by name.

    That is one, under the cast's own id, unless a character may not be used: any other of that rank
    may take its place (deluxe: the Artist or the Tax Collector for the Queen, the King or the
    Patrician for the Emperor), as in `devious_dignitaries_with_artist`. With two players a ninth
    stays in the box; where the list has none and one is required, the edition's usual one is added
    (ours).
    """
    all_characters = cards.characters()
    printed = {all_characters[id_].rank: id_ for id_ in cast.characters}
    ordinary = {all_characters[id_].rank: id_ for id_ in edition.ordinary_cast(players)}
    choices: list[tuple[str, ...]] = []
    instead: set[str] = set()
    for rank, able in candidates(edition, players).items():
        wanted = printed.get(rank) or ordinary.get(rank)
        if wanted in able:
            choices.append((wanted,))
        elif wanted is not None:
            choices.append(able)
            instead.update(able)
    ways = {}
    for characters in product(*choices):
        substitutes = [id_ for id_ in characters if id_ in instead]
        name = f"{cast.id}{WITH}{'_'.join(substitutes)}" if substitutes else cast.id
        ways[name] = Cast(characters, cast.districts)
    return ways


def draw(edition: Edition, players: int, pick: Pick) -> Cast:
    """A legal cast for this many players, chosen by `pick`, with the edition's number of unique
    districts, if it has one.

    An optional ninth character is included half of the time.
    """
    characters = []
    for rank, able in candidates(edition, players).items():
        optional = rank > LAST_RANK and not needs_ninth(edition, players)
        if not optional or pick((False, True)):
            characters.append(pick(able))
    if edition.uniques_played is None:
        return Cast(tuple(characters), None)
    left = list(uniques(edition, characters))
    drawn: set[str] = set()
    while len(drawn) < edition.uniques_played:
        district = pick(left)
        left.remove(district)
        drawn.add(district)
    in_box = cards.districts(edition.printing)
    return Cast(tuple(characters), tuple(id_ for id_ in in_box if id_ in drawn))
