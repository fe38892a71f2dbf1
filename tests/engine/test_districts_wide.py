"""The unique districts of every box: timing, limits, and what they do to one another."""

from __future__ import annotations

from typing import Any

import pytest

from engine import cards, views
from engine.referee import Referee
from engine.scoring import SeatScore, score_of, standing
from engine.table import Table
from tests.engine import boxes
from tests.engine.boxes import EDITIONS
from tests.engine.playing import game, legal_of, problems_of, refused, texts

GATHERED = {"gathered": True}
OLDER = ("ffg_2005", "millennium_3e")
# fourteen unique districts of the deluxe box: those of two of its printed casts
VAULTED = ["armory", "basilica", "dragon_gate", "gold_mine", "keep", "monument", "museum",
           "necropolis", "park", "poor_house", "quarry", "secret_vault", "smithy",
           "theater"]  # fmt: skip
DELUXE_FIRST = ["dragon_gate", "factory", "haunted_quarter", "imperial_treasury", "keep",
                "laboratory", "library", "map_room", "quarry", "school_of_magic", "smithy",
                "statue", "thieves_den", "wishing_well"]  # fmt: skip


def in_edition(edition: str, character: str, **rest: Any) -> Referee:
    """Anna's turn as that character in that edition."""
    cast = rest.pop("cast", None)
    districts = rest.pop("districts", None)
    head: dict[str, Any] = {"edition": edition}
    if cast:
        head["characters"] = with_characters(*cast)
    if districts:
        head["districts"] = districts
    head |= {key: rest.pop(key) for key in ("secrecy", "options", "crown") if key in rest}
    size = rest.pop("size", 4)
    turn = {"player": "Anna", "character": character, **rest.pop("turn", {})}
    position = {"players": rest.pop("players", {}), "turn": turn, **rest}
    return game(players=size, position=position, **head)


def with_characters(*wanted: str) -> list[str]:
    """The classic cast with these characters in the places of their ranks."""
    known = cards.characters()
    classic = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect",
               "warlord"]  # fmt: skip
    ranks = {known[id_].rank: id_ for id_ in (*classic, *wanted)}
    return [ranks[rank] for rank in sorted(ranks)]


def fourteen(*wanted: str) -> list[str]:
    """Fourteen unique districts of the deluxe box with these among them."""
    others = [district for district in VAULTED if district not in wanted]
    return [*wanted, *others][:14]


def gold(table: Table) -> list[int]:
    """Everybody's gold."""
    return [seat.gold for seat in table.seats]


# -- the Hospital -------------------------------------------------------------------------------


def test_a_killed_tax_collector_with_the_hospital_is_paid_nothing_this_round() -> None:
    """rules.md: a killed older Tax Collector gets nothing this round."""
    position = {
        "players": {"Anna": {"city": ["hospital"], "gold": 0}, "Kurt": {"gold": 9}},
        "killed": "tax_collector_2004",
        "revealed": {"Ben": ["assassin"]},
        "owes_tax": ["Ben"],
        "called": 2,
    }
    cast = with_characters("tax_collector_2004")
    referee = game("reveal Anna", "gold", "end", edition="ffg_2005", characters=cast,
                   position=position)  # fmt: skip
    assert gold(referee.table) == [2, 9, 2, 2]
    for move in ("reveal Kurt", "gold", "build manor", "end"):
        referee.play(move)
    assert gold(referee.table) == [2, 8, 2, 2]


def test_a_queen_beside_a_killed_king_with_the_hospital_is_paid_once() -> None:
    """When she is shown: it is known by then whose the King is."""
    position = {
        "players": {"Kurt": {"city": ["hospital"]}, "Anna": {"gold": 0}},
        "killed": "king",
        "called": 4,
    }
    referee = game("reveal Kurt", "gold", "end", *["nobody"] * 4, "reveal Anna", players=5,
                   edition="ffg_2005", characters=with_characters("queen"),
                   position=position)  # fmt: skip
    assert referee.table.seats[0].gold == 3
    referee.play("gold")
    referee.play("end")
    assert referee.table.round == 2
    assert (referee.table.seats[0].gold, referee.table.crown) == (5, 1)


