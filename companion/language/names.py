"""Typed names of cards, players and district types, and what they mean."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion import language
from companion.language.vocabulary import simplify, spellings
from engine import words
from engine.moves import fold
from engine.words import is_anothers, printed_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.language.vocabulary import Names


def player_names(players: Iterable[str]) -> Names:
    """The names accepted for each player (`Jose` for José, `Juergen` for Jürgen, unless both
    play)."""
    names = list(players)
    lines = {simplify(name) for name in names}
    return {
        name: [fold(name), simplify(name), *(one for one in spellings(name) if one not in lines)]
        for name in names
    }


def card_names(card_id: str) -> list[str]:
    """The names accepted for a card: its id, also as separate words, and every name and inflected
    form in the table's language, of all printings. Names of other languages are excluded: the
    Russian `Порт` is the Docks and the French `Port` the Harbor."""
    here = language.current()
    lines = (
        name
        for code, name in printed_names(card_id)
        if code == here and not is_anothers(name, card_id, code)
    )
    names = (card_id, *lines, *language.card(card_id).forms())
    return [one for name in names for one in spellings(name)]


def names_of_cards(card_ids: Iterable[str]) -> Names:
    """The names accepted for each of these cards."""
    return {id_: card_names(id_) for id_ in card_ids}


@lru_cache(maxsize=512)
def search_names(card_id: str) -> tuple[str, ...]:
    """Every name of a card in any language and printing, and its id, normalized for search."""
    lines = (name for _language, name in printed_names(card_id))
    return tuple(dict.fromkeys(one for name in (card_id, *lines) for one in spellings(name)))


def type_names(type_: str) -> list[str]:
    """The names accepted for a district type."""
    names = (type_, *words.type_names(type_, language.current()))
    return [one for name in names for one in spellings(name)]
