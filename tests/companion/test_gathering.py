"""Taps for the powers of every box: the meaning of one tap, and of several together."""

from __future__ import annotations

from typing import Any

import pytest

from companion import verbs
from companion.chips.entries import (
    ACTIONS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
)
from companion.game import asking, picks, tap_meaning
from engine import record, views
from engine.referee import Referee, list_legal_moves

NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoe"]
CAST = {4: "emperor", 9: "artist"}
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
    cast[RANKS.get(character, 8) - 1] = character
    if character == "king":
        cast = [*ORDINARY, "queen"]
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


def tapping(referee: Referee, *entries: Entry) -> tap_meaning.Meaning:
    """The meaning of the last of these consecutive taps."""
    view = views.redact(referee.table, views.PUBLIC)
    pending: tuple[str, ...] = ()
    meaning = tap_meaning.Meaning()
    for entry in entries:
        meaning = tap_meaning.find_meaning(view, list_legal_moves(view), entry, pending)
        pending = meaning.pending
    return meaning


def texts(meaning: tap_meaning.Meaning) -> list[str]:
    return [move.text for move in meaning.moves]


ANNA, KURT, ASHLEY, BEN = (PlayerChip(seat) for seat in range(1, 5))


def district(id_: str) -> DistrictChip:
    return DistrictChip(id_)


def character(id_: str) -> CharacterChip:
    return CharacterChip(id_)


# -- sets -----------------------------------------------------------------------------------


def test_warrants_are_gathered_tap_by_tap_in_any_order() -> None:
    turn = turn_of("magistrate")
    two = tapping(turn, character("king"), character("thief"))
    assert (two.moves, two.pending) == ((), ("king", "thief"))
    view = views.redact(turn.table, views.PUBLIC)
    assert (
        picks.tell_gathered(list_legal_moves(view), two.pending)
        == "Warrants so far: King and Thief."
    )
    whole = tapping(turn, character("king"), character("thief"), character("bishop"))
    assert texts(whole) == ["warrants thief king bishop"]
    assert whole.move is not None
    assert whole.pending == ()


def test_what_is_no_part_of_a_set_leaves_it_as_it_was() -> None:
    turn = turn_of("blackmailer")
    second = tapping(turn, character("king"), character("assassin"))
    assert (second.moves, second.pending) == ((), ("king",))
    view = views.redact(turn.table, views.PUBLIC)
    refusal = tap_meaning.objection(view, character("assassin"), second)
    assert refusal is not None
    assert refusal.refusal.rule == "blackmailer.rank_1"
    first = tap_meaning.objection(view, character("assassin"), tapping(turn, character("assassin")))
    assert first is not None
    assert first.refusal.rule == "blackmailer.rank_1"


def test_the_true_warrant_and_threat_are_never_tapped_nor_read_aloud() -> None:
    for turn in (
        turn_of("magistrate", "warrants thief king bishop"),
        turn_of("blackmailer", "threats king bishop"),
    ):
        assert tapping(turn, character("king")).moves == ()
        view = views.redact(turn.table, views.PUBLIC)
        rows = asking.agenda(view, list_legal_moves(view), {}).rows
        secret = [row for row in rows if row.moves and row.moves[0].verb in verbs.ALWAYS_SECRET]
        assert len(secret) == 1
        assert secret[0].label.startswith("Record secretly which ")
        assert "King" not in secret[0].label


# -- several taps for one move --------------------------------------------------------------


def test_an_exchange_is_the_own_card_and_then_the_other() -> None:
    turn = turn_of("diplomat")
    assert texts(tapping(turn, district("prison"))) == ["build prison"]  # nobody's own card first
    own = tapping(turn, district("manor"))
    assert own.pending == ("manor",)
    assert {move.split()[1] for move in texts(own)} == {"manor"}
    assert texts(tapping(turn, district("manor"), district("prison"))) == [
        "exchange manor Ben prison"
    ]
    two_taverns = tapping(turn, district("manor"), district("tavern"))
    assert texts(two_taverns) == ["exchange manor Kurt tavern", "exchange manor Ben tavern"]
    assert texts(tapping(turn, district("manor"), district("tavern"), BEN)) == [
        "exchange manor Ben tavern"
    ]


def test_the_wizard_takes_by_a_token_and_builds_at_once_by_a_second_tap() -> None:
    turn = turn_of("wizard")
    taking = tapping(turn, KURT)
    assert texts(taking)[0] == "take Kurt"
    assert taking.move is None
    assert texts(tapping(turn, KURT, district("market"))) == ["take Kurt market"]
    assert "build market" in texts(tapping(turn, district("market")))


