"""The history commands: the games of a log, and their statistics."""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.commands import looking_back
from companion.commands.cli import main
from companion.files.locations import games_file
from companion.game.session import Session
from companion.history import games, kept
from companion.history.played import MOST_WAITED_FOR
from companion.log.store import Store
from companion.plain.setup import open_session
from companion.settings import config as settings
from companion.setup.options import PlayOptions
from engine.record import read_setup
from tests.bench.many_games import Random, fill, play_setup
from tests.companion import recount
from tests.companion.talking import Talk
from tests.engine.boxes import EDITIONS, random_setup
from tests.sizes import pick_size

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def log(home: Path) -> str:
    return games_file(str(home / "data"))


def json_of(capsys: Capture, *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def lines_of(capsys: Capture, *words: str) -> list[str]:
    assert main(list(words)) == 0
    return capsys.readouterr().out.splitlines()


def random_games(number: int) -> Iterator[Random]:
    """Games of every box in turn, every fifth one in light mode."""
    for seed, edition in zip(range(number), itertools.cycle(EDITIONS), strict=False):
        head = random_setup(edition, seed)
        if seed % 5 == 4:
            head["options"] = {"cities": "untracked"}
        yield play_setup(head, seed)


@pytest.mark.sweep
@pytest.mark.parametrize("digests", [True, False], ids=["kept", "made"])
def test_statistics_of_random_games_equal_those_counted_from_their_records(
    log: str, capsys: Capture, digests: bool
) -> None:
    games = list(random_games(pick_size(14, 140, 2000)))
    fill(log, iter(games), undone=True, digests=digests)
    counted = [recount.recount(game.setup, game.moves) for game in games]
    wanted = recount.statistics(counted)
    found = json_of(capsys, "stats")
    assert found["games"] == wanted["games"]
    assert found["districts"] == wanted["districts"]
    for name, sums in wanted["players"].items():
        told = found["players"][name]
        assert {key: told[key] for key in sums} == sums, name
    records = {record["record"]: record["value"] for record in found["records"]}
    assert records["highest_score"] == wanted["highest"]
    assert records["most_expensive_city"] == wanted["dearest"]
    listed = json_of(capsys, "history")
    assert [game["totals"] for game in reversed(listed)] == [game.totals for game in counted]
    assert [game["rounds"] for game in reversed(listed)] == [game.rounds for game in counted]
    assert json_of(capsys, "stats") == found  # as it was kept


MOVES = ["faceup bishop merchant", "call"]


def begin(log: str, *players: str, moves: list[str] = MOVES) -> str:
    """Start an unfinished game; returns its name."""
    setup = read_setup({"players": list(players), "crown": players[0]})
    with Store(log) as store:
        session = Session.begin(store, setup)
        for move in moves:
            session.play(move)
        session.close()
        return session.name


def test_history_lists_the_newest_first_and_what_is_not_over_without_a_result(
    log: str, capsys: Capture
) -> None:
    fill(log, random_games(3))
    name = begin(log, "Anna", "Kurt", "Ashley", "Ben")
    unfinished, *finished = json_of(capsys, "history")
    assert unfinished == {
        "game": name,
        "started": unfinished["started"],
        "ended": None,
        "edition": "classic_2016",
        "rounds": 1,
        "players": ["Anna", "Kurt", "Ashley", "Ben"],
        "winners": None,
        "totals": None,
    }
    assert [game["started"] for game in finished] == sorted(
        (game["started"] for game in finished), reverse=True
    )
    for game in finished:
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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["history", "--since", "yesterday"], "not a date"),
        (["history", "--until", "2026-02-30"], "not a date"),
        (["history", "--edition", "classic_2061"], "did you mean “classic_2016”?"),
        (["history", "2026-11-22-1"], "no game has been saved yet"),
        (["history", "2026-11-22-1", "--player", "Anna"], "not both"),
        (["stats", "Anan"], "no player called “Anan” has finished a game"),
    ],
)
def test_what_is_not_understood_is_said(words: list[str], told: str, capsys: Capture) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


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


def test_some_players_alone_have_the_figures_that_they_have_among_all(
    log: str, capsys: Capture
) -> None:
    fill(log, random_games(10))
    everybody = json_of(capsys, "stats")
    some = json_of(capsys, "stats", "anna", "ZOË")
    assert some["players"].keys() == {"Anna", "Zoë"}
    for name, sums in some["players"].items():
        assert sums == everybody["players"][name]
    (pair,) = some["head_to_head"]
    assert pair in everybody["head_to_head"]
    lines = lines_of(capsys, "stats", "Anna", "Zoë")
    assert lines[0] == f"{some['games']} finished games."
    assert any(line.startswith("Anna as ") for line in lines)
    assert not any(line.startswith("Architect: ") for line in lines), "that is everybody's"