@pytest.mark.parametrize("edition", OLDER)
def test_who_was_killed_gathers_with_the_hospital_and_that_is_all(edition: str) -> None:
    position = {"players": {"Anna": {"city": ["hospital"], "gold": 0}}, "killed": "merchant",
                "called": 6}  # fmt: skip
    referee = game(edition=edition, position=position)
    assert texts(referee) == ["reveal Anna", "nobody"]
    refused(referee, "reveal Kurt", "reveal.killed")
    referee.play("reveal Anna")
    assert texts(referee) == ["gold", "cards"]
    referee.play("gold")
    assert texts(referee) == ["end"]
    for move in ("income", "bonus", "build tavern", "use hospital"):
        refused(referee, move, "hospital.gathers_only")
    referee.play("end")
    assert (referee.table.called, referee.table.seats[0].gold) == (7, 2)


def test_the_hospital_is_offered_whoever_has_the_killed_card() -> None:
    """The offer must tell nothing: Anna may answer, and nobody may, whatever was recorded."""
    for chosen in ({}, {"Anna": ["merchant"]}, {"Anna": ["king"]}):
        position = {"players": {"Anna": {"city": ["hospital"]}}, "killed": "merchant", "called": 6,
                    "chosen": chosen}  # fmt: skip
        table = game(edition="ffg_2005", position=position).table
        assert views.table_json(table)["legal"] == ["reveal Anna", "nobody"]


def test_the_hospital_brings_neither_poor_house_nor_park() -> None:
    city = ["hospital", "poor_house", "park"]
    position = {"players": {"Anna": {"city": city, "gold": 0, "hand": 0}}, "killed": "merchant",
                "called": 6}  # fmt: skip
    referee = game("reveal Anna", "cards", "end", edition="ffg_2005", position=position)
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand) == (0, 1)


# -- gathering ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "kept"),
    [(edition, 2 if edition in (*OLDER, "brettspielwelt") else 3) for edition in EDITIONS],
)
def test_library_with_observatory(edition: str, kept: int) -> None:
    districts = [*DELUXE_FIRST[1:], "observatory"] if edition == "deluxe_2016" else None
    players = {"Anna": {"city": ["library", "observatory"], "hand": 0}}
    referee = in_edition(edition, "merchant", players=players, districts=districts)
    referee.play("cards")
    assert referee.table.seats[0].hand == kept


def test_the_gold_mine_adds_one_to_gathered_gold_only() -> None:
    players = {"Anna": {"city": ["gold_mine"], "gold": 0}}
    referee = in_edition("deluxe_2016", "merchant", players=players, districts=VAULTED)
    referee.play("bonus")
    referee.play("gold")
    assert gold(referee.table)[0] == 4


# -- uses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "gains", "pays"),
    [
        ("classic_2016", 2, 2),
        ("hobby_world_2022", 2, 2),
        ("accessible_fr", 2, 2),
        ("deluxe_2016", 2, 2),
        ("brettspielwelt", 1, 3),
        ("millennium_3e", 1, 3),
        ("ffg_2005", 1, 2),
    ],
)
def test_laboratory_and_smithy(edition: str, gains: int, pays: int) -> None:
    players = {"Anna": {"city": ["laboratory", "smithy"], "gold": 5, "hand": 2}}
    referee = in_edition(edition, "merchant", players=players)
    referee.play("use laboratory")
    assert gold(referee.table)[0] == 5 + gains
    referee.play("use smithy")
    assert (gold(referee.table)[0], referee.table.seats[0].hand) == (5 + gains - pays, 4)


@pytest.mark.parametrize("edition", OLDER)
def test_the_armory_hits_a_complete_city_and_the_game_ends_all_the_same(edition: str) -> None:
    eight = ["manor", "castle", "temple", "church", "tavern", "market", "keep", "docks"]
    players = {"Anna": {"city": ["armory", "manor"]}, "Kurt": {"city": eight}}
    referee = in_edition(edition, "warlord", players=players, first_complete="Kurt")
    refused(referee, "use armory Anna manor", "armory.own_city")
    deck = referee.table.deck
    referee.play("use armory Kurt keep")
    assert referee.table.deck == deck + 2
    refused(referee, "use armory Kurt manor", "use.not_in_city")
    for move in ("gold", "end"):
        referee.play(move)
    assert referee.table.phase == "over"
    assert standing(referee.table).scores[1].complete == 4


def test_the_deluxe_armory_spares_complete_cities_and_may_hit_its_own() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "docks"]
    players = {"Anna": {"city": ["armory", "manor"]}, "Kurt": {"city": seven},
               "Ben": {"city": ["temple"]}}  # fmt: skip
    referee = in_edition("deluxe_2016", "king", players=players, districts=VAULTED)
    refused(referee, "use armory Kurt manor", "armory.complete_city")
    refused(referee, "use armory Anna armory", "armory.itself")
    refused(referee, "use armory Ben manor", "armory.no_such_district")
    assert legal_of(referee, "use") == ["use armory Anna manor", "use armory Ben temple"]
    referee.play("use armory Anna manor")
    assert referee.table.seats[0].city.cards == ()


