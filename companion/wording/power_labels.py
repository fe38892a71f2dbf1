"""What the moves of the wider boxes are called: powers of characters, answers, ways to build."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, card, cards, coins, district_type, hand_cards
from engine.rules.base import taken
from engine.rules.building import price
from engine.rules.characters.bonuses import NAVIGATOR_GETS
from engine.rules.characters.strikers import exchange_price, exchanged, seizing_price
from engine.table import UNNAMED

if TYPE_CHECKING:
    from engine.table import Table


def build(t: Table, district: str, *how: str) -> str:
    """Building a district, with the way to pay for it; `district` may be the bare price."""
    if district.isdecimal():
        return _("Build for {cost}").format(cost=coins(int(district)))
    name, cost = card(district), price(t, district)
    match how:
        case ("over", leaving, *_mark):
            return _("Build the {district} in place of your {leaving}").format(
                district=name, leaving=card(leaving)
            )
        case ("cards", number):
            return _("Build the {district} for {cards} and {gold}").format(
                district=name, cards=hand_cards(int(number)), gold=coins(cost - int(number))
            )
        case ("from", lender):
            return _("Build the {district} with {gold} of {player}'s").format(
                district=name, gold=coins(cost - t.acting.gold), player=lender
            )
    return _("Build the {district} for {cost}").format(district=name, cost=coins(cost))


def _take(t: Table, name: str, *district: str) -> str:
    if not district:
        return _("Take a card from {player}'s hand").format(player=name)
    return _("Take the {district} from {player}'s hand and build it for {cost}").format(
        district=card(district[0]), player=name, cost=coins(price(t, district[0]))
    )


def _crown(t: Table, name: str, payment: str) -> str:
    sentence = {
        "gold": _("The crown goes to {player}, who pays a gold"),
        "card": _("The crown goes to {player}, who pays a card"),
        "nothing": _("The crown goes to {player}, who pays nothing"),
    }[payment]
    return sentence.format(player=name)


def _tithe(t: Table, *name: str) -> str:
    if name:
        return _("{player} gives the Abbot a gold").format(player=name[0])
    return _("The richest player gives the Abbot a gold")


def _exchange(t: Table, *words: str) -> str:
    gives, takes = exchanged(words)
    own, name, district = gives[0], *takes[:2]
    victim = t.seats[t.seat_named(name)]
    mine, theirs = taken(t, t.acting.name, *gives), taken(t, *takes)
    return _("Give the {own} for {player}'s {district} and pay {price}").format(
        own=card(own),
        player=name,
        district=card(district),
        price=coins(exchange_price(t, mine, victim, theirs)),
    )


def _seize(t: Table, name: str, district: str, *mark: str) -> str:
    victim = t.seats[t.seat_named(name)]
    return _("Seize {player}'s {district} for {price}").format(
        player=name,
        district=card(district),
        price=coins(seizing_price(t, victim, taken(t, name, district, *mark))),
    )


def _spare(t: Table) -> str:
    if t.questions[-1].about == UNNAMED:
        return _("Let the district stand")
    if t.questions[-1].kind == "warrant":
        return _("Let the {district} stand").format(district=card(t.questions[-1].about))
    return _("Leave the threat unshown")


def _confiscate(t: Table) -> str:
    if t.questions[-1].about == UNNAMED:
        return _("Confiscate the district")
    return _("Confiscate the {district}").format(district=card(t.questions[-1].about))


def _expose(t: Table, *which: str) -> str:
    sentences = {
        (): _("Show the threat"),
        ("real",): _("Show the threat: it is real"),
        ("fake",): _("Show the threat: it is empty"),
    }
    return sentences[which]


def _bribe(t: Table) -> str:
    return _("Pay {gold} and be left alone").format(
        gold=coins(t.seats[t.questions[-1].seat].gold // 2)
    )


def use(t: Table, district: str, *words: str) -> str:
    """The use of a district that has a sentence of its own, else a general one."""
    match district, words:
        case "museum", ():
            return _("Lay a card of the hand under the Museum")
        case "armory", (name, target, *_mark):
            return _("Destroy the Armory and {player}'s {district}").format(
                player=name, district=card(target)
            )
        case "bell_tower", ():
            return _("Ring the Bell Tower: fewer districts complete a city")
        case "theater", (name,):
            return _("Theater: swap characters with {player}").format(player=name)
    return _("Use the {district}").format(district=card(district))


POWER_LABELS: dict[str, Callable[[Table, tuple[str, ...]], str]] = {
    "build": lambda t, a: build(t, *a),
    "bewitch": lambda t, a: _("Bewitch the {character}").format(character=card(a[0])),
    "warrants": lambda t, a: _("Lay warrants on: {cards}").format(cards=cards(a)),
    "threats": lambda t, a: _("Lay threats on: {cards}").format(cards=cards(a)),
    "signed": lambda t, a: _("Record in secret: the signed warrant is the {character}'s").format(
        character=card(a[0])
    ),
    "real": lambda t, a: _("Record in secret: the real threat is the {character}'s").format(
        character=card(a[0])
    ),
    "take": lambda t, a: _take(t, *a),
    "spy": lambda t, a: _("{player}'s hand: {cards} of the type {type}").format(
        player=a[0], cards=hand_cards(int(a[2])), type=district_type(a[1])
    ),
    "divine": lambda t, a: _("Take a card from every other hand and give one back to each"),
    "study": lambda t, a: _("Draw 7 cards, keep 1"),
    "navigate": lambda t, a: (
        _("Take {gold} extra").format(gold=coins(NAVIGATOR_GETS))
        if a[0] == "gold"
        else _("Draw {cards} extra").format(cards=hand_cards(NAVIGATOR_GETS))
    ),
    "crown": lambda t, a: _crown(t, *a),
    "tithe": lambda t, a: _tithe(t, *a),
    "collect": lambda t, a: _("Take the taxes: {gold}").format(gold=coins(t.tax)),
    "exchange": lambda t, a: _exchange(t, *a),
    "seize": lambda t, a: _seize(t, *a),
    "decorate": lambda t, a: _("Decorate: {cards}").format(cards=cards(a)),
    "forfeit": lambda t, a: _("Take the turn away: the courtesy was forgotten"),
    "confiscate": lambda t, a: _confiscate(t),
    "spare": lambda t, a: _spare(t),
    "bribe": lambda t, a: _bribe(t),
    "refuse": lambda t, a: _("Refuse to pay"),
    "expose": lambda t, a: _expose(t, *a),
    "vault": lambda t, a: _("{player} shows the Secret Vault").format(player=a[0]),
}