@pytest.mark.parametrize("damage", ["cut", "turned", "emptied", "removed", "older"])
def test_kept_statistics_that_are_damaged_are_made_again(
    log: str, capsys: Capture, damage: str
) -> None:
    fill(log, random_games(3))
    whole = json_of(capsys, "stats")
    (path,) = Path(kept.folder()).iterdir()
    content = path.read_bytes()
    damaged = {
        "cut": content[:-40],
        "turned": content[:200] + bytes([content[200] ^ 4]) + content[201:],
        "emptied": b"",
        "older": content.replace(b'"source":[1,', b'"source":[0,'),
    }
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes(damaged[damage])
    assert json_of(capsys, "stats") == whole
    assert path.read_bytes() == content


def test_kept_statistics_follow_what_is_played(log: str, capsys: Capture) -> None:
    games = list(random_games(4))
    fill(log, iter(games[:2]))
    assert json_of(capsys, "stats")["games"] == 2
    begin(log, "Anna", "Kurt", "Ashley", "Ben")  # changes nothing
    assert json_of(capsys, "stats")["games"] == 2
    fill(log, iter(games[2:]))
    assert json_of(capsys, "stats")["games"] == 4
    with Store(log) as store:  # undoing the end reopens a game
        store.append(1, "undo")
    assert json_of(capsys, "stats")["games"] == 3
    with Store(log) as store:
        store.append(1, "redo")
        store.finish(1)
    assert json_of(capsys, "stats")["games"] == 4


def test_a_game_keeps_its_own_figures_when_it_ends(log: str, capsys: Capture) -> None:
    game = next(random_games(1))
    with Store(log) as store:
        session = Session.begin(store, read_setup(game.setup))
        for move in game.moves:
            session.play(move)
        assert games.count_missing(store) == 0
        session.undo()
        assert games.count_missing(store) == 1
        session.redo()
        assert games.count_missing(store) == 0
        session.close()
        (played,) = games.read_all(store)
    assert played.digest == game.digest
    assert json_of(capsys, "stats")["games"] == 1


def test_the_night_before_a_game_is_continued_is_not_counted(log: str, capsys: Capture) -> None:
    game = next(random_games(1))
    clock = [datetime(2026, 11, 20, 20, tzinfo=UTC)]
    with Store(log, now=lambda: clock[0]) as store:
        session = Session.begin(store, read_setup(game.setup))
        for number, move in enumerate(game.moves):
            clock[0] += timedelta(hours=14) if number == 20 else timedelta(minutes=1)
            session.play(move)
        session.close()
    wanted = len(game.moves) - 1
    row, *_others = csv.DictReader(lines_of(capsys, "history", "--csv"))
    assert int(row["minutes"]) == wanted
    assert json_of(capsys, "bgstats")["durationMin"] == wanted
    records = {record["record"]: record["value"] for record in json_of(capsys, "stats")["records"]}
    assert records["longest_game"] == wanted


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


def test_players_are_listed_with_their_games(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "anna", "Zoë", "Ashley", "Ben")
    assert lines_of(capsys, "players")[0] == "anna: 2 games; also played as Anna."
    assert {p["name"]: p["games"] for p in json_of(capsys, "players")} == {
        "anna": 2, "Zoë": 1, "Ashley": 2, "Ben": 2, "Kurt": 1,
    }  # fmt: skip


def test_a_renamed_player_keeps_the_statistics(log: str, capsys: Capture) -> None:
    fill(log, random_games(6))
    before = json_of(capsys, "stats")
    assert json_of(capsys, "players", "rename", "anna", "Änne Müller")["name"] == "Änne Müller"
    players = json_of(capsys, "stats")["players"]
    assert players.pop("Änne Müller") == before["players"]["Anna"]
    assert players.items() <= before["players"].items()
    history = json_of(capsys, "history", "--player", "Änne Müller")
    assert history == json_of(capsys, "history", "--player", "Anna")
    assert all("Änne Müller" in game["totals"] for game in history)
    with Store(log) as store:
        assert "Anna" in store.load(1).setup["players"]  # the record keeps its names
    json_of(capsys, "players", "rename", "Änne Müller", "Anna")
    assert json_of(capsys, "stats") == before


def test_two_names_of_one_person_are_merged(log: str, capsys: Capture) -> None:
    games = list(random_games(8))
    for place, game in enumerate(games):
        if place % 2:
            _call_otherwise(game, "Anna", "Ann")
    fill(log, iter(games), digests=False)
    apart = json_of(capsys, "stats")["players"]
    assert json_of(capsys, "players", "merge", "Ann", "Anna")["also"] == ["Ann"]
    merged = json_of(capsys, "stats")["players"]["Anna"]
    for what in ("games", "wins"):
        assert merged[what] == apart["Anna"][what] + apart["Ann"][what]
    assert json_of(capsys, "stats", "ann")["players"] == {"Anna": merged}


