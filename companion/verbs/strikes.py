"""The verbs of ranks 8 and 9 about districts in cities, of other players' immediate answers, and of
the Secret Vault at the end.
"""

from __future__ import annotations

from companion.language import _, any_district, begin_sentence, card, cards, coins, end_sentence
from companion.verbs.turn import act, tell_payment
from companion.verbs.verb import NO, YES, Verb, Words
from engine.rules.base import find_district
from engine.rules.characters import strikers
from engine.table import UNNAMED, Table


def _price_destroy(table: Table, words: Words) -> int:
    victim = table.seats[table.seat_named(words[0])]
    return strikers.strike_price(table, victim, find_district(table, *words))


def _price_exchange(table: Table, words: Words) -> int:
    gives, takes = strikers.split_exchange(words)
    victim = table.seats[table.seat_named(takes[0])]
    return strikers.exchange_price(
        table, find_district(table, table.acting.name, *gives), victim, find_district(table, *takes)
    )


def _price_seize(table: Table, words: Words) -> int:
    victim = table.seats[table.seat_named(words[0])]
    return strikers.seizing_price(table, victim, find_district(table, *words))


def _destroy(table: Table, words: Words) -> str:
    name, district = words[:2]
    price = _price_destroy(table, words)
    if table.seats[table.seat_named(name)] is table.acting:
        sentence = (
            _("Destroy your own {district} for {price}")
            if price
            else _("Destroy your own {district} for free")
        )
    else:
        sentence = (
            _("Destroy {player}'s {district} for {price}")
            if price
            else _("Destroy {player}'s {district} for free")
        )
    return sentence.format(player=name, district=card(district), price=coins(price))


def _destroy_told(before: Table, words: Words, after: Table) -> str:
    name, district = words[:2]
    price = tell_payment(before, after)
    if before.acting.name != name:
        sentence = (
            _("{player} destroys {victim}'s {district} for {price}.")
            if price.number
            else _("{player} destroys {victim}'s {district} for free.")
        )
    else:
        sentence = (
            _("{player} destroys the {district} in their own city for {price}.")
            if price.number
            else _("{player} destroys the {district} in their own city for free.")
        )
    return act(sentence, before, victim=name, district=card(district), price=price)


def _exchange(table: Table, words: Words) -> str:
    gives, takes = strikers.split_exchange(words)
    own, name, district = gives[0], *takes[:2]
    price = _price_exchange(table, words)
    sentence = (
        _("Exchange your {own} for {player}'s {district} and pay {price}")
        if price
        else _("Exchange your {own} for {player}'s {district}")
    )
    return sentence.format(own=card(own), player=name, district=card(district), price=coins(price))


def _exchange_told(before: Table, words: Words, after: Table) -> str:
    gives, takes = strikers.split_exchange(words)
    own, other, district = gives[0], *takes[:2]
    price = tell_payment(before, after)
    sentence = (
        _("{player} exchanges the {own} for {other}'s {district} and pays {price}.")
        if price.number
        else _("{player} exchanges the {own} for {other}'s {district}.")
    )
    return act(sentence, before, own=card(own), other=other, district=card(district), price=price)


def _seize(table: Table, words: Words) -> str:
    name, district = words[:2]
    return _("Seize {player}'s {district} for {price}").format(
        player=name, district=card(district), price=coins(_price_seize(table, words))
    )


def _seize_told(before: Table, words: Words, after: Table) -> str:
    other, district = words[:2]
    return act(
        _("{player} seizes {other}'s {district} for {price}."),
        before,
        other=other,
        district=card(district),
        price=tell_payment(before, after),
    )


def say_of_asked(sentence: str, before: Table) -> str:
    """The sentence about what the player asked does."""
    question = before.questions[-1]
    about = card(question.about) if question.about != UNNAMED else any_district()
    player = before.seats[question.seat].name
    return sentence.format(player=player, card=about, district=about)


def _label_spare(table: Table) -> str:
    if table.questions[-1].kind == "warrant":
        return say_of_asked(_("Don't confiscate the {district}"), table)
    return _("Don't reveal the threat")


def _tell_spared(before: Table) -> str:
    if before.questions[-1].kind == "warrant":
        return say_of_asked(_("{player} doesn't confiscate the {card}."), before)
    return say_of_asked(_("{player} doesn't reveal the threat."), before)


def _expose(table: Table, words: Words) -> str:
    sentences = {
        (): begin_sentence(_("reveal the threat")),
        ("real",): _("Reveal the threat: it's real"),
        ("fake",): _("Reveal the threat: it's fake"),
    }
    return sentences[words]


