"""Taps for the powers of every box: the meaning of one tap, and of several together."""

from __future__ import annotations

from typing import Any

import pytest

from companion import verbs
from companion.chips.entries import ActionChip, CrownChip
from companion.game import asking, picks, tap_meaning
from engine import record, views
from engine.referee import Referee, list_legal_moves
from tests.companion.test_taps import chips_of, gather, texts

NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoe"]
RANKS = {
    **{"magistrate": 1, "witch": 1, "blackmailer": 2, "spy": 2, "wizard": 3, "seer": 3},
    **{"emperor": 4, "abbot": 5, "cardinal": 5, "navigator": 7, "scholar": 7},
    **{"marshal": 8, "diplomat": 8, "artist": 9, "tax_collector": 9},
}
ORDINARY = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
UNIQUES = [
    *("armory", "theater", "framework", "secret_vault", "laboratory", "museum", "thieves_den"),
    *("keep", "library", "quarry", "stables", "statue", "park", "necropolis"),
]


def turn_of(character: str, *moves: str, **facts: Any) -> Referee:
    """Anna's turn as that character, having gathered, in the box with the most cards."""
    cast = [*ORDINARY, "queen"]
    cast[RANKS[character] - 1] = character
    players = {
        "Anna": {"gold": 6, "hand": 4, "city": ["temple", "manor"]},
        "Kurt": {"gold": 3, "hand": 3, "city": ["tavern", "keep"]},
        "Ben": {"gold": 2, "hand": 2, "city": ["tavern", "prison"]},
    }
    players |= facts.pop("players", {})
    position = {
        "players": players,
        "revealed": {"Anna": [character]},
        "turn": {"player": "Anna", "character": character, "gathered": True},
        **facts,
    }
    data = {"edition": "deluxe_2016", "players": NAMES, "crown": "Kurt", "position": position}
    head = {"characters": cast, "districts": UNIQUES}
    referee = Referee(record.read({**data, **head}).start)
    for move in moves:
        referee.play(move)
    return referee


PAYING = {"Anna": {"gold": 3, "hand": 5, "city": ["framework", "temple"]}}
ARMORY = {"Anna": {"gold": 0, "hand": 0, "city": ["armory"]}}
WAYS = {"Anna": {"gold": 6, "hand": 4, "city": ["framework", "temple"]}}
POOR = {"Anna": {"gold": 1, "hand": 4, "city": ["temple"]}}


@pytest.mark.parametrize(
    ("character", "players", "taps", "moves"),
    [
        ("magistrate", {}, "king thief", []),
        ("magistrate", {}, "king thief bishop", ["warrants thief king bishop"]),
        ("diplomat", {}, "prison", ["build prison"]),  # nobody's own card first
        ("diplomat", {}, "manor prison", ["exchange manor Ben prison"]),
        ("diplomat", {}, "manor tavern",
         ["exchange manor Kurt tavern", "exchange manor Ben tavern"]),
        ("diplomat", {}, "manor tavern Ben", ["exchange manor Ben tavern"]),
        ("diplomat", {}, "manor market", ["build market"]),  # goes with nothing: begins anew
        ("wizard", {}, "Kurt market", ["take Kurt market"]),
        ("wizard", PAYING, "Kurt palace", ["take Kurt palace over framework"]),
        ("scholar", ARMORY, "prison", []),
        ("scholar", ARMORY, "armory prison", ["use armory Ben prison"]),
        ("scholar", WAYS, "market", ["build market", "build market over framework"]),
        ("scholar", WAYS, "market framework", ["build market over framework"]),
        ("cardinal", POOR, "market Kurt", ["build market from Kurt"]),
        ("artist", {}, "temple", ["decorate temple", "decorate temple manor"]),
        ("artist", {}, "temple manor", ["decorate temple manor"]),
        ("emperor", {}, "Ben", ["crown Ben gold", "crown Ben card"]),
        ("witch", {}, "king", ["bewitch king"]),
    ],
)  # fmt: skip
def test_cards_and_players_tapped_one_after_the_other(
    character: str, players: dict[str, Any], taps: str, moves: list[str]
) -> None:
    assert texts(gather(turn_of(character, players=players), *chips_of(taps))) == moves


