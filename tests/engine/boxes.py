"""The contents of each box, transcribed independently of the engine's data.

Costs and copies are those of the rulebooks' lists; a table's legal casts follow from them. A card
with a file of its own is in no rulebook: what it prints is what its file says.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

PRINTINGS = ("original_2000", "ffg_2005", "millennium_3e", "classic_2016", "deluxe_2016")

_FILES = (Path(__file__).parents[2] / "engine" / "data" / "cards").glob("*.yaml")
OWN_FILES = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in _FILES}

# district, type, cost x copies in each printing, and the points beyond its cost that it always
# scores; the Secret Vault has no cost
_DISTRICTS = """
manor             noble     3x5  3x5  3x5  3x5  3x5
castle            noble     4x4  4x4  4x4  4x4  4x4
palace            noble     5x2  5x3  5x2  5x3  5x3
temple            religious 1x3  1x3  1x3  1x3  1x3
church            religious 2x4  2x3  2x4  2x3  2x3
monastery         religious 3x3  3x3  3x3  3x3  3x3
cathedral         religious 5x2  5x2  5x2  5x2  5x2
tavern            trade     1x5  1x5  1x5  1x5  1x5
market            trade     2x4  2x4  2x4  2x4  2x4
trading_post      trade     2x3  2x3  2x3  2x3  2x3
docks             trade     3x3  3x3  3x3  3x3  3x3
harbor            trade     4x3  4x3  4x3  4x3  4x3
town_hall         trade     5x2  5x2  5x2  5x2  5x2
watchtower        military  1x3  1x3  1x3  1x3  1x3
prison            military  2x3  2x3  2x3  2x3  2x3
barracks          military  3x3  3x3  3x3  3x3  3x3
fortress          military  5x2  5x2  5x2  5x2  5x2
haunted_quarter   unique    2x1  2x1  2x1  2x1  2x1
keep              unique    3x2  3x2  3x2  3x2  3x1
laboratory        unique    5x1  5x1  5x1  5x1  5x1
smithy            unique    5x1  5x1  5x1  5x1  5x1
graveyard         unique    5x1  5x1  5x1  5x1  -
observatory       unique    5x1  5x1  5x1  4x1  4x1
school_of_magic   unique    6x1  6x1  6x1  6x1  6x1
library           unique    6x1  6x1  6x1  6x1  6x1
great_wall        unique    -    6x1  6x1  6x1  6x1
university        unique    6x1  6x1  6x1  6x1  -    +2
dragon_gate       unique    6x1  6x1  6x1  6x1  6x1  +2
imperial_treasury unique    -    4x1  4x1  5x1  5x1
map_room          unique    -    5x1  5x1  5x1  5x1
wishing_well      unique    -    5x1  5x1  -    5x1
quarry            unique    -    5x1  5x1  -    5x1
lighthouse        unique    -    3x1  3x1  -    -
armory            unique    -    3x1  3x1  -    3x1
museum            unique    -    4x1  4x1  -    4x1
poor_house        unique    -    5x1  5x1  -    4x1
bell_tower        unique    -    5x1  5x1  -    -
factory           unique    -    6x1  6x1  -    5x1
park              unique    -    6x1  6x1  -    6x1
hospital          unique    -    6x1  6x1  -    -
throne_room       unique    -    6x1  6x1  -    -
ball_room         unique    -    6x1  6x1  -    -
basilica          unique    -    -    -    -    4x1
capitol           unique    -    -    -    -    5x1
framework         unique    -    -    -    -    3x1
gold_mine         unique    -    -    -    -    6x1
ivory_tower       unique    -    -    -    -    5x1
monument          unique    -    -    -    -    4x1
necropolis        unique    -    -    -    -    5x1
secret_vault      unique    -    -    -    -    0x1
stables           unique    -    -    -    -    2x1
statue            unique    -    -    -    -    3x1
theater           unique    -    -    -    -    6x1
thieves_den       unique    -    -    -    -    6x1
"""

# character: its rank, and the printings that hold it
_OLD_AND_NEW = ("ffg_2005", "millennium_3e", "deluxe_2016")
_OLDER = ("ffg_2005", "millennium_3e")
_NEW = ("deluxe_2016",)
CHARACTERS: dict[str, tuple[int, tuple[str, ...]]] = {
    "assassin": (1, PRINTINGS),
    "witch": (1, _OLD_AND_NEW),
    "magistrate": (1, _NEW),
    "thief": (2, PRINTINGS),
    "tax_collector_2004": (2, _OLDER),
    "spy": (2, _NEW),
    "blackmailer": (2, _NEW),
    "magician": (3, PRINTINGS),
    "wizard": (3, _OLD_AND_NEW),
    "seer": (3, _NEW),
    "king": (4, PRINTINGS),
    "emperor": (4, _OLD_AND_NEW),
    "patrician": (4, _NEW),
    "bishop": (5, PRINTINGS),
    "abbot": (5, _OLD_AND_NEW),
    "cardinal": (5, _NEW),
    "merchant": (6, PRINTINGS),
    "alchemist": (6, _OLD_AND_NEW),
    "trader": (6, _NEW),
    "architect": (7, PRINTINGS),
    "navigator": (7, _OLD_AND_NEW),
    "scholar": (7, _NEW),
    "warlord": (8, PRINTINGS),
    "diplomat": (8, _OLD_AND_NEW),
    "marshal": (8, _NEW),
    "queen": (9, _OLD_AND_NEW),
    "artist": (9, _OLD_AND_NEW),
    "tax_collector": (9, _NEW),
    **{
        id_: (card["character"]["rank"], tuple(card["character"]["printings"]))
        for id_, card in OWN_FILES.items()
        if "character" in card
    },
}


class Box(NamedTuple):
    """One edition: its printing, the numbers of players, the size of a complete city."""

    printing: str
    players: range
    city_size: int
    small_city_size: int  # with 2 or 3 players


EDITIONS: dict[str, Box] = {
    "classic_2016": Box("classic_2016", range(2, 8), 7, 8),
    "hobby_world_2022": Box("classic_2016", range(2, 8), 7, 8),
    "accessible_fr": Box("classic_2016", range(2, 8), 7, 8),
    "brettspielwelt": Box("original_2000", range(4, 8), 8, 8),
    "millennium_3e": Box("millennium_3e", range(2, 9), 8, 8),
    "ffg_2005": Box("ffg_2005", range(2, 9), 8, 8),
    "deluxe_2016": Box("deluxe_2016", range(2, 9), 7, 8),
}
OwnCards = dict[str, dict[str, Any]]
"""A table's own cards of one box: by id, their facts."""
NAMES = ("Anna", "Kurt", "Ashley", "Ben", "Zoë", "van Dyk", "Li", "Mia")


