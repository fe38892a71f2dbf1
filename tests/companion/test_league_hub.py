"""The league at a hub: results, the judge's corrections, and what the hub publishes of it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.club import messages
from companion.club.league_files import Watched
from companion.club.ledger import COUNTED, WAITING, Ledger
from companion.commands.cli import main
from engine import record, views
from engine.referee import Referee
from tests.bench.many_games import play_setup
from tests.companion.past_games import Capture, json_of, lines_of

NAMES = ["Anna", "Ben", "Cleo", "Dan"]


def make_result(game: str, seed: int, names: list[str] = NAMES) -> dict[str, Any]:
    """The result of a whole game, as a table sends it."""
    chance = play_setup({"edition": "classic_2016", "players": names, "crown": names[0]}, seed)
    start = record.read({**chance.setup, "moves": chance.moves}).start
    referee = Referee(start)
    for move in chance.moves:
        referee.play(move)
    text = json.dumps({**chance.setup, "moves": chance.moves})
    return {
        "v": 1,
        "game": game,
        "hash": messages.find_hash(text),
        "at": "2026-11-24T20:00:00+00:00",
        "minutes": 90,
        "score": views.score_json(referee.table, final=True),
        "players": dict.fromkeys(names),
        "record": text,
    }


@pytest.fixture
def club(tmp_path: Path) -> str:
    """The folder of a hub that has taken two games of table t1, and a third of t2."""
    ledger = Ledger(str(tmp_path / "games.sqlite3"))
    for table, game, seed in (("t1", "a", 1), ("t1", "b", 2), ("t2", "a", 3)):
        assert ledger.take(table, make_result(game, seed)).state == COUNTED
    return str(tmp_path)


def test_the_standings_are_those_of_the_results(club: str, capsys: Capture) -> None:
    words = ("--folder", club)
    results = json_of(capsys, "club", "results", *words)
    assert [one["log"] for one in results] == ["2026-11-24-t1", "2026-11-24-t1-1", "2026-11-24-t2"]
    match = json_of(capsys, "club", "standings", *words)
    assert match["games"] == 3
    wins = {row["player"]: row["wins"] for row in match["players"]}
    assert wins == {name: sum(name in one["score"]["winners"] for one in results) for name in NAMES}
    assert json_of(capsys, "club", "stats", *words)["games"] == 3
    assert {"2026-11-24T18:30:00.000+00:00"} == {
        game["started"] for game in json_of(capsys, "club", "history", *words)
    }
    assert main(["club", "history", "--csv", *words]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {row["minutes"] for row in rows} == {"90"}
    places = [one["places"] for one in results]
    # the hub's log has the same, counted from the moves
    names = [game["winners"] for game in reversed(json_of(capsys, "club", "history", *words))]
    assert names == [[name for name in NAMES if place[name] == 1] for place in places]


def test_a_ranking_of_others_than_the_players_is_refused(club: str) -> None:
    ledger = Ledger(str(Path(club, "games.sqlite3")))
    for field in ("ranking", "winners"):
        result = make_result("c", 4)
        result["score"][field] = [*result["score"][field][:-1], "Nobody"]
        with pytest.raises(messages.MessageProblem):
            ledger.take("t1", result)


def test_a_player_keeps_the_results_under_another_name(club: str, capsys: Capture) -> None:
    words = ("--folder", club)
    lines_of(capsys, "club", "players", "add", *NAMES, *words)
    before = json_of(capsys, "club", "standings", *words)["players"]
    lines_of(capsys, "club", "players", "rename", "Dan", 'Däniel "x"', *words)
    after = json_of(capsys, "club", "standings", *words)["players"]
    assert {row["player"]: row["points"] for row in after} == {
        row["player"].replace("Dan", 'Däniel "x"'): row["points"] for row in before
    }
    lines_of(capsys, "club", "players", "remove", "4", *words)
    addition = json_of(capsys, "club", "players", "add", "Eva", *words)
    assert addition[-1]["number"] == 5  # 4 is in the results


def test_a_judge_corrects_a_result_and_everybody_sees_which(club: str, capsys: Capture) -> None:
    words = ("--folder", club)
    first = json_of(capsys, "club", "results", *words)[0]
    last = first["score"]["ranking"][-1]
    assert main(["club", "results", "correct", "1", f"{last.lower()}=99", *words]) == 2
    assert "give a --reason" in capsys.readouterr().err
    change = ("correct", "1", f"{last.lower()}=99", "--reason", "a city was counted twice")
    lines = lines_of(capsys, "club", "results", *change, *words)
    assert lines[0].endswith("Replaced.")
    assert lines[-1].startswith(f"4. t1, game a: {last} 99, ")
    assert lines[-1].endswith("Corrected by the judge: a city was counted twice")
    results = {
        row["player"]: row for row in json_of(capsys, "club", "standings", *words)["players"]
    }
    assert results[last]["total"] >= 99
    assert json_of(capsys, "club", "standings", *words)["games"] == 3
    assert main(["club", "results", "--csv", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 4 * len(NAMES)
    (entries,) = [row for row in rows if row["number"] == "4" and row["player"] == last]
    assert (entries["place"], entries["total"], entries["state"]) == ("1", "99", "counted")
    assert main(["club", "results", *change, *words]) == 1
    assert "result 1 does not count" in capsys.readouterr().err


def test_another_result_of_a_game_waits_and_replaces_the_game_too(
    club: str, capsys: Capture
) -> None:
    words = ("--folder", club)
    ledger = Ledger(str(Path(club, "games.sqlite3")))
    again = make_result("a", 7)
    assert ledger.take("t1", again).state == WAITING
    text = lines_of(capsys, "club", "results", *words)[-1]
    assert text.endswith("It waits for the judge: the table has sent another result of this game.")
    before = json_of(capsys, "club", "standings", *words)
    assert main(["club", "results", "accept", "1", *words]) == 1
    assert "result 1 does not wait for the judge" in capsys.readouterr().err
    lines_of(capsys, "club", "results", "accept", "4", *words)
    after = json_of(capsys, "club", "standings", *words)
    assert (before["games"], after["games"]) == (3, 3)
    assert json_of(capsys, "club", "stats", *words)["games"] == 3
    totals = {name: facts["total"] for name, facts in again["score"]["players"].items()}
    listing = json_of(capsys, "club", "history", *words)
    assert totals in [game["totals"] for game in listing]
    assert ledger.take("t1", again).state == COUNTED  # sent again: known


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["correct", "9", "Anna=3"], "there is no result with the number 9"),
        (["correct", "1", "Zoë=3", "--reason", "x"], "nobody called “Zoë” played this game"),
        (["correct", "1", "Anna=many", "--reason", "x"], "“many” is not a number from 0 to 999"),
        (["correct", "1", "Anna=9999", "--reason", "x"], "“9999” is not a number from 0 to 999"),
        (["corect", "1"], "write correct NUMBER NAME=POINTS"),
    ],
)
def test_what_a_judge_cannot_do_is_said(
    club: str, capsys: Capture, words: list[str], sentence: str
) -> None:
    assert main(["club", "results", *words, "--folder", club]) == 2
    assert sentence in capsys.readouterr().err


def test_games_that_came_otherwise_count_beside_the_results(
    club: str, capsys: Capture, tmp_path: Path
) -> None:
    other = make_result("c", 11)
    path = tmp_path / "evening.yaml"
    data = json.loads(other["record"])
    lines = [f"{key}: {json.dumps(value)}" for key, value in data.items() if key != "moves"]
    path.write_text("\n".join([*lines, "moves:", *(f"  - {move}" for move in data["moves"])]))
    assert json_of(capsys, "club", "standings", "--folder", club)["games"] == 3
    lines_of(capsys, "club", "import", str(path), "--folder", club)
    assert json_of(capsys, "club", "standings", "--folder", club)["games"] == 4


def test_a_hub_sees_what_is_edited_and_keeps_the_league_if_it_cannot_be_read(
    club: str, capsys: Capture
) -> None:
    watcher = Watched(club)
    assert watcher.renew()
    watcher.renew()  # the first time has counted the games, and so has changed the log
    assert not watcher.renew()
    assert watcher.standings is not None
    assert watcher.standings.games == 3
    assert watcher.drawn is None
    lines_of(capsys, "club", "players", "add", *NAMES, "--folder", club)
    json_of(capsys, "club", "draw", "--folder", club)
    assert watcher.renew()
    assert watcher.drawn is not None
    assert watcher.drawn.number == 1
    path = Path(club, "rounds", "1.yaml")
    whole = path.read_text()
    path.write_text(f"{whole}byes: [")
    assert not watcher.renew()
    assert "1.yaml:" in watcher.problem
    assert watcher.drawn is not None
    path.write_text(f"{whole}# as before\n")
    assert watcher.renew()
    assert watcher.problem == ""
