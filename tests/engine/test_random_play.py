"""Random games: exactly the listed moves are legal, and everything can be undone.

The effects of moves are compared with the bookkeeper's books in `test_bookkeeper.py`, views with
what each viewer may know in `test_secrecy_wide.py`.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import record
from engine.explain import Refused
from engine.moves import Move, parse
from engine.referee import Referee, judge, push_move
from engine.rules import find_menu
from engine.views import find_awaited
from tests.engine import boxes
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import (
    SECRECIES,
    SIZES,
    game,
    make_table,
    positions,
    random_game,
    table_state,
)
from tests.sizes import pick_size

if TYPE_CHECKING:
    from engine.table import Table

PATIENCE = 400  # rounds; random games end much earlier


@pytest.mark.timeout(0)
@pytest.mark.parametrize("edition", EDITIONS)
def test_undo_goes_back_to_the_start_and_redo_comes_back_exactly(edition: str, games: int) -> None:
    """And each table lists its moves once; one of them is read back as itself."""
    for seed in range(max(2, games // 12)):
        head = random_setup(edition, f"views {seed}")
        if seed % 2:
            head["options"] = {"cities": "untracked"}
        chance, states = random.Random(seed), []
        start = record.read(head).start
        for referee in random_game(start, seed, rounds=PATIENCE, choose=seed % 2 == 0):
            states.append(table_state(referee.table))
            listed = referee.list_legal_moves()
            assert len({move.text for move in listed}) == len(listed)
            if referee.table.phase != "over":
                move = chance.choice(listed)
                assert parse(move.text, referee.table.rules.vocabulary) == move
                assert find_awaited(referee.table) is not None
        assert referee.table.phase == "over", head
        moves = referee.moves
        for state in reversed(states):
            assert table_state(referee.table) == state
            referee.undo()
        assert referee.undo() is None
        assert referee.moves == ()
        assert referee.undone == tuple(reversed(moves))
        for state in states:
            assert table_state(referee.table) == state
            referee.redo()
        assert referee.redo() is None
        assert referee.moves == moves


def test_a_move_after_undo_forgets_what_was_undone() -> None:
    *_, referee = random_game(make_table(4), "branch")
    referee.undo()
    while len(referee.list_legal_moves()) < 2:
        referee.undo()
    other = next(m for m in referee.list_legal_moves() if m != referee.undone[-1])
    referee.play(other)
    assert referee.undone == ()
    assert referee.redo() is None


@pytest.mark.sweep
@pytest.mark.parametrize("secrecy", SECRECIES)
def test_every_listed_move_is_accepted_and_no_other(secrecy: str) -> None:
    """At a sample of moments, try every word of the vocabulary: exactly the listed moves are
    legal."""
    chance = random.Random(secrecy)
    for referee in positions(
        SIZES, range(pick_size(1, 2, 60)), every=pick_size(17, 9, 9), secret=secrecy == "secret"
    ):
        table = referee.table
        before = table_state(table)
        names = {move.text for move in referee.list_legal_moves()}
        for move in _sample(table, chance):
            if move.verb == "faceup":
                continue  # listed in one order, allowed in any
            is_accepted = _is_accepted(table, move)
            assert is_accepted == (move.text in names), (move.text, is_accepted)
        for text in names:
            assert _is_accepted(table, parse(text, table.rules.vocabulary))
        assert table_state(table) == before


def _is_accepted(table: Table, move: Move) -> bool:
    try:
        judge(table, move)
    except Refused as error:
        refusal = error.refusal
        assert refusal.rule
        assert refusal.reason.endswith((".", "?"))
        assert refusal.source
        assert "{" not in refusal.reason
        return False
    new = table.copy()
    find_menu(table).by_verb[move.verb].apply(new, *move.args)
    return True


def _sample(table: Table, chance: random.Random) -> list[Move]:
    """Moves of every form in the notation, likely or not."""
    names = [seat.name for seat in table.seats]
    characters = [*table.rules.cast, "witch"]
    districts = [*boxes.districts("classic_2016"), "park"]
    quoted = {name: f'"{name}"' if " " in name else name for name in names}
    everyone = list(quoted.values())
    built = {card.id for seat in table.seats for card in seat.city.cards}
    words = ["call", "nobody", "gold", "cards", "bonus", "income", "income gold 1 cards 0", "end"]
    words += ["leave", "confiscate", "spare", "bribe", "refuse", "expose", "collect", "forfeit"]
    words += [
        f"{verb} {name}" for verb in ("reveal", "unmask", "rescue", "swap") for name in everyone
    ]
    words += ["unmask nobody", "redraw 0", "redraw 1", "redraw 2", "redraw 99"]
    words += [f"{verb} {c}" for verb in ("kill", "rob", "bewitch") for c in characters]
    words += [f"choose {name} {c}" for name in everyone for c in characters]
    words += [f"build {d}" for d in districts]
    words += [f"build {chance.choice(districts)} from {chance.choice(everyone)}"]
    words += [f"build {chance.choice(districts)} over {chance.choice(districts)}"]
    words += [f"use {d}" for d in districts]
    words += [f"use laboratory {chance.choice(everyone)}", "use smithy Anna manor"]
    words += [f"destroy {name} {d}" for name in everyone for d in sorted(built)]
    words += [f"destroy {chance.choice(everyone)} {chance.choice(districts)}"]
    return [parse(text, table.rules.vocabulary) for text in words]


def test_the_same_moves_make_the_same_table() -> None:
    for size in SIZES:
        *_, referee = random_game(make_table(size), "same")
        again, trusting = Referee(make_table(size)), Referee(make_table(size))
        for move in referee.moves:
            again.play(move.text)
            trusting.push(move)
        assert table_state(again.table) == table_state(referee.table)
        assert table_state(trusting.table) == table_state(referee.table)


def test_the_latest_moves_come_with_the_tables_around_them() -> None:
    referee = game("faceup bishop merchant", "call", "nobody")
    assert [move.text for _, move, _ in referee.list_latest(2)] == ["call", "nobody"]
    assert len(referee.list_latest(99)) == 3
    assert referee.list_latest(0) == []
    assert table_state(referee.start) == table_state(game().table)
    for before, move, after in referee.list_latest(99):
        assert table_state(push_move(before, move)) == table_state(after)
