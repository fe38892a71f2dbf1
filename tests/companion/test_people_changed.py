"""Names that change in steps, forgotten people, and games that do not count or are removed."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.files import locations
from companion.history import games, parcel
from companion.log.store import Store
from tests.bench.many_games import fill, play_setup
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games, remove
from tests.engine.boxes import random_setup


def _names(capsys: Capture) -> dict[str, int]:
    return {person["name"]: person["games"] for person in json_of(capsys, "players")}


@pytest.mark.looking_back
def test_a_former_name_does_not_take_the_next_player(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Kurt", "Max")
    lines_of(capsys, "players", "rename", "Max", "Kurt")
    begin(log, "Anna", "Max", "Ashley", "Ben")
    assert _names(capsys) == {"Anna": 2, "Max": 1, "Ashley": 2, "Ben": 2, "Kurt": 1}
    assert len(json_of(capsys, "history", "--player", "Max")) == 1


def test_somebody_of_that_name_on_another_computer_keeps_it(
    log: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    begin(log, "Anna", "Max", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Max", "Maxi")
    path = str(home / "games.citadels")
    lines_of(capsys, "export", path)
    monkeypatch.setenv("COMPANION_DATA", str(home / "there"))
    begin(locations.games_file(str(home / "there")), "Jo", "Max", "Mia", "Kim")
    for names in (1, 0):
        assert json_of(capsys, "import", path)["names"] == names
        assert {*_names(capsys)} == {"Anna", "Ashley", "Ben", "Jo", "Kim", "Max", "Maxi", "Mia"}


def test_names_and_what_counts_are_kept_where_the_log_is_deleted(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    with Store(log) as store:
        games.count_game(store, 1, counts=False)
    Path(log).unlink()
    with Store(log) as store, store.database.look() as connection:
        assert connection.execute("SELECT game FROM left_out").fetchall() == [(1,)]
    for words, then in (
        (("rename", "Kurt", "Konrad"), {"Konrad"}),
        (("forget", "Konrad"), {"Somebody"}),
        (("undo",), {"Konrad"}),
    ):
        lines_of(capsys, "players", *words)
        Path(log).unlink()
        assert {*_names(capsys)} == {"Anna", "Ashley", "Ben", *then}


@pytest.mark.looking_back
def test_two_people_can_exchange_their_names(
    log: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    for was, now in (("Anna", "x"), ("Kurt", "Anna"), ("x", "Kurt")):
        lines_of(capsys, "players", "rename", was, now)
    (game,) = json_of(capsys, "history")
    assert game["players"] == ["Kurt", "Anna", "Ashley", "Ben"]
    assert json_of(capsys, "history", "--player", "Anna") == [game]
    path = str(home / "games.citadels")
    lines_of(capsys, "export", path)
    monkeypatch.setenv("COMPANION_DATA", str(home / "there"))
    assert json_of(capsys, "import", path)["names"] == 2
    assert json_of(capsys, "history") == [game]
    lines_of(capsys, "players", "undo")
    assert json_of(capsys, "history")[0]["players"] == ["Anna", "Kurt", "Ashley", "Ben"]


@pytest.mark.looking_back
def test_every_change_can_be_undone(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "Ann", "Kurt", "Ashley", "Ben")
    second = json_of(capsys, "history")[0]["game"]
    before = json_of(capsys, "history"), json_of(capsys, "players")
    for words in (
        ["rename", "Kurt", "Max"],
        ["merge", "Ann", "Anna"],
        ["split", "Kurt", second],
        ["forget", "Anna"],
    ):
        lines_of(capsys, "players", *words)
        assert (json_of(capsys, "history"), json_of(capsys, "players")) != before
        lines_of(capsys, "players", "undo")
        assert (json_of(capsys, "history"), json_of(capsys, "players")) == before
    assert main(["players", "undo"]) == 2
    assert "no change of names to undo" in capsys.readouterr().err


@pytest.mark.looking_back
def test_two_people_of_one_name_are_told_apart(log: str, capsys: Capture) -> None:
    for _number in range(3):
        begin(log, "Anna", "Kurt", "Ashley", "Ben")
    second = json_of(capsys, "history")[1]["game"]
    assert json_of(capsys, "players", "split", "Anna", second)["name"] == "Anna (2)"
    assert _names(capsys)["Anna"] == 2
    begin(log, "Zoë", "Kurt", "Ashley", "Ben")
    newest = json_of(capsys, "history")[0]["game"]
    assert main(["players", "split", "Anna", newest]) == 2
    assert f"Anna has not played in a game called “{newest}”" in capsys.readouterr().err


@pytest.mark.looking_back
def test_a_merged_person_is_split_again(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "Ann", "Kurt", "Ashley", "Ben")
    newest = json_of(capsys, "history")[0]["game"]
    lines_of(capsys, "players", "merge", "Ann", "Anna")
    assert json_of(capsys, "players", "split", "Anna", newest)["name"] == "Ann"


@pytest.mark.looking_back
def test_a_forgotten_person_is_named_nowhere(log: str, home: Path, capsys: Capture) -> None:
    fill(log, random_games(4))
    has_anna = {game["game"]: "Anna" in game["players"] for game in json_of(capsys, "history")}
    game = next(name for name, with_anna in has_anna.items() if with_anna)
    record = "\n".join(lines_of(capsys, "record", game))
    assert "Anna" in record
    before = json.dumps(json_of(capsys, "history", game))
    lines_of(capsys, "players", "forget", "anna")
    file = home / "out.citadels"
    assert main(["export", str(file)]) == 0
    capsys.readouterr()
    assert b"Anna" not in zlib.decompress(parcel.read(str(file))[1])
    for words in (
        ["history"], ["stats"], ["players"], ["recap", game], ["score", game],
        ["record", game], ["replay", game], ["bgstats", game], ["history", "--json"],
    ):  # fmt: skip
        text = "\n".join(lines_of(capsys, *words))
        assert "Anna" not in text, words
    with Store(log) as store:  # which the word `games` lists
        assert not any("Anna" in info.setup["players"] for info in store.games() if info.finished)
    assert "Somebody" in "\n".join(lines_of(capsys, "recap", game))
    after = json.dumps(json_of(capsys, "history", game))
    assert after == before.replace("Anna", "Somebody")
    text = json_of(capsys, "import", str(file))
    assert (text["added"], text["known"]) == (0, 4)


@pytest.mark.looking_back
def test_a_game_is_left_out_and_taken_in_again(log: str, capsys: Capture) -> None:
    fill(log, random_games(5))
    before = json_of(capsys, "stats")
    newest = json_of(capsys, "history")[0]["game"]
    assert newest in lines_of(capsys, "history", "--leave-out", newest)[0]
    assert json_of(capsys, "stats")["games"] == before["games"] - 1
    assert lines_of(capsys, "history")[0].endswith("Not counted.")
    assert len(json_of(capsys, "history")) == 5
    lines_of(capsys, "history", "--take-in", newest)
    assert json_of(capsys, "stats") == before


@pytest.mark.looking_back
def test_a_game_is_removed_only_after_a_question(
    log: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(log, random_games(4))
    names = [game["game"] for game in json_of(capsys, "history")]
    before = Path(log).read_bytes()
    assert main(["history", "--remove", names[0]]) == 1
    assert "not removed" in capsys.readouterr().err
    assert Path(log).read_bytes() == before
    for name in (names[0], names[2]):
        remove(capsys, monkeypatch, name)
        assert json_of(capsys, "stats")["games"] == len(json_of(capsys, "history"))
    assert [game["game"] for game in json_of(capsys, "history")] == [names[1], names[3]]
    with Store(log) as store, store.database.look() as connection:
        assert connection.execute(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchone() == (4,)


@pytest.mark.looking_back
def test_a_removed_games_number_belongs_to_no_earlier_change(
    log: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Kurt", "Max")
    remove(capsys, monkeypatch, json_of(capsys, "history")[0]["game"])
    begin(log, "Anna", "Kurt", "Ashley", "Ben")  # gets the same number
    assert [game["players"][1] for game in json_of(capsys, "history")] == ["Kurt", "Max"]


@pytest.mark.looking_back
def test_every_command_takes_a_game_a_file_or_nothing(
    log: str, home: Path, capsys: Capture
) -> None:
    fill(log, random_games(2))
    newest = json_of(capsys, "history")[0]["game"]
    file = home / "game.yaml"
    file.write_text("\n".join(lines_of(capsys, "record", newest)), encoding="utf-8")
    for command in ("score", "replay"):
        answers = [json_of(capsys, command, *words) for words in ([], [newest], [str(file)])]
        assert answers[0] == answers[1] == answers[2]
    answers = [lines_of(capsys, "record", *words) for words in ([], [newest], [str(file)])]
    assert answers[0] == answers[1] == answers[2]
    recaps = [json_of(capsys, "recap", *words)["score"] for words in ([], [newest], [str(file)])]
    assert recaps[0] == recaps[1] == recaps[2]
    assert main(["bgstats", str(file)]) == 0
    assert f"{file} does not say when the game was played" in capsys.readouterr().err


@pytest.mark.looking_back
def test_names_too_long_for_a_code_leave_out_only_the_code(
    log: str, home: Path, capsys: Capture
) -> None:
    head = random_setup("classic_2016", 1, players=7)
    names = [f"{'Щ' * 38}{number}" for number in range(7)]
    fill(log, iter([play_setup(head | {"players": names, "crown": names[0]}, 1)]))
    file = home / "recap.html"
    lines_of(capsys, "recap", "--html", str(file))
    page = file.read_text(encoding="utf-8")
    assert names[6] in page
    assert "too long for a QR code" in page
    assert page.count('class="code"') == 1  # the card to share
    assert lines_of(capsys, "bgstats")[0].startswith("https://app.bgstatsapp.com/")
