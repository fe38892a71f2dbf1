"""The league at a hub: results, the judge's corrections, and what the hub publishes of it."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.extensions.club import messages
from companion.extensions.club.league_files import WatchedLeague
from companion.extensions.club.results import Result, correct, list_results, take
from companion.log import StoreError
from companion.log.store import Store
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
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, game)),
        "hash": messages.find_hash(text),
        "at": "2026-11-24T20:00:00+00:00",
        "minutes": 90,
        "score": views.score_json(referee.table, final=True),
        "players": dict.fromkeys(names),
        "record": text,
    }


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a hub that has taken two games of table t1, and a third of t2."""
    results = Store(str(tmp_path / "games.sqlite3"))
    for table, game, seed in (("t1", "a", 1), ("t1", "b", 2), ("t2", "a", 3)):
        assert take(results, table, make_result(game, seed)).reason == ""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return str(tmp_path)


@pytest.mark.parametrize("words", ["results", "standings", "players add Zoe"])
def test_what_a_club_s_command_reads_back_is_told(words: str, club: str, capsys: Capture) -> None:
    log = Path(club, "games.sqlite3")
    with Store(str(log)) as store:
        store.copy()
    log.unlink()
    assert main(["club", *words.split()]) == 0
    assert capsys.readouterr().err.count("were read back from the copy") == 1


