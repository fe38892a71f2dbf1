"""What happened in the wider boxes: powers of characters, answers, and what comes by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, amount, card, cards, coins, district_type, hand_cards
from engine.rules.characters.strikers import exchanged
from engine.table import UNNAMED

if TYPE_CHECKING:
    from engine.table import Event, Table

Told = Callable[["Table", tuple[str, ...], "Table"], str]


def _act(sentence: str, before: Table, **words: object) -> str:
    return sentence.format(player=before.acting.name, **words)


def _asked(sentence: str, before: Table) -> str:
    question = before.questions[-1]
    about = card(question.about) if question.about != UNNAMED else ""
    return sentence.format(player=before.seats[question.seat].name, card=about)


def paid(before: Table, after: Table) -> str:
    """What the acting player's gold has gone down by, in words."""
    return coins(before.acting.gold - after.seats[before.playing.seat].gold)


def build(before: Table, words: tuple[str, ...], after: Table) -> str:
    """A district was built, and how it was paid for."""
    if words[0].isdecimal():
        return _act(_("{player} builds a district for {cost}."), before, cost=coins(int(words[0])))
    district = card(words[0])
    match words[1:]:
        case ("over", leaving, *_mark):
            return _act(
                _("{player} builds the {district} in place of the {leaving}."),
                before,
                district=district,
                leaving=card(leaving),
            )
        case ("cards", number):
            return _act(
                _("{player} builds the {district} for {cards} and {gold}."),
                before,
                district=district,
                cards=hand_cards(int(number)),
                gold=paid(before, after),
            )
        case ("from", lender):
            return _act(
                _("{player} builds the {district} with gold of {lender}'s."),
                before,
                district=district,
                lender=lender,
            )
    cost = coins(after.playing.spent - before.playing.spent)
    return _act(
        _("{player} builds the {district} for {cost}."), before, district=district, cost=cost
    )


def _take(before: Table, words: tuple[str, ...], after: Table) -> str:
    if len(words) == 1:
        return _act(_("{player} takes a card from {other}'s hand."), before, other=words[0])
    return _act(
        _("{player} takes the {district} from {other}'s hand and builds it."),
        before,
        other=words[0],
        district=card(words[1]),
    )


def _crown(before: Table, words: tuple[str, ...], after: Table) -> str:
    sentence = {
        "gold": _("{other} gets the crown and pays a gold."),
        "card": _("{other} gets the crown and pays a card."),
        "nothing": _("{other} gets the crown and pays nothing."),
    }[words[1]]
    return sentence.format(other=words[0])


def _exchange(before: Table, words: tuple[str, ...], after: Table) -> str:
    gives, takes = exchanged(words)
    own, other, district = gives[0], *takes[:2]
    return _act(
        _("{player} gives the {own} for {other}'s {district} and pays {price}."),
        before,
        own=card(own),
        other=other,
        district=card(district),
        price=paid(before, after),
    )


def _seize(before: Table, words: tuple[str, ...], after: Table) -> str:
    return _act(
        _("{player} seizes {other}'s {district} for {price}."),
        before,
        other=words[0],
        district=card(words[1]),
        price=paid(before, after),
    )


def _spare(before: Table, words: tuple[str, ...], after: Table) -> str:
    if before.questions[-1].about == UNNAMED:
        return _asked(_("{player} lets the district stand."), before)
    if before.questions[-1].kind == "warrant":
        return _asked(_("{player} lets the {card} stand."), before)
    return _asked(_("{player} leaves the threat unshown."), before)


def use(before: Table, words: tuple[str, ...], after: Table) -> str:
    """A district was used that has no sentence of its own elsewhere."""
    match words:
        case ("museum",):
            return _act(_("{player} lays a card under the Museum."), before)
        case ("armory", name, district, *_mark):
            return _act(
                _("{player} destroys the Armory and {other}'s {district}."),
                before,
                other=name,
                district=card(district),
            )
        case ("theater", name):
            return _("The Theater's owner swaps characters with {other}.").format(other=name)
    return _act(_("{player} uses the {district}."), before, district=card(words[0]))


