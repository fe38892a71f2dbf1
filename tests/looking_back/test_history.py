"""The games of a log: listed, searched and exported."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.game.demonstration import read_demo
from companion.game.session import Session
from companion.history import completing, games
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games
from tests.companion.talking import Talk


def test_history_lists_the_newest_first_and_what_is_not_over_without_a_result(
    log: str, capsys: Capture
) -> None:
    fill(log, random_games(3))
    name = begin(log, "Anna", "Kurt", "Ashley", "Ben")
    open_game, *value = json_of(capsys, "history")
    assert open_game == {
        "game": name,
        "started": open_game["started"],
        "ended": None,
        "edition": "classic_2016",
        "rounds": 1,
        "players": ["Anna", "Kurt", "Ashley", "Ben"],
        "winners": None,
        "totals": None,
    }
    assert [game["started"] for game in value] == sorted(
        (game["started"] for game in value), reverse=True
    )
    for game in value:
        best = max(game["totals"].values())
        assert all(game["totals"][winner] == best for winner in game["winners"])
    assert json_of(capsys, "stats")["games"] == 3
    assert name in lines_of(capsys, "history")[0]


def test_history_takes_games_by_player_box_and_day(log: str, capsys: Capture) -> None:
    fill(log, random_games(8))
    everything = json_of(capsys, "history")
    edition = everything[0]["edition"]
    only = json_of(capsys, "history", "--edition", edition)
    assert only == [game for game in everything if game["edition"] == edition]
    zoe = json_of(capsys, "history", "--player", "ZOË", "--player", "anna")
    assert zoe == [game for game in everything if {"Zoë", "Anna"} <= set(game["players"])]
    day = everything[3]["game"][:10]
    since = json_of(capsys, "history", "--since", day)
    until = json_of(capsys, "history", "--until", day)
    assert (len(since), len(until)) == (4, 5)
    assert json_of(capsys, "history", "--since", day, "--until", day) == [everything[3]]
    assert json_of(capsys, "stats", "--since", day, "--until", day)["games"] == 1
    assert json_of(capsys, "history", "--until", "1999-12-31") == []
    all_days = ("--since", "0001-01-01", "--until", "9999-12-31")
    assert json_of(capsys, "history", *all_days) == everything


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["history", "--since", "yesterday"], "not a date"),
        (["history", "--until", "2026-02-30"], "not a date"),
        (["history", "--edition", "classic_2061"], "did you mean “classic_2016”?"),
        (["history", "2026-11-22-1"], "no game has been saved yet"),
        (
            ["history", "2026-11-22-1", "--player", "Anna"],
            "is shown as its recap, with no other option than --json",
        ),
        (["stats", "Anan"], "no player called “Anan” has played here"),
    ],
)
def test_what_is_not_understood_is_said(words: list[str], sentence: str, capsys: Capture) -> None:
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("command", ["history", "stats", "players"])
def test_a_data_folder_that_is_a_file_is_not_an_empty_history(
    command: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("COMPANION_DATA", str(file))
    assert main([command]) == 2
    assert "part of the path is not a folder" in capsys.readouterr().err


def test_nothing_played_yet_is_an_empty_history_and_no_file(log: str, capsys: Capture) -> None:
    assert json_of(capsys, "history") == []
    assert json_of(capsys, "stats")["games"] == 0
    assert lines_of(capsys, "history") == ["No game has been played here yet."]
    assert lines_of(capsys, "history", "--since", "2026-11-22") == ["No games match."]
    assert lines_of(capsys, "players") == ["Nobody has played here yet."]
    assert not os.path.exists(log)


def test_a_game_by_its_name_is_its_recap(log: str, capsys: Capture) -> None:
    name = begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert lines_of(capsys, "history", name) == lines_of(capsys, "recap", name)
    recap = json_of(capsys, "recap", name)
    assert json_of(capsys, "history", name) == recap
    assert json_of(capsys, "history")[0]["started"] == recap["started"]
    assert (recap["over"], recap["ended"]) == (False, None)


def test_csv_has_a_row_for_each_player_and_no_formulas(log: str, capsys: Capture) -> None:
    game = next(random_games(1))
    fill(log, iter([game]))
    begin(log, "=1+1", 'Kurt, the "older"', "Ashley", "Ben")
    rows = list(csv.DictReader(lines_of(capsys, "history", "--csv")))
    names = [row["player"] for row in rows]
    assert names == ["'=1+1", 'Kurt, the "older"', "Ashley", "Ben", *game.setup["players"]]
    assert sum(int(row["total"]) for row in rows[4:]) == sum(
        player.total for player in game.digest.players
    )
    figures = list(csv.DictReader(lines_of(capsys, "stats", "--csv")))
    assert {"about": "games", "name": "", "character": "", "measure": "games", "value": "1"} in (
        figures
    )


def test_a_game_that_ends_while_others_count_it_is_counted_again(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = completing._count
    with Store(log) as store, Store(log) as other:
        session = Session.begin(store, read_demo().setup)
        *moves, last = read_demo().moves
        for move in moves:
            session.play(move)

        def count_and_finish(*arguments: Any) -> Any:
            counted = count(*arguments)
            session.play(last)
            return counted

        monkeypatch.setattr(completing, "_count", count_and_finish)
        games.read_all(other)
        monkeypatch.undo()
        assert [game.over for game in games.read_all(other)] == [True]
        session.close()


def test_the_games_begun_last_are_those_told_first(log: str) -> None:
    fill(log, random_games(5))
    with Store(log) as store:
        everything = games.read_all(store)
        assert games.read_all(store, most=3) == everything[:3]


def test_games_and_statistics_are_told_in_the_conversation(
    log: str, home: Path, capsys: Capture
) -> None:
    fill(log, random_games(3))
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    lines = talk.line("results")
    assert [line.partition(":")[0] for line in lines][1:] == [
        "2001-01-04-1", "2001-01-03-1", "2001-01-02-1",
    ]  # fmt: skip
    assert talk.line("results 1") == lines[:1]
    assert talk.line("stats")[0] == "3 finished games."
    assert any(line.startswith("Anna as ") for line in talk.line("stats Anna"))
    recap = talk.line("results 2001-01-02-1")
    assert recap == lines_of(capsys, "history", "2001-01-02-1")[: len(recap)]
    assert "no saved game is called x" in talk.line("results x")[0]
    assert talk.line("stats Nemo") == ["no player called “Nemo” has played here"]
    talk.close()


def test_what_lists_earlier_games_is_told_when_there_are_more(log: str, home: Path) -> None:
    fill(log, random_games(20))
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    *told, last = talk.line("results")
    assert len(told) == 20
    assert last == "companion history lists earlier games."
    assert talk.line("results 20") == told
    talk.close()


def test_a_game_of_another_version_is_listed_and_not_replayed(log: str, home: Path) -> None:
    name = begin(log, "Anna", "Kurt", "Ashley", "Ben")
    with Store(log) as store:
        game = store.find_last_game()
        assert game is not None
        store.append(game, "move", "build temple")  # as another version may have allowed
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    assert "another version of the companion" in talk.line("results")[1]
    assert f"game {name} can't be replayed here" in talk.line(f"results {name}")[0]
    talk.close()