def _show_vault(player: str) -> str:
    return _("{player} shows the Secret Vault").format(player=player)


def _bribe(table: Table) -> str:
    half = table.seats[table.questions[-1].seat].gold // 2
    return _("Pay {gold} to remove the threat").format(gold=coins(half))


VERBS = {
    "destroy": Verb(
        label=_destroy,
        told=_destroy_told,
        fold=lambda t, n: _("Destroy a district"),
        asks=lambda: (
            _("{player}. Whose district do you destroy?"),
            _("{player}. Which district?"),
        ),
        price=_price_destroy,
        does=lambda a: _("destroy"),
        key="x",
        hint=lambda: _("Tap a district to destroy it."),
    ),
    "exchange": Verb(
        label=_exchange,
        told=_exchange_told,
        fold=lambda t, n: _("Exchange one of your districts for another"),
        asks=lambda: (
            _("{player}. Which of your districts do you give away?"),
            _("{player}. Whose district do you take for it?"),
            _("{player}. Which district do you take for it?"),
        ),
        price=_price_exchange,
        does=lambda a: _("exchange"),
        key="x",
        hint=lambda: _("Tap your own district, then the other one, to exchange them."),
    ),
    "seize": Verb(
        label=_seize,
        told=_seize_told,
        fold=lambda t, n: _("Seize a district"),
        asks=lambda: (
            _("{player}. From whose city do you seize a district?"),
            _("{player}. Which district do you seize?"),
        ),
        price=_price_seize,
        does=lambda a: _("seize"),
        key="x",
        hint=lambda: _("Tap a district to seize it."),
    ),
    "decorate": Verb(
        label=lambda t, a: _("Decorate: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} decorates: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Decorate one or two districts"),
        asks=lambda: (_("{player}. Which districts do you decorate?"),),
        does=lambda a: _("decorate"),
        key="a",
        hint=lambda: _("Tap one or two of your own districts to decorate them."),
    ),
    "rescue": Verb(
        label=lambda t, a: say_of_asked(
            _("{player} pays 1 gold to take the {district} into hand"), t
        ),
        told=lambda b, a, n: end_sentence(
            say_of_asked(_("{player} pays 1 gold to take the {district} into hand"), b)
        ),
        key="y",
        hint=lambda: _("Tap the owner's token to take the district back."),
        number=YES,
    ),
    "leave": Verb(
        label=lambda t, a: say_of_asked(_("Leave the {district} under the deck"), t),
        told=lambda b, a, n: say_of_asked(_("The {district} goes under the deck."), b),
        key="n",
        does=lambda a: _("don't use the Graveyard"),
        number=NO,
    ),
    "confiscate": Verb(
        label=lambda t, a: say_of_asked(_("Confiscate the {district}"), t),
        told=lambda b, a, n: say_of_asked(_("{player} confiscates the {card}."), b),
        key="y",
        does=lambda a: _("confiscate the district"),
        number=YES,
    ),
    "spare": Verb(
        label=lambda t, a: _label_spare(t),
        told=lambda b, a, n: _tell_spared(b),
        key="n",
        does=lambda a: _("don't confiscate, don't reveal the threat"),
        number=NO,
    ),
    "bribe": Verb(
        label=lambda t, a: _bribe(t),
        told=lambda b, a, n: say_of_asked(_("{player} pays the Blackmailer."), b),
        key="y",
        does=lambda a: _("pay the Blackmailer"),
        number=YES,
    ),
    "refuse": Verb(
        label=lambda t, a: _("Refuse to pay"),
        told=lambda b, a, n: say_of_asked(_("{player} refuses to pay."), b),
        key="n",
        does=lambda a: _("don't pay the Blackmailer"),
        number=NO,
    ),
    "expose": Verb(
        label=_expose,
        told=lambda b, a, n: say_of_asked(_("{player} reveals the threat."), b),
        fold=lambda t, n: begin_sentence(_("reveal the threat")),
        asks=lambda: (_("{player}. Real or fake?"),),
        key="y",
        does=lambda a: _("reveal the threat"),
        number=YES,
    ),
    "vault": Verb(
        label=lambda t, a: _show_vault(*a),
        told=lambda b, a, n: end_sentence(_show_vault(*a)),
        fold=lambda t, n: _("Show the Secret Vault"),
        asks=lambda: (_("Who shows the Secret Vault?"),),
        hint=lambda: _("Tap the Secret Vault, then say who shows it."),
        number=85,
    ),
}