def test_the_armory_asks_no_graveyard() -> None:
    players = {"Anna": {"city": ["armory"]}, "Kurt": {"city": ["graveyard"]},
               "Ben": {"city": ["manor"]}}  # fmt: skip
    referee = in_edition("ffg_2005", "king", players=players)
    referee.play("use armory Ben manor")
    assert referee.table.phase == "turn"


def test_the_cards_under_a_museum_go_with_it() -> None:
    museum = {"id": "museum", "under": 3}
    players = {"Anna": {"gold": 9}, "Kurt": {"city": [museum]}}
    falls = in_edition("millennium_3e", "warlord", players=players, turn=GATHERED)
    deck = falls.table.deck
    falls.play("destroy Kurt museum")
    assert falls.table.seats[0].gold == 6  # its price is that of the card alone
    assert falls.table.deck == deck + 4
    players = {"Anna": {"gold": 9, "city": ["manor"]}, "Kurt": {"city": [museum]}}
    travels = in_edition("millennium_3e", "diplomat", cast=["diplomat"], players=players)
    deck = travels.table.deck
    travels.play("exchange manor Kurt museum")
    assert score_of(travels.table, 0).unique == {"museum": 3}
    assert travels.table.deck == deck


@pytest.mark.parametrize("edition", OLDER)
def test_everybody_with_seven_when_the_bell_tower_rings_is_first(edition: str) -> None:
    six = ["manor", "castle", "temple", "church", "tavern", "market"]
    seven = ["manor", "castle", "temple", "church", "docks", "harbor", "keep"]
    players = {
        "Anna": {"city": six, "gold": 9},
        "Kurt": {"city": seven},
        "Ben": {"city": ["palace", "monastery", "cathedral", "barracks", "fortress", "prison"],
                "gold": 9},
    }  # fmt: skip
    referee = in_edition(edition, "king", players=players, turn=GATHERED)
    refused(referee, "use bell_tower", "use.not_in_city")
    referee.play("build bell_tower")
    assert referee.table.first_complete == ()
    assert views.table_json(referee.table)["city_size"] == 8
    referee.play("use bell_tower")
    assert referee.table.first_complete == (0, 1)
    assert views.table_json(referee.table)["city_size"] == 7
    for move in ("end", "nobody", "reveal Ben", "gold", "build trading_post", "end", "nobody",
                 "nobody"):  # fmt: skip
        referee.play(move)
    assert referee.table.phase == "over"
    assert [score.complete for score in standing(referee.table).scores] == [4, 4, 0, 2]


def test_who_completed_eight_before_the_bell_tower_stays_first_alone() -> None:
    eight = ["manor", "castle", "temple", "church", "docks", "harbor", "keep", "prison"]
    players = {"Anna": {"city": ["palace", *eight[:5]], "gold": 9}, "Kurt": {"city": eight}}
    referee = in_edition("ffg_2005", "king", players=players, turn=GATHERED)
    referee.play("build bell_tower")
    referee.play("use bell_tower")
    assert referee.table.first_complete == (1,)
    assert score_of(referee.table, 0).complete == 2


def test_a_fallen_bell_tower_takes_its_size_along_but_not_the_first() -> None:
    tower = {"id": "bell_tower", "announced": True}
    six = ["manor", "castle", "temple", "church", "tavern", "market"]
    players = {"Anna": {"city": ["armory"]}, "Kurt": {"city": [tower, *six]},
               "Ben": {"city": [*six, "prison"]}}  # fmt: skip
    referee = in_edition("millennium_3e", "king", players=players, first_complete=["Kurt"])
    assert referee.table.city_size == 7
    referee.play("use armory Kurt bell_tower")
    assert (referee.table.city_size, referee.table.first_complete) == (8, (1,))
    assert [score.complete for score in standing(referee.table).scores] == [0, 4, 0, 0]


def test_the_bell_tower_need_not_be_announced_and_cannot_be_later() -> None:
    referee = in_edition("ffg_2005", "king", players={"Anna": {"gold": 9}}, turn=GATHERED)
    referee.play("build bell_tower")
    referee.play("end")
    assert referee.table.city_size == 8
    later = in_edition("ffg_2005", "king", players={"Anna": {"city": ["bell_tower"]}})
    refused(later, "use bell_tower", "bell_tower.when_built")
    small = in_edition("ffg_2005", "king", players={"Anna": {"gold": 9}}, turn=GATHERED,
                       options={"city_size": 7})  # fmt: skip
    small.play("build bell_tower")
    refused(small, "use bell_tower", "bell_tower.size")


