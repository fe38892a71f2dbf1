"""The cities of a position: gold, hands, districts, and who completed a city first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.table import Built, Seat

if TYPE_CHECKING:
    from common.problems import Path
    from engine.position.position_reader import PositionReader
    from engine.ruleset import Ruleset


PLAYER_KEYS = ("gold", "hand", "city", "vault", "last_rank", "killed")
DISTRICT_KEYS = ("id", "decorated", "under", "built_last_round", "announced")


def read_cities(reader: PositionReader) -> None:
    """Read everybody's gold, hand and city; check that the box has enough cards."""
    _read_players(reader, reader.facts.get("players"))
    _count_cards(reader)
    for seat in reader.table.seats:
        if any(card.announced for card in seat.city.cards):
            reader.table.city_size = seat.city.effects.get("rings_at", reader.table.city_size)
    _read_last_round(reader)


def _read_players(reader: PositionReader, data: object) -> None:
    for index, value, path in reader.read_by_player(data, ("position", "players")):
        facts = reader.check.read_mapping(value, path, PLAYER_KEYS)
        seat = reader.table.own_seat(index)
        if "gold" in facts:
            seat.gold = reader.check.read_number(facts["gold"], (*path, "gold"))
        if "hand" in facts:
            seat.hand = reader.check.read_number(facts["hand"], (*path, "hand"))
        if "vault" in facts:
            seat.vault = reader.check.read_truth(facts["vault"], (*path, "vault"))
            if seat.vault:
                _read_vault(reader, seat, (*path, "vault"))
        _read_last_rank(reader, seat, facts, path)
        _read_city(reader, seat, facts.get("city"), (*path, "city"))


def _read_vault(reader: PositionReader, seat: Seat, path: Path) -> None:
    """Put the box's only Secret Vault into this player's hand."""
    others = [other.name for other in reader.table.seats if other.vault and other is not seat]
    if "secret_vault" not in reader.rules.districts:
        reader.check.say(path, "the “secret_vault” is not in this game")
    elif not seat.hand:
        reader.check.say(
            path, "{player} has no card in hand to be the “secret_vault”", player=seat.name
        )
    elif others:
        reader.check.say(path, "the “secret_vault” is already in {player}'s hand", player=others[0])


def _read_last_rank(
    reader: PositionReader, seat: Seat, facts: dict[str, object], path: Path
) -> None:
    if "last_rank" in facts:
        most = reader.rules.last_rank
        place = (*path, "last_rank")
        seat.last_rank = reader.check.read_number(facts["last_rank"], place, least=1, most=most)
    if "killed" in facts and reader.check.read_truth(facts["killed"], (*path, "killed")):
        reader.killed_last.append(seat.name)
        if "assassin" not in reader.rules.cast:
            reader.check.say(
                (*path, "killed"), "nobody can be killed without an “assassin” in the game"
            )


def _read_last_round(reader: PositionReader) -> None:
    """Read the last round: each rank belonged to one player, at most one character was killed."""
    player_of_rank: dict[int, str] = {}
    for seat in reader.table.seats:
        holder = player_of_rank.setdefault(seat.last_rank or 0, seat.name)
        if seat.last_rank and holder != seat.name:
            reader.check.say(
                ("position", "players", seat.name, "last_rank"),
                "{player} had rank {rank} in the last round",
                rank=seat.last_rank,
                player=holder,
            )
    for name in reader.killed_last[1:]:
        reader.check.say(
            ("position", "players", name, "killed"),
            "{player}'s character was already killed; only one is killed in a round",
            player=reader.killed_last[0],
        )
    for name in reader.killed_last:
        if reader.rules.answers["highest_rank"] == "revealed":
            reader.table.own_seat(
                reader.table.seat_named(name)
            ).last_rank = 0  # the character was never shown


def _read_city(reader: PositionReader, seat: Seat, data: object, path: Path) -> None:
    if data and not reader.rules.tracks_cities and not reader.is_after_calling:
        reader.check.say(
            path, "this table doesn't track cities; they are counted after the last round"
        )
        return
    districts = [
        _read_district(reader, item, (*path, place))
        for place, item in enumerate(reader.check.read_items(data, path))
    ]
    cards = [card for card in districts if card is not None]
    doubles = len(cards) - len({card.id for card in cards})
    for district, copies in Counter(card.id for card in cards).items():
        if copies > 1 and doubles > _most_doubles(reader):
            reader.check.say(
                path,
                "{player}'s city has “{id}” {number} times",
                player=seat.name,
                number=copies,
                id=district,
            )
    reader.table.set_city(seat, cards)


def _most_doubles(reader: PositionReader) -> int:
    """The most doubles that a city may have: cards after the first of their name.

    A double stays in the city even after the card that allowed it is gone.
    """
    if not reader.rules.doubling:
        return 0
    if not reader.rules.tracks_cities:
        return reader.rules.deck_size  # nobody saw when they were built
    answers = reader.rules.answers
    any_number = answers["doubles"] == "allowed" or bool(reader.rules.cards_with("builds_doubles"))
    return 1 if answers["quarry_doubles"] == "one" and not any_number else reader.rules.deck_size


