"""The cities of a position: gold, hands, districts, and who completed a city first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.table import Built

if TYPE_CHECKING:
    from engine.position.reader import Reader
    from engine.problems import Path
    from engine.table import Seat

PLAYER_KEYS = ("gold", "hand", "city", "vault", "last_rank", "killed")
DISTRICT_KEYS = ("id", "decorated", "under", "built_last_round", "announced")


def read_cities(r: Reader) -> None:
    """Everybody's gold, hand and city; no more cards than the box holds."""
    _players(r, r.facts.get("players"))
    _count_cards(r)
    for seat in r.t.seats:
        if any(card.announced for card in seat.city.cards):
            r.t.city_size = seat.city.effects.get("rings_at", r.t.city_size)


def _players(r: Reader, data: object) -> None:
    for index, value, path in r.by_player(data, ("position", "players")):
        facts = r.check.mapping(value, path, PLAYER_KEYS)
        seat = r.t.own_seat(index)
        if "gold" in facts:
            seat.gold = r.check.number(facts["gold"], (*path, "gold"))
        if "hand" in facts:
            seat.hand = r.check.number(facts["hand"], (*path, "hand"))
        if "vault" in facts:
            seat.vault = r.check.truth(facts["vault"], (*path, "vault"))
            if seat.vault:
                _vault(r, seat, (*path, "vault"))
        _last_rank(r, seat, facts, path)
        _city(r, seat, facts.get("city"), (*path, "city"))


def _vault(r: Reader, seat: Seat, path: Path) -> None:
    """The one Secret Vault of the box is in this player's hand."""
    others = [other.name for other in r.t.seats if other.vault and other is not seat]
    if "secret_vault" not in r.rules.districts:
        r.check.say(path, "the “secret_vault” is not in this game")
    elif not seat.hand:
        r.check.say(path, "{player} has no card in hand to be the “secret_vault”", player=seat.name)
    elif others:
        r.check.say(path, "the “secret_vault” is in the hand of {player} already", player=others[0])


def _last_rank(r: Reader, seat: Seat, facts: dict[str, object], path: Path) -> None:
    if "last_rank" in facts:
        most = r.rules.last_rank
        place = (*path, "last_rank")
        seat.last_rank = r.check.number(facts["last_rank"], place, least=1, most=most)
    killed = "killed" in facts and r.check.truth(facts["killed"], (*path, "killed"))
    if killed and r.rules.answers["highest_rank"] == "revealed":
        seat.last_rank = 0  # the character was never shown


def _city(r: Reader, seat: Seat, data: object, path: Path) -> None:
    built = [
        _built(r, item, (*path, place)) for place, item in enumerate(r.check.items(data, path))
    ]
    cards = [card for card in built if card is not None]
    # once a double stands, it stays when what allowed it is gone
    may_double = r.rules.having("doubles") | r.rules.having("builds_doubles")
    for district, copies in Counter(card.id for card in cards).items():
        if copies > 1 and not may_double:
            r.check.say(
                path,
                "{player}'s city has {number} times “{id}”",
                player=seat.name,
                number=copies,
                id=district,
            )
    r.t.set_city(seat, cards)


def _built(r: Reader, item: object, path: Path) -> Built | None:
    facts = r.check.mapping(item, path, DISTRICT_KEYS) if isinstance(item, dict) else {"id": item}
    id_ = r.check.known(
        facts.get("id"), path, r.rules.districts, "{data} is no district of this game"
    )
    if id_ is None:
        return None
    flags = {
        key: key in facts and r.check.truth(facts[key], (*path, key))
        for key in ("decorated", "built_last_round", "announced")
    }
    under = r.check.number(facts.get("under", 0), (*path, "under"))
    possible = {
        "decorated": "artist" in r.rules.cast,
        "under": id_ in r.rules.having("points_per_card_under"),
        "announced": id_ in r.rules.having("rings_at"),
    }
    for key, can_be in possible.items():
        if facts.get(key) and not can_be:
            r.check.say((*path, key), "“{id}” cannot be “{key}” in this game", id=id_, key=key)
    return Built(
        id_,
        decorated=flags["decorated"],
        under=under,
        built_in_round=r.t.round if flags["built_last_round"] else 0,
        announced=flags["announced"],
    )


def _count_cards(r: Reader) -> None:
    """No more copies than the box holds, no more cards in hands than the deck has left."""
    path: Path = ("position", "players")
    cities = [card for seat in r.t.seats for card in seat.city.cards]
    for district, count in Counter(card.id for card in cities).items():
        copies = r.rules.districts[district].copies
        if count > copies:
            r.check.say(
                path,
                "{count} times “{id}” stand in cities, but the game has {most}",
                count=count,
                id=district,
                most=copies,
            )
    hands = sum(seat.hand for seat in r.t.seats)
    r.t.deck = r.rules.deck_size - len(cities) - sum(c.under for c in cities) - hands
    if r.t.deck < 0:
        r.check.say(
            path,
            "{hands} cards in hands are {more} more than the deck has left",
            hands=hands,
            more=-r.t.deck,
        )


def read_first_complete(r: Reader) -> None:
    """Who completed a city first."""
    data = r.facts.get("first_complete")
    path: Path = ("position", "first_complete")
    first = r.seats(data, path)
    if len(first) > 1 and not r.rules.having("rings_at"):
        r.check.say(
            path,
            "several complete a city first only by the Bell Tower, which is not in this game",
        )
    complete = [i for i in r.rules.seats if r.t.is_complete(r.t.seats[i])]
    if data is None and len(complete) == 1:
        first = tuple(complete)  # the only complete city was the first
    r.t.first_complete = first