POWER_MOVES: dict[str, Told] = {
    "build": build,
    "bewitch": lambda b, a, n: _act(
        _("{player}, the Witch, bewitches the {character}."), b, character=card(a[0])
    ),
    "warrants": lambda b, a, n: _act(_("{player} lays warrants on: {cards}."), b, cards=cards(a)),
    "threats": lambda b, a, n: _act(_("{player} lays threats on: {cards}."), b, cards=cards(a)),
    "signed": lambda b, a, n: _("A secret is recorded."),
    "real": lambda b, a, n: _("A secret is recorded."),
    "take": _take,
    "spy": lambda b, a, n: _act(
        _("{player} has seen in {other}'s hand, of the type {type}: {cards}."),
        b,
        other=a[0],
        type=district_type(a[1]),
        cards=hand_cards(int(a[2])),
    ),
    "divine": lambda b, a, n: _act(
        _("{player} takes a card from every other hand and gives one back to each."), b
    ),
    "study": lambda b, a, n: _act(_("{player} draws seven cards and keeps one."), b),
    "navigate": lambda b, a, n: _act(
        _("{player} takes four extra gold.")
        if a[0] == "gold"
        else _("{player} draws four extra cards."),
        b,
    ),
    "crown": _crown,
    "tithe": lambda b, a, n: _act(_("{player}, the Abbot, takes a gold from the richest."), b),
    "collect": lambda b, a, n: _act(_("{player} takes the taxes: {gold}."), b, gold=coins(b.tax)),
    "exchange": _exchange,
    "seize": _seize,
    "decorate": lambda b, a, n: _act(_("{player} decorates: {cards}."), b, cards=cards(a)),
    "forfeit": lambda b, a, n: _act(
        _("{player} forgot the courtesy to the crown and loses the turn."), b
    ),
    "confiscate": lambda b, a, n: (
        _asked(_("{player} confiscates the district."), b)
        if b.questions[-1].about == UNNAMED
        else _asked(_("{player} confiscates the {card}."), b)
    ),
    "spare": _spare,
    "bribe": lambda b, a, n: _asked(_("{player} pays the Blackmailer."), b),
    "refuse": lambda b, a, n: _asked(_("{player} refuses to pay."), b),
    "expose": lambda b, a, n: _asked(_("{player} shows the threat."), b),
    "vault": lambda b, a, n: _("{player} shows the Secret Vault.").format(player=a[0]),
}


def _seat(t: Table, event: Event, place: int = 0) -> str:
    return t.seats[event.seats[place]].name


def _to(sentence: str, t: Table, event: Event) -> str:
    return sentence.format(player=_seat(t, event), gold=coins(event.amount))


POWER_EVENTS: dict[str, Callable[[Table, Event], str]] = {
    "queen_paid": lambda t, e: _to(_("{player}, the Queen, gets {gold}."), t, e),
    "throne_room": lambda t, e: _to(_("{player} gets {gold} from the Throne Room."), t, e),
    "taxed": lambda t, e: _to(_("{player} leaves {gold} for the Tax Collector."), t, e),
    "tax_paid": lambda t, e: _to(_("{player} pays {gold} to the Tax Collector."), t, e),
    "poor_house": lambda t, e: _to(_("{player} gets {gold} from the Poor House."), t, e),
    "refunded": lambda t, e: _to(_("{player} gets {gold} back from the Alchemist."), t, e),
    "park": lambda t, e: _("{player} draws {cards} in the Park.").format(
        player=_seat(t, e), cards=hand_cards(e.amount)
    ),
    "exposed": lambda t, e: _("The threat is real.") if e.card == "real" else _("It was empty."),
    "blackmail_paid": lambda t, e: _to(_("{player} pays {gold}."), t, e),
    "spied": lambda t, e: _to(_("{player} pays {gold} to the Spy."), t, e),
    "bell_rings": lambda t, e: _("The Bell Tower rings: {districts} complete a city.").format(
        districts=amount("district", e.amount)
    ),
}
