"""Positions: a table at any instant, and impossible ones with all their problems at once."""

from __future__ import annotations

from typing import Any

import pytest

from engine import views
from tests.engine.playing import (
    NAMES,
    expect_refusal,
    game,
    legal_of,
    problems_of,
    set_up_turn,
    texts,
)

SOUND: dict[str, Any] = {
    "round": 6,
    "players": {
        "Anna": {"gold": 3, "hand": 4, "city": ["temple", "haunted_quarter"]},
        "kurt": {"gold": 0, "hand": 0, "city": [{"id": "keep", "built_last_round": True}]},
    },
    "faceup": ["bishop", "merchant"],
    "killed": "king",
    "robbed": "architect",
    "chosen": {"Ben": ["king"]},
    "revealed": {"Kurt": ["assassin"], "Ashley": ["thief"]},
    "turn": {"player": "Anna", "character": "warlord", "gathered": True, "built": ["temple"]},
}


def test_a_sound_position_is_the_table_it_describes() -> None:
    table = views.table_json(game(position=SOUND).table, full=True)
    assert (table["round"], table["phase"], table["called"]) == (6, "turn", 8)
    assert table["turn"] == {
        "player": "Anna", "character": "warlord", "gathered": True, "income": False,
        "built": ["temple"],
    }  # fmt: skip
    assert table["players"]["Kurt"] == {
        "gold": 0, "hand": 0, "city": ["keep"], "decorated": [], "under_museum": 0,
        "complete": False, "revealed": ["assassin"],
    }  # fmt: skip
    assert table["players"]["Ben"]["gold"] == 2
    assert (table["killed"], table["robbed"]) == ("king", "architect")
    assert table["legal"] == [
        "income",
        "destroy Anna temple",
        "destroy Anna haunted_quarter",
        "end",
    ]


def test_an_empty_position_is_the_set_up() -> None:
    assert views.table_json(game(position={}).table) == views.table_json(game().table)


def test_the_moment_follows_from_the_keys() -> None:
    assert game(position={"round": 3}).table.phase == "selection"
    assert game(position={"called": 3}).table.phase == "calling"
    assert game(position={"turn": {"player": "Anna", "character": "king"}}).table.phase == "turn"
    assert "call" not in texts(game(position={"faceup": []}))


def test_several_players_may_have_recorded_the_same_character() -> None:
    choices = {"Kurt": ["king"], "Ben": ["king"]}
    table = game(position={"called": 4, "chosen": choices}).table
    assert {seat.name: [*seat.chosen] for seat in table.seats if seat.chosen} == choices


def test_the_deck_is_what_is_left() -> None:
    table = game(position=SOUND).table
    assert table.deck == 68 - 3 - (4 + 0 + 4 + 4)
    everything = {name: {"hand": 68 if name == "Anna" else 0} for name in NAMES[:4]}
    assert game(position={"players": everything}).table.deck == 0


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ({}, ["gold", "cards", "income", "bonus"]),
        ({"used": ["bonus"]}, ["gold", "cards", "income"]),
        ({"income": True}, ["gold", "cards", "bonus"]),
        ({"income": True, "gathered": True, "used": ["bonus"], "built": ["keep"]}, ["end"]),
    ],
)
def test_the_legal_list_inside_a_turn(turn: dict[str, Any], expected: list[str]) -> None:
    players = {"Anna": {"city": turn.get("built", [])}}
    assert texts(set_up_turn("merchant", players=players, turn=turn)) == expected


@pytest.mark.parametrize(("character", "mark"), [("assassin", "killed"), ("thief", "robbed")])
def test_who_has_left_his_mark_has_used_his_power(character: str, mark: str) -> None:
    position: dict[str, Any] = {mark: "king"}
    referee = set_up_turn(character, **position)
    assert legal_of(referee, "kill") + legal_of(referee, "rob") == []
    expect_refusal(referee, "kill thief" if mark == "killed" else "rob bishop", "power.done")


