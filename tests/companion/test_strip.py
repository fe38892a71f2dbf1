"""The round at a glance: the public state of every rank, and how near the end is."""

from __future__ import annotations

from typing import Any

from companion import language
from companion.wording import state
from engine import views
from engine.table import Table
from tests.companion.tables import begin_table

ROUND = ("faceup thief bishop", "call", "reveal Ben", "kill king", "gold", "end", "nobody")


def seen(*moves: str, **options: Any) -> Table:
    """A public view of a table."""
    return views.redact(begin_table(*moves, **options).table, views.PUBLIC)


def test_every_rank_is_named_with_what_is_known_of_it() -> None:
    assert state.list_round(seen(*ROUND)) == [
        "Round 1: 1 Assassin, Ben; 2 Thief, called, face up; 3 Magician, now; 4 King, murdered; "
        "5 Bishop, face up; 6 Merchant; 7 Architect; 8 Warlord."
    ]


def test_a_mark_agrees_with_the_gender_of_its_character() -> None:
    language.use("ru")
    assert "4 Король, убит" in state.list_round(seen(*ROUND))[0]
    assert state.describe_mark("murdered", "queen") == "убита"
    assert state.describe_mark("robbed", "queen") == "обворована"
    assert state.describe_mark("faceup", "queen") == state.name_mark("faceup")


def test_a_secret_murder_is_no_mark_before_its_call() -> None:
    table = seen(*ROUND[:-1], secrecy="secret")
    assert all("murdered" not in rank.marks for rank in state.ranks(table))
    call = seen(*ROUND, "nobody", secrecy="secret")
    assert "murdered" in next(r for r in state.ranks(call) if r.rank == 4).marks


def test_who_is_one_district_short_is_said_then_that_it_is_the_last_round() -> None:
    city = ["temple", "tavern", "manor", "market", "church", "docks"]
    near = seen(players={"Ben": {"city": city}})
    assert state.list_round(near)[1:] == ["One district from the end: Ben."]
    full = seen(players={"Ben": {"city": [*city, "castle"]}}, first_complete=["Ben"])
    assert state.list_round(full)[1:] == ["LAST ROUND."]
    full.stage = "over"
    assert (state.ending(full), state.brief_ending(full)) == ("", "")
