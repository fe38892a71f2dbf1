"""Secrets: what the engine gives to each viewer (JSON, legal moves, refusals, events, every object
reachable from the redacted table) before and after a secret is revealed.

Games that differ in a secret are compared in `test_secrecy_wide.py` and `tests/twins/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import views
from engine.explain import Refused
from engine.moves import parse
from engine.referee import Referee
from tests.engine.district_tables import VAULTED
from tests.engine.playing import (
    NAMES,
    game,
    make_table,
    random_game,
    set_up_turn,
    table_state,
)

if TYPE_CHECKING:
    from engine.table import Table


def told(referee: Referee, move: str) -> Any:
    """The table's answer to that move: the refusal, or nothing."""
    try:
        referee.play(move)
    except Refused as error:
        return error.refusal
    referee.undo()
    return None


def seen(table: Table, viewer: int | None) -> Any:
    """Everything that the engine gives to that viewer, its legal moves and events included."""
    view = views.redact(table, viewer)
    return (views.table_json(table, viewer=viewer), table_state(view), view.events)


# -- what one game shows ------------------------------------------------------------------------


def reachable(value: Any, reached: dict[int, Any]) -> dict[int, Any]:
    """Every object reachable from this one, except the game's rules."""
    if id(value) in reached:
        return reached
    reached[id(value)] = value
    if isinstance(value, dict):
        parts: list[Any] = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = list(value)
    else:
        slots = [s for c in type(value).__mro__ for s in getattr(c, "__slots__", ())]
        slots += list(getattr(value, "__dict__", ()))
        parts = [getattr(value, name) for name in slots if name != "rules" and hasattr(value, name)]
    for part in parts:
        reachable(part, reached)
    return reached


def strings(table: Table) -> set[str]:
    """Every string reachable from the table."""
    return {value for value in reachable(table, {}).values() if isinstance(value, str)}


@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
@pytest.mark.parametrize("place", [None, 1, 2, 3])
def test_a_secret_kill_cannot_be_reached_before_it_is_called(
    viewer: int | None, place: int | None
) -> None:
    referee = game("faceup bishop merchant", secrecy="secret")
    if place is not None:
        referee.play(f"choose {NAMES[place]} architect")
    for move in ("call", "reveal Anna", "kill architect", "gold", "end"):
        referee.play(move)
        words = strings(views.redact(referee.table, viewer))
        assert ("architect" in words) == (viewer == place and place is not None)
    assert "architect" in strings(views.redact(referee.table, 0))  # the Assassin knows
    while referee.table.called < 7:
        referee.play("nobody")
    assert "architect" in strings(views.redact(referee.table, viewer))


def test_a_secret_kill_is_public_when_its_rank_is_called_and_not_before() -> None:
    referee = game("faceup bishop merchant", "call", secrecy="secret")
    for move in ("reveal Anna", "kill king", "gold", "end", "nobody"):
        referee.play(move)
        assert views.table_json(referee.table)["killed"] is None
        assert views.table_json(referee.table, viewer=0)["killed"] in (None, "king")
        assert not any(event.kind == "murdered" for event in referee.table.events)
    referee.play("nobody")
    assert views.table_json(referee.table)["killed"] == "king"
    assert [e.kind for e in views.redact(referee.table, None).events] == ["murdered"]


def test_a_secret_robbery_is_public_when_the_robbed_is_revealed() -> None:
    referee = game("faceup bishop merchant", "call", "nobody", secrecy="secret")
    for move in ("reveal Anna", "rob king", "gold", "end", "nobody"):
        referee.play(move)
        assert views.table_json(referee.table)["robbed"] is None
        assert views.table_json(referee.table, viewer=1)["robbed"] is None
    assert views.table_json(referee.table, viewer=0)["robbed"] == "king"
    assert referee.table.called == 4
    referee.play("reveal Kurt")
    assert views.table_json(referee.table)["robbed"] == "king"
    assert referee.table.seats[1].gold == 0


def test_an_announced_target_is_public_at_once() -> None:
    referee = game("faceup bishop merchant", "call", "reveal Anna", "kill king")
    assert views.table_json(referee.table)["killed"] == "king"


