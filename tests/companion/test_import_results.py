"""Plays of which only the result is known, from a table and from BG Stats, are imported once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.log.store import Store
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games

TABLE = """\
game,started,edition,minutes,player,total
1,2024-03-01 20:15,classic_2016,70,Anna,24
1,2024-03-01 20:15,classic_2016,70,Kurt,31
2,2024-03-01 21:40,,,Kurt,19
2,2024-03-01 21:40,,,Zoë,19
"""


def score(player: int, points: str, **more: Any) -> dict[str, Any]:
    return {"playerRefId": player, "score": points, "winner": False, "seatOrder": player} | more


PLAY = {
    "uuid": "6E6A1C6F",
    "gameRefId": 1,
    "playDate": "2023-05-05 18:30:00",
    "durationMin": 65,
    "rounds": 9,
    "ignored": False,
    "playerScores": [
        score(2, "18+6", startPlayer=True),
        score(1, "24", winner=True),
        score(3, "7"),
    ],
}
EXPORT = {
    "about": "BGStats",
    "games": [
        {"id": 1, "bggId": 205398, "name": "Citadels"},
        {"id": 2, "bggId": 13, "name": "Catan"},
    ],
    "players": [
        {"id": 1, "name": "Anna"},
        {"id": 2, "name": "Kurt"},
        {"id": 3, "name": "Anonymous player", "isAnonymous": True},
    ],
    "plays": [
        PLAY,
        PLAY | {"uuid": "2", "gameRefId": 2, "playerScores": []},
        PLAY | {"uuid": "3", "playDate": "2023-05-06 18:30:00", "ignored": True},
    ],
}


@pytest.fixture
def table(home: Path) -> Path:
    file = home / "plays.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


@pytest.fixture
def export(home: Path) -> Path:
    file = home / "BGStatsExport.json"
    file.write_text(json.dumps(EXPORT), encoding="utf-8")
    return file


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_table_brings_results(log: str, table: Path, sign: str, capsys: Capture) -> None:
    table.write_text("\ufeff" + TABLE.replace(",", sign), encoding="utf-8")
    assert json_of(capsys, "import", str(table))["added"] == 2
    second, first = json_of(capsys, "history")
    assert first["totals"] == {"Anna": 24, "Kurt": 31}
    assert (first["winners"], second["winners"]) == (["Kurt"], ["Kurt", "Zoë"])
    stats = json_of(capsys, "stats")
    kurt = stats["players"]["Kurt"]
    assert (kurt["games"], kurt["wins"], kurt["average"], kurt["streak"]) == (2, 2, 25, 2)
    records = {record["record"]: record["value"] for record in stats["records"]}
    assert (records["highest_score"], records["longest_game"]) == (31, 70)
    assert not {"fewest_rounds", "most_expensive_city"} & records.keys()
    assert stats["editions"]["classic_2016"]["rounds"] == 0
    assert "2 games, 23.2 points on average." in "\n".join(lines_of(capsys, "stats"))
    assert lines_of(capsys, "history")[1].endswith("Kurt wins. 70 minutes.")


def test_results_come_once_even_after_a_new_name(
    log: str, table: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    json_of(capsys, "import", str(table))
    lines_of(capsys, "players", "rename", "Kurt", "Max")
    answer = json_of(capsys, "import", str(table))
    assert (answer["added"], answer["known"]) == (0, 2)
    file = home / "all.citadels"
    lines_of(capsys, "export", str(file))
    history = json_of(capsys, "history")
    monkeypatch.setenv("COMPANION_DATA", str(home / "elsewhere"))
    assert json_of(capsys, "import", str(file))["added"] == 2
    assert json_of(capsys, "history") == history
    assert json_of(capsys, "import", str(file))["known"] == 2


def test_our_own_table_comes_back_elsewhere_and_not_here(
    log: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    fill(log, random_games(6))
    history, stats = json_of(capsys, "history"), json_of(capsys, "stats")
    with Store(log) as store:  # a game without an end has no result to bring
        store.begin_game({"edition": "classic_2016", "players": ["Anna", "Kurt"], "crown": "Kurt"})
    file = home / "history.csv"
    file.write_text("\n".join(lines_of(capsys, "history", "--csv")), encoding="utf-8")
    assert json_of(capsys, "import", str(file))["known"] == 6
    monkeypatch.setenv("COMPANION_DATA", str(home / "elsewhere"))
    assert json_of(capsys, "import", str(file))["added"] == 6
    there = json_of(capsys, "history")
    for part in ("started", "rounds", "players", "totals", "winners", "edition"):
        assert [game[part] for game in there] == [game[part] for game in history]
    for name, sums in json_of(capsys, "stats")["players"].items():
        for part in ("games", "wins", "average", "place", "best", "streak"):
            assert sums[part] == stats["players"][name][part]


def test_plays_of_this_game_come_from_bg_stats(log: str, export: Path, capsys: Capture) -> None:
    assert json_of(capsys, "import", str(export))["added"] == 2
    assert json_of(capsys, "import", str(export))["known"] == 2
    value, game = json_of(capsys, "history")
    assert game["started"] == "2023-05-05T18:30:00.000+00:00"
    assert (game["edition"], game["rounds"]) == ("deluxe_2016", 9)
    assert game["totals"] == {"Anna": 24, "Kurt": 24, "Anonymous player": 7}
    assert game["winners"] == ["Anna"]  # as the app says, whatever broke the tie
    stats = json_of(capsys, "stats")
    assert stats["games"] == 1, "the app does not count the other"
    assert stats["players"]["Kurt"]["place"] == 2
    lines_of(capsys, "history", "--take-in", value["game"])
    assert json_of(capsys, "stats")["games"] == 2


@pytest.mark.parametrize("command", ["record", "replay", "score", "recap", "bgstats", "history"])
def test_a_result_has_no_moves_to_play(
    log: str, table: Path, command: str, capsys: Capture
) -> None:
    json_of(capsys, "import", str(table))
    game = json_of(capsys, "history")[0]["game"]
    assert main([command, game]) == 1
    output = capsys.readouterr()
    assert "was imported without moves" in output.err
    assert not output.out


def test_bg_stats_gets_played_games_only(log: str, table: Path, capsys: Capture) -> None:
    fill(log, random_games(1))
    (game,) = json_of(capsys, "history")
    json_of(capsys, "import", str(table))
    assert {one["name"] for one in json_of(capsys, "bgstats")["players"]} == {*game["players"]}
    assert len(json_of(capsys, "bgstats", "--unsent")) == 1
    assert capsys.readouterr().err == ""


def test_a_result_that_is_forgotten_and_removed(log: str, table: Path, capsys: Capture) -> None:
    json_of(capsys, "import", str(table))
    lines_of(capsys, "players", "forget", "Kurt")
    assert json_of(capsys, "history")[0]["winners"] == ["Somebody", "Zoë"]
    lines_of(capsys, "history", "--remove", json_of(capsys, "history")[0]["game"], "--force")
    assert json_of(capsys, "stats")["games"] == 1


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ("Kurt,31", "Kurt,many", ":3: “many” is not a number"),
        ("player", "who", ":1: the column player is missing"),
        ("Kurt,31", "Anna,31", ":2: two players have the same name"),
        ("2024-03-01 21:40", "yesterday", ":4: “yesterday” is not a day"),
        ("2024-03-01 21:40", "2999-03-01", ":4: the play is in the future"),
        ("classic_2016", "classic_2061", ":2: there is no edition called “classic_2061”"),
        ("2,2024-03-01 21:40,,,Zoë,19\n", "", ":4: classic_2016 is for 2 to 7 players, not for 1"),
        ("Zoë", "nobody", ":5: “nobody” can't be a player's name"),
        ("Zoë", "\x1b[2J", ":5: "),
        (",,,Zoë,19", "", ":5: the row is too short"),
        (",2024-03-01 21:40,,,Zoë,19", "", ":5: “” is not a day"),
    ],
)
def test_a_wrong_table_is_refused_whole(
    log: str, table: Path, was: str, now: str, sentence: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    before = Path(log).read_bytes()
    table.write_text(TABLE.replace(was, now), encoding="utf-8")
    assert main(["import", str(table)]) == 1
    err = capsys.readouterr().err
    assert f"{table}{sentence}" in err
    assert "Nothing was imported." in err
    assert "\x1b" not in err
    assert Path(log).read_bytes() == before


def test_every_row_that_is_wrong_is_named(log: str, table: Path, capsys: Capture) -> None:
    table.write_text(TABLE.replace(",24", ",x").replace(",19", ",y"), encoding="utf-8")
    assert main(["import", str(table)]) == 1
    err = capsys.readouterr().err
    assert [f":{line}: “" in err for line in range(2, 6)] == [True, False, True, True]


@pytest.mark.parametrize(
    ("play", "sentence"),
    [
        ({"playerScores": [score(1, ""), score(2, "7")]}, "Anna has no score"),
        ({"playerScores": [score(9, "5"), score(2, "7")]}, "incomplete or damaged"),
        ({"playerScores": None}, "incomplete or damaged"),
        ({"playDate": "soon"}, "incomplete or damaged"),
        ({"playerScores": [score(1, "9"), score(1, "7")]}, "same name"),
    ],
)
def test_a_wrong_export_is_refused_whole(
    log: str, export: Path, play: dict[str, Any], sentence: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    before = Path(log).read_bytes()
    plays = [*EXPORT["plays"], PLAY | {"uuid": "4"} | play]
    export.write_text(json.dumps(EXPORT | {"plays": plays}), encoding="utf-8")
    assert main(["import", str(export)]) == 1
    assert sentence in capsys.readouterr().err
    assert Path(log).read_bytes() == before


@pytest.mark.parametrize("text", ["{", "{}", '{"games": 1}', "{" + '"a":[' * 5000, "{\xff"])
def test_no_export_at_all_is_one_sentence(
    log: str, export: Path, text: str, capsys: Capture
) -> None:
    export.write_text(text, encoding="latin-1")
    assert main(["import", str(export)]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err
