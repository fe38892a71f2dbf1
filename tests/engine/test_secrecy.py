"""Secrets: two games that differ only in a secret look the same until it is revealed.

Twins are two games played with the same moves except for one secret word. Everything that the
engine gives to a viewer who may not know (JSON, legal moves, refusals, events, every object
reachable from the redacted table) must be the same in both.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from engine import views
from engine.explain import Refused
from engine.moves import Move, parse
from engine.referee import Referee
from tests.engine.playing import (
    NAMES,
    SIZES,
    game,
    make_table,
    random_game,
    set_up_turn,
    table_state,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.table import Table

ATTEMPTS = (
    "call",
    "nobody",
    *(f"{verb} {name}" for verb in ("reveal", "unmask", "swap") for name in ("Anna", "Kurt")),
    "unmask nobody",
    *(f"{verb} {c}" for verb in ("kill", "rob") for c in ("assassin", "king", "bishop", "witch")),
    "gold",
    "income",
    "build temple",
    "build palace",
    "destroy Kurt temple",
    "leave",
    "end",
)


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


def assert_twins(one: Referee, other: Referee, viewer: int | None, *, words: bool = True) -> None:
    """Assert that both games look the same to the viewer, with (`words`) the same refusals."""
    assert seen(one.table, viewer) == seen(other.table, viewer)
    if words:
        for attempt in ATTEMPTS:
            assert told(one, attempt) == told(other, attempt), attempt


# -- what one game shows ------------------------------------------------------------------------


def reachable(value: Any, entries: dict[int, Any]) -> dict[int, Any]:
    """Every object reachable from this one, except the game's rules."""
    if id(value) in entries:
        return entries
    entries[id(value)] = value
    if isinstance(value, dict):
        parts: list[Any] = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = list(value)
    else:
        slots = [s for c in type(value).__mro__ for s in getattr(c, "__slots__", ())]
        slots += list(getattr(value, "__dict__", ()))
        parts = [getattr(value, name) for name in slots if name != "rules" and hasattr(value, name)]
    for part in parts:
        reachable(part, entries)
    return entries


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
        lines = strings(views.redact(referee.table, viewer))
        assert ("architect" in lines) == (viewer == place and place is not None)
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


# -- twins --------------------------------------------------------------------------------------


def twin_moves(referee: Referee, twin: Referee, chance: random.Random) -> Iterator[Move]:
    """Random moves that both twins allow and that name no secret, played in both."""
    while referee.table.phase != "over":
        both = {move.text for move in twin.list_legal_moves()}
        common = [m for m in referee.list_legal_moves() if m.text in both and m.verb != "choose"]
        if not common:
            return
        move = chance.choice(common)
        yield move


def other_target(referee: Referee, move: Move, chance: random.Random) -> str | None:
    """The same move with another target, if there is one."""
    same = [m.args[0] for m in referee.list_legal_moves() if m.verb == move.verb and m != move]
    return chance.choice(same) if same else None


@pytest.mark.parametrize("verb", ["kill", "rob"])
@pytest.mark.parametrize("size", SIZES)
def test_games_that_differ_in_a_secret_target_look_the_same(
    size: int, verb: str, games: int
) -> None:
    count = 0
    for seed in range(max(6, games // 2)):
        chance = random.Random(f"{verb}{size}{seed}")
        for referee in random_game(make_table(size, secret=True), seed, rounds=4, choose=False):
            moves = [m for m in referee.list_legal_moves() if m.verb == verb]
            if not moves or chance.random() < 0.4:
                continue
            move = chance.choice(moves)
            target = other_target(referee, move, chance)
            assert target is not None
            assert referee.table.turn is not None
            knows = referee.table.turn.seat
            one, other = (Referee(referee.table) for _ in range(2))
            one.play(move)
            other.play(f"{verb} {target}")
            count += _compare(one, other, verb, knows, chance)
            break
    assert count > 20


def _compare(one: Referee, other: Referee, verb: str, knows: int, chance: random.Random) -> int:
    """Play both until the secret is revealed in one; returns the number of moments compared."""
    strangers = [None, *(i for i in one.table.rules.seats if i != knows)]
    viewer = chance.choice(strangers)
    round_, moments = one.table.round, 0
    moves = twin_moves(one, other, chance)
    while not (_revealed(one.table, verb, round_) or _revealed(other.table, verb, round_)):
        moments += 1
        assert_twins(one, other, viewer, words=moments % 3 == 0)
        assert_twins(one, other, None, words=moments % 3 == 0)
        move = next(moves, None)
        if move is None:
            break
        one.play(move)
        other.play(move)
    return moments


def _revealed(table: Table, verb: str, round_: int) -> bool:
    if table.round != round_ or table.questions or table.stage == "over":
        return True
    if verb == "kill":
        assert table.marks.killed is not None
        return table.called >= table.rules.characters[table.marks.killed].rank
    assert table.marks.robbed is not None
    return table.holder(table.marks.robbed) is not None


@pytest.mark.parametrize("secrecy", ["announced", "secret"])
@pytest.mark.parametrize("size", SIZES)
def test_games_that_differ_in_a_recorded_choice_look_the_same(
    size: int, secrecy: str, games: int
) -> None:
    for seed in range(max(6, games // 2)):
        chance = random.Random(f"choice{size}{seed}")
        start = Referee(make_table(size, secret=secrecy == "secret"))
        if start.table.rules.faceup_count:
            start.play(chance.choice(start.list_legal_moves()))
        first, second = chance.sample(
            [c for c in start.table.rules.cast if c not in (start.table.faceup or ())], 2
        )
        player = chance.randrange(size)
        name = f'"{NAMES[player]}"'
        one, other = Referee(start.table), Referee(start.table)
        one.play(f"choose {name} {first}")
        other.play(f"choose {name} {second}")
        ranks = [start.table.rules.characters[c].rank for c in (first, second)]
        strangers = [None, *(i for i in range(size) if i != player)]
        for move in twin_moves(one, other, chance):
            if one.table.called >= min(ranks):
                break  # one or the other must be shown now
            for viewer in strangers:
                assert_twins(one, other, viewer, words=viewer is None)
            one.play(move)
            other.play(move)
        assert one.table.called >= min(ranks)


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