def test_the_theater_swaps_characters_at_the_end_of_the_selection() -> None:
    position = {"players": {"Kurt": {"city": ["theater"]}}, "faceup": ["bishop", "merchant"]}
    head = {"edition": "deluxe_2016", "districts": VAULTED}
    referee = game("choose Anna king", "choose Kurt thief", position=position, **head)
    refused(referee, "use theater Kurt", "theater.self")
    refused(referee, "use theater", "use.form")
    refused(referee, "use laboratory", "use.not_now")
    referee.play("use theater Anna")
    assert [seat.chosen for seat in referee.table.seats[:2]] == [("thief",), ("king",)]
    refused(referee, "use theater Ben", "theater.done")
    referee.play("call")
    refused(referee, "use theater Ben", "phase.calling")
    for move in ("nobody", "reveal Anna", "gold", "end", "nobody", "reveal Kurt"):
        referee.play(move)
    assert referee.table.crown == 1


def test_which_of_two_cards_went_the_theater_does_not_tell() -> None:
    districts = VAULTED
    position = {"players": {"Anna": {"city": ["theater"]}},
                "chosen": {"Anna": ["king", "thief"], "Kurt": ["bishop", "merchant"]}}  # fmt: skip
    referee = game("use theater Kurt", players=2, edition="deluxe_2016", districts=districts,
                   position=position)  # fmt: skip
    assert [seat.chosen for seat in referee.table.seats] == [(), ()]


# -- paying and building --------------------------------------------------------------------------


def test_the_factory_takes_one_off_other_unique_districts_only() -> None:
    players = {"Anna": {"city": ["factory"], "gold": 4, "hand": 9}}
    referee = in_edition("deluxe_2016", "king", players=players, turn=GATHERED)
    assert {"build laboratory", "build smithy", "build castle"} <= set(legal_of(referee, "build"))
    refused(referee, "build palace", "build.gold")
    refused(referee, "build library", "build.gold")
    referee.play("build smithy")
    assert gold(referee.table)[0] == 0
    plain = in_edition("deluxe_2016", "king", players={"Anna": {"gold": 4}}, turn=GATHERED)
    refused(plain, "build factory", "build.gold")  # not for itself


def test_the_factory_does_not_change_the_warlords_price() -> None:
    players = {"Anna": {"gold": 3}, "Kurt": {"city": ["factory", "laboratory"]}}
    referee = in_edition("ffg_2005", "warlord", players=players, turn=GATHERED)
    refused(referee, "destroy Kurt laboratory", "warlord.gold")


