"""A game's figures, in total and per round, from records with known timestamps."""

from __future__ import annotations

from typing import Any

from companion.extensions.looking_back import timeline
from companion.extensions.looking_back.timeline import Timeline
from companion.log import digest
from companion.log.digest import Digest
from engine.referee import Referee
from tests.engine.playing import game


def look_back(referee: Referee) -> tuple[Digest, Timeline]:
    return digest.count(referee.start, referee.list_latest()), timeline.tell(referee)


CITIES: dict[str, Any] = {
    "Anna": {"gold": 8},
    "Ben": {"gold": 3, "city": ["tavern", "castle"]},
    "Kurt": {"gold": 5},
}


def test_a_destroyed_district_is_counted_and_marked() -> None:
    referee = game(
        "gold",
        "destroy Ben castle",
        position={"turn": {"player": "Anna", "character": "warlord"}, "players": CITIES},
    )
    counted, course = look_back(referee)
    assert counted.players[0].destroyed == {"castle": 1}
    assert all(not player.built for player in counted.players)
    (deed,) = course.deeds
    assert deed == timeline.Deed(1, timeline.DESTROY, 0, "warlord", 3, "castle", 4)


def test_a_robbery_counts_for_the_player_who_shows_the_character() -> None:
    referee = game(
        *("reveal Kurt", "gold", "rob king", "end", "nobody", "reveal Ben"),
        position={"players": CITIES, "killed": "magician", "called": 2},
    )
    counted, course = look_back(referee)
    assert counted.players[3].characters == {"king": [1, 0, 1]}
    assert counted.players[1].stolen == 3
    murder, robbery = course.deeds
    assert (murder.kind, murder.card, murder.victim) == (timeline.KILL, "magician", None)
    assert robbery == timeline.Deed(1, timeline.ROB, 1, "thief", 3, "king", 3)
