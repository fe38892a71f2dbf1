"""The Blackmailer: threats, bribes, and showing threats."""

from __future__ import annotations

from typing import Any

import pytest

from engine import views
from engine.referee import Referee
from tests.engine.big_boxes import cast_with, gold, play, table, turn_of
from tests.engine.playing import expect_refusal, legal_of, problems_of, texts

THREATS = ["king", "merchant"]


def threatened(*moves: str, **rest: Any) -> Referee:
    """Rank 4 is called and the King is threatened; Ben is the Blackmailer, Kurt the King."""
    rest.setdefault("players", {"Kurt": {"gold": 5}})
    after = {"Ben": ["blackmailer"]} | rest.pop("revealed", {})
    referee = table("blackmailer", threats=THREATS, called=4, revealed=after, **rest)
    return play(referee, *moves)


def test_the_blackmailer_threatens_two_but_not_everybody() -> None:
    referee = turn_of("blackmailer", killed="king", revealed={"Ben": ["assassin"]})
    expect_refusal(referee, "threats king bishop", "blackmailer.killed")
    expect_refusal(referee, "threats assassin bishop", "blackmailer.rank_1")
    expect_refusal(referee, "threats bishop bishop", "blackmailer.twice")
    expect_refusal(referee, "threats queen bishop", "blackmailer.not_in_cast")
    expect_refusal(referee, "real bishop", "blackmailer.no_threats")
    assert len(legal_of(referee, "threats")) == 15  # of six: his own token, too
    referee.play("threats merchant bishop")
    assert views.table_json(referee.table)["threats"] == ["bishop", "merchant"]
    expect_refusal(referee, "real warlord", "blackmailer.no_such_threat")
    referee.play("real bishop")
    after = turn_of("blackmailer", "witch", bewitched="king", revealed={"Ben": ["witch"]})
    expect_refusal(after, "threats king bishop", "blackmailer.bewitched")


def test_a_secretly_murdered_character_can_be_threatened_without_effect() -> None:
    referee = turn_of("blackmailer", killed="king", secrecy="secret", faceup=[],
                      revealed={"Ben": ["assassin"]})  # fmt: skip
    play(referee, "threats king bishop", "gold", "end", "nobody", "nobody")
    assert referee.table.called == 5


def test_a_bribe_is_half_of_what_is_there_after_gathering_rounded_down() -> None:
    referee = threatened("reveal Kurt", "gold")
    assert views.table_json(referee.table)["awaiting"] == {"player": "Kurt", "question": "threat"}
    assert texts(referee) == ["bribe", "refuse"]
    referee.play("bribe")
    assert gold(referee) == [2, 4, 2, 5]
    assert referee.table.phase == "turn"
    (event,) = referee.table.events
    assert (event.kind, event.seats, event.amount) == ("blackmail_paid", (1, 3), 3)
    poor = threatened("reveal Kurt", "cards", "bribe", players={"Kurt": {"gold": 1}})
    assert gold(poor) == [2, 1, 2, 2]


@pytest.mark.parametrize(
    ("real", "sentence", "left"),
    [("king", "expose", 0), (None, "expose real", 0),
     ("merchant", "expose", 7), (None, "expose fake", 7)],
)  # fmt: skip
def test_an_exposed_threat_takes_all_if_it_is_real(
    real: str | None, sentence: str, left: int
) -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", **({"real": real} if real else {}))
    assert views.table_json(referee.table, full=True)["awaiting"] == {
        "player": "Ben", "question": "expose",
    }  # fmt: skip
    referee.play(sentence)
    assert gold(referee) == [2, left, 2, 9 - left]
    assert referee.table.phase == "turn"


def test_exposing_says_which_where_nobody_knows_and_the_truth_where_it_is_known() -> None:
    unknown = threatened("reveal Kurt", "gold", "refuse")
    expect_refusal(unknown, "expose", "blackmailer.say_which")
    assert texts(unknown) == ["expose real", "expose fake", "spare"]
    recorded = threatened("reveal Kurt", "gold", "refuse", real="king")
    expect_refusal(recorded, "expose fake", "blackmailer.recorded")
    expect_refusal(recorded, "expose real", "blackmailer.recorded")
    assert texts(recorded) == ["expose", "spare"]
    assert views.table_json(recorded.table)["legal"] == ["expose", "spare"]  # to the public as well


