"""The verbs of rank 8 and 9 about districts in cities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.verbs.turn import act, paid
from companion.game.verbs.verb import Verb, Words
from companion.language import _, card, cards, coins
from engine.rules.base import taken
from engine.rules.characters.strikers import (
    exchange_price,
    exchanged,
    seizing_price,
    strike_price,
)

if TYPE_CHECKING:
    from engine.table import Table


def _destroying(t: Table, words: Words) -> int:
    victim = t.seats[t.seat_named(words[0])]
    return strike_price(t, victim, taken(t, *words))


def _exchanging(t: Table, words: Words) -> int:
    gives, takes = exchanged(words)
    victim = t.seats[t.seat_named(takes[0])]
    return exchange_price(t, taken(t, t.acting.name, *gives), victim, taken(t, *takes))


def _seizing(t: Table, words: Words) -> int:
    victim = t.seats[t.seat_named(words[0])]
    return seizing_price(t, victim, taken(t, *words))


def _destroy(t: Table, words: Words) -> str:
    name, district = words[:2]
    price = coins(_destroying(t, words))
    if t.seats[t.seat_named(name)] is t.acting:
        return _("Destroy your own {district} for {price}").format(
            district=card(district), price=price
        )
    return _("Destroy {player}'s {district} for {price}").format(
        player=name, district=card(district), price=price
    )


def _destroy_told(before: Table, words: Words, after: Table) -> str:
    name, district = words[:2]
    sentence = (
        _("{player} destroys {victim}'s {district} for {price}.")
        if before.acting.name != name
        else _("{player} destroys the {district} of the own city for {price}.")
    )
    price = paid(before, after)
    return act(sentence, before, victim=name, district=card(district), price=price)


def _exchange(t: Table, words: Words) -> str:
    gives, takes = exchanged(words)
    own, name, district = gives[0], *takes[:2]
    return _("Give the {own} for {player}'s {district} and pay {price}").format(
        own=card(own), player=name, district=card(district), price=coins(_exchanging(t, words))
    )


def _exchange_told(before: Table, words: Words, after: Table) -> str:
    gives, takes = exchanged(words)
    own, other, district = gives[0], *takes[:2]
    return act(
        _("{player} gives the {own} for {other}'s {district} and pays {price}."),
        before,
        own=card(own),
        other=other,
        district=card(district),
        price=paid(before, after),
    )


def _seize(t: Table, words: Words) -> str:
    name, district = words[:2]
    return _("Seize {player}'s {district} for {price}").format(
        player=name, district=card(district), price=coins(_seizing(t, words))
    )


def _seize_told(before: Table, words: Words, after: Table) -> str:
    other, district = words[:2]
    return act(
        _("{player} seizes {other}'s {district} for {price}."),
        before,
        other=other,
        district=card(district),
        price=paid(before, after),
    )


VERBS = {
    "destroy": Verb(
        label=_destroy,
        told=_destroy_told,
        fold=lambda t, n: _("Destroy a district"),
        asks=lambda: (_("{player}. Destroy in whose city?"), _("{player}. Destroy which?")),
        of_player=lambda: _("In {player}'s city"),
        price=_destroying,
        does=lambda a: _("destroy"),
        key="x",
        hint=lambda: _("A district of a city is destroyed."),
    ),
    "exchange": Verb(
        label=_exchange,
        told=_exchange_told,
        fold=lambda t, n: _("Exchange a district of yours for another"),
        asks=lambda: (
            _("{player}. Give which of your districts?"),
            _("{player}. For one of whose city?"),
            _("{player}. For which district?"),
        ),
        of_player=lambda: _("For one of {player}'s city"),
        of_card=lambda place: _("Your {card}") if place == 0 else "{card}",
        price=_exchanging,
        does=lambda a: _("exchange"),
        key="x",
        hint=lambda: _("Your own district card, then the other one: they are exchanged."),
    ),
    "seize": Verb(
        label=_seize,
        told=_seize_told,
        fold=lambda t, n: _("Seize a district"),
        asks=lambda: (_("{player}. Seize from whose city?"), _("{player}. Seize which?")),
        of_player=lambda: _("From {player}'s city"),
        price=_seizing,
        does=lambda a: _("seize"),
        key="x",
        hint=lambda: _("A district of a city is seized."),
    ),
    "decorate": Verb(
        label=lambda t, a: _("Decorate: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} decorates: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Decorate one or two districts"),
        asks=lambda: (_("{player}. Decorate which districts?"),),
        does=lambda a: _("decorate"),
        key="a",
        hint=lambda: _("Your own district card is decorated; two may be."),
    ),
}