class Printed(NamedTuple):
    """A district card as one printing has it."""

    type: str
    cost: int
    copies: int
    points: int = 0  # beyond its cost, whatever else is in the city


@cache
def districts(printing: str) -> dict[str, Printed]:
    """The district cards of that printing, by id."""
    place = PRINTINGS.index(printing)
    by_id = {}
    for line in _DISTRICTS.strip().splitlines():
        id_, type_, *cells = line.split()
        if cells[place] != "-":
            cost, copies = cells[place].split("x")
            points = sum(map(int, cells[len(PRINTINGS) :]))
            by_id[id_] = Printed(type_, int(cost), int(copies), points)
    for id_, card in OWN_FILES.items():
        facts = card.get("district", {"copies": {}})
        if printing in facts["copies"]:
            points = facts.get("effects", {}).get("points", 0)
            by_id[id_] = Printed(facts["type"], facts["cost"], facts["copies"][printing], points)
    return by_id


def uniques(printing: str) -> list[str]:
    """The unique districts of that printing."""
    return [id_ for id_, card in districts(printing).items() if card.type == "unique"]


class Counted(NamedTuple):
    """The numbers of cards of one printing."""

    districts: int
    unique: int
    characters: int


def count(printing: str) -> Counted:
    """How many cards that printing has."""
    here = districts(printing).values()
    return Counted(
        sum(card.copies for card in here),
        sum(card.copies for card in here if card.type == "unique"),
        sum(printing in printings for _rank, printings in CHARACTERS.values()),
    )


