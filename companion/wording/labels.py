"""What a move is called on a button, in a numbered choice, or when a tap announces it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, card, cards, coins, hand_cards, listing
from companion.wording.power_labels import POWER_LABELS, use
from companion.wording.untracked import LABELS
from engine.rules.characters.strikers import strike_price
from engine.rules.turn import gathered_cards, gathered_gold, paying_districts

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table


def label(t: Table, move: Move) -> str:
    """The move in a few words, for the table `t` at which it is legal."""
    make = _LABELS.get(move.verb) or POWER_LABELS.get(move.verb) or LABELS.get(move.verb)
    said = make(t, move.args) if make else move.text
    for mark in move.words("M"):
        said = _marked(mark).format(move=said)
    return said


def _marked(mark: str) -> str:
    return {
        "plain": _("{move}, the plain one"),
        "decorated": _("{move}, the decorated one"),
        "under": _("{move}, the one with cards under it"),
    }[mark]


def _destroy(t: Table, name: str, district: str, *mark: str) -> str:
    victim = t.seats[t.seat_named(name)]
    built = victim.city.find(district, *mark)
    price = coins(strike_price(t, victim, built)) if built else "?"
    if victim is t.acting:
        return _("Destroy your own {district} for {price}").format(
            district=card(district), price=price
        )
    return _("Destroy {player}'s {district} for {price}").format(
        player=name, district=card(district), price=price
    )


def _gather_cards(t: Table) -> str:
    drawn, kept = gathered_cards(t)
    return _("Draw {drawn}, keep {kept}").format(drawn=hand_cards(drawn), kept=kept)


def _bonus(t: Table) -> str:
    if t.playing.character == "architect":
        return _("Draw the Architect's 2 extra cards")
    return _("Take the Merchant's extra gold")


def _income(t: Table, *split: str) -> str:
    if len(split) == 1:
        return _("Take the income: {gold}").format(gold=coins(int(split[0])))
    total = paying_districts(t, t.playing.seat, t.playing.character)
    if not total:
        return _("Take the income: nothing")
    if split:
        both = listing([coins(int(split[1])), hand_cards(int(split[3]))])
        return _("Take the income: {income}").format(income=both)
    in_cards = t.rules.income_in[t.playing.character] == "cards"
    return _("Take the income: {income}").format(
        income=hand_cards(total) if in_cards else coins(total)
    )


def _use(t: Table, district: str, *words: str) -> str:
    effects = t.rules.districts[district].effects
    if district == "laboratory":
        return _("Laboratory: discard a card for {gold}").format(
            gold=coins(effects["use_card_for_gold"])
        )
    if district == "smithy":
        return _("Smithy: pay {gold} for 3 cards").format(
            gold=coins(effects["use_gold_for_3_cards"])
        )
    return use(t, district, *words)


def _unmask(name: str, t: Table) -> str:
    killed = card(t.questions[-1].about)
    if name == "nobody":
        return _("Nobody had the {character}").format(character=killed)
    return _("{player} was the {character}").format(player=name, character=killed)


_LABELS: dict[str, Callable[[Table, tuple[str, ...]], str]] = {
    "faceup": lambda t, a: _("Discard face up: {cards}").format(cards=cards(a)),
    "choose": lambda t, a: _("{player} chose the {character}").format(
        player=a[0], character=card(a[1])
    ),
    "call": lambda t, a: _("Everybody has chosen: call the characters"),
    "reveal": lambda t, a: _("{player} is the {character}").format(
        player=a[0], character=card(t.rules.by_rank[t.called])
    ),
    "nobody": lambda t, a: _("Nobody answers"),
    "unmask": lambda t, a: _unmask(a[0], t),
    "gold": lambda t, a: _("Take {gold}").format(gold=coins(gathered_gold(t))),
    "cards": lambda t, a: _gather_cards(t),
    "bonus": lambda t, a: _bonus(t),
    "income": lambda t, a: _income(t, *a),
    "kill": lambda t, a: _("Murder the {character}").format(character=card(a[0])),
    "rob": lambda t, a: _("Rob the {character}").format(character=card(a[0])),
    "swap": lambda t, a: _("Swap hands with {player} ({cards})").format(
        player=a[0], cards=hand_cards(t.seats[t.seat_named(a[0])].hand)
    ),
    "redraw": lambda t, a: _("Replace {cards}").format(cards=hand_cards(int(a[0]))),
    "destroy": lambda t, a: _destroy(t, *a),
    "use": lambda t, a: _use(t, *a),
    "end": lambda t, a: _("End the turn"),
    "rescue": lambda t, a: _("{player} pays 1 gold and takes the {district} into hand").format(
        player=a[0], district=card(t.questions[-1].about)
    ),
    "leave": lambda t, a: _("Leave the {district} under the deck").format(
        district=card(t.questions[-1].about)
    ),
}
