"""`companion editions`: every box with its options, and what differs between two."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.commands.cli import main
from engine.editions import editions, switches
from tests.companion.past_games import json_of, lines_of, text_of

Capture = pytest.CaptureFixture[str]


def test_every_edition_is_listed_and_each_has_every_option(capsys: Capture) -> None:
    lines = lines_of(capsys, "editions")
    assert not [line for line in lines if line.startswith("Option ")]
    for edition in editions().values():
        assert f"{edition.id}: {edition.title}" in lines
        text = " ".join(lines_of(capsys, "editions", edition.id))
        for switch in switches().values():
            assert f"Option {switch.name}: {switch.question}" in text
            assert all(words in text for words in switch.values.values())


def test_one_edition(capsys: Capture) -> None:
    lines = lines_of(capsys, "editions", "millennium_3e")
    assert lines[:3] == [
        "millennium_3e: Citadelles, 3rd edition (Millennium)",
        "For 2 to 8 players.",
        "18 characters; 80 districts, 26 of them unique.",
    ]
    assert "First crown: drawn at random." in lines
    assert "Language: français." in lines
    assert "With the Witch, these stay in the box: Hospital." in lines
    place = lines.index("Option tie_break: How are ties broken?")
    assert lines[place + 1 : place + 3] == [
        "They aren't: the victory is shared "
        "(Millennium rulebook, End of the game, which has no tie-break).",
        "Values: highest_rank (the highest character rank of the last round), district_points "
        "(district points), gold (the gold left).",
    ]


def test_a_small_table_and_an_own_answer(capsys: Capture) -> None:
    lines = lines_of(capsys, "editions", "deluxe_2016")
    text = " ".join(lines)
    assert "Seven; with 2 or 3 players eight" in text
    assert "1 gold from one of them, chosen by the Abbot (Deluxe 2016 rulebook, Characters)" in text
    assert any(line.startswith("Cast vicious_nobles: Assassin, Thief, ") for line in lines)


def test_it_is_said_which_options_a_box_has_no_card_for(capsys: Capture) -> None:
    missing = "Its card is not in this box."
    assert missing in lines_of(capsys, "editions", "classic_2016")
    assert missing not in lines_of(capsys, "editions", "ffg_2005")


def test_options_are_given_as_they_are_listed(capsys: Capture) -> None:
    (edition,) = json_of(capsys, "editions", "brettspielwelt")
    assert edition["players"] == [4, 7]
    assert edition["districts"]["church"] == {"type": "religious", "cost": 2, "copies": 4}
    own = edition["options"]["strike_own_city"]
    assert own["answer"] is False
    assert own["own"] is True
    assert own["values"] == {"true": "yes", "false": "no"}
    assert own["source"] == "BrettspielWelt rules, Warlord"


# -- differences ----------------------------------------------------------------------------


def test_what_differs_between_two_boxes(capsys: Capture) -> None:
    lines = lines_of(capsys, "editions", "diff", "classic_2016", "brettspielwelt")
    assert lines[0] == (
        "Classic 2016: Citadels Classic (2016). BrettspielWelt: Ohne Furcht und Adel (2000)."
    )
    for line in (
        "Players. Classic 2016: 2 to 7; BrettspielWelt: 4 to 7.",
        "Language. Classic 2016: English; BrettspielWelt: français.",
        "Districts only in Classic 2016: Great Wall, Imperial Treasury and Map Room.",
        "Observatory, cost. Classic 2016: 4 gold; BrettspielWelt: 5 gold.",
        "Church, copies. Classic 2016: 3; BrettspielWelt: 4.",
        "Can the Warlord destroy a district in their own city? Classic 2016: yes; "
        "BrettspielWelt: no.",
    ):
        assert line in lines
    assert any(line.startswith("Laboratory, BrettspielWelt: ") for line in lines)


def test_two_cards_of_one_name_are_told_apart(capsys: Capture) -> None:
    lines = lines_of(capsys, "editions", "diff", "ffg_2005", "deluxe_2016")
    assert "Characters only in FFG 2005: Tax Collector (rank 2)." in lines
    assert "With 2 or 3 players: How many districts complete a city? In both: eight." in lines


def test_an_edition_does_not_differ_from_itself(capsys: Capture) -> None:
    for id_ in editions():
        assert lines_of(capsys, "editions", "diff", id_, id_)[1:] == ["They play exactly the same."]


@pytest.mark.parametrize(("one", "other"), list(combinations(editions(), 2)))
def test_every_switch_answered_differently_is_told(one: str, other: str, capsys: Capture) -> None:
    lines = lines_of(capsys, "editions", "diff", one, other)
    here, there = (editions()[id_].answers(5) for id_ in (one, other))
    for name, switch in switches().items():
        is_told = any(line.startswith(f"{switch.question} ") for line in lines)
        assert is_told == (here[name] != there[name])
    diff = json_of(capsys, "editions", "diff", one, other)
    assert diff["editions"] == [one, other]
    assert set(diff.get("switches", {})) == {n for n in here if here[n] != there[n]}


@pytest.mark.parametrize(("one", "other"), list(combinations(editions(), 2)))
def test_of_small_tables_only_what_larger_ones_do_not_share_is_told(
    one: str, other: str, capsys: Capture
) -> None:
    small_table = json_of(capsys, "editions", "diff", one, other).get("small_table", {})
    both = editions()[one], editions()[other]
    size = [[box.answers(players)["city_size"] for box in both] for players in (3, 5)]
    both_small = max(box.min_players for box in both) <= 3
    assert small_table == (
        {"city_size": size[0]} if both_small and size[1] in ([7, 8], [8, 7]) else {}
    )


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["classic_2061"], "did you mean “classic_2016”?"),
        (["diff", "classic_2016", "delux_2016"], "did you mean “deluxe_2016”?"),
        (["dif"], "did you mean “diff”?"),
        (["diff", "classic_2016"], "name two editions"),
        (["diff"], "name two editions"),
    ],
)
def test_what_is_no_edition(words: list[str], messages: str, capsys: Capture) -> None:
    assert main(["editions", *words]) == 2
    answer = capsys.readouterr()
    assert messages in answer.err
    assert answer.out == ""


def test_in_the_language_of_the_table(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "fr")
    assert "Condottiere" in text_of(capsys, "editions", "ffg_2005")
    assert "Cour des Miracles" in text_of(capsys, "editions", "diff", *list(editions())[:5:4])
