"""Only counting the points: three words in lines, what is asked, and what history keeps of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.companion.listening import companion, complaints

pytestmark = pytest.mark.outer

CITY = "temple church monastery cathedral manor castle palace"


def told(*lines: str, box: str = "classic_2016") -> list[str]:
    """What is said while these lines are typed into a new set-up."""
    result = companion(
        *("play", "--plain", "--reader", "none", "--edition", box),
        stdin="".join(f"{line}\n" for line in lines),
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


@pytest.mark.usefixtures("home")
def test_names_and_cities_are_enough_where_nothing_is_tied(tmp_path: Path) -> None:
    cities = [f"city Anna {CITY} tavern", "counted", f"city Ben {CITY} market", "counted"]
    said = told(
        *("count", "Anna, Ben, Kurt", "who", "crown", *cities),
        *("imperial treasury", "map room", "counted", "3", "2", "complete Kurt", "complete Ben"),
    )
    doors = next(line for line in said if line.startswith("Type play"))
    assert "explain" in doors
    assert "count" in doors
    assert "Only the points: first the names, then everybody's city." in said
    questions = [line for line in said if line.endswith("?")]
    asked = [*dict.fromkeys(questions)]
    assert asked[-3:] == [
        "Kurt. How much gold have you left?",
        "Kurt. How many cards score for the Map Room?",
        "Whose city was complete first?",
    ]
    assert "Refused: Kurt's city isn't complete." in said
    assert not any("Shuffle" in line or "crown" in line.lower() for line in said)
    assert said[-1] == "The game is over."
    assert complaints(said) == []
    (game,) = json.loads(companion("history", "--json").stdout)
    assert game["rounds"] is None
    assert game["totals"] == {"Anna": 26, "Ben": 29, "Kurt": 15}
    assert "rounds" not in companion("stats").stdout
    assert "Only the end of this game was noted." in companion("recap").stdout
    for words in ([], ["--position"]):
        record = tmp_path / "noted.yaml"
        record.write_text(companion("record", *words).stdout, encoding="utf-8")
        score = json.loads(companion("score", str(record), "--json").stdout)
        assert {name: one["total"] for name, one in score["players"].items()} == game["totals"]
        assert score["final"]


@pytest.mark.usefixtures("home")
def test_a_tie_asks_those_who_lead_for_their_last_characters() -> None:
    said = told(
        *("count", "Anna, Ben, Kurt", "temple", "done", "manor", "end", "barracks"),
        *("counted", "4", "9", "8"),
    )
    assert "Ben. A tie! Who was your last character?" in said
    assert "Anna. A tie! Who was your last character?" not in said
    assert "Ben: King." in said
    assert any(line.startswith("Refused: There is no choice 9") for line in said)
    tie = "The highest character rank of the last round decides the tie for Kurt."
    assert tie in companion("score").stdout.splitlines()


@pytest.mark.usefixtures("home")
def test_the_words_choose_and_names_alone_play() -> None:
    assert "Anna. Discard 2 characters face up." in told(
        "count", "play", "Anna, Ben, Kurt, Lea", ""
    )
    said = told("no", "explain", "Anna, Ben, Kurt, Lea", "")
    assert "Lessons: in the first round, each character is explained when it is called." in said
    assert any(line.startswith("Lesson: ") for line in said)


@pytest.mark.usefixtures("home")
def test_no_cast_is_asked_and_every_unique_district_of_the_box_may_be_in_a_city() -> None:
    typed = ("count", "Anna, Ben", "Ben", "basilica", "statue", "counted", "tavern", "counted")
    said = told(*typed, box="deluxe_2016")
    assert not any("Which characters" in line for line in said)
    assert "5 points for the Statue." in said  # for the crown at the end, asked before the cities
    assert complaints(said) == []
    assert said[-1] == "The game is over."
