"""A table that keeps no cities: what its moves are called, and what they bring about, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, amount, card, cards, coins, hand_cards

if TYPE_CHECKING:
    from engine.table import Table

Words = tuple[str, ...]


def _amount(words: Words, own: str, between: str, other: str, **fields: str) -> str:
    """The sentence of an amount: one's own with the bank, with another player, another's alone."""
    match words:
        case (number,):
            return own.format(gold=coins(int(number)), **fields)
        case (name, number):
            return other.format(gold=coins(int(number)), other=name, **fields)
    return between.format(gold=coins(int(words[2])), other=words[1], **fields)


def _pay_label(words: Words) -> str:
    return _amount(
        words, _("Pay {gold}"), _("Pay {gold} to {other}"), _("{other} pays {gold}")
    )  # fmt: skip


def _gain_label(words: Words) -> str:
    return _amount(
        words, _("Gain {gold}"), _("Gain {gold} from {other}"), _("{other} gains {gold}")
    )  # fmt: skip


def _count_label(t: Table, district: str, number: str) -> str:
    sentence = (
        _("{district}: {cards} in hand")
        if "points_per_hand_card" in t.rules.districts[district].effects
        else _("{district}: {cards} under it")
    )
    return sentence.format(district=card(district), cards=hand_cards(int(number)))


LABELS: dict[str, Callable[[Table, Words], str]] = {
    "pay": lambda t, a: _pay_label(a),
    "gain": lambda t, a: _gain_label(a),
    "complete": lambda t, a: _("{player}'s city is complete").format(player=a[0]),
    "city": lambda t, a: _("{player}'s city: {cards}").format(player=a[0], cards=cards(a[1:])),
    "count": lambda t, a: _count_label(t, *a),
    "counted": lambda t, a: _("{player}'s city is counted").format(
        player=t.seats[t.questions[-1].seat].name
    ),
}


def _pay_told(before: Table, words: Words) -> str:
    return _amount(
        words,
        _("{player} pays {gold}."),
        _("{player} pays {gold} to {other}."),
        _("{other} pays {gold}."),
        player=before.acting.name,
    )


def _gain_told(before: Table, words: Words) -> str:
    return _amount(
        words,
        _("{player} gains {gold}."),
        _("{player} gains {gold} from {other}."),
        _("{other} gains {gold}."),
        player=before.acting.name,
    )


def _city_told(name: str, districts: Words, after: Table) -> str:
    size = len(after.seats[after.seat_named(name)].city.cards)
    return _("{player}'s city: {cards}; {districts} so far.").format(
        player=name,
        cards=cards(districts),
        districts=amount("district", size),
    )


TOLD: dict[str, Callable[[Table, Words, Table], str]] = {
    "pay": lambda b, a, n: _pay_told(b, a),
    "gain": lambda b, a, n: _gain_told(b, a),
    "complete": lambda b, a, n: _("{player}'s city is complete.").format(player=a[0]),
    "city": lambda b, a, n: _city_told(a[0], a[1:], n),
    "count": lambda b, a, n: _("{what}.").format(what=_count_label(b, *a)),
    "counted": lambda b, a, n: _("{player}'s city is counted.").format(
        player=b.seats[b.questions[-1].seat].name
    ),
}


def fold_sentences() -> dict[str, str]:
    """What a line is called behind which several of these moves lie."""
    return {
        "pay": _("Pay gold, {choices}"),
        "gain": _("Gain gold, {choices}"),
        "complete": _("A city is complete, {choices}"),
        "city": _("Name a district of the city, {choices}"),
        "count": _("Count the cards that score, {choices}"),
    }
