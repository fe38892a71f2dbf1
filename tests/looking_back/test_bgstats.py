"""`companion bgstats`: a finished game in BG Stats' format; its QR code is read back."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import pytest

from common import strict_yaml
from companion import terminal
from companion.commands.cli import main
from companion.files.locations import games_file
from companion.log.store import GameLog, Store
from engine.editions import editions
from tests.companion.past_games import Capture, json_of
from tests.games.regenerate import GAMES

START = "https://app.bgstatsapp.com/createPlay.html?data="
BEGUN = datetime(2026, 11, 22, 23, 30, 15, tzinfo=UTC)


def save(home: Path, name: str, *, moves: int | None = None) -> str:
    """Save a game of tests/games, of 75 minutes, in the log; returns its name."""
    data: Any = strict_yaml.read(str(GAMES / f"{name}.yaml")).data
    setup = {key: value for key, value in data.items() if key != "moves"}
    events = [("move", move) for move in data["moves"][:moves]]
    if moves is None:
        events.append(("finish", ""))
    times = chain([BEGUN], repeat(BEGUN + timedelta(minutes=75)))
    with Store(games_file(str(home / "data")), now=lambda: next(times)) as store:
        text = f"2026-11-22-{store.count() + 1}"
        log = GameLog(0, text, setup)
        log.events = events
        return store.write_again(log, []).name


def test_the_play_is_what_the_game_was(home: Path, capsys: Capture) -> None:
    save(home, "whole_game")
    results = json_of(capsys, "bgstats")
    assert results["sourceName"] == "Citadels companion"
    assert results["playDate"] == "2026-11-22 23:30:15"  # when it began
    assert results["durationMin"] == 75
    assert results["game"] == {
        "bggId": 478,
        "name": "Citadels Classic (2016)",
        "highestWins": True,
        "noPoints": False,
        "sourceGameId": "classic_2016",
    }
    players = results["players"]
    assert [(p["name"], p["rank"], p["score"], p["winner"]) for p in players] == [
        ("Anna", 4, 12, False),
        ("Kurt", 2, 25, False),
        ("Ashley", 3, 21, False),
        ("Ben", 1, 42, True),
    ]
    assert [p["startPlayer"] for p in players] == [False, True, False, False]
    assert [p["role"] for p in players] == ["King", "Merchant", "Warlord", "Architect"]


def test_place_box_and_story_go_along(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(home, "whole_game")
    results = json_of(capsys, "bgstats")
    assert "location" not in results
    assert results["board"] == "Citadels Classic (2016)"
    assert results["comments"].startswith("Round 10 decided it, when Ben passed Kurt for good")
    monkeypatch.setenv("COMPANION_PLACE", "Home")
    assert json_of(capsys, "bgstats")["location"] == "Home"
    monkeypatch.setenv("COMPANION_PLACE", "x" * 61)
    assert main(["bgstats", "--json"]) == 2


def test_an_imported_record_has_no_minutes(home: Path, capsys: Capture) -> None:
    assert main(["import", str(GAMES / "whole_game.yaml")]) == 0
    capsys.readouterr()
    assert "durationMin" not in json_of(capsys, "bgstats")


def test_a_file_without_times_is_played_now(capsys: Capture) -> None:
    file = str(GAMES / "whole_game.yaml")
    before = datetime.now(UTC).replace(microsecond=0)
    assert main(["bgstats", file, "--json"]) == 0
    output = capsys.readouterr()
    play = json.loads(output.out)
    day = datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    assert before <= day <= datetime.now(UTC)
    assert "durationMin" not in play
    assert output.err == (
        f"{file} does not say when the game was played; the link says that it was now.\n"
    )
    again = json_of(capsys, "bgstats", file)
    assert again["sourcePlayId"] == play["sourcePlayId"]


def test_the_link_is_the_play(home: Path, capsys: Capture) -> None:
    save(home, "secret_game")
    results = json_of(capsys, "bgstats")
    assert main(["bgstats"]) == 0
    text = capsys.readouterr().out
    link = text.removesuffix("\n")
    assert link.startswith(START)
    assert re.fullmatch(r"[\w.~%:,-]+", link.removeprefix(START))
    assert json.loads(unquote(link.removeprefix(START))) == results
    assert main(["recap"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"BG Stats: {link}"


def test_a_game_and_its_players_are_the_same_on_every_computer(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = save(home, "whole_game")
    results = json_of(capsys, "bgstats", here)
    another = json_of(capsys, "bgstats", save(home, "two_players"))
    assert another["sourcePlayId"] != results["sourcePlayId"]
    monkeypatch.setenv("COMPANION_DATA", str(home / "elsewhere" / "data"))
    save(home / "elsewhere", "two_players")
    there = save(home / "elsewhere", "whole_game")
    assert there != here
    assert json_of(capsys, "bgstats", there) == results
    players = {player["name"]: player["sourcePlayerId"] for player in results["players"]}
    assert len(set(players.values())) == len(players)
    for player in another["players"]:
        assert players.get(player["name"], player["sourcePlayerId"]) == player["sourcePlayerId"]


@pytest.mark.parametrize("edition", editions())
def test_every_box_is_the_game_that_it_is_on_boardgamegeek(edition: str) -> None:
    assert editions()[edition].bgg_id == (205398 if edition == "deluxe_2016" else 478)


def test_an_unfinished_game_is_refused(home: Path, capsys: Capture) -> None:
    save(home, "whole_game", moves=20)
    assert main(["bgstats"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == "The game is not over; BG Stats takes only finished games.\n"


def test_while_the_next_game_is_played_the_last_finished_one_is_handed_over(
    home: Path, capsys: Capture
) -> None:
    before = json_of(capsys, "bgstats", save(home, "whole_game"))
    save(home, "whole_game", moves=20)
    assert json_of(capsys, "bgstats") == before


@pytest.mark.needs("scan")
def test_a_decoder_reads_the_code_of_the_terminal(home: Path, capsys: Capture) -> None:
    with patch.dict(os.environ):  # it sets LD_LIBRARY_PATH, for every program of later tests too
        cv2, numpy = import_module("cv2"), import_module("numpy")
    save(home, "seven_players")  # the longest link
    assert main(["bgstats"]) == 0
    link = capsys.readouterr().out.strip()
    rows = []
    for row in terminal.draw_half_blocks(link):
        rows += [[upper(letter) for letter in row], [lower(letter) for letter in row]]
    picture = numpy.array(rows, dtype="uint8") * 255
    large = cv2.resize(picture, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    text, _corners, _code = cv2.QRCodeDetectorAruco().detectAndDecode(large)
    assert text == link


def upper(letter: str) -> bool:
    """Whether the upper half of that character is light."""
    return letter in " ▄"


def lower(letter: str) -> bool:
    """Whether the lower half is."""
    return letter in " ▀"


def test_an_evening_of_which_only_the_cities_were_noted_has_ended(
    home: Path, capsys: Capture, tmp_path: Path
) -> None:
    file = tmp_path / "evening.yaml"
    lines = [
        "edition: classic_2016",
        "players: [Kurt, Ashley]",
        "position:",
        "  players:",
        "    Kurt:",
        "      city: [castle, tavern, temple, church, docks, manor, keep, prison]",
        "      gold: 0",
        "      hand: 0",
        "    Ashley:",
        "      city: [docks, palace, manor, school_of_magic, dragon_gate]",
        "      gold: 0",
        "      hand: 0",
        "  first_complete: Kurt",
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert main(["import", str(file)]) == 0
    capsys.readouterr()
    assert main(["recap"]) == 0
    assert capsys.readouterr().out.startswith("Kurt wins, 26 to 25.\n")
    assert [player["winner"] for player in json_of(capsys, "bgstats")["players"]] == [True, False]
