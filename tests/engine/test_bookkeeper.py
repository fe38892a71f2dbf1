"""Random games of every box, compared with the bookkeeper's table after every move.

`RANDOM_GAMES=10000 pytest tests/engine/test_bookkeeper.py` plays the long run over all legal
casts, unique districts and sizes of table: of each edition 2,500 games by its own rules, 2,500 with
house rules and 833 in light mode.
"""

from __future__ import annotations

import random

import pytest

from engine import record
from engine.editions import switches
from tests.engine.bookkeeping import facts
from tests.engine.boxes import (
    EDITIONS,
    PRINTINGS,
    OwnCards,
    random_own_cards,
    random_setup,
    uniques,
)
from tests.engine.kept_games import play_kept_game

pytestmark = pytest.mark.timeout(0)
in_every_box = pytest.mark.parametrize("edition", EDITIONS)


@in_every_box
def test_random_games_agree_with_the_bookkeeper(edition: str, games: int) -> None:
    for seed in range(max(2, games // 4)):
        for _ in play_kept_game(random_setup(edition, seed), seed, by_verb=seed % 2 == 1):
            pass


@in_every_box
def test_random_games_with_house_rules_agree_with_the_bookkeeper(edition: str, games: int) -> None:
    for seed in range(max(2, games // 4)):
        head = random_setup(edition, f"options {seed}")
        head["options"] = facts.random_options(random.Random(f"{edition} {seed}"))
        head["options"]["cities"] = "tracked"
        for _ in play_kept_game(head, seed, by_verb=seed % 2 == 0):
            pass


def test_random_games_by_the_earlier_rulings_agree_with_the_bookkeeper(games: int) -> None:
    for seed in range(max(2, games // 4)):
        head = random_setup("ffg_2005", f"earlier {seed}")
        head["options"] = {"rulings": "earlier"}
        for _ in play_kept_game(head, seed, by_verb=seed % 2 == 1):
            pass


@in_every_box
def test_random_games_without_cities_agree_with_the_bookkeeper(edition: str, games: int) -> None:
    for seed in range(max(2, games // 12)):
        own = random_own_cards(edition, random.Random(f"light {edition} {seed}"))
        head = random_setup(edition, f"light {seed}", own=own)
        options = facts.random_options(random.Random(f"light {edition} {seed}"))
        head["options"] = {**(options if seed % 2 else {}), "cities": "untracked"}
        for referee in play_kept_game(head, seed, by_verb=True, own=own):
            table = referee.table
            if not table.questions and table.phase != "over":
                assert not any(seat.city.cards for seat in table.seats)


@in_every_box
def test_random_games_with_own_cards_agree_with_the_bookkeeper(edition: str, games: int) -> None:
    for seed in range(max(2, games // 8)):
        chance = random.Random(f"own {edition} {seed}")
        own = random_own_cards(edition, chance)
        head = random_setup(edition, f"own {seed}", own=own)
        head["options"] = facts.random_options(chance) if seed % 2 else {}
        for _ in play_kept_game(head, seed, by_verb=seed % 4 in (0, 3), own=own):
            pass


@in_every_box
def test_random_games_full_of_doubles_agree_with_the_bookkeeper(edition: str, games: int) -> None:
    """Every unique district is cheap and in the box four times, and a city may have doubles."""
    names = sorted({id_ for each in PRINTINGS for id_ in uniques(each)} - {"secret_vault"})
    for seed in range(max(2, games // 12)):
        sample = random.Random(f"doubles {edition} {seed}").sample(names, 14)
        own: OwnCards = {id_: {"cost": 0, "copies": 4} for id_ in sample}
        head = random_setup(edition, f"doubles {seed}", own=own)
        head |= {"districts": sorted(own), "options": {"doubles": "allowed"}}
        for _ in play_kept_game(head, seed, by_verb=seed % 2 == 1, own=own):
            pass


@in_every_box
def test_the_bookkeeper_knows_what_each_box_plays(edition: str) -> None:
    for seed in range(4):
        head = random_setup(edition, seed)
        lacks = f"OWN_ANSWERS in tests/engine/bookkeeping/facts.py, or HOUSE_RULES, for {edition}"
        assert record.read(head).start.rules.answers == facts.answers(head), lacks


def test_random_house_rules_are_all_that_a_table_may_set() -> None:
    for name, switch in switches().items():
        # where only the points are counted, nothing is played that could be kept in books
        assert set(switch.values) - {"counted"} == set(facts.HOUSE_RULES[name])
    assert set(facts.HOUSE_RULES) == set(switches())
