"""Cards of a table's own: such as cost nothing, or are in the box twice."""

from __future__ import annotations

from typing import Any

from engine import own_cards
from engine.scoring import score_of
from tests.engine.big_boxes import gold
from tests.engine.district_tables import GATHERED, set_up_in_edition
from tests.engine.playing import game, legal_of, set_up_turn


def test_no_price_is_below_zero() -> None:
    """A table's own cards may cost nothing: that pays neither who builds nor who destroys them."""
    own_cards.use({"deluxe_2016": {"laboratory": {"cost": 0}, "temple": {"cost": 0}}})
    players = {"Anna": {"city": ["factory"], "gold": 0}, "Kurt": {"city": ["temple"]}}
    for character, move in (("king", "build laboratory"), ("warlord", "destroy Kurt temple")):
        referee = set_up_in_edition("deluxe_2016", character, players=players, turn=GATHERED)
        referee.play(move)
        assert gold(referee)[0] == 0
    players = {"Anna": {"gold": 0, "city": ["manor"]}, "Kurt": {"city": ["temple"]}}
    for character, move in (("diplomat", "exchange manor Kurt temple"),
                            ("marshal", "seize Kurt temple"),
                            ("wizard", "take Kurt temple")):  # fmt: skip
        referee = set_up_in_edition("deluxe_2016", character, cast=[character], players=players,
                                    turn=GATHERED)  # fmt: skip
        referee.play(move)
        assert gold(referee)[:2] == [0, 2]


def test_each_of_two_museums_scores_its_own_cards() -> None:
    own_cards.use({"ffg_2005": {"museum": {"copies": 2}}})
    city = [{"id": "museum", "under": 3}, {"id": "museum", "under": 1}, "quarry"]
    table = game(edition="ffg_2005", position={"players": {"Anna": {"city": city}}}).table
    assert score_of(table, 0).unique == {"museum": 4}


def test_of_two_graveyards_each_is_asked_clockwise_from_the_warlord() -> None:
    own_cards.use({"classic_2016": {"graveyard": {"copies": 2}}})
    cities: dict[str, Any] = {name: {"city": ["graveyard"]} for name in ("Kurt", "Ben")}
    cities |= {"Anna": {"gold": 5}, "Ashley": {"city": ["temple"]}}
    referee = set_up_turn("warlord", players=cities)
    deck = referee.table.deck
    referee.play("destroy Ashley temple")
    assert legal_of(referee, "rescue") == ["rescue Kurt"]
    referee.play("leave")
    assert legal_of(referee, "rescue") == ["rescue Ben"]
    referee.play("leave")
    assert not referee.table.questions
    assert referee.table.deck == deck + 1