def test_the_framework_pays_for_anything_and_leaves_first() -> None:
    city = ["framework", "manor", "temple", "tavern", "prison"]
    players = {"Anna": {"city": city, "gold": 0}}
    districts = fourteen("framework", "monument")
    referee = in_edition("deluxe_2016", "architect", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    refused(referee, "build monument", "build.city_full")
    refused(referee, "build manor over framework", "build.duplicate")
    refused(referee, "build palace over manor", "build.form")
    refused(referee, "build palace over docks", "build.over_missing")
    deck = referee.table.deck
    referee.play("build monument over framework")
    assert (gold(referee.table)[0], referee.table.deck) == (0, deck + 1)
    assert referee.table.seats[0].city.size == 6


def test_the_necropolis_may_be_built_over_any_district_or_paid() -> None:
    players = {"Anna": {"city": [{"id": "museum", "under": 2}, "manor"], "gold": 5}}
    referee = in_edition("deluxe_2016", "architect", players=players, turn=GATHERED,
                         districts=VAULTED)  # fmt: skip
    assert legal_of(referee, "build")[-2:] == [
        "build necropolis over museum", "build necropolis over manor",
    ]  # fmt: skip
    assert "build necropolis" in legal_of(referee, "build")
    deck = referee.table.deck
    referee.play("build necropolis over museum")
    assert (gold(referee.table)[0], referee.table.deck) == (5, deck + 3)


def test_a_sacrifice_uses_the_building_limit() -> None:
    players = {"Anna": {"city": ["framework", "manor"], "gold": 5}}
    districts = fourteen("framework", "monument")
    referee = in_edition("deluxe_2016", "king", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    referee.play("build palace over framework")
    refused(referee, "build temple", "build.limit")


@pytest.mark.parametrize(("held", "coins", "able"), [(9, 0, [6]), (4, 3, [3]), (3, 9, [1, 2])])
def test_any_part_of_the_den_is_paid_with_cards(held: int, coins: int, able: list[int]) -> None:
    players = {"Anna": {"hand": held, "gold": coins}}
    referee = in_edition("deluxe_2016", "king", players=players, turn=GATHERED)
    listed = [move for move in legal_of(referee, "build") if " cards " in move]
    assert listed == [f"build thieves_den cards {number}" for number in able]
    refused(referee, "build thieves_den cards 0", "build.form")
    refused(referee, "build palace cards 1", "build.form")
    refused(referee, f"build thieves_den cards {max(able) + 1}", "thieves_den.cards")
    before = referee.table.deck
    referee.play(f"build thieves_den cards {able[-1]}")
    seat = referee.table.seats[0]
    assert (seat.hand, seat.gold) == (held - 1 - able[-1], coins - (6 - able[-1]))
    assert referee.table.deck == before + able[-1]


def test_the_monument_counts_as_two_and_comes_early() -> None:
    four = ["manor", "temple", "tavern", "prison"]
    players = {"Anna": {"city": four, "gold": 9}, "Kurt": {"gold": 9}}
    referee = in_edition("deluxe_2016", "architect", players=players, turn=GATHERED,
                         districts=VAULTED)  # fmt: skip
    referee.play("build monument")
    assert referee.table.first_complete == ()
    referee.play("build market")
    assert referee.table.first_complete == (0,)
    five = {"Anna": {"city": [*four, "market"], "gold": 9}}
    late = in_edition("deluxe_2016", "architect", players=five, turn=GATHERED, districts=VAULTED)
    refused(late, "build monument", "build.city_full")


def test_the_stables_are_outside_the_limit_but_not_for_a_navigator() -> None:
    districts = fourteen("stables")
    players = {"Anna": {"gold": 9, "hand": 5}}
    referee = in_edition("deluxe_2016", "king", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    referee.play("build manor")
    assert legal_of(referee, "build") == ["build stables"]
    referee.play("build stables")
    assert legal_of(referee, "build") == []
    navigator = in_edition("deluxe_2016", "navigator", cast=["navigator"], players=players,
                           turn=GATHERED, districts=districts)  # fmt: skip
    refused(navigator, "build stables", "build.limit")


def test_the_secret_vault_is_never_built() -> None:
    players = {"Anna": {"gold": 9, "city": ["framework"]}}
    districts = fourteen("framework", "secret_vault")
    referee = in_edition("deluxe_2016", "king", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    refused(referee, "build secret_vault", "build.never")
    refused(referee, "build secret_vault over framework", "build.never")
    refused(referee, "vault Anna", "phase.turn")


def test_the_lighthouse_brings_a_card_when_it_is_built() -> None:
    referee = in_edition("ffg_2005", "king", players={"Anna": {"gold": 3, "hand": 1}},
                         turn=GATHERED)  # fmt: skip
    deck = referee.table.deck
    referee.play("build lighthouse")
    assert (referee.table.seats[0].hand, referee.table.deck) == (1, deck - 1)
    last = {"Anna": {"gold": 3, "hand": 1}, "Kurt": {"hand": 80 - 1 - 8}}
    empty = in_edition("ffg_2005", "king", players=last, turn=GATHERED)
    assert empty.table.deck == 0
    empty.play("build lighthouse")
    assert empty.table.seats[0].hand == 0


# -- by themselves --------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [*OLDER, "deluxe_2016"])
def test_poor_house_and_park_at_the_end_of_the_turn(edition: str) -> None:
    players = {"Anna": {"city": ["poor_house", "park"], "gold": 0, "hand": 1},
               "Kurt": {"city": ["manor"], "gold": 0}}  # fmt: skip
    districts = VAULTED if edition == "deluxe_2016" else None
    referee = in_edition(edition, "king", players=players, districts=districts)
    for move in ("gold", "build market", "end"):
        referee.play(move)
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand) == (1, 2)
    kept = in_edition(edition, "king", players=players, districts=districts)
    for move in ("gold", "end"):
        kept.play(move)
    seat = kept.table.seats[0]
    assert (seat.gold, seat.hand) == (2, 1)


def test_the_park_tells_how_many_cards_the_deck_gave() -> None:
    players = {"Anna": {"city": ["park"], "hand": 1}, "Kurt": {"hand": 80 - 1 - 1 - 8 - 1}}
    referee = in_edition("ffg_2005", "king", players=players, turn=GATHERED)
    assert referee.table.deck == 1
    referee.play("build temple")
    referee.play("end")
    event = next(event for event in referee.table.events if event.kind == "park")
    assert (event.amount, referee.table.seats[0].hand) == (1, 1)


def test_the_throne_room_is_paid_when_the_crown_changes_hands_and_only_then() -> None:
    position = {"players": {"Anna": {"city": ["throne_room"], "gold": 0}}, "called": 4}
    moved = game("reveal Ben", crown="Kurt", edition="ffg_2005", position=position)
    assert (moved.table.crown, gold(moved.table)[0]) == (3, 1)
    kept = game("reveal Kurt", crown="Kurt", edition="ffg_2005", position=position)
    assert (kept.table.crown, gold(kept.table)[0]) == (1, 0)
    heir = game("nobody", "unmask Ben", crown="Kurt", edition="ffg_2005",
                position={**position, "called": 8, "killed": "king"})  # fmt: skip
    assert (heir.table.crown, gold(heir.table)[0]) == (3, 1)


@pytest.mark.parametrize("edition", OLDER)
def test_a_forgotten_courtesy_costs_the_turn(edition: str) -> None:
    position = {"players": {"Anna": {"city": ["ball_room"]}, "Ben": {"gold": 0}}, "called": 6}
    referee = game("reveal Ben", crown="Anna", edition=edition, position=position)
    assert "forfeit" in texts(referee)
    referee.play("bonus")
    refused(referee, "forfeit", "ball_room.begun")
    referee.undo()
    referee.play("forfeit")
    assert (referee.table.called, gold(referee.table)[3]) == (7, 0)
    referee.play("reveal Anna")
    refused(referee, "forfeit", "ball_room.not_here")  # nobody owes it to himself
    elsewhere = game("reveal Ben", crown="Kurt", edition=edition, position=position)
    refused(elsewhere, "forfeit", "ball_room.not_here")
    assert "forfeit" not in texts(elsewhere)


def test_the_great_wall_leaves_its_own_price_alone() -> None:
    players = {"Anna": {"gold": 9, "city": ["tavern"]}, "Kurt": {"city": ["great_wall", "docks"]}}
    for edition in (*OLDER, "classic_2016"):
        referee = in_edition(edition, "warlord", players=players, turn=GATHERED)
        referee.play("destroy Kurt docks")
        assert gold(referee.table)[0] == 6
        referee.undo()
        referee.play("destroy Kurt great_wall")
        assert gold(referee.table)[0] == 4
    diplomat = in_edition("ffg_2005", "diplomat", cast=["diplomat"], players=players)
    diplomat.play("exchange tavern Kurt docks")
    assert gold(diplomat.table)[:2] == [6, 5]


def test_a_great_wall_makes_the_marshal_pay_one_more_but_not_stop_at_three() -> None:
    players = {"Anna": {"gold": 9}, "Kurt": {"city": ["great_wall", "docks"]}}
    districts = fourteen("great_wall")
    referee = in_edition("deluxe_2016", "marshal", cast=["marshal"], players=players,
                         turn=GATHERED, districts=districts)  # fmt: skip
    refused(referee, "seize Kurt great_wall", "marshal.too_dear")
    referee.play("seize Kurt docks")
    assert gold(referee.table)[:2] == [5, 6]


@pytest.mark.parametrize(
    ("edition", "move"),
    [
        ("ffg_2005", "destroy Kurt keep"),
        ("millennium_3e", "exchange manor Kurt keep"),
        ("deluxe_2016", "seize Kurt keep"),
        ("deluxe_2016", "exchange manor Kurt keep"),
    ],
)
def test_the_keep_is_proof_against_every_rank_8(edition: str, move: str) -> None:
    character = {"destroy": "warlord", "exchange": "diplomat", "seize": "marshal"}[move.split()[0]]
    players = {"Anna": {"gold": 9, "city": ["manor"]}, "Kurt": {"city": ["keep", "temple"]}}
    referee = in_edition(edition, character, cast=[character], players=players, turn=GATHERED)
    refused(referee, move, f"{character}.proof")
    assert move.replace("keep", "temple") in texts(referee)


# -- at the end -----------------------------------------------------------------------------------


def points(edition: str, city: list[Any], **more: Any) -> SeatScore:
    """The score of Anna's city in that edition, with exactly its unique districts if need be."""
    head: dict[str, Any] = {"edition": edition}
    if edition == "deluxe_2016":
        ids = [item["id"] if isinstance(item, dict) else item for item in city]
        uniques = [id_ for id_ in boxes.uniques(edition) if id_ in ids]
        head["districts"] = fourteen(*uniques, "secret_vault")
        head["characters"] = with_characters(*more.pop("cast", ()))
    crown = more.pop("crown", "Kurt")
    size = more.pop("size", 4)
    position = {"round": 9, "players": {"Anna": {"city": city, **more}}}
    return score_of(game(players=size, crown=crown, position=position, **head).table, 0)


@pytest.mark.parametrize(("edition", "extra"), [("deluxe_2016", 3), ("ffg_2005", 2),
                                                ("millennium_3e", 2)])  # fmt: skip
def test_the_wishing_well_counts_itself_in_deluxe_only(edition: str, extra: int) -> None:
    assert points(edition, ["wishing_well", "keep", "library", "manor"]).unique == {
        "wishing_well": extra
    }


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_haunted_quarter_of_the_last_round(edition: str) -> None:
    fresh = {"id": "haunted_quarter", "built_last_round": True}
    city = ["manor", "temple", "prison", "keep"]
    counts = edition not in OLDER
    assert points(edition, [*city, fresh]).five_types == (3 if counts else 0)
    assert points(edition, [*city, fresh]).notes == (
        (("haunted_quarter", "trade"),) if counts else ()
    )
    assert points(edition, [*city, "haunted_quarter"]).five_types == 3


def test_a_haunted_quarter_takes_the_type_that_is_best_for_its_owner() -> None:
    """As the missing type +3; left unique it would only be +1 for the Wishing Well."""
    score = points("ffg_2005", ["haunted_quarter", "wishing_well", "manor", "temple", "tavern"])
    assert (score.five_types, score.unique, score.notes) == (
        3, {}, (("haunted_quarter", "military"),),
    )  # fmt: skip
    alone = points("deluxe_2016", ["haunted_quarter", "ivory_tower", "manor"])
    assert (alone.unique, len(alone.notes)) == ({"ivory_tower": 5}, 1)
    third = points("deluxe_2016", ["haunted_quarter", "capitol", "manor", "castle"])
    assert third.unique == {"capitol": 3}
    useful = points("deluxe_2016", ["haunted_quarter", "wishing_well", "manor"])
    assert (useful.unique, useful.notes) == ({"wishing_well": 2}, ())


def test_scoring_districts_of_deluxe() -> None:
    odd = points("deluxe_2016", ["basilica", "manor", "castle", "palace", "temple"])
    assert odd.unique == {"basilica": 3}
    assert points("deluxe_2016", ["capitol", "manor", "castle"]).unique == {}
    assert points("deluxe_2016", ["capitol", "keep", "library"]).unique == {"capitol": 3}
    assert points("deluxe_2016", ["ivory_tower", "manor"]).unique == {"ivory_tower": 5}
    assert points("deluxe_2016", ["ivory_tower", "keep"]).unique == {}
    assert points("deluxe_2016", ["statue"], crown="Anna").unique == {"statue": 5}
    assert points("deluxe_2016", ["statue"]).unique == {}
    assert points("deluxe_2016", ["manor"], vault=True).unique == {"secret_vault": 3}
    assert points("deluxe_2016", ["imperial_treasury", "map_room"], gold=4, hand=1).unique == {
        "imperial_treasury": 4, "map_room": 1,
    }  # fmt: skip
    gilded = {"id": "castle", "decorated": True}
    decorated = points("deluxe_2016", ["basilica", gilded], cast=["artist"])
    assert (decorated.districts, decorated.unique) == (9, {"basilica": 1})


def test_the_vault_is_shown_after_the_game_once() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "keep"]
    position = {"players": {"Anna": {"hand": 0}, "Kurt": {"city": seven}}, "called": 8}
    head = {"edition": "deluxe_2016", "districts": VAULTED}
    referee = game("nobody", position=position, **head)
    assert texts(referee) == ["vault Kurt", "vault Ashley", "vault Ben"]
    refused(referee, "vault Anna", "vault.no_card")
    referee.play("vault Ben")
    assert views.table_json(referee.table)["score"]["players"]["Ben"]["unique"] == {
        "secret_vault": 3
    }
    assert texts(referee) == []
    refused(referee, "vault Kurt", "vault.shown")
    without = game("nobody", position=position, edition="deluxe_2016")
    refused(without, "vault Kurt", "vault.not_in_game")


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_unique_district_stands_in_the_city_of_its_box(edition: str) -> None:
    """All of them can be built by whoever has the gold, but for the Secret Vault."""
    for district in boxes.uniques(EDITIONS[edition].printing):
        others = [d for d in boxes.uniques(EDITIONS[edition].printing) if d != district]
        districts = [district, *others[:13]] if edition == "deluxe_2016" else None
        players = {"Anna": {"gold": 9}}
        referee = in_edition(edition, "merchant", players=players, turn=GATHERED,
                             districts=districts)  # fmt: skip
        if district == "secret_vault":
            refused(referee, f"build {district}", "build.never")
            continue
        referee.play(f"build {district}")
        cost = boxes.districts(EDITIONS[edition].printing)[district].cost
        assert gold(referee.table)[0] == 9 - cost
        assert referee.table.seats[0].city.ids == {district}


# -- positions ----------------------------------------------------------------------------------


def test_taxes_lie_there_before_their_collector_has_a_turn_and_in_his_absence() -> None:
    """Others leave them by building: he may not have been called yet, or lie face up."""
    owed = {"owes_tax": ["Ben"], "revealed": {"Ben": ["assassin"]}, "called": 2}
    older = {"edition": "ffg_2005", "characters": with_characters("tax_collector_2004")}
    assert problems_of(owed, **older) == []
    referee = game("reveal Anna", position=owed, **older)
    assert gold(referee.table) == [3, 2, 2, 1]
    assert problems_of(owed) == [
        "position.owes_tax: nobody can have done this: “tax_collector_2004” is not in this game"
    ]
    deluxe = {"edition": "deluxe_2016", "characters": with_characters("tax_collector")}
    lying = {"tax": 2, "faceup": ["tax_collector", "bishop", "merchant"]}
    assert problems_of(lying, **deluxe) == []
    collecting = in_edition("deluxe_2016", "tax_collector", cast=["tax_collector"], tax=2)
    collecting.play("collect")
    assert gold(collecting.table) == [4, 2, 2, 2]


def test_several_completed_first_only_by_the_bell_tower() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "keep"]
    other = ["palace", "monastery", "cathedral", "docks", "harbor", "prison", "fortress"]
    position = {
        "players": {"Anna": {"city": seven}, "Kurt": {"city": other}},
        "first_complete": ["Anna", "Kurt"],
    }
    assert problems_of(position, edition="ffg_2005") == []
    assert problems_of(position, edition="classic_2016") == [
        "position.first_complete: several complete a city first only by the Bell Tower, "
        "which is not in this game"
    ]


def test_the_secret_vault_lies_in_one_hand() -> None:
    districts = ["basilica", "capitol", "haunted_quarter", "imperial_treasury", "laboratory",
                 "library", "map_room", "observatory", "school_of_magic", "secret_vault", "smithy",
                 "stables", "statue", "wishing_well"]  # fmt: skip
    head = {"edition": "deluxe_2016", "districts": districts}
    one = {"players": {"Anna": {"vault": True}}}
    assert problems_of(one, **head) == []
    empty = {"players": {"Anna": {"vault": True, "hand": 0}}}
    assert problems_of(empty, **head) == [
        "position.players.Anna.vault: Anna has no card in hand to be the “secret_vault”"
    ]
    two = {"players": {"Anna": {"vault": True}, "Ben": {"vault": True}}}
    assert problems_of(two, **head) == [
        "position.players.Ben.vault: the “secret_vault” is in the hand of Anna already"
    ]


# -- the Quarry and other ways to doubles -------------------------------------------------------


def test_a_double_is_counted_among_the_copies_of_the_game() -> None:
    """The deluxe box has three Temples: when all stand, nobody holds one."""
    players = {"Anna": {"city": ["quarry", "temple"], "gold": 9}, "Kurt": {"city": ["temple"]}}
    referee = in_edition("deluxe_2016", "architect", players=players, turn=GATHERED)
    referee.play("build temple")
    refused(referee, "build temple", "build.copies")
    assert "build temple" not in texts(referee)


def test_a_double_that_leaves_may_be_built_again() -> None:
    city = ["quarry", "temple", "temple"]
    players = {"Anna": {"gold": 9}, "Kurt": {"city": city}, "Ben": {"city": ["temple"]}}
    referee = in_edition("deluxe_2016", "warlord", players=players, turn=GATHERED)
    refused(referee, "build temple", "build.copies")
    referee.play("destroy Kurt temple")
    referee.play("build temple")


def test_an_exchanged_double_stays_counted_as_it_stands() -> None:
    players = {
        "Anna": {"city": ["manor"], "gold": 9},
        "Kurt": {"city": ["quarry", "cathedral", "cathedral"]},
    }
    referee = in_edition("deluxe_2016", "diplomat", cast=["diplomat"], players=players,
                         turn=GATHERED)  # fmt: skip
    referee.play("exchange manor Kurt cathedral")
    assert referee.table.exhausted == {"quarry", "cathedral"}
