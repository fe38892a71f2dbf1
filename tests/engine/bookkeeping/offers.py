"""Moves that must be offered, and no others: what is forbidden is found when it is accepted, what
is allowed only by listing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tests.engine.bookkeeping import bars
from tests.engine.bookkeeping.books import Books, Card, Player
from tests.engine.bookkeeping.rounds import is_threatened

Words = tuple[str, ...]
OWN_PAYMENT = ("thieves_den",)  # has a form of its own


def find_broken(b: Books, legal: list[list[str]]) -> str:
    """A sentence about the first verb that is not offered as the books have it."""
    if b.turn is None or b.questions or b.now.part not in ("whole", "resumed"):
        return ""
    if (b.now.character == "witch" and b.now.part == "whole") or is_threatened(b):
        return ""
    for verb, listing in OFFERS.items():
        if verb == "build" and not b.tracked:
            continue  # an amount, of any district
        if verb in POWERS and (POWERS[verb] != b.now.character or verb in b.now.used):
            targets: set[Words] = set()
        else:
            targets = set(listing(b))
        offers = {tuple(words[1:]) for words in legal if words[0] == verb}
        if verb == "build":
            offers = {words for words in offers if len(words) == 1 and words[0] not in OWN_PAYMENT}
        if verb == "use":
            offers = {words for words in offers if words[0] == "armory"}
        if offers != targets:
            more, less = sorted(offers - targets)[:3], sorted(targets - offers)[:3]
            return f"{verb}: {more} offered against the books, {less} missing"
    return ""


def _others(b: Books) -> list[Player]:
    return [player for player in b.players if player is not b.me]


def _build(b: Books) -> Iterator[Words]:
    if not b.me.hand:
        return
    standing = [card.id for player in b.players for card in player.city]
    for district, output in b.cards.items():
        in_hand = standing.count(district) < output.copies and district != "secret_vault"
        plain = in_hand and district not in OWN_PAYMENT
        if (
            plain
            and b.price(district) <= b.me.gold
            and not bars.find_broken(b, "build", [district])
        ):
            yield (district,)


def _named(player: Player) -> Iterator[tuple[Card, Words]]:
    """The districts of a city and their words: the mark only where others of the name differ."""
    for card in player.city:
        differ = len({other.mark for other in player.city if other.id == card.id}) > 1
        yield card, (card.id, card.mark) if differ else (card.id,)


def _strike(
    verb: str, price: Callable[[Books, Player, Card], int]
) -> Callable[[Books], Iterator[Words]]:
    def listing(b: Books) -> Iterator[Words]:
        if verb == "destroy" and b.answers["strike_timing"] == "last" and not b.now.gathered:
            return
        for victim in b.players:
            for card, words in _named(victim):
                text = bars.find_broken(b, verb, [victim.name, *words])
                if not text and price(b, victim, card) <= b.me.gold:
                    yield (victim.name, *words)

    return listing


def _exchange(b: Books) -> Iterator[Words]:
    if b.answers["exchange_timing"] == "last" and not b.now.gathered:
        return
    for own, gives in _named(b.me):
        for victim in _others(b):
            for card, takes in _named(victim):
                words = (*gives, victim.name, *takes)
                price = b.worth(card) + b.wall(victim, card) - b.worth(own)
                if price <= b.me.gold and not bars.find_broken(b, "exchange", [*words]):
                    yield words


def _rob(b: Books) -> Iterator[Words]:
    for character in b.cast.values():
        if character != b.now.character and not bars.find_broken(b, "rob", [character]):
            yield (character,)


def _threats(b: Books) -> Iterator[Words]:
    free = [c for c in b.cast.values() if not bars.find_broken(b, "threats", [c])]
    yield from combinations(free, 2)


def _crown(b: Books) -> Iterator[Words]:
    for player in _others(b):
        if b.seats[player.name] == b.crown:
            continue
        if player.gold:
            yield player.name, "gold"
        if player.hand or not b.tracked:
            yield player.name, "card"
        if not b.tracked or not (player.gold or player.hand):
            yield player.name, "nothing"


def _tithe(b: Books) -> Iterator[Words]:
    most = max(player.gold for player in b.players)
    richest = [player.name for player in b.players if player.gold == most]
    if b.me.name in richest:
        return
    if len(richest) == 1:
        yield ()
    if len(richest) == 1 or b.answers["abbot_tie"] == "chooses":
        yield from ((name,) for name in richest)


def _navigate(b: Books) -> Iterator[Words]:
    if b.now.gathered or b.answers["navigate_timing"] == "any":
        yield ("gold",)
        if b.deck or not b.tracked:
            yield ("cards",)


def _use(b: Books) -> Iterator[Words]:
    """The Armory, against every city that its box and the house rule leave to it."""
    if not b.me.has("armory") or "armory" in b.now.used:
        return
    if bars.find_broken(b, "use", ["armory", b.me.name]):
        return
    hits_own = b.newest("armory") == "deluxe_2016"
    for victim in b.players if hits_own else _others(b):
        for card, words in _named(victim):
            itself = victim is b.me and card.id == "armory"
            if not itself and not bars.find_broken(b, "use", ["armory", victim.name]):
                yield ("armory", victim.name, *words)


OFFERS: dict[str, Callable[[Books], Iterator[Words]]] = {
    "build": _build,
    "destroy": _strike(
        "destroy", lambda b, victim, card: max(0, b.worth(card) - 1 + b.wall(victim, card))
    ),
    "seize": _strike("seize", lambda b, victim, card: b.worth(card) + b.wall(victim, card)),
    "exchange": _exchange,
    "rob": _rob,
    "threats": _threats,
    "crown": _crown,
    "tithe": _tithe,
    "navigate": _navigate,
    "use": _use,
}
POWERS = {
    "destroy": "warlord", "seize": "marshal", "exchange": "diplomat", "rob": "thief",
    "threats": "blackmailer", "crown": "emperor", "tithe": "abbot", "navigate": "navigator",
}  # fmt: skip
"""Whose power it is, once a turn."""