def test_a_threatened_player_gathers_and_answers_before_anything_else() -> None:
    players = {"Kurt": {"gold": 5, "hand": 3, "city": ["laboratory", "manor"]}}
    referee = threatened("reveal Kurt", players=players)
    assert texts(referee) == ["gold", "cards"]
    for move in ("income", "use laboratory", "build temple", "kill thief"):
        expect_refusal(referee, move, "blackmailer.answer_first")
    expect_refusal(referee, "end", "end.not_gathered")
    play(referee, "gold", "bribe")
    assert {"income", "use laboratory", "build temple", "end"} <= set(texts(referee))


@pytest.mark.parametrize(("answer", "left"), [("bribe", 5), ("refuse", 7)])
def test_a_threatened_queen_gets_her_gold_after_the_answer(answer: str, left: int) -> None:
    """Kurt the Queen beside Anna the King: the Blackmailer takes no part of her three gold."""
    referee = table("blackmailer", "queen", size=6, threats=["merchant", "queen"], called=9,
                    players={"Kurt": {"gold": 2}},
                    revealed={"Ben": ["blackmailer"], "Anna": ["king"]})  # fmt: skip
    play(referee, "reveal Kurt")
    assert gold(referee)[1] == 2
    play(referee, "gold", answer)
    if answer == "refuse":
        assert gold(referee)[1] == 4
        play(referee, "spare")
    assert gold(referee)[1] == left


def test_a_spared_threat_is_answered() -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", "spare")
    assert (gold(referee), referee.table.marks.settled) == ([2, 7, 2, 2], {"king"})


def test_once_the_real_threat_was_shown_nobody_is_asked_about_the_other() -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", "expose real", "end", "nobody")
    assert play(referee, "reveal Anna", "gold").table.phase == "turn"


def test_once_the_empty_threat_was_shown_the_other_is_the_real_one() -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", "expose fake", "end", "nobody")
    play(referee, "reveal Anna", "gold", "refuse")
    expect_refusal(referee, "expose fake", "blackmailer.recorded")
    assert gold(play(referee, "expose"))[0] == 0


def test_the_blackmailer_is_not_asked_about_his_own_second_character() -> None:
    referee = table("blackmailer", size=2, threats=THREATS, called=4,
                    revealed={"Anna": ["blackmailer"]})  # fmt: skip
    assert play(referee, "reveal Anna", "gold").table.phase == "turn"


def test_the_bribe_for_a_bewitched_blackmailer_goes_to_the_witch() -> None:
    referee = table("blackmailer", "witch", threats=THREATS, bewitched="blackmailer", called=4,
                    revealed={"Anna": ["witch"], "Ben": ["blackmailer"]})  # fmt: skip
    play(referee, "reveal Kurt", "gold", "bribe")
    assert gold(referee) == [4, 2, 2, 2]


def test_a_position_that_has_gathered_under_an_open_threat_must_answer_it() -> None:
    position: dict[str, Any] = {"threats": THREATS, "revealed": {"Ben": ["blackmailer"]}}
    turn = {"gathered": True}
    assert texts(turn_of("king", "blackmailer", turn=turn, **position)) == ["bribe", "refuse"]
    settlement = turn_of("king", "blackmailer", turn=turn, settled=["king"], **position)
    assert settlement.table.phase == "turn"
    position["players"] = {"Anna": {"city": ["manor"]}}
    after = turn_of("king", "blackmailer", turn={**turn, "built": ["manor"]}, **position)
    assert after.table.phase == "turn"  # it must have been answered
    head = {"edition": "deluxe_2016", "characters": cast_with("blackmailer")}
    early = {"player": "Anna", "character": "king", "income": True}
    assert problems_of({**position, "turn": early}, **head) == [
        "position.turn: “king” is threatened and can do nothing before gathering"
    ]
    before = turn_of("king", "blackmailer", **position)
    assert play(before, "gold").table.phase == "answer"


def test_a_character_with_a_threat_and_a_warrant_is_asked_about_both() -> None:
    referee = table("magistrate", "blackmailer", "abbot", called=1)
    play(referee, "reveal Anna", "gold", "warrants blackmailer abbot merchant", "end")
    play(referee, "reveal Kurt", "gold", "threats abbot merchant", "end")
    play(referee, "nobody", "nobody", "reveal Ashley", "gold", "refuse", "spare", "build tavern")
    assert set(texts(referee)) == {"confiscate", "spare"}
