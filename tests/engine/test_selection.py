"""Selection, calling and rounds: discards, reveals and the crown."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine import views
from engine.datafiles import load
from tests.engine.playing import NAMES, SIZES, expect_refusal, game, legal_of, set_up_turn, texts

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
FACE_UP = {2: 0, 3: 0, 4: 2, 5: 1, 6: 0, 7: 0}
PICKS = {2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1}


@pytest.mark.parametrize("size", SIZES)
def test_each_table_discards_its_own_number_face_up(size: int) -> None:
    referee = game(players=size)
    count = FACE_UP[size]
    faceup = combinations([c for c in CAST if c != "king"], count) if count else []
    assert legal_of(referee, "faceup") == [f"faceup {' '.join(words)}" for words in faceup]
    assert ("call" in texts(referee)) == (count == 0)
    for wrong in range(1, 5):
        if wrong != count:
            words = ["thief", "bishop", "warlord", "assassin"][:wrong]
            expect_refusal(referee, f"faceup {' '.join(words)}", "faceup.count")
    if count:
        expect_refusal(referee, "call", "call.faceup_owed")
        expect_refusal(referee, "choose Anna king", "choose.faceup_owed")


@pytest.mark.parametrize("size", SIZES)
def test_the_procedure_deals_every_character(size: int) -> None:
    """The steps of the selection use every card: nobody picks from an empty hand, nothing is
    left."""
    facts = load("selection")["8"][str(size)]
    left, holdings, face_down = 8 - facts["faceup"], dict.fromkeys(range(size), 0), 0
    for step in facts["steps"]:
        kind, number = step.split()
        if kind == "discard":
            left, face_down = left - int(number), face_down + int(number)
            continue
        if kind == "pick_with_facedown":
            left, face_down = left + 1, face_down - 1
        assert left >= 1
        holdings[int(number)] += 1
        left -= 1
        if kind != "pick":
            left, face_down = left - 1, face_down + 1
    assert facts["picks"] == PICKS[size]
    assert set(holdings.values()) == {PICKS[size]}
    assert left == 0
    assert face_down + facts["faceup"] + size * PICKS[size] == 8


def test_the_king_is_never_discarded_and_the_remedy_is_told() -> None:
    refusal = expect_refusal(game(), "faceup king bishop", "faceup.rank_4")
    assert "another" in refusal.reason
    dealt_again = game(options={"faceup_rank_4": "redeal"})
    assert "dealt again" in expect_refusal(dealt_again, "faceup thief king", "faceup.rank_4").reason


def test_what_else_cannot_lie_face_up() -> None:
    referee = game()
    expect_refusal(referee, "faceup bishop bishop", "faceup.twice")
    assert "Witch" in expect_refusal(referee, "faceup bishop witch", "faceup.not_in_cast").reason
    referee.play("faceup bishop merchant")
    expect_refusal(referee, "faceup thief warlord", "faceup.done")
    expect_refusal(referee, "choose Anna bishop", "choose.face_up")


@pytest.mark.parametrize("size", SIZES)
def test_choices_are_recorded_once_for_each_pick(size: int) -> None:
    referee = game(players=size)
    if FACE_UP[size]:
        referee.play(legal_of(referee, "faceup")[0])
    expect_refusal(referee, "choose Anna witch", "choose.not_in_cast")
    offers = texts(referee)
    for move in ("choose Anna king", "choose Kurt king", "choose Anna warlord"):
        referee.play(move)
        assert texts(referee) == offers  # a recorded choice restricts nobody
    annas = ("king", "warlord") if PICKS[size] == 2 else ("warlord",)
    assert [seat.chosen for seat in referee.table.seats[:2]] == [annas, ("king",)]
    referee.play("choose Anna architect")
    choices = referee.table.seats[0].chosen
    assert choices == (("warlord", "architect") if PICKS[size] == 2 else ("architect",))
    if PICKS[size] == 2:
        referee.play("choose Anna thief")  # the oldest makes room
        assert referee.table.seats[0].chosen == ("architect", "thief")


def test_every_rank_is_called_in_order_even_one_that_lies_face_up() -> None:
    referee = game("faceup bishop merchant", "call")
    for rank in range(1, 9):
        assert referee.table.called == rank
        assert views.find_awaited(referee.table) == (0, "call")
        if CAST[rank - 1] in ("bishop", "merchant"):
            assert texts(referee) == ["nobody"]
            expect_refusal(referee, "reveal Anna", "reveal.face_up")
        else:
            assert texts(referee) == [f"reveal {name}" for name in NAMES[:4]] + ["nobody"]
        referee.play("nobody")
    assert (referee.table.round, referee.table.phase) == (2, "selection")
    assert "call" not in texts(referee)


@pytest.mark.parametrize("size", SIZES)
def test_a_player_shows_as_many_characters_as_picked(size: int) -> None:
    referee = game(players=size)
    if FACE_UP[size]:
        referee.play("faceup " + " ".join(["bishop", "merchant"][: FACE_UP[size]]))
    referee.play("call")
    for _ in range(PICKS[size]):
        for move in ("reveal Anna", "gold", "end"):
            referee.play(move)
    refusal = expect_refusal(referee, "reveal Anna", "reveal.already")
    assert "Assassin" in refusal.reason


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [("reveal Kurt", ("assassin",)), ("reveal Anna", ()), ("nobody", ())],
)
def test_what_is_said_at_the_call_drops_a_record_that_contradicts_it(
    sentence: str, kept: tuple[str, ...]
) -> None:
    calling = ("faceup bishop merchant", "choose Kurt assassin", "call")
    referee = game(*calling)
    assert texts(referee) == texts(game(calling[0], "call"))
    referee.play(sentence)
    assert referee.table.seats[1].chosen == kept


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("reveal Kurt", [(), ("assassin",), (), ("thief",)]),
        ("reveal Ben", [(), (), (), ()]),
        ("nobody", [(), (), (), ("thief",)]),
    ],
)
def test_two_may_record_the_same_character_until_the_call(
    sentence: str, kept: list[tuple[str, ...]]
) -> None:
    records = ("choose Anna assassin", "choose Kurt assassin", "choose Ben thief")
    referee = game("faceup bishop merchant", *records, "call")
    choices = [seat.chosen for seat in referee.table.seats]
    assert choices == [("assassin",), ("assassin",), (), ("thief",)]
    referee.play(sentence)
    assert [seat.chosen for seat in referee.table.seats] == kept
    referee.undo()
    assert [seat.chosen for seat in referee.table.seats] == choices


@pytest.mark.parametrize("secrecy", ["announced", "secret"])
def test_the_murdered_character_stays_recorded_by_everybody_until_it_is_shown(
    secrecy: str,
) -> None:
    moves = ("choose Kurt king", "choose Ben king", "call", "reveal Anna", "kill king", "gold")
    referee = game("faceup bishop merchant", *moves, "end", *["nobody"] * 7, secrecy=secrecy)
    assert [seat.chosen for seat in referee.table.seats[1:]] == [("king",), (), ("king",)]
    assert [f"unmask {name}" for name in ("Kurt", "Ashley", "Ben")] == texts(referee)[:3]


def test_whoever_shows_another_character_did_not_choose_the_recorded_one() -> None:
    referee = game("faceup bishop merchant", "choose Kurt thief", "call", "reveal Kurt")
    assert referee.table.seats[1].chosen == ()
    two = game("choose Kurt thief", "choose Kurt warlord", "call", "reveal Kurt", players=2)
    assert two.table.seats[1].chosen == ("warlord",)


def test_the_king_takes_the_crown_when_he_is_revealed_and_calls_the_rest() -> None:
    referee = game("faceup bishop merchant", "call", "nobody", "nobody", "nobody", "reveal Ben")
    assert referee.table.crown == 3
    assert [event.kind for event in referee.table.events] == ["crowned"]
    referee.play("gold")
    referee.play("end")
    assert views.find_awaited(referee.table) == (3, "call")


def test_the_crown_stays_where_the_king_already_has_it() -> None:
    referee = game("faceup bishop merchant", "call", "nobody", "nobody", "nobody", "reveal Anna")
    assert referee.table.crown == 0
    assert referee.table.events == ()


MURDER = ("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "end")


def test_the_heir_of_a_killed_king_is_crowned_at_the_end_of_the_round() -> None:
    referee = game(*MURDER, "nobody", "reveal Ashley", "gold", "end", *["nobody"] * 5)
    table = referee.table
    assert table.phase == "unmask"
    assert views.table_json(table)["awaiting"] == {"player": "Anna", "question": "unmask"}
    assert texts(referee) == ["unmask Kurt", "unmask Ben", "unmask nobody"]
    expect_refusal(referee, "unmask Anna", "unmask.shown")
    expect_refusal(referee, "unmask Ashley", "unmask.shown")
    expect_refusal(referee, "call", "phase.unmask")
    referee.play("unmask Ben")
    assert (referee.table.crown, referee.table.round) == (3, 2)
    assert [e.kind for e in referee.table.events] == ["unmasked", "crowned", "round_begins"]


def test_a_killed_king_that_nobody_held_leaves_the_crown() -> None:
    referee = game(*MURDER, *["nobody"] * 7, "unmask nobody")
    assert (referee.table.crown, referee.table.round) == (0, 2)


def test_a_recorded_heir_need_not_be_named() -> None:
    moves = (*MURDER[1:], *["nobody"] * 7)
    referee = game(MURDER[0], "choose Kurt king", *moves)
    assert referee.table.seats[1].chosen == ("king",)
    assert texts(referee) == texts(game(MURDER[0], *moves))
    referee.play("unmask Ben")
    assert referee.table.crown == 3


def test_nobody_shows_himself_for_another_murder() -> None:
    moves = [move.replace("king", "thief") for move in MURDER]
    referee = game(*moves, *["nobody"] * 7)
    assert (referee.table.phase, referee.table.round) == ("selection", 2)
    assert referee.table.marks.killed is None


def test_the_marks_of_a_round_are_gone_in_the_next() -> None:
    moves = ("faceup bishop merchant", "choose Ben architect", "call", "reveal Anna", "kill thief",
             "gold", "end", *["nobody"] * 5, "reveal Ben", "gold", "end", "nobody")  # fmt: skip
    table = game(*moves).table
    assert (table.marks.killed, table.marks.robbed, table.faceup) == (None, None, None)
    assert all(seat.revealed == seat.chosen == () for seat in table.seats)


def test_the_killed_is_called_and_nobody_answers() -> None:
    referee = game(*MURDER, "nobody", "nobody")
    assert [(e.kind, e.card) for e in referee.table.events] == [("murdered", "king")]
    assert texts(referee) == ["nobody"]
    assert "murdered" in expect_refusal(referee, "reveal Kurt", "reveal.killed").reason


def test_words_of_another_moment_are_refused_by_the_moment() -> None:
    expect_refusal(game(), "gold", "phase.selection")
    expect_refusal(game("faceup bishop merchant", "call"), "build temple", "phase.calling")
    expect_refusal(set_up_turn("king"), "reveal Kurt", "phase.turn")
    over = game("call", *["nobody"] * 8, players=6,
                position={"players": {"Anna": {"city": list(SEVEN)}}})  # fmt: skip
    assert over.table.phase == "over"
    expect_refusal(over, "call", "phase.over")
    assert texts(over) == []


SEVEN = ("manor", "castle", "temple", "church", "tavern", "market", "watchtower")