def cast_sizes(edition: str, players: int) -> tuple[int, ...]:
    """The possible sizes of the cast for `players` players."""
    if EDITIONS[edition].printing in ("original_2000", "classic_2016") or players == 2:
        return (8,)
    if players == 3:
        return (9,) if edition == "deluxe_2016" else (8,)
    if players == 8:
        return (9,)
    return (8, 9)


def characters(edition: str, players: int) -> dict[int, list[str]]:
    """The characters allowed for `players` players, by rank."""
    printing = EDITIONS[edition].printing
    left_out = {2: {"emperor", "queen"}, 3: {"queen"}, 4: {"queen"}}.get(players, set())
    by_rank: dict[int, list[str]] = {rank: [] for rank in range(1, 10)}
    for id_, (rank, printings) in CHARACTERS.items():
        if printing in printings and id_ not in left_out:
            by_rank[rank].append(id_)
    return by_rank


def random_own_cards(edition: str, chance: random.Random) -> OwnCards:
    """Cards of a table's own, as its `cards.yaml` has them: corrected costs and copies, cards of
    other boxes with their effects, and new ones with points."""
    in_box = districts(EDITIONS[edition].printing)
    own: OwnCards = {}
    for id_ in chance.sample([id_ for id_ in in_box if id_ != "secret_vault"], 6):
        facts = {"cost": chance.randrange(7), "copies": chance.randint(1, 4)}
        own[id_] = {key: facts[key] for key in chance.choice((["cost"], ["copies"], [*facts]))}
    foreign = {id_ for each in PRINTINGS for id_ in uniques(each)} - {*in_box, "secret_vault"}
    for id_ in chance.sample(sorted(foreign), min(3, len(foreign))):
        own[id_] = {"copies": chance.randint(1, 2), **chance.choice(({}, {"cost": 3}))}
    for id_, type_ in (("granary", chance.choice(("noble", "trade"))), ("bridge", "unique")):
        own[id_] = {"type": type_, "cost": chance.randrange(5), "copies": chance.randint(1, 3),
                    "names": {"en": id_.title()}}  # fmt: skip
    own["bridge"]["points"] = chance.randint(1, 4)
    return own


def districts_with(own: OwnCards, printing: str) -> dict[str, Printed]:
    """The district cards of that printing with a table's own; a card of another box costs what the
    newest one prints."""
    by_id = dict(districts(printing))
    for id_, facts in own.items():
        boxes = (printing, *reversed(PRINTINGS))
        card = next(
            (cards[id_] for each in boxes if id_ in (cards := districts(each))), Printed("", 0, 0)
        )
        by_id[id_] = Printed(
            facts.get("type", card.type),
            facts.get("cost", card.cost),
            facts.get("copies", card.copies),
            facts.get("points", card.points),
        )
    return by_id


def random_setup(
    edition: str, seed: int | str, players: int | None = None, own: OwnCards | None = None
) -> dict[str, Any]:
    """The head of a record of a random legal table of that edition, deterministic by seed."""
    chance = random.Random(f"{edition} {seed}")
    box = EDITIONS[edition]
    size = players or chance.choice(box.players)
    ranks = chance.choice(cast_sizes(edition, size))
    by_rank = characters(edition, size)
    cast = [chance.choice(by_rank[rank]) for rank in range(1, ranks + 1)]
    taken_out = {"hospital": "witch", "graveyard": "diplomat"} if edition == "millennium_3e" else {}
    in_box = districts_with(own or {}, box.printing)
    able = [id_ for id_, card in in_box.items() if card.type == "unique"]
    able = [id_ for id_ in able if taken_out.get(id_) not in cast]
    number = 14 if edition == "deluxe_2016" else chance.choice((len(able), len(able) // 2))
    return {
        "edition": edition,
        "players": list(NAMES[:size]),
        "crown": chance.choice(NAMES[:size]),
        "characters": cast,
        "districts": sorted(chance.sample(able, number)),
        "secrecy": chance.choice(("announced", "secret")),
    }
