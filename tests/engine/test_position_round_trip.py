"""A table at any instant, written as a position, is read back as the same table.

Facts that a position cannot express are left out: open questions (except a threat, which follows
from who has gathered), a Theater used this round, whether the Wizard built the card he took or
another, what was done between the building of a Bell Tower and now, and from whom a King took the
crown, if it was not the owner of a Ball Room.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import record, views
from engine.editions import editions
from engine.referee import Referee, list_legal_moves
from engine.table import Seat, Table
from tests.engine.test_secrecy_wide import likely, random_rules
from tests.sizes import pick_size

GAMES = pick_size(5, 40, 400)  # per edition
ROUNDS = 5
EVERY = 5  # moments


@pytest.mark.sweep
@pytest.mark.parametrize("edition", editions())
def test_a_moment_of_a_random_game_survives_as_a_position(edition: str) -> None:
    for seed in range(GAMES):
        chance = random.Random(f"position {edition} {seed}")
        rules = random_rules(edition, chance, secret=seed % 2 == 1)
        referee = Referee(Table(rules, 0))
        for _ in range(2000):
            if referee.table.phase == "over" or referee.table.round > ROUNDS:
                break
            if chance.randrange(EVERY) == 0 and _has_words_for(referee.table):
                _assert_survives(referee.table)
            referee.play(likely(referee.list_legal_moves(), chance))


def _has_words_for(t: Table) -> bool:
    asked = [question.kind for question in t.questions]
    if asked not in ([], ["threat"]) or t.theater_used or t.playing.extra:
        return False
    return _may_still_ring(t) and _has_known_caller(t)


def _may_still_ring(t: Table) -> bool:
    if t.playing.built[-1:] != ("bell_tower",):
        return True
    return any(event.kind == "may_ring" for event in t.events)


def _has_known_caller(t: Table) -> bool:
    if t.turn is None or not t.rules.characters[t.turn.character].takes_crown:
        return True
    courteous = {i for i, seat in enumerate(t.seats) if "asks_courtesy" in seat.city.effects}
    return courteous <= {t.turn.seat} or t.turn.called_by in courteous


def _assert_survives(t: Table) -> None:
    rules = t.rules
    read = record.read(
        {
            "edition": rules.edition.id,
            "players": list(rules.player_names),
            "crown": rules.player_names[t.crown],
            "characters": list(rules.cast),
            "secrecy": "secret" if rules.secret else "announced",
            "position": written(t),
        }
    ).start
    for viewer in (None, *rules.seats):
        assert views.table_json(read, viewer=viewer) == views.table_json(t, viewer=viewer)
    assert views.table_json(read, full=True) == views.table_json(t, full=True)
    assert list_legal_moves(read) == list_legal_moves(t)
    assert (read.deck, read.settled, read.owes_tax) == (t.deck, t.settled, t.owes_tax)


def written(t: Table) -> dict[str, Any]:
    """The position that describes this table."""
    names = t.rules.names
    position: dict[str, Any] = {
        "round": t.round,
        "players": {seat.name: _player(t, seat) for seat in t.seats},
        "first_complete": names(t.first_complete),
        "faceup": None if t.faceup is None else list(t.faceup),
        "warrants": list(t.warrants),
        "threats": list(t.threats),
        "chosen": {seat.name: list(seat.chosen) for seat in t.seats if seat.chosen},
        "revealed": {seat.name: list(seat.revealed) for seat in t.seats if seat.revealed},
        "called": t.called,
        "settled": sorted(t.settled),
        "owes_tax": names(sorted(t.owes_tax)),
        "tax": t.tax,
    }
    for mark in ("killed", "robbed", "bewitched", "signed", "real"):
        position[mark] = getattr(t, mark)
    turn = t.turn
    if turn is not None:
        position["turn"] = {
            "player": t.seats[turn.seat].name,
            "character": turn.character,
            "gathered": turn.gathered,
            "income": turn.income,
            "built": list(turn.built),
            "used": sorted(turn.used),
            "spent": turn.spent,
        }
    return {key: value for key, value in position.items() if value}


def _player(t: Table, seat: Seat) -> dict[str, Any]:
    city = [
        {
            "id": card.id,
            "decorated": card.decorated,
            "under": card.under,
            "built_last_round": card.built_in_round == t.round,
            "announced": card.announced,
        }
        for card in seat.city.cards
    ]
    return {"gold": seat.gold, "hand": seat.hand, "city": city}
