"""A club's league: its list, rounds, byes and standings, by the commands a club types."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.extensions.club import league, league_files
from companion.extensions.club.league import League, Round
from companion.extensions.club.results import Result
from companion.game.session import Session
from companion.history.season import Finish, Play
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import play_setup
from tests.companion.past_games import Capture, json_of, lines_of

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hal", "Ida")


@pytest.fixture
def club(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> str:
    """A club's folder with nine players."""
    folder = tmp_path / "club"
    folder.mkdir()
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    assert main(["club", "players", "add", *NAMES]) == 0
    capsys.readouterr()
    return str(folder)


def play_tables(folder: str, seating: dict[str, Any], *which: str) -> None:
    """Play a game at these tables of the round, or at all."""
    with Store(str(Path(folder) / "games.sqlite3")) as store:
        for table in which or seating["tables"]:
            names = seating["tables"][table]
            seed = sum(map(ord, "".join(names)))
            head = {"edition": "classic_2016", "players": names, "crown": names[0]}
            game = play_setup(head, seed)
            session = Session.begin(store, read_setup(game.setup))
            for move in game.moves:
                session.play(move)
            session.close()


def test_a_club_plays_an_evening(club: str, capsys: Capture) -> None:
    first = json_of(capsys, "club", "draw", "--tables", "1")
    assert [len(names) for names in first["tables"].values()] == [7]
    assert len(first["byes"]) == 2
    assert first["waiting"] == ["table-1"]
    play_tables(club, first)
    assert json_of(capsys, "club", "draw", "--show")["waiting"] == []

    second = json_of(capsys, "club", "draw")
    assert (second["round"], second["byes"]) == (2, [])
    seats = [name for names in second["tables"].values() for name in names]
    assert sorted(seats) == sorted(NAMES)
    starts = [names[0] for names in second["tables"].values()]
    assert first["tables"]["table-1"][0] not in starts
    play_tables(club, second)

    standings = json_of(capsys, "club", "standings")
    assert standings["games"] == 3
    rows = {row["player"]: row for row in standings["players"]}
    assert rows.keys() == {*NAMES}
    for name, row in rows.items():
        assert row["byes"] == first["byes"].count(name)
        assert row["games"] == 2 - row["byes"]
        if row["byes"]:  # as much as the one game of this player gave
            assert row["points"] == 2 * row["bye_points"]
    lines = lines_of(capsys, "club", "standings")
    assert "A bye is a round in which a player has no seat." in lines


def test_a_new_season_overwrites_no_round(club: str, capsys: Capture) -> None:
    first = json_of(capsys, "club", "draw")
    file = Path(club, "league.yaml")
    file.write_text(re.sub(r"season:.*", 'season: "2099-01-01"', file.read_text()))
    second = json_of(capsys, "club", "draw", "--anyway")
    assert (first["round"], second["round"]) == (1, 2)
    assert json_of(capsys, "club", "draw", "--show")["round"] == 2
    assert sorted(path.name for path in Path(club, "rounds").iterdir()) == ["1.yaml", "2.yaml"]


def test_the_same_club_draws_the_same_again(
    club: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = json_of(capsys, "club", "draw")
    other = tmp_path / "other"
    other.mkdir()
    (other / "league.yaml").write_bytes((Path(club) / "league.yaml").read_bytes())
    monkeypatch.setenv("COMPANION_DATA", str(other))
    assert json_of(capsys, "club", "draw")["tables"] == one["tables"]


def test_a_round_waits_for_the_results_of_the_one_before(club: str, capsys: Capture) -> None:
    picture = json_of(capsys, "club", "draw")
    assert main(["club", "draw"]) == 1
    assert "league round 1 has no result yet from table-1, table-2" in capsys.readouterr().err
    play_tables(club, picture, "table-2")
    assert main(["club", "draw"]) == 1
    assert "league round 1 has no result yet from table-1\n" in capsys.readouterr().err
    assert json_of(capsys, "club", "draw", "--anyway")["round"] == 2


def test_the_judge_edits_the_file_of_a_round(club: str, capsys: Capture) -> None:
    picture = json_of(capsys, "club", "draw", "--tables", "1")
    first, idle = picture["tables"]["table-1"][0], picture["byes"][0]
    path = Path(club, "rounds", "1.yaml")
    path.write_text(path.read_text().replace(first, "Zoë"))
    assert json_of(capsys, "club", "draw", "--show")["tables"]["table-1"][0] == "Zoë"
    path.write_text(path.read_text().replace("Zoë", idle))
    assert main(["club", "draw", "--show"]) == 1
    assert f"1.yaml:6: {idle} has two places in this round" in capsys.readouterr().err


def test_who_is_not_here_gets_no_seat_and_no_bye(club: str, capsys: Capture) -> None:
    picture = json_of(capsys, "club", "draw", "--absent", "ben", "--absent", "Ida")
    assert picture["absent"] == ["Ben", "Ida"]
    assert picture["byes"] == []
    assert [len(names) for names in picture["tables"].values()] == [7]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["draw", "--size", "8"], "no longer exists; use: size: 5 in league.yaml"),
        (["draw", "--tables", "0"], "--tables: “0” is not a number from 1"),
        (["draw", "--absent", "Bem"], "called “Bem”; did you mean “Ben”?"),
        (["draw", "--show"], "no round has been drawn yet"),
        (["draw", "--again"], "no longer exists; use: rounds/N.yaml"),
        (["draw", "--swap", "Anna", "Ben"], "no longer exists; use: rounds/N.yaml"),
        (["players", "add", "anna"], "two players are called “anna”"),
        (["players", "add", "\x1b[31mAnna"], "visible characters"),
        (["players", "add", "nobody"], "a word of the notation"),
        (["players", "rename", "Ana", "X"], "called “Ana”; did you mean “Anna”?"),
        (["players", "rename", "1", "Ben"], "two players are called “Ben”"),
        (["players", "remove"], "write remove NUMBER…; a name with spaces needs quotes"),
        (["players", "--folder", "x"], "COMPANION_DATA=FOLDER companion club players"),
        (["wall"], "unknown command “wall”"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    club: str, capsys: Capture, words: list[str], sentence: str
) -> None:
    assert main(["club", *words]) in (1, 2)
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.out == ""