def _call_otherwise(game: Random, was: str, now: str) -> None:
    """Rename one player in the game."""
    players = [now if name == was else name for name in game.setup["players"]]
    crown = now if game.setup["crown"] == was else game.setup["crown"]
    game.setup.update(players=players, crown=crown)
    game.moves[:] = [re.sub(rf"\b{was}\b", now, move) for move in game.moves]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rename", "Anan", "Eva"], "did you mean “Anna”?"),
        (["rename", "Anna", "kurt"], "one person: companion players merge Anna Kurt"),
        (["rename", "Anna", ""], "can't be a player's name"),
        (["rename", "Anna", "nobody"], "can't be a player's name"),
        (["rename", "Anna", "A\u202eB"], "can't be a player's name"),
        (["rename", "Anna", "x" * 41], "can't be a player's name"),
        (["merge", "Anna", "ANNA"], "Both names already mean Anna."),
        (["merge", "Anna", "Kurt"], "have played in the same game"),
        (["merge", "Anna"], "name two players"),
        (["remane", "Anna", "Kurt"], "did you mean “rename”?"),
    ],
)
def test_names_that_cannot_be_changed_so(
    words: list[str], told: str, log: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    before = Path(log).read_bytes()
    assert main(["players", *words]) == 2
    assert told in capsys.readouterr().err
    assert Path(log).read_bytes() == before


def test_a_renamed_player_is_found_by_any_former_name(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Anna", "Eva")
    lines_of(capsys, "players", "rename", "anna", "Eva Maria")
    assert lines_of(capsys, "players")[0] == "Eva Maria: 1 game; also played as Anna."
    assert main(["players", "rename", "Kurt", "eva maria"]) == 2
    assert 'companion players merge Kurt "Eva Maria"' in capsys.readouterr().err


@pytest.mark.parametrize("name", ["anna", "ANNA"])
def test_a_name_can_be_written_with_other_capitals(log: str, capsys: Capture, name: str) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert json_of(capsys, "players", "rename", "Anna", name)["name"] == name
    assert list(json_of(capsys, "history")[0]["players"]) == [name, "Kurt", "Ashley", "Ben"]


@pytest.mark.parametrize("command", ["history", "stats"])
def test_games_of_somebody_who_never_played_here_are_not_just_none(
    log: str, capsys: Capture, command: str
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert main([command, "--player", "Ahsley"]) == 2
    assert "did you mean “Ashley”?" in capsys.readouterr().err


def test_who_waits_for_many_games_is_told_how_many_are_left(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking_back.Progress()(looking_back.MANY - 1)
    assert capsys.readouterr().err == ""
    progress = looking_back.Progress()
    progress(1000)
    monkeypatch.setattr(looking_back, "SECONDS", 0)
    progress(900)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("Counting 1000 games")
    assert second == "Games left to count: 900."


def test_the_games_begun_last_are_those_told_first(log: str) -> None:
    fill(log, random_games(5))
    with Store(log) as store:
        everything = games.read_all(store)
        assert games.read_all(store, most=3) == everything[:3]


def test_two_people_of_one_game_stay_two(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Anna", "Eva")
    begin(log, "Anna", "Eva", "Ashley", "Ben")  # another Anna
    assert json_of(capsys, "history")[0]["players"] == ["Anna", "Eva", "Ashley", "Ben"]


def test_a_name_with_anything_in_it_reaches_no_terminal(log: str, capsys: Capture) -> None:
    begin(log, "\x1b[31mred", "\u202eevil", "<b>bold</b>", "Ben\u200b")
    for words in (["history"], ["players"], ["stats"], ["history", "--csv"]):
        told = "\n".join(lines_of(capsys, *words))
        assert not set(told) & set("\x1b\u202e\u200b")


def test_games_and_statistics_are_told_in_the_conversation(
    log: str, home: Path, capsys: Capture
) -> None:
    fill(log, random_games(3))
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    told = talk.line("results")
    assert [line.partition(":")[0] for line in told][1:] == [
        "2001-01-04-1", "2001-01-03-1", "2001-01-02-1",
    ]  # fmt: skip
    assert talk.line("results 1") == told[:1]
    assert talk.line("stats")[0] == "3 finished games."
    assert any(line.startswith("Anna as ") for line in talk.line("stats Anna"))
    recap = talk.line("results 2001-01-02-1")
    assert recap == lines_of(capsys, "history", "2001-01-02-1")[: len(recap)]
    assert "no saved game is called x" in talk.line("results x")[0]
    assert talk.line("stats Nemo") == ["Nemo has not finished a game here yet."]
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


def test_many_games_are_not_counted_while_people_wait(log: str, home: Path) -> None:
    game = next(random_games(1))
    fill(log, itertools.repeat(game, MOST_WAITED_FOR), digests=False)
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    (told,) = talk.line("stats")
    assert f"{MOST_WAITED_FOR + 1} games have not been counted yet" in told
    talk.close()


def test_former_players_are_named_before_a_game(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "Anna", "Zoë", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Kurt", "Konrad")
    answers = iter(["no", "Konrad, Zoë, Li", ""])
    with Store(log) as store:
        session = open_session(store, PlayOptions(), settings.load(), lambda: next(answers))
        assert session is not None
        assert session.setup.players == ("Konrad", "Zoë", "Li")
        session.close()
    assert "Also known here: Konrad." in capsys.readouterr().out.splitlines()
