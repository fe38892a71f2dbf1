"""The verbs of everybody's turn: gathering, income, building, uses of districts, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, begin_sentence, card, coins, hand_cards, listing, name_cards
from companion.verbs.verb import Verb, Words
from engine.rules.building import list_prices, price
from engine.rules.turn_moves import cards_to_gather, count_paying_districts, gold_to_gather

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.table import Table
    from engine.words import Amount, Listing


def tell_gain(before: Table, after: Table, something: str, nothing: str) -> str:
    """The acting player's gain: `something` as a sentence, or `nothing`."""
    seat = before.playing.seat
    gold = after.seats[seat].gold - before.seats[seat].gold
    hand = after.seats[seat].hand - before.seats[seat].hand
    amounts = [*([coins(gold)] if gold else []), *([hand_cards(hand)] if hand else [])]
    return (something if amounts else nothing).format(
        player=before.acting.name, character=card(before.playing.character), gained=listing(amounts)
    )


def act(sentence: str, before: Table, **words: object) -> str:
    """The sentence about `{player}`, whose turn it is."""
    return sentence.format(player=before.acting.name, **words)


def tell_payment(before: Table, after: Table) -> Amount:
    return coins(before.acting.gold - after.seats[before.playing.seat].gold)


def _cards(table: Table) -> str:
    draws, keeps = cards_to_gather(table)
    return _("Draw {drawn}, keep {kept}").format(drawn=hand_cards(draws), kept=keeps)


def _cards_told(before: Table, after: Table) -> str:
    seat = before.playing.seat
    if not before.rules.tracks_cities:
        return act(_("{player} draws cards."), before)
    amount = hand_cards(after.seats[seat].hand - before.seats[seat].hand)
    return act(_("{player} draws and keeps {cards}."), before, cards=amount)


def _bonus(table: Table) -> str:
    if table.playing.character == "architect":
        return _("Draw the Architect's 2 extra cards")
    return _("Take the Merchant's extra gold")


def _income(table: Table, *split: str) -> str:
    if len(split) == 1:
        return _("Take the income: {income}").format(income=coins(int(split[0])))
    total = count_paying_districts(table, table.playing.seat, table.playing.character)
    if not total:
        return _("Take the income: nothing")
    if split:
        both = listing([coins(int(split[1])), hand_cards(int(split[3]))])
        return _("Take the income: {income}").format(income=both)
    in_cards = table.rules.income_in[table.playing.character] == "cards"
    return _("Take the income: {income}").format(
        income=hand_cards(total) if in_cards else coins(total)
    )


def _build(table: Table, district: str, *how: str) -> str:
    if district.isdecimal():
        return _("Build for {cost}").format(cost=coins(int(district)))
    name, cost = card(district), price(table, district)
    match how:
        case ("over", leaving, *_mark):
            return _("Build the {district} in place of your {leaving}").format(
                district=name, leaving=card(leaving)
            )
        case ("cards", number):
            return _("Build the {district} for {income}").format(
                district=name, income=cards_and_gold(int(number), cost - int(number))
            )
        case ("cards", number, "from", lender):
            return _("Build the {district} for {income}, {gold} of it from {player}").format(
                district=name,
                income=cards_and_gold(int(number), cost - int(number)),
                gold=coins(cost - int(number) - table.acting.gold),
                player=lender,
            )
        case ("from", lender):
            return _("Build the {district} with {gold} from {player}").format(
                district=name, gold=coins(cost - table.acting.gold), player=lender
            )
    return _("Build the {district} for {income}").format(district=name, income=coins(cost))


def cards_and_gold(number: int, gold: int) -> Listing:
    return listing([hand_cards(number), *([coins(gold)] if gold else [])])


def tell_building(table: Table, words: Words, place: int) -> str:
    """The district with its price; the whole move where how to pay for it is what differs."""
    if words[0].isdecimal():
        return coins(int(words[0]))
    return (
        price_districts(table, words)[0]
        if place == 0 and len(words) == 1
        else _build(table, *words)
    )


def _tell_buildings(table: Table, moves: Sequence[Words], place: int) -> list[str]:
    if place == 0 and all([len(words) == 1 and not words[0].isdecimal() for words in moves]):
        return price_districts(table, [district for (district,) in moves])
    return [tell_building(table, words, place) for words in moves]


def price_districts(table: Table, districts: Sequence[str]) -> list[str]:
    """The name of each district with what it costs the acting player: `Tavern, 1`."""
    sentence = _("{label}, {mark}")
    return [
        sentence.format(label=name, mark=cost)
        for name, cost in zip(name_cards(districts), list_prices(table, districts), strict=True)
    ]


def _build_told(before: Table, words: Words, after: Table) -> str:
    if words[0].isdecimal():
        return act(_("{player} builds a district for {cost}."), before, cost=coins(int(words[0])))
    district = card(words[0])
    match words[1:]:
        case ("over", leaving, *_mark):
            sentence = _("{player} builds the {district} in place of the {leaving}.")
            return act(sentence, before, district=district, leaving=card(leaving))
        case ("cards", number):
            sentence = _("{player} builds the {district} for {income}.")
            paying = cards_and_gold(int(number), tell_payment(before, after).number)
            return act(sentence, before, district=district, income=paying)
        case ("cards", number, "from", lender):
            sentence = _("{player} builds the {district} for {income}, with gold from {lender}.")
            gold = after.playing.spent - before.playing.spent
            paying = cards_and_gold(int(number), gold)
            return act(sentence, before, district=district, income=paying, lender=lender)
        case ("from", lender):
            sentence = _("{player} builds the {district} with gold from {lender}.")
            return act(sentence, before, district=district, lender=lender)
    cost = coins(after.playing.spent - before.playing.spent)
    return act(
        _("{player} builds the {district} for {income}."), before, district=district, income=cost
    )