def test_who_has_signed_a_warrant_cannot_sign_another() -> None:
    cast = ["magistrate", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
    referee = set_up_turn("magistrate", edition="deluxe_2016", characters=cast,
                          warrants=["thief", "king", "bishop"], signed="king")  # fmt: skip
    expect_refusal(referee, "signed thief", "power.done")


def test_a_district_used_before_cannot_be_used_again() -> None:
    players = {"Anna": {"city": ["laboratory", "smithy"]}}
    referee = set_up_turn("king", players=players, turn={"used": ["laboratory"]})
    assert legal_of(referee, "use") == ["use smithy"]


TURN = {"player": "Anna", "character": "king"}
SEVEN = ["manor", "castle", "temple", "church", "tavern", "market", "prison"]

IMPOSSIBLE: dict[str, tuple[dict[str, Any], str]] = {
    "half a coin": ({"players": {"Anna": {"gold": 1.5}}}, "players.Anna.gold"),
    "negative hand": ({"players": {"Anna": {"hand": -2}}}, "players.Anna.hand"),
    "unknown player": ({"players": {"Ana": {}}}, "did you mean “Anna”"),
    "one player twice": ({"players": {"Anna": {}, "ANNA": {}}}, "named twice"),
    "unknown key": ({"player": {}}, "did you mean “players”"),
    "too many copies": (
        {"players": {n: {"city": ["palace"]} for n in NAMES[:4]}}, "the game has 3"),
    "not in this edition": ({"players": {"Anna": {"city": ["park"]}}}, "not a district of"),
    "no Artist": (
        {"players": {"Anna": {"city": [{"id": "manor", "decorated": True}]}}}, "decorated"),
    "no Museum": ({"players": {"Anna": {"city": [{"id": "manor", "under": 2}]}}}, "under"),
    "no Secret Vault": ({"players": {"Anna": {"vault": True}}}, "secret_vault"),
    "one face up too many": (
        {"faceup": ["thief", "bishop", "warlord"]}, "3 characters face up"),
    "one face up too few": ({"faceup": ["thief"]}, "1 character face up,"),
    "face up twice": ({"faceup": ["thief", "thief"]}, "twice"),
    "the Assassin killed": ({"called": 5, "killed": "assassin"}, "can't be “killed”"),
    "killed and revealed": (
        {"called": 5, "killed": "king", "revealed": {"Ben": ["king"]}}, "can't be revealed"),
    "killed before the Assassin": ({"called": 1, "killed": "king"}, "has not had a turn"),
    "killed while choosing": ({"killed": "king"}, "has not had a turn"),
    "killed by a card face up": (
        {"called": 5, "killed": "king", "faceup": ["assassin", "thief"]}, "is face up"),
    "robbed before the Thief": ({"called": 2, "robbed": "king"}, "has not had a turn"),
    "the Thief robbed": ({"called": 5, "robbed": "thief"}, "can't be “robbed”"),
    "the killed robbed": (
        {"called": 5, "robbed": "king", "killed": "king"}, "can't be “robbed”"),
    "bewitched": ({"called": 5, "bewitched": "king"}, "“witch” isn't in this game"),
    "warrants": ({"called": 5, "warrants": ["king"]}, "“magistrate” isn't in this game"),
    "tax": ({"tax": 2}, "“tax_collector” isn't in this game"),
    "two hold one character": (
        {"called": 5, "revealed": {"Anna": ["king"], "Ben": ["king"]}},
        "“revealed” more than once"),
    "two characters in one hand": (
        {"called": 5, "revealed": {"Anna": ["king", "thief"]}}, "more than 1"),
    "revealed and face up": (
        {"called": 5, "faceup": ["thief", "bishop"], "revealed": {"Anna": ["thief"]}},
        "can't be “revealed”"),
    "revealed before the call": (
        {"called": 3, "revealed": {"Anna": ["king"]}}, "has not been answered yet"),
    "chosen and revealed otherwise": (
        {"called": 4, "chosen": {"Ben": ["king"]}, "revealed": {"Ben": ["thief"]}},
        "more than 1"),
    "chosen twice by one": (
        {"called": 4, "chosen": {"Ben": ["king", "king"]}}, "“chosen” more than once"),
    "chosen by one, shown by another": (
        {"called": 5, "chosen": {"Ben": ["king"]}, "revealed": {"Anna": ["king"]}},
        "revealed by Anna"),
    "rank out of range": ({"called": 9}, "from 1 to 8"),
    "another rank is called": ({"called": 5, "turn": TURN}, "rank 5 is called"),
    "the killed plays": ({"killed": "king", "turn": TURN}, "has no turn"),
    "a card face up plays": (
        {"faceup": ["thief", "bishop"], "turn": {**TURN, "character": "thief"}}, "has no turn"),
    "another's character plays": (
        {"revealed": {"Ben": ["king"]}, "turn": TURN}, "revealed by Ben"),
    "a second character": ({"revealed": {"Anna": ["thief"]}, "turn": TURN}, "already shown"),
    "built before gathering": ({"turn": {**TURN, "built": ["manor"]}}, "before gathering"),
    "built in another's city": (
        {"players": {"Ben": {"city": ["manor"]}},
         "turn": {**TURN, "gathered": True, "built": ["manor"]}}, "is not in Anna's city"),
    "spent on nothing": ({"turn": {**TURN, "gathered": True, "spent": 2}}, "“spent” is 2"),
    "one rank of two players": (
        {"players": {"Anna": {"last_rank": 5}, "Ben": {"last_rank": 5}}}, "Anna had rank 5"),
    "income of nobody": (
        {"turn": {**TURN, "character": "thief", "income": True}}, "no income"),
    "a power of another": ({"turn": {**TURN, "used": ["kill"]}}, "“king” has no power “kill”"),
    "a list among the threats": ({"called": 5, "threats": [["king"]]}, "not a character in"),
    "first of all twice": ({"first_complete": ["Anna", "anna"]}, "named twice"),
    "a turn of a list": ({"turn": {**TURN, "character": [["king"]]}}, "not a character in"),
    "nobody asks who it was": (
        {"killed": "thief", "awaiting": "unmask"}, "where it matters who had the killed"),
    "already unmasked": (
        {"killed": "king", "awaiting": "unmask", "unmasked": "Ben"}, "where it matters who had"),
    "unmasked without a murder": ({"awaiting": "unmask"}, "where it matters who had the killed"),
    "no Emperor": ({"killed": "king", "awaiting": "emperor", "unmasked": "Ben"}, "killed Emperor"),
    "no warrant": (
        {"players": {"Anna": {"city": ["manor"]}}, "awaiting": "warrant",
         "turn": {**TURN, "gathered": True, "built": ["manor"]}}, "paid for under a warrant"),
    "no threat": ({"turn": {**TURN, "gathered": True}, "awaiting": "threat"}, "a threatened"),
    "nothing to expose": ({"turn": {**TURN, "gathered": True}, "awaiting": "expose"}, "not paid"),
    "cities that are tracked": (
        {"players": {"Anna": {"city": SEVEN}}, "awaiting": "city"}, "tracks no cities"),
    "no such question": ({"awaiting": "turn"}, "“turn” is not a question"),
    "asked of another": (
        {"killed": "king", "awaiting": {"question": "unmask", "player": "Ben"}}, "asked of Anna"),
    "nobody's turn": ({"turn": {"character": "king"}}, "turn.player"),
    "a list of players": ({"players": ["Anna"]}, "must map players"),
    "a round before the first": ({"round": 0}, "from 1"),
    "not a position": ([], "must be a mapping"),  # type: ignore[dict-item]
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_its_reason(name: str) -> None:
    position, words = IMPOSSIBLE[name]
    problems = problems_of(position)
    assert any(words in problem for problem in problems), problems
    assert all(problem.startswith("position") for problem in problems)


def test_an_open_threat_may_be_named_too() -> None:
    cast = ["assassin", "blackmailer", "magician", "king", "bishop", "merchant", "architect",
            "warlord"]  # fmt: skip
    position: dict[str, Any] = {
        "threats": ["king", "bishop"],
        "revealed": {"Ben": ["blackmailer"]},
        "turn": {**TURN, "gathered": True},
    }
    head: dict[str, Any] = {"edition": "deluxe_2016", "characters": cast}
    table = game(position={**position, "awaiting": "threat"}, **head).table
    assert table.questions == game(position=position, **head).table.questions != ()
    built = {"turn": {**position["turn"], "built": ["manor"]}}
    players = {"Anna": {"city": ["manor"]}}
    after = game(position={**position, **built, "players": players}, **head).table
    assert (after.phase, after.marks.settled) == ("turn", {"king"})  # it was answered before


def test_the_blackmailers_own_token_may_carry_a_threat() -> None:
    cast = ["assassin", "blackmailer", "magician", "king", "bishop", "merchant", "architect",
            "warlord"]  # fmt: skip
    position = {"called": 5, "threats": ["blackmailer", "king"], "revealed": {"Ben": [cast[1]]}}
    assert problems_of(position, edition="deluxe_2016", characters=cast) == []


def test_a_table_that_tracks_no_cities_has_none() -> None:
    position = {"players": {"Anna": {"gold": 3, "city": ["temple"]}, "Ben": {"city": []}}}
    assert problems_of(position, options={"cities": "untracked"}) == [
        "position.players.Anna.city: this table doesn't track cities; they are counted after the "
        "last round"
    ]


def test_every_problem_is_told_at_once() -> None:
    problems = problems_of(
        {
            "players": {
                "Anna": {"gold": -1, "city": ["templ", "manor", "manor"]},
                "Bob": {},
                "Ben": {"hand": 99},
            },
            "faceup": ["king"],
            "killed": "witch",
            "robbed": "assassin",
            "bewitched": "king",
            "turn": {"player": "Ashley", "character": "kin", "gatherd": True},
        }
    )
    reference = (
        "Anna.gold", "did you mean “temple”", "“manor” 2 times", "“Bob” is not a player",
        "more than the deck", "rank 4", "“witch” is not", "“assassin” can't be “robbed”",
        "“king”", "did you mean “gathered”",
    )  # fmt: skip
    for words in reference:
        assert any(words in problem for problem in problems), (words, problems)


def test_lists_far_too_long_are_one_problem_each() -> None:
    many = ["king"] * 5000
    text = "has 5000 entries"
    for position in ({"revealed": {"Anna": many}}, {"first_complete": many}):
        assert [text in problem for problem in problems_of(position)] == [True]
    for key in ("players", "characters", "districts"):
        head: dict[str, Any] = {key: many}
        assert any(text in problem for problem in problems_of(**head))


BLACKMAILED: dict[str, Any] = {
    "edition": "deluxe_2016",
    "characters": [
        *("assassin", "blackmailer", "magician", "king"),
        *("bishop", "merchant", "architect", "warlord"),
    ],
}
BEWITCHED = {**BLACKMAILED, "characters": ["witch", "thief", *BLACKMAILED["characters"][2:]]}
THREATS = {"threats": ["king", "architect"]}


@pytest.mark.parametrize(
    ("position", "head", "sentence"),
    [
        (
            {**THREATS, "real": "bishop", "turn": {"player": "Anna", "character": "merchant"}},
            BLACKMAILED,
            "position.real: “bishop” isn't among the “threats”",
        ),
        (
            {**THREATS, "settled": ["king"], "turn": {"player": "Anna", "character": "magician"}},
            BLACKMAILED,
            "position.settled: nobody with a warrant or a threat has had a turn this round",
        ),
        (
            {
                "bewitched": "king",
                "turn": {"player": "Anna", "character": "king", "gathered": True},
            },
            BEWITCHED,
            "position.turn.gathered: a bewitched player can't do anything after gathering",
        ),
        (
            {
                "bewitched": "king",
                "turn": {"player": "Anna", "character": "witch", "gathered": True},
            },
            BEWITCHED,
            "position.turn: the turn of “witch” ended when she bewitched",
        ),
        (
            {"revealed": 3},
            {},
            "position.revealed: “revealed” must map players to what they have",
        ),
        (
            {"players": {"Anna": {"city": ["temple"]}}, "turn": {
                "player": "Anna", "character": "king", "gathered": True,
                "built": ["temple"], "spent": 2,
            }},
            {},
            "position.turn.spent: “spent” is 2, but what is built costs 1",
        ),
        (
            None,
            {"players": ["A" * 41, *NAMES[1:4]]},
            "players.0: a name can have at most 40 characters",
        ),
        (None, {"districts": ["keep", "keep"]}, "districts.1: “keep” is named twice"),
        (None, {"moves": ["x" * 1001]}, "moves.0: a move can have at most 1000 characters"),
    ],
)  # fmt: skip
def test_one_thing_that_is_wrong_is_said_alone(
    position: dict[str, Any] | None, head: dict[str, Any], sentence: str
) -> None:
    assert problems_of(position, **head) == [sentence]