def test_a_recorded_choice_is_known_to_its_player_alone() -> None:
    referee = game("faceup bishop merchant", "choose Kurt king", "choose Ben thief")
    for viewer in (None, *range(4)):
        choices = [seat.chosen for seat in views.redact(referee.table, viewer).seats]
        mine = {1: ("king",), 3: ("thief",)}
        assert choices == [mine.get(i, ()) if i == viewer else () for i in range(4)]


def test_the_full_view_hides_nothing_from_the_one_who_keeps_the_record() -> None:
    referee = game("faceup bishop merchant", "call", secrecy="secret")
    referee.play("reveal Anna")
    referee.play("kill king")
    assert views.table_json(referee.table, full=True)["killed"] == "king"


def test_redacting_leaves_the_table_itself_alone() -> None:
    *_, referee = random_game(make_table(4, secret=True), 3)
    state = table_state(referee.table)
    for viewer in (None, *range(4)):
        views.table_json(referee.table, viewer=viewer)
    assert table_state(referee.table) == state


# -- the call of the killed ---------------------------------------------------------------------


@pytest.mark.parametrize("secrecy", ["announced", "secret"])
def test_the_call_of_the_killed_is_the_same_whether_somebody_holds_it_or_nobody(
    secrecy: str,
) -> None:
    for victim in ("thief", "king", "architect", "warlord"):
        moves = ["faceup bishop merchant", "call", "reveal Anna", f"kill {victim}", "gold", "end"]
        nobody, content = game(moves[0], secrecy=secrecy), game(moves[0], secrecy=secrecy)
        content.play(f"choose Kurt {victim}")
        for move in moves[1:]:
            nobody.play(move)
            content.play(move)
        while nobody.table.phase == "calling":
            for viewer in (None, 0, 2, 3):
                assert seen(nobody.table, viewer) == seen(content.table, viewer)
            at_call = nobody.table.rules.by_rank[nobody.table.called] == victim
            if at_call:
                assert [m.text for m in nobody.list_legal_moves()] == ["nobody"]
                assert [m.text for m in content.list_legal_moves()] == ["nobody"]
                for name in NAMES[:4]:
                    assert told(nobody, f"reveal {name}") == told(content, f"reveal {name}")
                assert views.find_awaited(nobody.table) == views.find_awaited(content.table)
            nobody.play("nobody")
            content.play("nobody")
            assert nobody.table.events == content.table.events


def test_naming_the_secretly_murdered_robs_nobody_and_tells_nothing() -> None:
    position: dict[str, Any] = {
        "players": {"Ben": {"gold": 9}},
        "revealed": {"Kurt": ["assassin"]},
        "chosen": {"Ben": ["king"]},
    }
    referee = set_up_turn("thief", secrecy="secret", killed="king", **position)
    assert told(referee, "rob king") is None
    referee.play("rob king")
    for move in ("gold", "end", "nobody", "nobody"):
        referee.play(move)
    assert referee.table.seats[3].gold == 9
    new_referee = set_up_turn("thief", killed="king", **position)
    assert told(new_referee, "rob king").rule == "thief.killed"
    assert "rob king" not in [move.text for move in new_referee.list_legal_moves()]


def test_a_view_offers_only_moves_that_read_as_moves() -> None:
    for referee in random_game(make_table(3, secret=True), 8):
        for viewer in (None, 0, 1, 2):
            for text in views.table_json(referee.table, viewer=viewer)["legal"]:
                assert parse(text, referee.table.rules.vocabulary).text == text


def test_the_hospital_is_offered_whoever_has_the_killed_card() -> None:
    """The offer must reveal nothing: Anna or nobody may answer, whatever was recorded."""
    for choices in ({}, {"Anna": ["merchant"]}, {"Anna": ["king"]}):
        position = {"players": {"Anna": {"city": ["hospital"]}}, "killed": "merchant", "called": 6,
                    "chosen": choices}  # fmt: skip
        table = game(edition="ffg_2005", position=position).table
        assert views.table_json(table)["legal"] == ["reveal Anna", "nobody"]


def test_which_of_two_cards_went_the_theater_does_not_tell() -> None:
    position = {"players": {"Anna": {"city": ["theater"]}},
                "chosen": {"Anna": ["king", "thief"], "Kurt": ["bishop", "merchant"]}}  # fmt: skip
    referee = game("use theater Kurt", players=2, edition="deluxe_2016", districts=VAULTED,
                   position=position)  # fmt: skip
    assert [seat.chosen for seat in referee.table.seats] == [(), ()]
