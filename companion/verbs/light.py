"""The verbs of a table that keeps no cities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import (
    _,
    amount,
    card,
    cards,
    coins,
    end_sentence,
    hand_cards,
    listing,
    name_cards,
)
from companion.verbs.verb import NO, YES, Verb, Words
from engine.cards import characters
from engine.differences import characters_of

if TYPE_CHECKING:
    from engine.table import Table


def _amount(words: Words, own: str, between: str, other: str, **fields: str) -> str:
    """The sentence of an amount: own with the bank, own with another player, another's alone."""
    match words:
        case (number,):
            return own.format(gold=coins(int(number)), **fields)
        case (name, number):
            return other.format(gold=coins(int(number)), **fields | {"player": name})
    return between.format(gold=coins(int(words[2])), other=words[1], **fields)


def _city(name: str, districts: Words, after: Table) -> str:
    size = len(after.seats[after.seat_named(name)].city.cards)
    return _("{player}'s city: {cards}; {districts} so far.").format(
        player=name, cards=cards(districts), districts=amount("district", size)
    )


def _count(table: Table, words: Words) -> str:
    if len(words) == 1:
        number = int(words[0])
        if table.questions[-1].kind == "gold":
            return str(coins(number))
        if not number:
            return _("No character was shown")
        if table.rules.only_scores:  # nobody has said which of them it was
            ranks = characters()
            of_rank = [c for c in characters_of(table.rules.edition) if ranks[c].rank == number]
            return listing(name_cards(of_rank), conjunction="or")
        return card(table.rules.by_rank[number])
    district, number = words[0], int(words[1])
    sentence = (
        _("{district}: {cards} in hand")
        if "points_per_hand_card" in table.rules.districts[district].effects
        else _("{district}: {cards} under it")
    )
    return sentence.format(district=card(district), cards=hand_cards(number))


def _tell_count(before: Table, words: Words) -> str:
    if len(words) > 1:
        return end_sentence(_count(before, words))
    player = before.seats[before.questions[-1].seat].name
    return _("{player}: {what}.").format(player=player, what=_count(before, words))


def _tell_counted(sentence: str, table: Table) -> str:
    return sentence.format(player=table.seats[table.questions[-1].seat].name)


def _tell_city(before: Table, after: Table) -> str:
    question = after.questions[-1] if after.questions else None
    if question is None or question.kind != "completion":
        return end_sentence(_tell_counted(_("{player}'s city is counted"), before))
    seat = after.seats[question.seat]
    size = amount("district", seat.city.size)
    return end_sentence(_("{player}'s city: {cards}").format(player=seat.name, cards=size))


def _tell_dated(sentence: str, table: Table) -> str:
    question = table.questions[-1]
    return sentence.format(player=table.seats[question.seat].name, card=card(question.about))


def _complete(player: str) -> str:
    return _("{player}'s city is complete").format(player=player)


def _pay(words: Words) -> str:
    return _amount(
        words, _("Pay {gold}"), _("Pay {gold} to {other}"), _("{player} pays {gold}")
    )  # fmt: skip


def _gain(words: Words) -> str:
    return _amount(
        words, _("Gain {gold}"), _("Gain {gold} from {other}"), _("{player} gains {gold}")
    )  # fmt: skip


VERBS = {
    "pay": Verb(
        label=lambda t, a: _pay(a),
        told=lambda b, a, n: _amount(
            a,
            _("{player} pays {gold}."),
            _("{player} pays {gold} to {other}."),
            _("{player} pays {gold}."),
            player=b.acting.name,
        ),
        fold=lambda t, n: _("Pay gold"),
        asks=lambda: (_("Who pays how much?"), _("To whom?"), _("How much gold?")),
        of_another=lambda: _("Another player pays"),
        of_fixed=lambda: _("Pay another player"),
        rests=lambda t, moves, place: [_pay(a) for a in moves],
        key="p",
        number=86,
    ),
    "gain": Verb(
        label=lambda t, a: _gain(a),
        told=lambda b, a, n: end_sentence(
            _amount(
                a,
                _("{player} gains {gold}"),
                _("{player} gains {gold} from {other}."),
                _("{player} gains {gold}"),
                player=b.acting.name,
            )
        ),
        fold=lambda t, n: _("Gain gold"),
        asks=lambda: (_("Who gains how much?"), _("From whom?"), _("How much gold?")),
        of_another=lambda: _("Another player gains"),
        of_fixed=lambda: _("Gain from another player"),
        rests=lambda t, moves, place: [_gain(a) for a in moves],
        number=87,
    ),
    "complete": Verb(
        label=lambda t, a: _complete(*a),
        told=lambda b, a, n: end_sentence(_complete(*a)),
        fold=lambda t, n: _("A city is complete"),
        asks=lambda: (_("Whose city is complete?"),),
        number=88,
    ),
    "city": Verb(
        label=lambda t, a: _("{player}'s city: {cards}").format(player=a[0], cards=cards(a[1:])),
        told=lambda b, a, n: _city(a[0], a[1:], n),
        fold=lambda t, n: _("Name a district of the city"),
        asks=lambda: (_("Whose city?"), _("Which districts are in the city?")),
        hint=lambda: _("Tap the districts of the city being counted."),
        number=3,
    ),
    "count": Verb(
        label=lambda t, a: _count(t, a),
        told=lambda b, a, n: _tell_count(b, a),
        fold=lambda t, n: _("Count the scoring cards"),
        asks=lambda: (_("Which district do the cards score for?"), _("How many cards?")),
        unit=hand_cards,
        number=89,
    ),
    "counted": Verb(
        label=lambda t, a: _tell_counted(_("{player}'s city is counted"), t),
        told=lambda b, a, n: _tell_city(b, n),
        instead=("end",),
        key="e",
        number=9,
    ),
    "confirm": Verb(
        label=lambda t, a: _("Yes, it has lost districts since"),
        told=lambda b, a, n: _tell_counted(
            _("{player}'s city was complete, and has lost districts."), b
        ),
        key="y",
        number=YES,
    ),
    "recount": Verb(
        label=lambda t, a: _("No, name more districts"),
        told=lambda b, a, n: _tell_counted(_("{player} names more districts."), b),
        key="n",
        number=NO,
    ),
    "late": Verb(
        label=lambda t, a: _("Yes, in the last round"),
        told=lambda b, a, n: _tell_dated(_("{player}'s {card} was built in the last round."), b),
        key="y",
        number=YES,
    ),
    "early": Verb(
        label=lambda t, a: _("No, before"),
        told=lambda b, a, n: _tell_dated(
            _("{player}'s {card} was built before the last round."), b
        ),
        key="n",
        number=NO,
    ),
}