def _build_spoken(before: Table, words: Words, after: Table) -> str:
    if len(words) > 1 or words[0].isdecimal():
        return _build_told(before, words, after)
    return act(_("{player} builds the {district}."), before, district=card(words[0]))


def _use(table: Table, district: str, *words: str) -> str:
    effects = table.rules.districts[district].effects
    match district, words:
        case "laboratory", ():
            gold = coins(effects["use_card_for_gold"])
            return _("Laboratory: discard a card for {gold}").format(gold=gold)
        case "smithy", ():
            gold = coins(effects["use_gold_for_3_cards"])
            return _("{district}: pay {gold} for 3 cards").format(
                district=card(district), gold=gold
            )
        case "museum", ():
            return _("Put a card from your hand under the Museum")
        case "armory", (name, target, *_mark):
            return _("Destroy the Armory and {player}'s {district}").format(
                player=name, district=card(target)
            )
        case "bell_tower", ():
            return _("Ring the Bell Tower: fewer districts complete a city")
        case "theater", (name,):
            return _("Theater: swap characters with {player}").format(player=name)
    return _("Use the {district}").format(district=card(district))


def _use_told(before: Table, words: Words, after: Table) -> str:
    now, then = after.seats[before.playing.seat], before.acting
    match words:
        case ("laboratory",):
            sentence = _("{player} discards a card to the Laboratory for {gold}.")
            return act(sentence, before, gold=coins(now.gold - then.gold))
        case ("smithy",):
            sentence = _("{player} buys {cards} at the {district}.")
            return act(
                sentence, before, cards=hand_cards(now.hand - then.hand), district=card("smithy")
            )
        case ("museum",):
            return act(_("{player} puts a card under the Museum."), before)
        case ("armory", name, district, *_mark):
            sentence = _("{player} destroys the Armory and {other}'s {district}.")
            return act(sentence, before, other=name, district=card(district))
        case ("theater", name):
            return _("The Theater's owner swaps characters with {other}.").format(other=name)
    return act(_("{player} uses the {district}."), before, district=card(words[0]))


VERBS = {
    "gold": Verb(
        label=lambda t, a: _("Take {gold}").format(gold=coins(gold_to_gather(t))),
        told=lambda b, a, n: tell_gain(
            b, n, _("{player} takes {gained}."), _("{player} takes nothing.")
        ),
        key="g",
        heard="unsaid",
        does=lambda a: _("take gold"),
        number=1,
    ),
    "cards": Verb(
        label=lambda t, a: _cards(t),
        told=lambda b, a, n: _cards_told(b, n),
        key="c",
        heard="unsaid",
        does=lambda a: _("draw cards"),
        number=2,
    ),
    "bonus": Verb(
        label=lambda t, a: _bonus(t),
        told=lambda b, a, n: tell_gain(
            b,
            n,
            _("{player} takes the {character}'s bonus: {gained}."),
            _("{player} gets nothing from the {character}'s bonus."),
        ),
        does=lambda a: _("take the bonus"),
        is_lost=True,
        key="b",
        heard="unsaid",
    ),
    "income": Verb(
        label=lambda t, a: _income(t, *a),
        told=lambda b, a, n: tell_gain(
            b,
            n,
            _("{player} takes the income: {gained}."),
            _("{player} has no income."),
        ),
        fold=lambda t, n: begin_sentence(_("take the income")),
        is_lost=True,
        asks=lambda: (_("{player}. How much gold do you take as income?"),),
        key="i",
        heard="unsaid",
        does=lambda a: _("take the income"),
        number=8,
    ),
    "build": Verb(
        label=lambda t, a: _build(t, *a),
        told=_build_told,
        spoken=_build_spoken,
        fold=lambda t, n: begin_sentence(_("build a district")),
        asks=lambda: (_("{player}. Which district do you build?"), _("{player}. How do you pay?")),
        rests=_tell_buildings,
        key="d",
        hint=lambda: _("Tap a district to build it."),
        number=3,
    ),
    "use": Verb(
        label=lambda t, a: _use(t, *a),
        told=_use_told,
        fold=lambda t, n: _("Use one of your districts"),
        asks=lambda: (
            _("{player}. Which district do you use?"),
            _("{player}. Which player?"),
            _("{player}. Which district?"),
        ),
        does=lambda a: _("use the {district}").format(district=card(a[0])),
        key="y",
        heard="named",
        hint=lambda: _("Tap one of your districts to use its power."),
        number=81,
    ),
    "forfeit": Verb(
        label=lambda t, a: _("End the turn: they forgot to say thanks"),
        told=lambda b, a, n: act(_("{player} forgot to say thanks and loses the turn."), b),
        does=lambda a: _("lose the turn: no thanks were said"),
        number=83,
    ),
    "end": Verb(
        label=lambda t, a: begin_sentence(_("end the turn")),
        told=lambda b, a, n: act(_("{player} ends the turn."), b),
        key="e",
        heard="unsaid",
        does=lambda a: _("end the turn"),
        number=9,
    ),
}
