"""What differs for the players between two editions: cards, costs, answers, texts.

Facts only; the caller words them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import cards
from engine.editions import Edition, Switch, switches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.cards import District

Pair = tuple[Any, Any]  # one edition's answer to a question and the other's

SMALL_TABLE = 3  # players: up to this many, an edition may have different answers
ANY_TABLE = 4


class Differences(NamedTuple):
    """All differences; common facts are left out."""

    players: Pair | None
    first_crown: Pair | None
    language: Pair | None
    ordinary_cast: Pair | None
    nine_with: Pair | None
    uniques_played: Pair | None
    characters: tuple[tuple[str, ...], tuple[str, ...]]  # only in one, only in the other
    districts: tuple[tuple[str, ...], tuple[str, ...]]
    costs: dict[str, Pair]
    copies: dict[str, Pair]
    switches: dict[str, Pair]  # with a usual number of players
    small_table: dict[str, Pair]  # with 2 or 3 players, where that differs again
    taken_out: Pair | None
    texts: tuple[str, ...]  # cards in both boxes whose texts differ


def characters_of(edition: Edition) -> tuple[str, ...]:
    """The characters in the edition's box, in rank order."""
    characters = cards.characters()
    return tuple(id_ for id_, card in characters.items() if edition.printing in card.printings)


def districts_of(edition: Edition) -> dict[str, District]:
    return cards.districts(edition.printing)


def can_come_up(edition: Edition, switch: Switch) -> bool:
    """Whether the box has the cards that the question is about."""
    return switch.about <= {*characters_of(edition), *districts_of(edition)}


def compare(one: Edition, other: Edition, language: str = "en") -> Differences:
    """Compare two editions, with texts in `language`."""

    def pair(fact: Callable[[Edition], object]) -> Pair | None:
        facts = fact(one), fact(other)
        return None if facts[0] == facts[1] else facts

    of_one, of_other = districts_of(one), districts_of(other)
    here, there = characters_of(one), characters_of(other)
    common = [id_ for id_ in (*here, *of_one) if id_ in there or id_ in of_other]
    return Differences(
        players=pair(lambda e: (e.min_players, e.max_players)),
        first_crown=pair(lambda e: e.first_crown),
        language=pair(lambda e: e.language),
        ordinary_cast=pair(lambda e: (e.cast, e.ninth)),
        nine_with=pair(lambda e: e.nine_with),
        uniques_played=pair(lambda e: e.uniques_played),
        characters=(_leave_out(here, there), _leave_out(there, here)),
        districts=(_leave_out(of_one, of_other), _leave_out(of_other, of_one)),
        costs=_pair_differing(of_one, of_other, lambda card: card.cost),
        copies=_pair_differing(of_one, of_other, lambda card: card.copies),
        switches=_compare_answers(one, other, ANY_TABLE),
        small_table=_compare_small_tables(one, other),
        taken_out=pair(lambda e: e.taken_out),
        texts=tuple(
            id_ for id_ in common if _text(one, id_, language) != _text(other, id_, language)
        ),
    )


def _leave_out(ids: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    left_out = set(others)
    return tuple(id_ for id_ in ids if id_ not in left_out)


def _pair_differing(
    one: dict[str, District], other: dict[str, District], fact: Callable[[District], int]
) -> dict[str, Pair]:
    pairs = {id_: (fact(card), fact(other[id_])) for id_, card in one.items() if id_ in other}
    return {id_: pair for id_, pair in pairs.items() if pair[0] != pair[1]}


def _compare_answers(one: Edition, other: Edition, players: int) -> dict[str, Pair]:
    here, there = one.answers(players), other.answers(players)
    return {name: (here[name], there[name]) for name in switches() if here[name] != there[name]}


def _compare_small_tables(one: Edition, other: Edition) -> dict[str, Pair]:
    """Answers for small tables that those for larger tables do not already cover."""
    usual = _compare_answers(one, other, ANY_TABLE)
    small = _compare_answers(one, other, SMALL_TABLE)
    if max(one.min_players, other.min_players) > SMALL_TABLE:
        return {}
    return {name: pair for name, pair in small.items() if usual.get(name) != pair} | {
        name: (one.answers(SMALL_TABLE)[name], other.answers(SMALL_TABLE)[name])
        for name in usual
        if name not in small
    }


def _text(edition: Edition, id_: str, language: str) -> str:
    return cards.text_of(id_, edition.id, language).text
