"""The Classic box: costs, copies and types as listed in its rulebook."""

from __future__ import annotations

from engine.table import Table

# cost and copies of every district of the Classic box, as listed in the rulebook
NOBLE = {"manor": (3, 5), "castle": (4, 4), "palace": (5, 3)}
RELIGIOUS = {"temple": (1, 3), "church": (2, 3), "monastery": (3, 3), "cathedral": (5, 2)}
TRADE = {
    "tavern": (1, 5),
    "market": (2, 4),
    "trading_post": (2, 3),
    "docks": (3, 3),
    "harbor": (4, 3),
    "town_hall": (5, 2),
}
MILITARY = {"watchtower": (1, 3), "prison": (2, 3), "barracks": (3, 3), "fortress": (5, 2)}
UNIQUE = {
    "haunted_quarter": (2, 1),
    "keep": (3, 2),
    "laboratory": (5, 1),
    "smithy": (5, 1),
    "graveyard": (5, 1),
    "observatory": (4, 1),
    "school_of_magic": (6, 1),
    "library": (6, 1),
    "great_wall": (6, 1),
    "university": (6, 1),
    "dragon_gate": (6, 1),
    "imperial_treasury": (5, 1),
    "map_room": (5, 1),
}
KINDS = {
    "noble": NOBLE,
    "religious": RELIGIOUS,
    "trade": TRADE,
    "military": MILITARY,
    "unique": UNIQUE,
}
DISTRICTS = NOBLE | RELIGIOUS | TRADE | MILITARY | UNIQUE
COST = {district: cost for district, (cost, _) in DISTRICTS.items()}
COPIES = {district: copies for district, (_, copies) in DISTRICTS.items()}
DECK = sum(COPIES.values())
CHARACTERS = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
PAYS = {"king": NOBLE, "bishop": RELIGIOUS, "merchant": TRADE, "warlord": MILITARY}


def city(table: Table, seat: int) -> list[str]:
    """The ids of the districts in front of that seat."""
    return [card.id for card in table.seats[seat].city.cards]


def striking_price(victim: list[str], district: str) -> int:
    """The price of that district of that city for the Warlord."""
    is_walled = "great_wall" in victim and district != "great_wall"
    return COST[district] - 1 + (1 if is_walled else 0)
