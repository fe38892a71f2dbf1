"""Giving and taking the crown: Emperor, Patrician and Queen, alive or killed."""

from __future__ import annotations

from typing import Any

import pytest

from engine import cards, views
from engine.referee import Referee
from tests.engine.big_boxes import BIG_BOXES, OLD_BOXES, gold, hands, play, table, turn_of
from tests.engine.playing import NAMES, expect_refusal, legal_of, texts


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_emperor_gives_the_crown_to_another_for_gold_or_a_card(edition: str) -> None:
    players = {"Ashley": {"gold": 0}, "Ben": {"gold": 0, "hand": 0}}
    referee = turn_of("emperor", edition=edition, crown="Kurt", players=players)
    assert legal_of(referee, "crown") == ["crown Ashley card", "crown Ben nothing"]
    expect_refusal(referee, "crown Anna gold", "emperor.self")
    expect_refusal(referee, "crown Kurt gold", "emperor.holder")
    expect_refusal(referee, "crown Ashley gold", "emperor.no_gold")
    expect_refusal(referee, "crown Ashley nothing", "emperor.must_pay")
    expect_refusal(referee, "crown Ben card", "emperor.no_card")
    referee.play("crown Ashley card")
    assert (referee.table.crown, hands(referee)) == (2, [5, 4, 3, 0])
    expect_refusal(referee, "crown Ben nothing", "power.done")


def after_the_last_rank(
    *characters: str, killed: str, answers: tuple[str, ...] = ("nobody",), **rest: Any
) -> Referee:
    """The end of calling with these answers, after a murder by Ashley."""
    last = 9 if any(cards.characters()[c].rank == 9 for c in characters) else 8
    after = {"Ashley": ["assassin"]} | rest.pop("revealed", {})
    referee = table(*characters, killed=killed, called=last, faceup=[], revealed=after, **rest)
    return play(referee, *answers)


def test_the_killed_deluxe_emperor_gives_the_crown_away_without_payment() -> None:
    referee = after_the_last_rank("emperor", killed="emperor")
    assert referee.table.phase == "unmask"
    referee.play("unmask Ben")
    assert views.table_json(referee.table)["awaiting"] == {"player": "Ben", "question": "emperor"}
    assert texts(referee) == ["crown Kurt nothing", "crown Ashley nothing"]
    expect_refusal(referee, "crown Ben nothing", "emperor.self")
    expect_refusal(referee, "crown Anna nothing", "emperor.holder")
    expect_refusal(referee, "crown Kurt gold", "emperor.after_death")
    expect_refusal(referee, "call", "phase.answer")
    referee.play("crown Kurt nothing")
    assert (referee.table.crown, gold(referee), referee.table.round) == (1, [2, 2, 2, 2], 2)


def test_an_emperor_who_was_killed_and_wears_the_crown_gives_it_away_too() -> None:
    referee = play(after_the_last_rank("emperor", killed="emperor"), "unmask Anna")
    assert len(texts(referee)) == 3
    nobody = play(after_the_last_rank("emperor", killed="emperor"), "unmask nobody")
    assert (nobody.table.crown, nobody.table.round) == (0, 2)


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_crown_of_a_killed_emperor_stays_in_older_boxes(edition: str) -> None:
    referee = after_the_last_rank("emperor", killed="emperor", edition=edition)
    referee.play("unmask Ben")
    assert (referee.table.crown, referee.table.round) == (0, 2)


def test_the_patrician_takes_the_crown_and_cards_alive_or_killed() -> None:
    referee = table("patrician", called=4, players={"Ben": {"city": ["manor", "school_of_magic"]}})
    play(referee, "reveal Ben", "income")
    assert (referee.table.crown, hands(referee)[3], gold(referee)[3]) == (3, 6, 2)
    assert play(after_the_last_rank("patrician", killed="patrician"), "unmask Ben").table.crown == 3


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_every_killed_player_shows_himself_in_older_boxes(edition: str) -> None:
    referee = after_the_last_rank("abbot", killed="abbot", edition=edition)
    assert referee.table.phase == "unmask"
    expect_refusal(referee, "unmask Ashley", "unmask.shown")


def test_in_deluxe_a_killed_player_without_an_heirs_right_stays_hidden() -> None:
    assert after_the_last_rank("abbot", killed="abbot").table.round == 2


@pytest.mark.parametrize("edition", BIG_BOXES)
@pytest.mark.parametrize("rank_4", ["king", "emperor"])
def test_the_queen_is_paid_beside_the_player_of_rank_4(edition: str, rank_4: str) -> None:
    for player, count in (("Anna", 5), ("Ashley", 5), ("Ben", 2)):
        referee = table("queen", rank_4, edition=edition, size=5, called=9, crown="Ben",
                        revealed={"Kurt": [rank_4]})  # fmt: skip
        referee.play(f"reveal {player}")
        assert referee.table.seats[NAMES.index(player)].gold == count


def test_the_queen_waits_for_a_killed_rank_4_until_he_is_known() -> None:
    """Anna, the Queen, sits beside Kurt and Zoë."""
    for king, count in (("Kurt", 5), ("Zoë", 5), ("Ben", 2), ("nobody", 2)):
        referee = after_the_last_rank(
            "queen", "emperor", killed="emperor", edition="ffg_2005", size=5,
            answers=("reveal Anna", "gold", "end"),
        )  # fmt: skip
        assert referee.table.phase == "unmask"
        assert gold(play(referee, f"unmask {king}"))[0] == count + 2


def test_a_killed_king_shown_by_the_hospital_pays_the_queen_once() -> None:
    referee = table("queen", edition="ffg_2005", size=5, killed="king", called=4,
                    players={"Kurt": {"city": ["hospital"]}}, faceup=[],
                    revealed={"Ashley": ["assassin"]})  # fmt: skip
    play(referee, "reveal Kurt", "gold", "end", *["nobody"] * 4, "reveal Anna")
    assert gold(referee)[0] == 5
    play(referee, "gold", "end")
    assert (gold(referee)[0], referee.table.crown, referee.table.round) == (7, 1, 2)
