"""The statistics of a log: counted, kept and counted again."""

from __future__ import annotations

import csv
import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.extensions.looking_back.conversation_words import MOST_WAITED_FOR
from companion.game.session import Session
from companion.history import completing
from companion.history.games import read_all
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import fill
from tests.companion import recount
from tests.companion.past_games import Capture, json_of, lines_of, random_games
from tests.companion.talking import Talk
from tests.sizes import pick_size


@pytest.mark.sweep
@pytest.mark.parametrize("digests", [True, False], ids=["kept", "made"])
def test_statistics_of_random_games_equal_those_counted_from_their_records(
    log: str, capsys: Capture, digests: bool
) -> None:
    games = list(random_games(pick_size(14, 30, 2000)))
    fill(log, iter(games), undone=True, digests=digests)
    recounted = [recount.recount(game.setup, game.moves) for game in games]
    expected = recount.statistics(recounted)
    stats = json_of(capsys, "stats")
    assert stats["games"] == expected["games"]
    assert stats["districts"] == expected["districts"]
    for name, sums in expected["players"].items():
        answer = stats["players"][name]
        assert {key: answer[key] for key in sums} == sums, name
    records = {record["record"]: record["value"] for record in stats["records"]}
    assert records["highest_score"] == expected["highest"]
    assert records["most_expensive_city"] == expected["dearest"]
    listing = json_of(capsys, "history")
    assert [game["totals"] for game in reversed(listing)] == [game.totals for game in recounted]
    assert [game["rounds"] for game in reversed(listing)] == [game.rounds for game in recounted]
    with Store(log) as store, store.database.write() as connection:
        connection.execute("DROP TABLE ledger")
    assert json_of(capsys, "stats") == stats  # made again from the log
    assert json_of(capsys, "history") == listing


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


def test_a_game_keeps_its_own_figures_when_it_ends(log: str, capsys: Capture) -> None:
    game = next(random_games(1))
    with Store(log) as store:
        session = Session.begin(store, read_setup(game.setup))
        for move in game.moves:
            session.play(move)
        assert completing.find_missing(store) == []
        session.undo()
        assert completing.find_missing(store) == [1]
        session.redo()
        assert completing.find_missing(store) == []
        session.close()
        (replay,) = read_all(store)
    assert [seat.parts for seat in replay.seats] == [one.parts for one in game.digest.players]
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
    total = len(game.moves) - 1
    row, *_others = csv.DictReader(lines_of(capsys, "history", "--csv"))
    assert int(row["minutes"]) == total
    assert json_of(capsys, "bgstats")["durationMin"] == total
    records = {record["record"]: record["value"] for record in json_of(capsys, "stats")["records"]}
    assert records["longest_game"] == total


def test_many_games_are_not_counted_while_people_wait(log: str, home: Path) -> None:
    game = next(random_games(1))
    fill(log, itertools.repeat(game, MOST_WAITED_FOR), digests=False)
    talk = Talk(home / "data", read_setup({"players": ["Anna", "Kurt", "Ashley", "Ben"]}))
    (text,) = talk.line("stats")
    assert f"{MOST_WAITED_FOR + 1} games have not been counted yet" in text
    talk.close()