def test_a_new_name_holds_in_rounds_and_games(club: str, capsys: Capture) -> None:
    play_tables(club, json_of(capsys, "club", "draw"))
    renamed = json_of(capsys, "club", "players", "rename", "Anna", "Änne")
    assert renamed[0] == {"number": 1, "name": "Änne", "id": "anne-1"}
    assert "Anna" not in json.dumps(json_of(capsys, "club", "draw", "--show"))
    names = [row["player"] for row in json_of(capsys, "club", "standings")["players"]]
    assert "Änne" in names
    assert "Anna" not in names
    lines_of(capsys, "club", "players", "remove", "1")
    assert len(json_of(capsys, "club", "players")) == 8
    assert "Änne" in str(json_of(capsys, "club", "standings"))


LEAGUE = """\
points: [3, 5]
bye: -1
size: nine
season: soon
prices: 3
players: {0: Anna, 2: Ben, 3: ben}
"""


def test_every_mistake_in_the_list_is_told_with_its_line(club: str, capsys: Capture) -> None:
    Path(club, "league.yaml").write_text(LEAGUE)
    assert main(["club", "standings"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("league.yaml:")[2].partition(":")[0] for line in lines] == [
        *("1", "2", "3", "4", "5", "6", "6"),
    ]


ROUND = """\
at: yesterday
tables:
  "Table <1>": [Anna, Ben]
  t2: [Cleo]
  t3: Dan
byes: [anna]
crowns: 3
"""


def test_every_mistake_in_a_round_is_told_with_its_line(club: str, capsys: Capture) -> None:
    Path(club, "rounds").mkdir()
    Path(club, "rounds", "7.yaml").write_text(ROUND)
    assert main(["club", "draw"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert sorted(line.partition("7.yaml:")[2].partition(":")[0] for line in lines) == [
        *("1", "3", "4", "5", "5", "6", "7"),
    ]


def test_a_league_and_its_rounds_are_read_as_they_were_written(tmp_path: Path) -> None:
    whole = League((10, 6, 3), 4, 6, "2026-09-01", {1: "No", 12: "123", 3: "Анна: ж"})
    league_files.save(str(tmp_path), whole)
    assert league_files.read(str(tmp_path)) == whole
    seating = Round(
        *(12, "2026-11-22T19:30:00+01:00", "1e5", {"t-1": ("No", "123", "null", "~")}),
        *(("Анна: ж",), ("- x",)),
    )
    league_files.save_round(str(tmp_path), seating)
    assert league_files.read_rounds(str(tmp_path)) == [seating]


def make_result(number: int, at: str, *names: str, totals: tuple[int, ...]) -> Result:
    """A result as a hub hands it over; these finished in this order."""
    scores = {name: {"total": total} for name, total in zip(names, totals, strict=True)}
    places = [1 + sum(other > total for other in totals) for total in totals]
    return Result(
        *(number, f"2026-11-24-t{number}", f"t{number}", "2026-11-24-1", "", "", at),
        score={"winners": [], "ranking": list(names), "players": scores},
        players=dict.fromkeys(names),
        places=dict(zip(names, places, strict=True)),
        reason="",
    )


def test_results_of_a_hub_are_games_of_the_season() -> None:
    rules = League(season="2026-11-01", players={1: "Anna", 2: "Ben"})
    results = [
        make_result(1, "2026-11-24T20:00:00+00:00", "anna", "Kim", totals=(20, 20)),
        make_result(2, "2026-11-24T20:00:00+00:00", "Kim", "Ann", "Lee", totals=(30, 20, 20)),
        make_result(3, "2026-10-24T20:00:00+00:00", "Anna", "Kim", totals=(20, 10)),
    ]
    results[1].players["Ann"] = "anna-1"
    plays = league_files.list_plays(rules, results)
    assert [play.finishes for play in plays] == [
        (Finish("Anna", 1, 20), Finish("Kim", 1, 20)),
        (Finish("Kim", 1, 30), Finish("Anna", 2, 20), Finish("Lee", 2, 20)),
    ]


def test_a_game_at_a_drawn_table_is_one_meeting() -> None:
    seating = Round(1, "2026-11-24T19:00:00+00:00", "", {"t1": ("Anna", "Ben", "Cleo", "Dan")})
    finishes = tuple(Finish(name, 1, 9) for name in ("dan", "cleo", "ben", "anna"))
    plays = [Play("a", "2026-11-24T21:00:00.000+00:00", finishes)]
    assert {*league.count_meetings(plays, [seating]).values()} == {1}
    assert {*league.count_meetings(plays * 2, [seating]).values()} == {2}
