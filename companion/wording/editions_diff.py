"""Differences between two editions in words: a line for each, the first edition first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.language import _, card, cards, coins, current, listing, translate
from companion.wording.editions import answer, language_name
from companion.wording.facts import sentences
from engine.cards import characters as every_character
from engine.cards import text_of
from engine.differences import compare
from engine.editions import switches

if TYPE_CHECKING:
    from engine.differences import Pair
    from engine.editions import Edition


def list_differences(one: Edition, other: Edition) -> list[str]:
    """The differences in lines; none for two equal editions."""
    difference = compare(one, other, current())

    def tell_both(question: str, pair: Pair | None, words: Callable[[Any], str]) -> list[str]:
        if pair is None:
            return []
        sentence = _("{question} {one}: {first}; {other}: {second}.")
        if pair[0] == pair[1]:  # told because it applies only at small tables
            sentence = _("{question} In both: {first}.")
        return [
            sentence.format(
                question=question,
                one=translate(one.cites),
                first=words(pair[0]),
                other=translate(other.cites),
                second=words(pair[1]),
            )
        ]

    lines = [
        *tell_both(_("Players."), difference.players, _span),
        *tell_both(_("First crown."), difference.first_crown, translate),
        *tell_both(_("Default language."), difference.language, language_name),
        *tell_both(_("Ordinary cast."), difference.ordinary_cast, _cast),
        *tell_both(_("Always nine characters."), difference.nine_with, _tables),
        *tell_both(_("Unique districts shuffled in."), difference.uniques_played, _uniques),
        *tell_both(_("Left in the box."), difference.taken_out, _list_left_out),
        *_tell_only(
            one, _add_ranks(difference.characters[0]), _("Characters only in {edition}: {cards}.")
        ),
        *_tell_only(
            other, _add_ranks(difference.characters[1]), _("Characters only in {edition}: {cards}.")
        ),
        *_tell_only(
            one, cards(difference.districts[0]), _("Districts only in {edition}: {cards}.")
        ),
        *_tell_only(
            other, cards(difference.districts[1]), _("Districts only in {edition}: {cards}.")
        ),
    ]
    for id_, pair in difference.costs.items():
        lines += tell_both(_("{card}, cost.").format(card=card(id_)), pair, coins)
    for id_, pair in difference.copies.items():
        lines += tell_both(_("{card}, copies.").format(card=card(id_)), pair, str)
    for name, pair in difference.switches.items():
        switch = switches()[name]
        lines += tell_both(translate(switch.question), pair, partial(answer, switch))
    for name, pair in difference.small_table.items():
        switch = switches()[name]
        question = _("With 2 or 3 players: {question}").format(question=translate(switch.question))
        lines += tell_both(question, pair, partial(answer, switch))
    for id_ in difference.texts:
        lines += _texts(one, other, id_)
    return lines


def _span(players: tuple[int, int]) -> str:
    return _("{fewest} to {most}").format(fewest=players[0], most=players[1])


def _cast(cast: tuple[tuple[str, ...], str | None]) -> str:
    return cards((*cast[0], cast[1]) if cast[1] else cast[0])


def _tables(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return _("never")
    return _("with {numbers} players").format(numbers=listing(map(str, numbers), conjunction="or"))


def _uniques(number: int | None) -> str:
    return _("all", "copies of a card") if number is None else str(number)


def _list_left_out(taken_out: dict[str, list[str]]) -> str:
    parts = [
        _("with the {character}, the {cards}").format(character=card(id_), cards=cards(districts))
        for id_, districts in taken_out.items()
    ]
    return listing(parts) if parts else _("nothing")


def _add_ranks(characters: tuple[str, ...]) -> str:
    """Names with ranks: two boxes may each have a Tax Collector at different ranks."""
    cast = every_character()
    return listing(
        _("{character} (rank {rank})").format(character=card(id_), rank=cast[id_].rank)
        for id_ in characters
    )


def _tell_only(edition: Edition, card_list: str, sentence: str) -> list[str]:
    return [sentence.format(edition=translate(edition.cites), cards=card_list)] if card_list else []


def _texts(one: Edition, other: Edition, id_: str) -> list[str]:
    """The sentences of a card that only one edition has."""
    texts = {e.id: sentences(text_of(id_, e.id, current()).text) for e in (one, other)}
    lines = []
    for edition, rest in ((one, texts[other.id]), (other, texts[one.id])):
        own = " ".join(sentence for sentence in texts[edition.id] if sentence not in rest)
        if own:
            lines.append(
                _("{card}, {edition}: {text}").format(
                    card=card(id_), edition=translate(edition.cites), text=own
                )
            )
    return lines
