"""The verbs of powers over hands, gold and the crown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, card, coins, district_type, hand_cards, number_entry
from companion.verbs.turn import act, cards_and_gold, tell_building, tell_payment
from companion.verbs.verb import Verb, Words
from engine.rules.building import price
from engine.rules.characters.crown import NAVIGATOR_GETS

if TYPE_CHECKING:
    from engine.table import Table


def _take(table: Table, name: str, *words: str) -> str:
    if not words:
        return _("Take a card from {player}'s hand").format(player=name)
    if words[0].isdecimal():
        return _("Take a card from {player}'s hand and build it for {cost}").format(
            player=name, cost=coins(int(words[0]))
        )
    district, cost = card(words[0]), price(table, words[0])
    match words[1:]:
        case ("over", leaving, *_mark):
            return _(
                "Take the {district} from {player}'s hand and build it in place of your {leaving}"
            ).format(district=district, player=name, leaving=card(leaving))
        case ("cards", number):
            paying = cards_and_gold(int(number), cost - int(number))
            return _("Take the {district} from {player}'s hand and build it for {income}").format(
                district=district, player=name, income=paying
            )
    return _("Take the {district} from {player}'s hand and build it for {income}").format(
        district=district, player=name, income=coins(cost)
    )


def _take_rest(table: Table, words: Words, place: int) -> str:
    """The player, the district with its price, or only how it is paid for, from `place` on."""
    name, *building = words
    if not building:
        return _take(table, name) if place else name
    rest = tell_building(table, tuple(building), max(0, place - 1))
    return rest if place else number_entry(name, rest)


def _take_told(before: Table, words: Words, after: Table) -> str:
    name, *building = words
    if not building:
        return act(_("{player} takes a card from {other}'s hand."), before, other=name)
    if building[0].isdecimal():
        sentence = _("{player} takes a card from {other}'s hand and builds it for {cost}.")
        return act(sentence, before, other=name, cost=coins(int(building[0])))
    district = card(building[0])
    match building[1:]:
        case ("over", leaving, *_mark):
            sentence = _(
                "{player} takes the {district} from {other}'s hand and builds it in place of the "
                "{leaving}."
            )
            return act(sentence, before, other=name, district=district, leaving=card(leaving))
        case ("cards", number):
            sentence = _(
                "{player} takes the {district} from {other}'s hand and builds it for {income}."
            )
            paying = cards_and_gold(int(number), tell_payment(before, after).number)
            return act(sentence, before, other=name, district=district, income=paying)
    sentence = _("{player} takes the {district} from {other}'s hand and builds it.")
    return act(sentence, before, other=name, district=district)


def _navigate(table: Table, what: str) -> str:
    if what == "gold":
        return _("Take {gold} extra").format(gold=coins(NAVIGATOR_GETS))
    return _("Draw {cards} extra").format(cards=hand_cards(NAVIGATOR_GETS))


def _crown(table: Table, name: str, payment: str) -> str:
    sentence = {
        "gold": _("Give {player} the crown for 1 gold"),
        "card": _("Give {player} the crown for 1 card"),
        "nothing": _("Give {player} the crown for nothing"),
    }[payment]
    return sentence.format(player=name)


def _crown_told(before: Table, words: Words, after: Table) -> str:
    sentence = {
        "gold": _("{other} gets the crown and pays 1 gold."),
        "card": _("{other} gets the crown and pays 1 card."),
        "nothing": _("{other} gets the crown and pays nothing."),
    }[words[1]]
    return sentence.format(other=words[0])


def _tithe(table: Table, *name: str) -> str:
    if name:
        return _("{player} gives the Abbot 1 gold").format(player=name[0])
    return _("The richest player gives the Abbot 1 gold")


VERBS = {
    "swap": Verb(
        label=lambda t, a: _("Swap hands with {player} ({cards})").format(
            player=a[0], cards=hand_cards(t.seats[t.seat_named(a[0])].hand)
        ),
        told=lambda b, a, n: act(_("{player} swaps hands with {other}."), b, other=a[0]),
        fold=lambda t, n: _("Swap hands with another player"),
        asks=lambda: (_("{player}. Whose hand?"),),
        does=lambda a: _("swap hands"),
        key="x",
        hint=lambda: _("Tap a player's token to swap hands with that player."),
    ),
    "redraw": Verb(
        label=lambda t, a: _("Replace {cards}").format(cards=hand_cards(int(a[0]))),
        told=lambda b, a, n: act(_("{player} replaces {cards}."), b, cards=hand_cards(int(a[0]))),
        fold=lambda t, n: _("Replace 1 to {cards}").format(cards=hand_cards(n)),
        asks=lambda: (_("{player}. How many cards?"),),
        unit=hand_cards,
        does=lambda a: _("replace cards"),
        key="w",
        heard="unsaid",
        number=82,
    ),
    "take": Verb(
        label=lambda t, a: _take(t, *a),
        told=_take_told,
        fold=lambda t, n: _("Take a card from another hand"),
        asks=lambda: (
            _("{player}. Whose hand do you take a card from?"),
            _("{player}. Build it?"),
            _("{player}. How do you pay?"),
        ),
        rests=lambda t, moves, place: [_take_rest(t, a, place) for a in moves],
        does=lambda a: _("take a card"),
        is_lost=True,
        key="a",
        hint=lambda: _("Tap a player's token to take a card from that hand."),
    ),
    "spy": Verb(
        label=lambda t, a: _("{player}'s hand: {cards} of type {type}").format(
            player=a[0], cards=hand_cards(int(a[2])), type=district_type(a[1])
        ),
        told=lambda b, a, n: act(
            _("{player} spied on {other}: {cards} of type {type}."),
            b,
            other=a[0],
            type=district_type(a[1]),
            cards=hand_cards(int(a[2])),
        ),
        fold=lambda t, n: _("Spy on a hand"),
        asks=lambda: (
            _("{player}. Whose hand do you look at?"),
            _("{player}. Which type?"),
            _("{player}. How many cards of that type?"),
        ),
        unit=hand_cards,
        does=lambda a: _("spy"),
        is_lost=True,
        key="w",
        hint=lambda: _("Tap the token of the player whose hand was seen."),
    ),
    "divine": Verb(
        label=lambda t, a: _("Take a card from every other hand and give one back to each"),
        told=lambda b, a, n: act(
            _("{player} takes a card from every other hand and gives one back to each."), b
        ),
        does=lambda a: _("take a card from every other hand"),
        is_lost=True,
        key="w",
    ),
    "study": Verb(
        label=lambda t, a: _("Draw 7 cards, keep 1"),
        told=lambda b, a, n: act(_("{player} draws seven cards and keeps one."), b),
        does=lambda a: _("draw 7 cards"),
        is_lost=True,
        key="a",
        heard="unsaid",
    ),
    "navigate": Verb(
        label=lambda t, a: _navigate(t, *a),
        told=lambda b, a, n: act(
            _("{player} takes four extra gold.")
            if a[0] == "gold"
            else _("{player} draws four extra cards."),
            b,
        ),
        fold=lambda t, n: _("Take extra gold or cards"),
        asks=lambda: (_("{player}. Extra gold or cards?"),),
        does=lambda a: _("take 4 gold or cards"),
        is_lost=True,
        key="n",
        heard="unsaid",
    ),
    "crown": Verb(
        label=lambda t, a: _crown(t, *a),
        told=_crown_told,
        fold=lambda t, n: _("Give the crown to another player"),
        asks=lambda: (_("{player}. Who gets the crown?"), _("{player}. What do they pay?")),
        does=lambda a: _("give the crown"),
        key="w",
        hint=lambda: _("Tap the token of the player who gets the crown."),
    ),
    "tithe": Verb(
        label=lambda t, a: _tithe(t, *a),
        told=lambda b, a, n: act(
            _("{player}, the Abbot, takes 1 gold from the richest player."), b
        ),
        fold=lambda t, n: _("Choose which of the richest gives the Abbot 1 gold"),
        asks=lambda: (_("{player}. Which of the richest pays?"),),
        does=lambda a: _("take gold from the richest"),
        is_lost=True,
        key="a",
    ),
    "collect": Verb(
        label=lambda t, a: _("Take the taxes: {gold}").format(gold=coins(t.tax)),
        told=lambda b, a, n: act(_("{player} takes the taxes: {gold}."), b, gold=coins(b.tax)),
        does=lambda a: _("take the taxes"),
        is_lost=True,
        key="x",
        heard="unsaid",
    ),
}