@pytest.mark.looking_back
@pytest.mark.usefixtures("club")
def test_the_standings_are_those_of_the_results(capsys: Capture) -> None:
    results = json_of(capsys, "club", "results")
    names = ["2026-11-24-t1", "2026-11-24-t1-1", "2026-11-24-t2"]
    assert [one["game"] for one in results] == names
    standings = json_of(capsys, "club", "standings")
    assert standings["games"] == 3
    wins = {row["player"]: row["wins"] for row in standings["players"]}
    assert wins == {name: sum(name in one["score"]["winners"] for one in results) for name in NAMES}
    assert json_of(capsys, "stats")["games"] == 3
    assert {"2026-11-24T18:30:00.000+00:00"} == {
        game["started"] for game in json_of(capsys, "history")
    }
    assert main(["history", "--csv"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {row["minutes"] for row in rows} == {"90"}
    places = [one["places"] for one in results]
    # the hub's log has the same, counted from the moves
    names = [game["winners"] for game in reversed(json_of(capsys, "history"))]
    assert names == [[name for name in NAMES if place[name] == 1] for place in places]


def test_a_ranking_of_others_than_the_players_is_refused(club: str) -> None:
    results = Store(str(Path(club, "games.sqlite3")))
    for field in ("ranking", "winners"):
        result = make_result("c", 4)
        result["score"][field] = [*result["score"][field][:-1], "Nobody"]
        with pytest.raises(messages.MessageProblem):
            take(results, "t1", result)


def test_a_player_keeps_the_results_under_another_name(club: str, capsys: Capture) -> None:
    lines_of(capsys, "club", "players", "add", *NAMES)
    before = json_of(capsys, "club", "standings")["players"]
    lines_of(capsys, "club", "players", "rename", "Dan", 'Däniel "x"')
    after = json_of(capsys, "club", "standings")["players"]
    assert {row["player"]: row["points"] for row in after} == {
        row["player"].replace("Dan", 'Däniel "x"'): row["points"] for row in before
    }
    lines_of(capsys, "club", "players", "remove", "4")
    addition = json_of(capsys, "club", "players", "add", "Eva")
    assert addition[-1]["number"] == 5  # 4 is in the results


def test_a_judge_corrects_a_result_and_everybody_sees_why(club: str, capsys: Capture) -> None:
    first = json_of(capsys, "club", "results")[0]
    last = first["score"]["ranking"][-1]
    assert main(["club", "results", "correct", first["game"], f"{last.lower()}=99"]) == 2
    assert "give a --reason" in capsys.readouterr().err
    for points, reason in (("98", "a city was counted twice"), ("99", "and once more")):
        change = ("correct", first["game"], f"{last.lower()}={points}", "--reason", reason)
        lines = lines_of(capsys, "club", "results", *change)
        assert len(lines) == 3
        assert lines[0].startswith(f"2026-11-24-t1, at t1: {last} {points}, ")
        assert lines[0].endswith(f"Corrected by the judge: {reason}")
    rows = {row["player"]: row for row in json_of(capsys, "club", "standings")["players"]}
    assert rows[last]["total"] >= 99


@pytest.mark.looking_back
def test_a_result_that_its_table_changed_replaces_the_tables_own(
    club: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = Store(str(Path(club, "games.sqlite3")))
    before = list_results(results)
    again = make_result("a", 7)
    result = take(results, "t1", again)
    assert list_results(results) == [result, *before[1:]]
    assert (result.game, result.uuid, result.score) == (
        *(before[0].game, before[0].uuid, again["score"]),
    )
    assert take(results, "t1", again) == result  # sent again: known
    monkeypatch.setenv("COMPANION_DATA", club)
    totals = {name: facts["total"] for name, facts in again["score"]["players"].items()}
    assert json_of(capsys, "stats")["games"] == 3
    games = {game["game"]: game["totals"] for game in json_of(capsys, "history")}
    assert games[result.game] == totals  # the log was played on


def test_a_tables_change_leaves_a_correction(club: str) -> None:
    results = Store(str(Path(club, "games.sqlite3")))
    first = list_results(results)[0]
    correct(results, first.number, dict.fromkeys(NAMES, 7), "agreed")
    result = take(results, "t1", make_result("a", 7))
    assert (result.reason, {*result.places.values()}) == ("agreed", {1})
    assert result.hash == make_result("a", 7)["hash"]
    correct(results, first.number, dict.fromkeys(NAMES, 8), "no, eight")
    assert list_results(results)[0].score["players"]["Anna"]["total"] == 8


def test_two_tables_may_have_the_same_game(club: str) -> None:
    results = Store(str(Path(club, "games.sqlite3")))  # a folder that was copied
    result = take(results, "t3", make_result("a", 1))
    assert len(list_results(results)) == 4
    assert list_results(results)[0] != result


def test_a_game_that_cannot_be_played_here_counts_as_it_was_scored(club: str) -> None:
    results = Store(str(Path(club, "games.sqlite3")))
    message = make_result("own", 5)
    record_ = json.loads(message["record"])
    record_["moves"].insert(0, "build a card of that table's own")
    text = json.dumps(record_)
    message |= {"record": text, "hash": messages.find_hash(text)}
    result = take(results, "t1", message)
    assert result.score == message["score"]
    assert len(list_results(results)) == 4
    for field in (
        {"players": ["Anna"]},
        {"moves": [1]},
        {"moves": "all"},
        {"edition": 1},
        {"edition": "\ud800"},
    ):
        text = json.dumps(record_ | field)
        with pytest.raises(messages.MessageProblem):
            take(results, "t1", message | {"record": text, "hash": messages.find_hash(text)})


def test_a_table_from_before_uuids_is_known_by_the_name_of_its_game(club: str) -> None:
    results = Store(str(Path(club, "games.sqlite3")))
    message = make_result("old", 5)
    uuid_ = message.pop("uuid")
    result = take(results, "t1", message)
    assert take(results, "t1", message) == result
    renewed = take(results, "t1", make_result("old", 6))  # once its companion is of today
    assert (renewed.number, renewed.uuid) == (result.number, uuid_)
    another = take(
        results, "t1", make_result("old", 5, ["Eve", *NAMES[1:]]) | {"uuid": str(uuid.uuid4())}
    )
    assert another.number != result.number


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["correct", "2026-11-24-t3", "Anna=3"], "did you mean “2026-11-24-t2”?"),
        (["correct", "1", "Zoë=3", "--reason", "x"], "nobody called “Zoë” played this game"),
        (["correct", "1", "Anna=many", "--reason", "x"], "“many” is not a number from 0 to 999"),
        (["correct", "1", "Anna=9999", "--reason", "x"], "“9999” is not a number from 0 to 999"),
        (["corect", "1"], "unknown word “corect”; did you mean “correct”?"),
    ],
)
def test_what_a_judge_cannot_do_is_said(
    club: str, capsys: Capture, words: list[str], sentence: str
) -> None:
    assert main(["club", "results", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_games_that_came_otherwise_count_beside_the_results(
    club: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_result("c", 11)
    path = tmp_path / "evening.yaml"
    data = json.loads(other["record"])
    lines = [f"{key}: {json.dumps(value)}" for key, value in data.items() if key != "moves"]
    path.write_text("\n".join([*lines, "moves:", *(f"  - {move}" for move in data["moves"])]))
    assert json_of(capsys, "club", "standings")["games"] == 3
    lines_of(capsys, "import", str(path))
    assert json_of(capsys, "club", "standings")["games"] == 4


def test_a_hub_sees_what_is_edited_and_keeps_the_league_if_it_cannot_be_read(
    club: str, capsys: Capture
) -> None:
    watcher = WatchedLeague(club)
    assert watcher.renew()
    watcher.renew()  # the first time has counted the games, and so has changed the log
    assert not watcher.renew()
    assert watcher.standings is not None
    assert watcher.standings.games == 3
    assert watcher.drawn is None
    lines_of(capsys, "club", "players", "add", *NAMES)
    json_of(capsys, "club", "draw")
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


def test_a_mistake_is_over_once_its_file_is_gone_and_told_if_made_again(club: str) -> None:
    watcher = WatchedLeague(club)
    assert watcher.renew()
    watcher.renew()  # the first time has counted the games, and so has changed the log
    path = Path(club, "rounds", "1.yaml")
    path.parent.mkdir()
    for _ in range(2):
        path.write_text("byes: [")
        assert not watcher.renew()
        assert "1.yaml:" in watcher.problem
        path.unlink()
        assert not watcher.renew()
        assert watcher.problem == ""


def test_a_file_that_could_not_be_read_for_a_moment_is_read_again(club: str) -> None:
    path = Path(club, "league.yaml")
    path.write_text("size: 6\n")
    status = path.stat()
    times = status.st_atime_ns, status.st_mtime_ns
    watcher = WatchedLeague(club)
    path.write_text("size: 0\n")  # what a failing disk gives
    os.utime(path, ns=times)
    watcher.renew()
    assert "league.yaml:" in watcher.problem
    assert len(watcher.results) == 3
    path.write_text("size: 6\n")
    os.utime(path, ns=times)
    assert watcher.renew()
    assert watcher.problem == ""


def test_a_log_that_could_not_be_read_for_a_moment_is_read_again(club: str) -> None:
    watcher = WatchedLeague(club)
    assert watcher.renew()
    assert len(watcher.results) == 3
    take(Store(str(Path(club, "games.sqlite3"))), "t2", make_result("d", 4))
    log = Path(club, "games.sqlite3")
    away = log.rename(f"{log}.away")
    log.mkdir()
    Path(club, "league.yaml").write_text("size: 6\n")
    with pytest.raises(StoreError):
        watcher.renew()
    log.rmdir()
    away.rename(log)
    assert watcher.renew()
    assert len(watcher.results) == 4


_FORMER = """
CREATE TABLE club_results (
    number INTEGER PRIMARY KEY, place TEXT NOT NULL, game TEXT NOT NULL, hash TEXT NOT NULL,
    at TEXT NOT NULL, message TEXT NOT NULL, state TEXT NOT NULL, note TEXT NOT NULL DEFAULT '',
    log TEXT NOT NULL DEFAULT '', UNIQUE (place, game, hash)
) STRICT
"""


def make_former(folder: str, *later: tuple[str, dict[str, Any], str, str]) -> list[Result]:
    """Give the folder the tables of before: its results, then those of t1's game a that came later
    (the state of the first, its message without what the hub adds, its own state and its note)."""
    path = str(Path(folder, "games.sqlite3"))
    results = list_results(Store(path))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(_FORMER)
        stored: list[tuple[Any, ...]] = [
            (one.table, one.name, one.hash, one.at, one, "counted", "", one.game) for one in results
        ]
        for before, message, state, note in later:
            stored[0] = (*stored[0][:5], before, *stored[0][6:])
            stored.append(
                ("t1", "a", message["hash"], message["at"], message, state, note, results[0].game)
            )
        for place, name, hash_, at, facts, *rest in stored:
            known = facts._asdict() if isinstance(facts, Result) else facts
            keys = ("score", "players", "places", "record", "minutes")
            text = json.dumps({key: known[key] for key in keys if key in known})
            query = "INSERT INTO club_results (place, game, hash, at, message, state, note, log)"
            row = place, name, hash_, at, text, *rest
            connection.execute(f"{query} VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.execute("DROP TABLE results")
        connection.execute("DROP TABLE corrections")
    return results


def test_the_results_of_a_folder_of_before_are_read_once(club: str) -> None:
    before = make_former(club)
    results = Store(str(Path(club, "games.sqlite3")))
    assert list_results(results) == [one._replace(uuid=one.name) for one in before]
    again = take(results, "t1", make_result("a", 1))
    assert (again.number, len(list_results(results))) == (before[0].number, 3)
    with closing(sqlite3.connect(results.path)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM club_results").fetchone()
    assert count == 3  # what an older companion would need is left


def test_a_correction_of_before_stays_and_what_waited_for_the_judge_is_the_tables_own(
    club: str,
) -> None:
    first = list_results(Store(str(Path(club, "games.sqlite3"))))[0]
    totals = {name: {"total": 50 + place} for place, name in enumerate(NAMES)}
    score = {**first.score, "players": totals, "ranking": NAMES[::-1], "winners": ["Dan"]}
    fix = {**first._asdict(), "hash": "0" * 64, "score": score}
    waiting = make_result("a", 7)
    make_former(
        club, ("replaced", fix, "counted", "miscounted"), ("replaced", waiting, "waiting", "")
    )
    results = Store(str(Path(club, "games.sqlite3")))
    result = list_results(results)[0]
    assert (result.reason, result.hash) == ("miscounted", waiting["hash"])
    assert result.score["players"]["Dan"]["total"] == 53
    assert json.loads(waiting["record"])["moves"] == results.load(result.number).moves
    assert take(results, "t1", waiting) == result


def test_what_a_judge_has_turned_down_does_not_come_back(club: str) -> None:
    rejected = make_result("a", 7)
    before = make_former(club, ("counted", rejected, "rejected", "no"))
    results = Store(str(Path(club, "games.sqlite3")))
    assert list_results(results)[0].score == before[0].score
    assert take(results, "t1", rejected).score == before[0].score
