"""Facts about characters and house rules, transcribed independently from the rulebooks."""

from __future__ import annotations

import random
from typing import Any

# the district type that pays each character; the Patrician's and the Cardinal's pay in cards
PAID_BY = {
    "king": "noble", "emperor": "noble", "patrician": "noble",
    "bishop": "religious", "abbot": "religious", "cardinal": "religious",
    "merchant": "trade", "trader": "trade",
    "warlord": "military", "diplomat": "military", "marshal": "military",
}  # fmt: skip
PAID_IN_CARDS = ("patrician", "cardinal")
CROWN_TAKERS = ("king", "patrician")
TYPES = ("noble", "religious", "trade", "military", "unique")

LABORATORY_GIVES = {"original_2000": 1, "ffg_2005": 1, "millennium_3e": 1,
                    "classic_2016": 2, "deluxe_2016": 2}  # fmt: skip
SMITHY_COSTS = {"original_2000": 3, "ffg_2005": 2, "millennium_3e": 3,
                "classic_2016": 2, "deluxe_2016": 2}  # fmt: skip

FACE_UP = {(8, 4): 2, (8, 5): 1, (9, 4): 3, (9, 5): 2, (9, 6): 1}  # characters, players; else none

# Questions that boxes answer differently: the usual answer first, then every other one
HOUSE_RULES: dict[str, tuple[Any, ...]] = {
    "city_size": (7, 6, 8),
    "tie_break": ("highest_rank", "district_points", "gold"),  # a list of these
    "points_of_districts": ("cost", "scored"),
    "highest_rank": ("revealed", "chosen"),
    "faceup_rank_4": ("replace", "redeal"),
    "build_before_gathering": (False, True),
    "must_gather": (True, False),
    "doubles": ("refused", "allowed"),
    "killed_player_shows": ("heir", "always"),
    "strike_own_city": (True, False),
    "strike_timing": ("any", "last"),
    "exchange_timing": ("any", "last"),
    "bonus_timing": ("any", "gathered"),
    "navigate_timing": ("any", "gathered", "last"),
    "library_with_observatory": (3, 2),
    "haunted_quarter_last_round": (True, False),
    "wishing_well_counts_itself": (False, True),
    "armory_complete_city": (True, False),
    "quarry_doubles": ("one", "any"),
    "wizard_doubles": ("turn", "taken"),
    "abbot_tie": ("nothing", "chooses"),
    "great_wall": ("others", "all"),
    "alchemist_refund": ("at_once", "end_of_turn"),
    "emperor_payment": ("crowned", "emperor"),
    "emperor_killed": ("stays", "gives"),
    "fallen_bell_tower": ("ends", "usual"),
    "cities": ("tracked", "untracked"),
}
_LISTS = ("tie_break",)
_OLDER = {
    "city_size": 8,
    "killed_player_shows": "always",
    "strike_timing": "last",
    "library_with_observatory": 2,
    "haunted_quarter_last_round": False,
}
OWN_ANSWERS: dict[str, dict[str, Any]] = {
    "hobby_world_2022": {"highest_rank": "chosen"},
    "accessible_fr": {"faceup_rank_4": "redeal"},
    "brettspielwelt": {
        "city_size": 8,
        "tie_break": ["district_points"],
        "points_of_districts": "scored",
        "build_before_gathering": True,
        "must_gather": False,
        "doubles": "allowed",
        "strike_own_city": False,
        "library_with_observatory": 2,
    },
    "millennium_3e": {**_OLDER, "tie_break": [], "navigate_timing": "last"},
    "ffg_2005": {
        **_OLDER,
        "tie_break": ["district_points", "gold"],
        "exchange_timing": "last",
        "bonus_timing": "gathered",
        "navigate_timing": "gathered",
        "alchemist_refund": "end_of_turn",
        "fallen_bell_tower": "usual",
    },
    "deluxe_2016": {
        "wishing_well_counts_itself": True,
        "armory_complete_city": False,
        "quarry_doubles": "any",
        "abbot_tie": "chooses",
        "alchemist_refund": "end_of_turn",
        "emperor_payment": "emperor",
        "emperor_killed": "gives",
    },
}
EARLIER_OF_FFG = {
    "exchange_timing": "any",
    "bonus_timing": "any",
    "navigate_timing": "last",
    "alchemist_refund": "at_once",
    "wizard_doubles": "taken",
    "fallen_bell_tower": "ends",
}
"""What `ffg_2005` was played by before its texts were known."""


def answers(head: dict[str, Any]) -> dict[str, Any]:
    """The answers in force under this record's head."""
    chosen = head.get("options", {})
    options = {name: values[0] for name, values in HOUSE_RULES.items()}
    options["tie_break"] = ["highest_rank"]
    options |= OWN_ANSWERS.get(head["edition"], {})
    if len(head["players"]) <= 3:
        options["city_size"] = 8  # in every box for 2 or 3 players
    if chosen.get("rulings") == "earlier":
        options |= EARLIER_OF_FFG
    return options | chosen


def random_options(chance: random.Random) -> dict[str, Any]:
    """Random house rules."""
    return {
        name: chance.sample(values, chance.choice((1, 2))) if name in _LISTS
        else chance.choice(values)
        for name, values in HOUSE_RULES.items()
        if chance.random() < 0.4
    }  # fmt: skip