@pytest.mark.parametrize(
    ("character", "chip", "moves"),
    [
        ("seer", "divine", ["divine"]),
        ("navigator", "navigate", ["navigate gold", "navigate cards"]),
    ],
)
def test_a_power_by_its_own_chip(character: str, chip: str, moves: list[str]) -> None:
    assert texts(gather(turn_of(character), ActionChip(chip))) == moves


def test_the_crown_itself_offers_everybody_who_may_get_it() -> None:
    names = texts(gather(turn_of("emperor"), CrownChip()))
    assert set(names) >= {"crown Ben gold", "crown Ashley gold"}


def test_what_was_gathered_is_told_and_what_is_no_part_of_it_leaves_it_as_it_was() -> None:
    magistrate, blackmailer = turn_of("magistrate"), turn_of("blackmailer")
    two = gather(magistrate, *chips_of("king thief"))
    legal = list_legal_moves(views.redact(magistrate.table, views.PUBLIC))
    assert picks.tell_pending(legal, two.pending) == "Warrants so far: King and Thief."
    (assassin,) = chips_of("assassin")
    view = views.redact(blackmailer.table, views.PUBLIC)
    for before, kept in ((chips_of("king"), ("king",)), ([], ())):
        meaning = gather(blackmailer, *before, assassin)
        assert (meaning.moves, meaning.pending) == ((), kept)
        refusal = tap_meaning.objection(view, assassin, meaning)
        assert refusal is not None
        assert refusal.refusal.rule == "blackmailer.rank_1"


def test_the_true_warrant_and_threat_are_never_tapped_nor_read_aloud() -> None:
    for turn in (
        turn_of("magistrate", "warrants thief king bishop"),
        turn_of("blackmailer", "threats king bishop"),
    ):
        assert gather(turn, *chips_of("king")).moves == ()
        view = views.redact(turn.table, views.PUBLIC)
        rows = asking.agenda(view, list_legal_moves(view), {}).rows
        secret = [row for row in rows if row.moves and row.moves[0].verb in verbs.ALWAYS_SECRET]
        assert len(secret) == 1
        assert secret[0].label.startswith("Record secretly which ")
        assert "King" not in secret[0].label


def test_the_spy_names_a_player_and_is_asked_for_the_type_and_the_number() -> None:
    turn = turn_of("spy")
    meaning = gather(turn, *chips_of("Kurt"))
    assert len(meaning.moves) == 5 * 4
    view = views.redact(turn.table, views.PUBLIC)
    types = asking.narrow(view, meaning.moves).rows
    assert [(row.number, row.label) for row in types][:2] == [(1, "noble"), (2, "religious")]
    assert [m.text for m in types[1].moves] == [f"spy Kurt religious {n}" for n in range(4)]


def test_the_theater_is_tapped_before_the_other_player() -> None:
    data = {"edition": "deluxe_2016", "players": NAMES, "districts": UNIQUES}
    position = {"players": {"Kurt": {"city": ["theater"]}}, "faceup": ["bishop"]}
    referee = Referee(record.read({**data, "position": position}).start)
    assert gather(referee, *chips_of("Ben")).moves == ()
    assert texts(gather(referee, *chips_of("theater Ben"))) == ["use theater Ben"]


def test_a_token_alone_costs_nobody_a_district() -> None:
    players = {"Ben": {"city": []}, "Kurt": {"city": ["tavern"]}}
    turn = turn_of("marshal", players=players)
    meaning = gather(turn, *chips_of("Kurt"))
    assert texts(meaning) == ["seize Kurt tavern"]
    assert meaning.move is None
    sure = gather(turn, *chips_of("Kurt tavern"))
    assert sure.move is not None
    assert sure.move.text == "seize Kurt tavern"


def test_the_vault_asks_before_it_is_shown() -> None:
    complete = ["temple", "manor", "tavern", "prison", "market", "docks", "castle"]
    data = {"edition": "deluxe_2016", "players": NAMES, "districts": UNIQUES}
    position = {"players": {"Anna": {"city": complete, "hand": 1}}, "called": 8}
    referee = Referee(record.read({**data, "position": position}).start)
    referee.play("nobody")
    assert referee.table.stage == "over"
    for chip in chips_of("Anna secret_vault"):
        meaning = gather(referee, chip)
        assert meaning.move is None
        assert "vault Anna" in texts(meaning)
