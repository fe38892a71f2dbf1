"""Games of which only the result is known, in ledgers of former versions; none is imported now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.history.parcel.format import ArchivedGame, LogRow
from companion.history.parcel.merging import insert
from companion.log.store import Store
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games, remove


def note(log: str, name: str, totals: dict[str, int], places: list[int], minutes: int) -> None:
    """A result as former versions have imported it."""
    setup = {
        "edition": "classic_2016",
        "players": [*totals],
        "crown": next(iter(totals)),
        "result": {
            "id": name,
            "minutes": minutes,
            "rounds": 0,
            "totals": [*totals.values()],
            "places": places,
        },
    }
    start, end = f"{name[:10]}T20:15:00.000+00:00", f"{name[:10]}T23:15:00.000+00:00"
    with Store(log) as store, store.database.write() as connection:
        insert(connection, ArchivedGame(name, start, setup, (LogRow(end, "finish", ""),)))


@pytest.fixture
def results(log: str) -> None:
    note(log, "2024-03-01-1", {"Anna": 24, "Kurt": 31}, [2, 1], 70)
    note(log, "2024-03-02-1", {"Kurt": 19, "Zoë": 19}, [1, 1], 0)


@pytest.mark.looking_back
@pytest.mark.usefixtures("results")
def test_they_count_for_games_wins_and_points(capsys: Capture) -> None:
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


@pytest.mark.looking_back
@pytest.mark.usefixtures("results")
def test_they_are_carried_to_another_computer(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    lines_of(capsys, "players", "rename", "Kurt", "Max")
    file = home / "all.citadels"
    lines_of(capsys, "export", str(file))
    history = json_of(capsys, "history")
    monkeypatch.setenv("COMPANION_DATA", str(home / "elsewhere"))
    assert json_of(capsys, "import", str(file))["added"] == 2
    assert json_of(capsys, "history") == history
    assert json_of(capsys, "import", str(file))["known"] == 2


@pytest.mark.looking_back
@pytest.mark.usefixtures("results")
@pytest.mark.parametrize("command", ["record", "replay", "score", "recap", "bgstats", "history"])
def test_a_result_has_no_moves_to_play(command: str, capsys: Capture) -> None:
    game = json_of(capsys, "history")[0]["game"]
    assert main([command, game]) == 1
    output = capsys.readouterr()
    assert "was imported without moves" in output.err
    assert not output.out


@pytest.mark.looking_back
@pytest.mark.usefixtures("results")
def test_bg_stats_gets_played_games_only(log: str, capsys: Capture) -> None:
    fill(log, random_games(1))
    (game,) = (one for one in json_of(capsys, "history") if one["rounds"])
    assert {one["name"] for one in json_of(capsys, "bgstats")["players"]} == {*game["players"]}
    assert capsys.readouterr().err == ""


@pytest.mark.looking_back
@pytest.mark.usefixtures("results")
def test_a_result_that_is_forgotten_and_removed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines_of(capsys, "players", "forget", "Kurt")
    assert json_of(capsys, "history")[0]["winners"] == ["Somebody", "Zoë"]
    remove(capsys, monkeypatch, json_of(capsys, "history")[0]["game"])
    assert json_of(capsys, "stats")["games"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "started,player,total\n2024-03-01,Anna,24\n",
        "\ufeffgame;started;player;total\n1;2024-03-01;Anna;24\n",
        json.dumps({"about": "BGStats", "games": [{"id": 1, "bggId": 478}], "plays": []}),
    ],
)
def test_results_of_other_programs_are_not_imported(
    log: str, home: Path, text: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    before = Path(log).read_bytes()
    file = home / "plays.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["import", str(file)]) == 1
    err = capsys.readouterr().err
    assert f"{file}: results of other programs are not imported" in err
    assert "companion score" in err
    assert Path(log).read_bytes() == before