def test_the_spy_names_a_player_and_is_asked_for_the_type_and_the_number() -> None:
    turn = turn_of("spy")
    meaning = tapping(turn, KURT)
    assert len(meaning.moves) == 5 * 4
    view = views.redact(turn.table, views.PUBLIC)
    types = asking.narrow(view, meaning.moves).rows
    assert [(row.number, row.label) for row in types][:2] == [(1, "noble"), (2, "religious")]
    assert [m.text for m in types[1].moves] == [f"spy Kurt religious {n}" for n in range(4)]


def test_the_armory_is_tapped_before_what_it_destroys() -> None:
    players = {"Anna": {"gold": 0, "hand": 0, "city": ["armory"]}}
    turn = turn_of("scholar", players=players)
    assert tapping(turn, district("prison")).moves == ()
    assert len(tapping(turn, district("armory")).moves) > 1
    assert texts(tapping(turn, district("armory"), district("prison"))) == ["use armory Ben prison"]


def test_the_theater_is_tapped_before_the_other_player() -> None:
    data = {"edition": "deluxe_2016", "players": NAMES, "districts": UNIQUES}
    position = {"players": {"Kurt": {"city": ["theater"]}}, "faceup": ["bishop"]}
    referee = Referee(record.read({**data, "position": position}).start)
    assert tapping(referee, BEN).moves == ()
    assert len(tapping(referee, district("theater")).moves) == 4
    assert texts(tapping(referee, district("theater"), BEN)) == ["use theater Ben"]


def test_a_way_to_pay_is_a_second_tap() -> None:
    players = {"Anna": {"gold": 6, "hand": 4, "city": ["framework", "temple"]}}
    turn = turn_of("scholar", players=players)
    ways = texts(tapping(turn, district("market")))
    assert ways == ["build market", "build market over framework"]
    assert texts(tapping(turn, district("market"), district("framework"))) == [
        "build market over framework"
    ]
    lending = turn_of("cardinal", players={"Anna": {"gold": 1, "hand": 4, "city": ["temple"]}})
    assert texts(tapping(lending, district("market"), KURT)) == ["build market from Kurt"]


def test_the_artist_decorates_one_or_two() -> None:
    turn = turn_of("artist")
    one = tapping(turn, district("temple"))
    assert texts(one) == ["decorate temple", "decorate temple manor"]
    assert texts(tapping(turn, district("temple"), district("manor"))) == ["decorate temple manor"]


def test_a_token_alone_costs_nobody_a_district() -> None:
    players = {"Ben": {"city": []}, "Kurt": {"city": ["tavern"]}}
    turn = turn_of("marshal", players=players)
    meaning = tapping(turn, KURT)
    assert texts(meaning) == ["seize Kurt tavern"]
    assert meaning.move is None
    sure = tapping(turn, KURT, district("tavern"))
    assert sure.move is not None
    assert sure.move.text == "seize Kurt tavern"


def test_a_tap_that_goes_with_nothing_begins_anew() -> None:
    turn = turn_of("diplomat")
    assert texts(tapping(turn, district("manor"), district("market"))) == ["build market"]


# -- single taps ----------------------------------------------------------------------------


def test_the_crown_goes_to_the_tapped_player() -> None:
    turn = turn_of("emperor")
    assert texts(tapping(turn, BEN)) == ["crown Ben gold", "crown Ben card"]
    assert set(texts(tapping(turn, CrownChip()))) >= {"crown Ben gold", "crown Ashley gold"}


@pytest.mark.parametrize(
    ("role", "chip", "moves"),
    [
        ("witch", character("king"), ["bewitch king"]),
        ("seer", ActionChip("divine"), ["divine"]),
        ("scholar", ActionChip("study"), ["study"]),
        ("navigator", ActionChip("navigate"), ["navigate gold", "navigate cards"]),
        ("tax_collector", ActionChip("collect"), ["collect"]),
    ],
)
def test_a_power_by_one_chip(role: str, chip: Entry, moves: list[str]) -> None:
    facts = {"tax": 3} if role == "tax_collector" else {}
    assert texts(tapping(turn_of(role, **facts), chip)) == moves


def test_the_vault_asks_before_it_is_shown() -> None:
    complete = ["temple", "manor", "tavern", "prison", "market", "docks", "castle"]
    data = {"edition": "deluxe_2016", "players": NAMES, "districts": UNIQUES}
    position = {"players": {"Anna": {"city": complete, "hand": 1}}, "called": 8}
    referee = Referee(record.read({**data, "position": position}).start)
    referee.play("nobody")
    assert referee.table.stage == "over"
    token = tapping(referee, ANNA)
    assert token.move is None
    assert tapping(referee, district("secret_vault")).move is None
    assert "vault Anna" in texts(tapping(referee, district("secret_vault")))


def test_every_action_chip_is_known() -> None:
    assert {"end", "undo", "bribe", "refuse", "expose", "confiscate"} <= set(ACTIONS)
