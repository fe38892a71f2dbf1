"""`companion season`: the standings of a log."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.history import people
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, json_of, lines_of, random_games
from tests.companion.talking import Talk


def points_by_hand(games: list[dict], names: set[str]) -> dict[str, float]:
    """Points as the history's totals give them, one for each player behind; of games without ties
    of places."""
    points = dict.fromkeys(names, 0.0)
    for game in games:
        for name, total in game["totals"].items():
            points[name] += sum(other < total for other in game["totals"].values())
            level = sum(other == total for other in game["totals"].values()) - 1
            points[name] += level / 2
    return points


def test_the_ranking_agrees_with_the_list_of_games(log: str, capsys: Capture) -> None:
    fill(log, random_games(10))
    games = json_of(capsys, "history")
    season = json_of(capsys, "season")
    assert season["games"] == 10
    rows = {row["player"]: row for row in season["players"]}
    everybody = {name for game in games for name in game["players"]}
    assert rows.keys() == everybody
    for name, row in rows.items():
        assert row["games"] == sum(name in game["players"] for game in games)
        assert row["wins"] == sum(name in game["winners"] for game in games)
        assert row["total"] == sum(game["totals"].get(name, 0) for game in games)
    # tie-breaks separate some equal totals, so only the sums are exact
    by_hand = points_by_hand(games, everybody)
    assert sum(row["points"] for row in rows.values()) == sum(by_hand.values())
    assert all(abs(rows[name]["points"] - by_hand[name]) <= 3 for name in everybody)
    players = [row["player"] for row in season["players"]]
    lines = [line for line in lines_of(capsys, "season") if line[0].isdecimal() and ". " in line]
    assert [line.partition(". ")[2].partition(":")[0] for line in lines] == players


def test_a_span_of_days_chooses_the_games(
    log: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(log, random_games(6))
    days = sorted(game["started"][:10] for game in json_of(capsys, "history"))
    assert json_of(capsys, "season", "--since", days[2], "--until", days[4])["games"] == 3
    assert json_of(capsys, "season", "--since", days[0])["games"] == 6
    assert lines_of(capsys, "season", "--since", "2999-01-01") == ["No finished game counts yet."]


def test_points_are_those_of_the_table(
    log: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(log, random_games(6))
    monkeypatch.setenv("COMPANION_POINTS", "100 0")
    first = json_of(capsys, "season")["players"]
    assert sum(row["points"] for row in first) == 600
    monkeypatch.setenv("COMPANION_POINTS", "7")
    assert json_of(capsys, "season")["points"] == [7]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--best", "3"], "use: companion season"),
        (["--since", "yesterday"], "“yesterday” is not a date"),
        (["--points", "3,2,5"], "use: COMPANION_POINTS=10,6,3,1 companion season"),
        (["--player", "Anna"], "use: companion history --player NAME"),
    ],
)
def test_what_cannot_be_used_is_refused(
    log: str, capsys: Capture, words: list[str], sentence: str
) -> None:
    fill(log, random_games(1))
    assert main(["season", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_games_left_out_and_forgotten_people_do_not_count(log: str, capsys: Capture) -> None:
    fill(log, random_games(4))
    before = json_of(capsys, "season")
    newest = json_of(capsys, "history")[0]["game"]
    lines_of(capsys, "history", "--leave-out", newest)
    assert json_of(capsys, "season")["games"] == 3
    lines_of(capsys, "history", "--take-in", newest)
    assert json_of(capsys, "season") == before
    somebody = before["players"][0]["player"]
    with Store(log) as store:
        people.forget(store, somebody)
    after = json_of(capsys, "season")
    assert [row["player"] for row in after["players"]] == [
        row["player"] for row in before["players"][1:]
    ]
    assert [row["points"] for row in after["players"]] == [
        row["points"] for row in before["players"][1:]
    ]


def test_the_table_for_a_spreadsheet_has_the_same_figures(log: str, capsys: Capture) -> None:
    fill(log, random_games(5))
    season = json_of(capsys, "season")
    assert main(["season", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["player"], float(row["points"])) for row in rows] == [
        (row["player"], row["points"]) for row in season["players"]
    ]


def test_the_table_asks_for_its_season(
    log: str, home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(log, random_games(3))
    monkeypatch.setenv("COMPANION_POINTS", "7")
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    assert talk.line("season") == lines_of(capsys, "season")
