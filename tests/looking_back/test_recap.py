"""`companion recap`: its figures match the log, and it reveals no secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.extensions.looking_back import recap
from companion.extensions.looking_back.recap import recap_page
from companion.log import records
from engine.referee import Referee
from tests.companion.past_games import Capture, json_of, lines_of
from tests.games.regenerate import GAMES
from tests.twins.pairs import TWINS, Twins

WHOLE = GAMES / "whole_game.yaml"


def write(folder: Path, **data: Any) -> str:
    """A record file with these keys, for four players."""
    path = folder / "game.yaml"
    head = {"edition": "classic_2016", "players": ["Anna", "Kurt", "Ashley", "Ben"]}
    path.write_text(json.dumps(head | data), encoding="utf-8")
    return str(path)


def test_a_game_is_told_from_its_outcome_to_its_scores(capsys: Capture) -> None:
    lines = lines_of(capsys, "recap", str(WHOLE))
    assert lines[0] == "Ben wins, 42 to 25."
    fourth = lines.index("Round 4.")
    assert lines[fourth : fourth + 6] == [
        "Round 4.",
        "Points: Anna 6, Kurt 3, Ashley 7 and Ben 5.",
        "Gold: Anna 2, Kurt 4, Ashley 1 and Ben 6.",
        "Robbery: Ben steals 2 gold from Anna.",
        "Destruction: Kurt destroys Ben's Docks.",
        "Characters: Anna Magician, Kurt Warlord, Ashley Bishop, Ben Thief.",
    ]
    assert lines[2 : lines.index("Round 1.")] == [
        "Round 10 decided it, when Ben passed Kurt for good: Ben builds the Imperial Treasury "
        "for 5 gold.",
        "Lost most to the Thief: Anna, 4 gold.",
        "Longest wait for a district: Anna, 4 rounds.",
    ]
    assert "Anna's city: Keep, Trading Post, Graveyard, Market." in lines
    assert lines[-1] == "Ben wins."


@pytest.mark.parametrize("name", ["whole_game", "secret_game", "two_players", "seven_players"])
def test_its_figures_are_those_of_the_record_played_so_far(capsys: Capture, name: str) -> None:
    path = GAMES / f"{name}.yaml"
    told = json_of(capsys, "recap", str(path))
    assert told["rounds"][-1]["points"] == {
        player: score["total"] for player, score in told["score"]["players"].items()
    }
    replay = records.read(str(path)).record
    referee = Referee(replay.start)
    ends: dict[int, dict[str, int]] = {}
    for move in replay.moves:
        referee.play(move)
        gold = {seat.name: seat.gold for seat in referee.table.seats}
        is_begun = any(event.kind == "round_begins" for event in referee.table.events)
        ends[referee.table.round - is_begun] = gold
    assert [look["round"] for look in told["rounds"]] == sorted(ends)
    assert [look["gold"] for look in told["rounds"]] == [ends[number] for number in sorted(ends)]


def test_a_murder_names_its_victim_once_that_is_known(capsys: Capture) -> None:
    told = json_of(capsys, "recap", str(WHOLE))
    murders = [mark for mark in told["marks"] if mark["kind"] == "kill"]
    fifth = next(mark for mark in murders if mark["round"] == 5)
    assert (fifth["player"], fifth["card"], fifth["victim"]) == ("Ben", "king", "Anna")
    assert fifth["text"] == "Ben murders the King. Anna was the murdered King."
    assert all(mark["victim"] is None for mark in murders if mark["round"] < 5)


def test_a_district_used_to_destroy_is_what_cost_the_points(capsys: Capture) -> None:
    marks = json_of(capsys, "recap", str(GAMES / "districts" / "armory.yaml"))["marks"]
    destructions = [mark for mark in marks if mark["kind"] == "destroy"]
    assert [mark["as"] for mark in destructions] == ["armory"]
    assert destructions[0]["points"] > 0


def test_cities_that_are_not_kept_have_points_only_in_the_end(capsys: Capture) -> None:
    told = json_of(capsys, "recap", str(GAMES / "light_game.yaml"))
    assert [look["points"] is None for look in told["rounds"]] == [True, False]


def test_an_unfinished_game_says_so_and_gives_what_there_is(
    capsys: Capture, tmp_path: Path
) -> None:
    moves = ["faceup bishop merchant", "call", "reveal Anna", "kill thief", "gold", "build temple"]
    path = write(tmp_path, crown="Anna", moves=moves)
    lines = lines_of(capsys, "recap", path)
    assert lines[0] == "Anna leads, 1 to 0."
    assert lines[2] == "The game is not over; this is the recap so far."
    assert "Points: Anna 1, Kurt 0, Ashley 0 and Ben 0." in lines
    unfinished = json_of(capsys, "recap", path)
    assert (unfinished["over"], unfinished["score"]["final"]) == (False, False)
    assert [look["over"] for look in unfinished["rounds"]] == [False]


def test_a_name_that_is_neither_game_nor_file_is_told_so(capsys: Capture, home: Path) -> None:
    assert main(["recap"]) == 2
    assert "no game has been saved yet" in capsys.readouterr().err
    assert main(["recap", "nothing.yaml"]) == 2
    assert "nothing.yaml" in capsys.readouterr().err


def test_a_refused_move_of_a_file_is_told_with_its_line(capsys: Capture, tmp_path: Path) -> None:
    path = write(tmp_path, crown="Anna", moves=["faceup bishop merchant", "gold"])
    assert main(["recap", path]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"{path}:1: “gold” isn't allowed.")


@pytest.mark.parametrize("name", TWINS)
def test_what_is_still_secret_at_the_end_is_not_in_it(name: str) -> None:
    twins = TWINS[name]
    for moves in range(twins.since, len(twins.moves(0)) + 1):
        first, other = (_look(twins, which, moves) for which in (0, 1))
        assert first == other, f"after {moves} moves"


def _look(twins: Twins, which: int, moves: int) -> tuple[Any, ...]:
    back = recap.look_back(records.play(twins.record(which, moves)).referee)
    return recap.lines(back), recap.data(back), recap_page.write(back)
