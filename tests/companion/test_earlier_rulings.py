"""Games of `ffg_2005` that were stored before its texts were known play on by the earlier rulings.

`earlier/ffg_2005.games` was exported by the version before: a game for each of the six rulings, of
which that of the Bell Tower is over.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from common.problems import Problems
from companion.commands.cli import main
from companion.files import locations
from companion.history import parcel
from companion.log.store import Store
from companion.settings import config
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from engine import record
from tests.companion.past_games import json_of, text_of

Capture = pytest.CaptureFixture[str]

FILE = Path(__file__).parent / "earlier" / "ffg_2005.games"
LINES = [
    line
    for line in map(json.loads, gzip.decompress(FILE.read_bytes()).splitlines())
    if line["kind"] == "game"
]
GAMES = {line["name"]: line for line in LINES}
STOPS_AT = ("use smithy", "exchange tavern Kurt market", "bonus")
"""The moves that the printed rulings refuse; the other games are played otherwise, or end later."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table that has imported those games; the path of its log."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert main(["import", str(FILE)]) == 0
    return locations.games_file(str(tmp_path))


def moves_of(name: str) -> list[str]:
    return [move for move in GAMES[name]["moves"].split("\n") if move != "finish"]


def record_of(name: str, capsys: Capture) -> str:
    capsys.readouterr()
    return text_of(capsys, "record", name)


@pytest.mark.parametrize("name", GAMES)
def test_a_stored_game_is_replayed_and_recorded_by_the_earlier_rulings(
    name: str, table: str, tmp_path: Path, capsys: Capture
) -> None:
    capsys.readouterr()
    replayed = json_of(capsys, "replay", name)
    assert replayed["refused"] is None
    assert (replayed["phase"] == "over") == ("finish" in GAMES[name]["moves"])
    text = record_of(name, capsys)
    assert "options: {rulings: earlier}\n" in text
    file = tmp_path / "game.yaml"
    file.write_text(text, encoding="utf-8")
    assert json_of(capsys, "replay", str(file)) == replayed


def test_the_log_and_an_export_of_today_keep_the_games_as_they_are(
    table: str, tmp_path: Path, capsys: Capture
) -> None:
    capsys.readouterr()
    assert json_of(capsys, "import", str(FILE))["known"] == len(GAMES)
    assert main(["export", str(tmp_path / "today.games")]) == 0
    _version, packed = parcel.read(str(tmp_path / "today.games"))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(zlib.decompress(packed))
        setups = connection.execute("SELECT name, setup FROM game")
        today = {name: json.loads(setup) for name, setup in setups}
    assert today == {name: line["setup"] for name, line in GAMES.items()}


def test_a_record_without_the_option_stops_at_a_changed_ruling_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    file, stops = tmp_path / "game.yaml", []
    for name, line in GAMES.items():
        data = {**line["setup"], "moves": moves_of(name)}
        file.write_text(json.dumps(data), encoding="utf-8")
        for view in ("full", "public"):
            code = main(["replay", str(file), "--json", "--view", view])
            refused = json.loads(capsys.readouterr().out)["refused"]
            assert (code == 0) == (refused is None)
            if refused is not None:
                stops.append(refused["move"])
                assert "“rulings: earlier”" in refused["reason"]
    assert set(stops) == set(STOPS_AT)
    wrong = {"edition": "ffg_2005", "players": ["Anna", "Kurt", "Ashley", "Ben"], "moves": ["end"]}
    file.write_text(json.dumps(wrong), encoding="utf-8")
    assert main(["replay", str(file)]) == 1
    assert "rulings" not in capsys.readouterr().err


def test_an_unfinished_game_plays_on_and_a_new_one_begins_by_what_is_printed(
    table: str, capsys: Capture
) -> None:
    (name,) = [name for name, line in GAMES.items() if line["moves"].endswith("bonus\ngold")]
    with Store(table) as store:
        game = store.find(name)
        assert game is not None
        setup = record.read_setup(store.load(game).setup)
        assert setup.options == {"rulings": "earlier"}
        draft = Draft.of(PlayOptions(), config.load({}), setup)
        assert "rulings" not in draft.options
        new = store.begin_game(draft.setup().data())
        assert "options" not in store.load(new).setup
    text = record_of(str(new), capsys)
    assert "rulings" not in text


def test_only_a_box_whose_rulings_have_changed_has_the_option() -> None:
    def problems(edition: str, value: Any) -> list[str]:
        data = {"edition": edition, "players": ["Anna", "Kurt", "Ashley", "Ben"],
                "options": {"rulings": value}}  # fmt: skip
        try:
            record.read_setup(data)
        except Problems as error:
            return [str(problem) for problem in error.problems]
        return []

    assert problems("ffg_2005", "earlier") == problems("classic_2016", "printed") == []
    assert problems("classic_2016", "earlier") == ["Citadels Classic (2016) has no earlier rulings"]
    assert problems("ffg_2005", "later") != []


def test_no_new_game_can_have_it(capsys: Capture) -> None:
    new = ["play", "--plain", "--new", "--players", "Anna,Kurt,Ben,Li", "--edition", "ffg_2005"]
    assert main([*new, "--option", "rulings=earlier", "--reader", "none"]) == 2
    assert "there is no option “rulings”" in capsys.readouterr().err