def _read_district(reader: PositionReader, item: object, path: Path) -> Built | None:
    facts = (
        reader.check.read_mapping(item, path, DISTRICT_KEYS)
        if isinstance(item, dict)
        else {"id": item}
    )
    id_ = reader.check.check_known(
        facts.get("id"), path, reader.rules.districts, "{data} is not a district of this game"
    )
    if id_ is None:
        return None
    flags = {
        key: key in facts and reader.check.read_truth(facts[key], (*path, key))
        for key in ("decorated", "built_last_round", "announced")
    }
    if facts.get("announced") is False:
        reader.unannounced.add(id_)
    if id_ in reader.rules.cards_with("never_built"):
        reader.check.say(path, "“{id}” is never built", id=id_)
    under = reader.check.read_number(facts.get("under", 0), (*path, "under"))
    effects = reader.rules.districts[id_].effects
    possible = {
        "decorated": "artist" in reader.rules.cast,
        "under": id_ in reader.rules.cards_with("points_per_card_under"),
        "announced": effects.get("rings_at", reader.table.city_size)
        < reader.rules.answers["city_size"],
    }
    for key, can_be in possible.items():
        if facts.get(key) and not can_be:
            reader.check.say((*path, key), "“{id}” can't be “{key}” in this game", id=id_, key=key)
    return Built(
        id_,
        decorated=flags["decorated"],
        under=under,
        built_in_round=reader.table.round if flags["built_last_round"] else 0,
        announced=flags["announced"],
    )


def _count_cards(reader: PositionReader) -> None:
    """Check that the box has enough copies, and the deck enough cards for the hands."""
    path: Path = ("position", "players")
    cities = [card for seat in reader.table.seats for card in seat.city.cards]
    for district, count in Counter(card.id for card in cities).items():
        copies = reader.rules.districts[district].copies
        if count > copies:
            reader.check.say(
                path,
                "“{id}” is in cities {count} times, but the game has {most}",
                count=count,
                id=district,
                most=copies,
            )
    if not reader.rules.tracks_cities:
        return  # and no hands
    hands = sum(seat.hand for seat in reader.table.seats)
    reader.table.deck = reader.rules.deck_size - len(cities) - sum(c.under for c in cities) - hands
    if reader.table.deck < 0:
        reader.check.say(
            path,
            "{hands} cards in hand is {more} more than the deck has left",
            hands=hands,
            more=-reader.table.deck,
        )


# -- the first player to complete a city, and whether that is possible ----------------------------


def read_first_complete(reader: PositionReader) -> None:
    data = reader.facts.get("first_complete")
    path: Path = ("position", "first_complete")
    first = reader.read_seats(data, path)
    if len(first) > 1 and not reader.rules.cards_with("rings_at"):
        reader.check.say(
            path,
            "several players can be first to complete a city only with the Bell Tower, which "
            "isn't in this game",
        )
    complete = [i for i in reader.rules.seats if reader.table.is_complete(reader.table.seats[i])]
    if reader.rules.only_scores:
        pass  # it is asked later
    elif data is None and len(complete) == 1:
        first = tuple(complete)  # the only complete city was the first
    elif data is None and complete:
        reader.check.say(
            ("position",),
            "several cities are complete; write in “first_complete” who was first",
        )
    reader.table.first_complete = first
    is_ending = bool(first) and not _is_going_on(reader, complete)
    reader.table.ending = is_ending or reader.rules.only_scores
    if reader.rules.tracks_cities and data is not None:
        _check_first(reader, complete, path)


def can_go_on(rules: Ruleset) -> bool:
    """Whether a game may go on after a city was completed: by a Bell Tower that has fallen."""
    usual = rules.answers["fallen_bell_tower"] == "usual"
    return usual and bool(rules.cards_with("rings_at"))


def _is_going_on(reader: PositionReader, complete: list[int]) -> bool:
    """Whether the position says that the game goes on, although a city was completed."""
    path: Path = ("position", "last_round")
    if "last_round" not in reader.facts or reader.check.read_truth(
        reader.facts["last_round"], path
    ):
        return False
    if complete or (reader.table.first_complete and not can_go_on(reader.rules)):
        reader.check.say(path, "a city was completed, so this is the last round")
    return True


def _check_first(reader: PositionReader, complete: list[int], path: Path) -> None:
    seats, first = reader.table.seats, reader.table.first_complete
    if complete and not first:
        reader.check.say(
            path,
            "{player}'s city is complete, so somebody was first",
            player=seats[complete[0]].name,
        )
    is_told = "last_round" in reader.facts and can_go_on(reader.rules)  # perhaps long ago
    least = 0 if is_told else find_least_left(reader.rules)
    for index in first:
        if seats[index].city.size < least:
            reader.check.say(
                path,
                "{player}'s city has too few districts to have been complete (at least {least})",
                player=seats[index].name,
                least=least,
            )


def find_least_left(rules: Ruleset) -> int:
    """The fewest districts that a once complete city can have left.

    A complete city is out of rank 8's reach until something opens it: an Armory that hits it or is
    part of it, a Bell Tower that is lost, a Monument (two districts) that leaves it. Then rank 8
    and the Armory take one district each: the game ends with the round.
    """
    size: int = rules.answers["city_size"]
    towers = [rules.districts[tower].effects["rings_at"] for tower in rules.cards_with("rings_at")]
    monuments = rules.cards_with("counts_as")
    armory = "armory" in rules.districts
    opens = bool(towers or monuments) or (armory and rules.answers["armory_complete_city"])
    losses = armory + 1 if opens else 0
    fewest: int = min([size, *towers])
    return max(1, fewest - losses - len(monuments))
