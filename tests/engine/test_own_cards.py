"""Cards of a table's own that are in the box twice."""

from __future__ import annotations

from typing import Any

from engine import own_cards
from tests.engine.playing import legal_of, set_up_turn


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
