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
    _last_round(r)


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
    if "killed" in facts and r.check.truth(facts["killed"], (*path, "killed")):
        r.killed_last.append(seat.name)
        if "assassin" not in r.rules.cast:
            r.check.say((*path, "killed"), "nobody is killed without an “assassin” in the game")


def _last_round(r: Reader) -> None:
    """Each rank was one player's, and one character at most was killed."""
    ranked: dict[int, str] = {}
    for seat in r.t.seats:
        other = ranked.setdefault(seat.last_rank or 0, seat.name)
        if seat.last_rank and other != seat.name:
            r.check.say(
                ("position", "players", seat.name, "last_rank"),
                "rank {rank} was {player}'s in the last round",
                rank=seat.last_rank,
                player=other,
            )
    for name in r.killed_last[1:]:
        r.check.say(
            ("position", "players", name, "killed"),
            "the character of {player} was killed already; only one is killed in a round",
            player=r.killed_last[0],
        )
    for name in r.killed_last:
        if r.rules.answers["highest_rank"] == "revealed":
            r.t.own_seat(r.t.seat_named(name)).last_rank = 0  # the character was never shown


def _city(r: Reader, seat: Seat, data: object, path: Path) -> None:
    built = [
        _built(r, item, (*path, place)) for place, item in enumerate(r.check.items(data, path))
    ]
    cards = [card for card in built if card is not None]
    doubled = len(cards) - len({card.id for card in cards})
    for district, copies in Counter(card.id for card in cards).items():
        if copies > 1 and doubled > _most_doubles(r):
            r.check.say(
                path,
                "{player}'s city has {number} times “{id}”",
                player=seat.name,
                number=copies,
                id=district,
            )
    r.t.set_city(seat, cards)


def _most_doubles(r: Reader) -> int:
    """How many cards of a city may be the second of their name, or a further one.

    Once a double stands, it stays when what allowed it is gone.
    """
    if not r.rules.doubling:
        return 0
    answers = r.rules.answers
    any_number = answers["doubles"] == "allowed" or bool(r.rules.having("builds_doubles"))
    return 1 if answers["quarry_doubles"] == "one" and not any_number else r.rules.deck_size


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
    if id_ in r.rules.having("never_built"):
        r.check.say(path, "“{id}” is never built", id=id_)
    under = r.check.number(facts.get("under", 0), (*path, "under"))
    effects = r.rules.districts[id_].effects
    possible = {
        "decorated": "artist" in r.rules.cast,
        "under": id_ in r.rules.having("points_per_card_under"),
        "announced": effects.get("rings_at", r.t.city_size) < r.rules.answers["city_size"],
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
