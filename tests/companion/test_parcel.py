"""Export a table's games, names and chips to another computer: the same there, without duplicates;
a damaged, foreign or hostile file is refused completely."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion import chips
from companion.commands.cli import main
from companion.files import locations
from companion.game.session import Session
from companion.history import parcel
from companion.history.parcel import UnusableFile, format
from companion.log.game_rows import HandRow
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import fill
from tests.companion.past_games import MOVES, Capture, begin, json_of, random_games
from tests.sizes import pick_size

CHIPS = "chips:\n  04A2B3C4D5E680: district tavern 1\n  04A2B3C4D5E681: player 2\n"


class Table:
    """A table with its own folder, in which commands are run."""

    def __init__(self, home: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = home / name
        self.folder.mkdir(parents=True)
        self.log = locations.games_file(str(self.folder))
        self._monkeypatch = monkeypatch

    def _sit_down(self) -> None:
        self._monkeypatch.setenv("COMPANION_DATA", str(self.folder))

    def run(self, *words: str) -> int:
        self._sit_down()
        return main(list(words))

    def json(self, capsys: Capture, *words: str) -> Any:
        self._sit_down()
        return json_of(capsys, *words)

    def state(self) -> dict[str, bytes]:
        """Everything stored here, the log as rows."""
        files = {
            path.name: path.read_bytes()
            for path in self.folder.iterdir()
            if path.is_file() and not path.name.startswith(locations.GAMES_NAME)
        }
        if Path(self.log).exists():
            with Store(self.log) as store, store.database.look() as connection:
                for table in ("games", "events"):
                    stored = connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()  # noqa: S608 - of those above
                    files |= {table: json.dumps(stored).encode()} if stored else {}
        return files


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table with games of several boxes, one of them not over, a renamed player, and chips."""
    table = Table(home, "here", monkeypatch)
    fill(table.log, random_games(5), undone=True)
    begin(table.log, "Anna", "Kurt", "Ashley", "Ben")
    Path(locations.chips_file(str(table.folder))).write_text(CHIPS, encoding="utf-8")
    assert table.run("players", "rename", "Anna", "Änne") == 0
    assert table.run("players", "rename", "Kurt", "kurt") == 0
    return table


@pytest.fixture
def there(home: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(home, "there", monkeypatch)


@pytest.fixture
def file(here: Table, home: Path, capsys: Capture) -> Path:
    path = home / "evening.citadels"
    assert here.run("export", str(path)) == 0
    assert "players' secrets" in capsys.readouterr().err
    return path


@pytest.mark.looking_back
def test_what_is_exported_here_is_the_same_there(
    here: Table, there: Table, file: Path, capsys: Capture
) -> None:
    answer = there.json(capsys, "import", str(file))
    assert answer == {"added": 6, "continued": 0, "known": 0, "names": 2, "chips": 2}
    for words in (["history"], ["stats"], ["players"]):
        assert there.json(capsys, *words) == here.json(capsys, *words)
    for name in (game["game"] for game in here.json(capsys, "history")):
        records = []
        for table in (here, there):
            assert table.run("record", name) == 0
            lines = capsys.readouterr().out.splitlines()
            records.append([line for line in lines if "choose " not in line])
        assert records[0] == records[1]
    registries = [chips.load(locations.chips_file(str(table.folder))) for table in (here, there)]
    assert registries[0] == registries[1]
    with Store(here.log) as one, Store(there.log) as other:
        assert [info.started for info in one.games()] == [info.started for info in other.games()]
        assert len({tuple(info.update_time for info in log.games()) for log in (one, other)}) == 1


@pytest.mark.looking_back
def test_what_is_imported_twice_is_there_once(there: Table, file: Path, capsys: Capture) -> None:
    there.json(capsys, "import", str(file))
    before, stats = there.state(), there.json(capsys, "stats")
    answer = there.json(capsys, "import", str(file))
    assert answer == {"added": 0, "continued": 0, "known": 6, "names": 0, "chips": 0}
    assert there.state() == before
    assert there.json(capsys, "stats") == stats


def test_a_game_that_went_on_elsewhere_is_continued(
    here: Table, there: Table, file: Path, home: Path, capsys: Capture
) -> None:
    there.json(capsys, "import", str(file))
    with Store(here.log) as store:
        session = Session.resume(store)
        session.play("reveal Ben")
        session.close()
    later = home / "later.citadels"
    assert here.run("export", str(later)) == 0
    capsys.readouterr()
    with Store(there.log) as playing:
        open_one = playing.find_last_game()
        assert open_one is not None
        with playing.open_game(open_one):
            assert "is open in another window" in refused(there, later, capsys)
    assert there.json(capsys, "import", str(later))["continued"] == 1
    assert there.json(capsys, "import", str(file))["known"] == 6  # the older file undoes nothing
    with Store(there.log) as store:
        last = store.find_last_game()
        assert last is not None
        assert store.load(last).moves == [*MOVES, "reveal Ben"]


def test_a_forgotten_player_of_an_unfinished_game_is_somebody_elsewhere(
    here: Table, there: Table, home: Path, capsys: Capture
) -> None:
    begin(here.log, "Ben", "Zoë", "Anna", "Li")
    here.json(capsys, "players", "forget", "Anna")
    path, later = home / "out.citadels", home / "later.citadels"
    assert here.run("export", str(path)) == 0
    capsys.readouterr()
    there.json(capsys, "import", str(path))
    with Store(there.log) as store:
        session = Session.resume(store, store.find_last_game())
        assert session.setup.players == ("Ben", "Zoë", "Somebody", "Li")
        session.play("reveal Somebody")
        session.close()
    assert there.run("export", str(later)) == 0
    capsys.readouterr()
    assert here.json(capsys, "import", str(later))["continued"] == 1
    with Store(here.log) as store:
        assert Session.resume(store).referee.moves[-1].text == "reveal Anna"


def test_who_is_forgotten_doubles_no_game_where_they_are_not(
    here: Table, there: Table, file: Path, home: Path, capsys: Capture
) -> None:
    """Neither in the file that was written after it, nor in one that comes back."""
    there.json(capsys, "import", str(file))
    here.json(capsys, "players", "forget", "Zoë")
    later, back = home / "later.citadels", home / "back.citadels"
    assert here.run("export", str(later)) == 0
    assert there.run("export", str(back)) == 0
    capsys.readouterr()
    for table, path in ((there, later), (here, back)):
        answer = table.json(capsys, "import", str(path))
        assert (answer["added"], answer["continued"]) == (0, 0)


@pytest.mark.looking_back
def test_games_of_one_name_stay_two_and_the_last_game_is_the_one_played_here(
    there: Table, file: Path, capsys: Capture
) -> None:
    name = begin(there.log, "Zoë", "Li", "Max", "Eva")
    there.json(capsys, "import", str(file))
    games = there.json(capsys, "history")
    assert len({game["game"] for game in games}) == 7
    assert there.run("record") == 0
    assert "Zoë" in capsys.readouterr().out
    assert {game["game"]: game["players"] for game in games}[name] == ["Zoë", "Li", "Max", "Eva"]


def test_a_new_name_that_another_player_of_the_game_has_makes_nobody_the_same(
    there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "names.citadels"
    write(path, GAME, script="INSERT INTO name VALUES ('ben', 'Anna')")
    assert there.json(capsys, "import", str(path))["names"] == 0
    assert {one["name"] for one in there.json(capsys, "players")} == {"Anna", "Ben"}


def refused(table: Table, path: Path, capsys: Capture) -> str:
    """Import a file that must be refused completely; returns the reason."""
    before = table.state()
    assert table.run("import", str(path)) == 1
    output = capsys.readouterr()
    assert table.state() == before
    assert not output.out
    assert "Nothing was imported." in output.err or "are not imported" in output.err
    return output.err


@pytest.mark.sweep
def test_a_file_with_a_byte_changed_missing_or_added_is_refused(
    there: Table, file: Path, capsys: Capture
) -> None:
    whole, chance = file.read_bytes(), random.Random(1)
    head = whole.index(b"\n") + 20
    places = [*range(head), *chance.sample(range(head, len(whole)), pick_size(20, 50, 400))]
    for place in places:
        before, byte, after = whole[:place], whole[place : place + 1], whole[place + 1 :]
        wrong = bytes([byte[0] ^ (1 << chance.randrange(8))])
        for end in (wrong + after, after, byte + wrong + after):
            file.write_bytes(before + end)
            refused(there, file, capsys)
    for length in (0, 1, 40, 120, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        refused(there, file, capsys)
    file.write_bytes(whole + b"\n")
    assert "damaged" in refused(there, file, capsys)


def test_a_file_of_a_newer_version_is_refused(there: Table, file: Path, capsys: Capture) -> None:
    parcel.write(str(file), b"", version=parcel.VERSION + 1)
    assert "update the companion" in refused(there, file, capsys)


SETUP = {"edition": "classic_2016", "players": ["Anna", "Ben"], "crown": "Anna"}
GAME: dict[str, Any] = {
    "name": "2026-11-22-1",
    "started": "2026-11-22T19:00:00.000+00:00",
    "setup": json.dumps(SETUP),
    "moves": "call\nundo",
    "times": "5 9",
}


def write(path: Path, *games: dict[str, Any], script: str = "", **others: str) -> None:
    """Write a file with these games, and with what the script makes of its tables."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for table in format.TABLES:
            connection.execute(table)
        for game in games:
            marks = ", ".join("?" for _value in game)
            connection.execute(f"INSERT INTO game VALUES ({marks})", [*game.values()])  # noqa: S608
        connection.executemany("INSERT INTO other VALUES (?, ?)", others.items())
        connection.executescript(script)
        parcel.write(str(path), connection.serialize())


def with_setup(**changes: Any) -> dict[str, Any]:
    return GAME | {"setup": json.dumps(SETUP | changes)}


def with_result(edition: Any = "classic_2016", **changes: Any) -> dict[str, Any]:
    result = {"id": "x", "minutes": 60, "rounds": 7, "totals": [9, 9], "places": [1, 1]}
    game = with_setup(edition=edition, result=result | changes)
    return game | {"moves": "finish", "times": "0"}


WRONG: dict[str, dict[str, Any]] = {
    "a result that lasted for ever": with_result(minutes=10**400),
    "a result with too many rounds": with_result(rounds=10**30),
    "a result with points no table holds": with_result(totals=[10**30, 9]),
    "a result of a box without a name": with_result(edition=""),
    "a result whose id is a list": with_result(id=[1]),
    "half a character": with_setup(edition="\ud800"),
    "fewer times than moves": GAME | {"times": "5"},
    "times that are none": GAME | {"times": "19:00 20:00"},
    "a time beyond all times": GAME | {"times": f"5 {10**30}"},
    "a time before all times": GAME | {"times": f"5 -{10**14}"},
    "moves that drive a terminal": GAME | {"moves": "call\x1b[2J\nundo"},
    "moves that turn the text": GAME | {"moves": "call\u202e\nundo"},
    "a move that is too long": GAME | {"moves": "x" * 2000 + "\nundo"},
    "a row that is empty": GAME | {"moves": "call\n"},
    "moves that are no text": GAME | {"moves": b"call\nundo"},
    "undone before it was played": GAME | {"moves": "undo\ncall"},
    "a name that is a path": GAME | {"name": "../../etc/passwd"},
    "a name that drives a terminal": GAME | {"name": "\x1b[2J"},
    "no time": GAME | {"started": "yesterday"},
    "a time without a zone": GAME | {"started": "2026-11-22T19:00:00"},
    "a player who drives a terminal": with_setup(players=["\x1b[2J"]),
    "no players": GAME | {"setup": '{"edition": "classic_2016"}'},
    "a set-up that is none": GAME | {"setup": "[1]"},
    "a set-up with moves": with_setup(moves=[]),
    "a set-up that is too long": with_setup(options={"x": "y" * 60_000}),
    "nothing": dict.fromkeys(GAME),
}


@pytest.mark.parametrize("game", WRONG.values(), ids=WRONG.keys())
def test_a_file_that_says_what_cannot_be_is_refused(
    game: dict[str, Any], there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "strange.citadels"
    write(path, GAME, game)
    text = refused(there, path, capsys)
    assert "\x1b" not in text
    assert "game 2: " in text


STRANGE = {
    "a trigger": "CREATE TRIGGER x AFTER INSERT ON game BEGIN SELECT 1; END",
    "a view": "DROP TABLE name; CREATE VIEW name AS SELECT 1 AS was, 2 AS now",
    "another table": "CREATE TABLE x (y)",
    "a missing table": "DROP TABLE other",
    "a column more": "ALTER TABLE game ADD COLUMN hand TEXT",
    "something unknown": "INSERT INTO other VALUES ('sound', '')",
    "chips that are none": """INSERT INTO other VALUES ('chips', '{"chips": {"zz": "tavern"}}')""",
    "chips that are no JSON": "INSERT INTO other VALUES ('chips', '{')",
    "chips that are bytes": "INSERT INTO other VALUES ('chips', x'00ff')",
    "cards that are none": "INSERT INTO other VALUES ('cards', 'classic_2016: [1]')",
    "cards that are no text": "INSERT INTO other VALUES ('cards', 1)",
    "names that are none": "INSERT INTO name VALUES (char(10), 'b')",
    "names that are numbers": "INSERT INTO name VALUES (x'00', 1)",
    "text that is none": "UPDATE game SET moves = CAST(x'ff' AS TEXT)",
}


@pytest.mark.parametrize("script", STRANGE.values(), ids=STRANGE.keys())
def test_a_file_with_other_tables_is_refused(
    script: str, there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "strange.citadels"
    write(path, GAME, script=script)
    assert "Traceback" not in refused(there, path, capsys)


def test_a_file_that_is_no_database_is_refused(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "strange.citadels"
    write(path, GAME)
    for database in (b"", b"hello", zlib.decompress(path.read_bytes().partition(b"\n")[2])[:-4096]):
        parcel.write(str(path), database)
        refused(there, path, capsys)


@pytest.mark.looking_back
def test_a_result_without_moves_is_read(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "result.citadels"
    write(path, with_result())
    assert there.json(capsys, "import", str(path))["added"] == 1
    assert there.json(capsys, "history")[0]["rounds"] == 7


# -- notes ----------------------------------------------------------------------------------------

NOTED = ["faceup bishop merchant", "choose Anna king", "choose Ben thief", "call", "nobody"]
PUBLIC = [move for move in NOTED if not move.startswith("choose")]


def test_told_hands_and_notes_stay_at_their_table(
    here: Table, there: Table, home: Path, capsys: Capture
) -> None:
    begin(here.log, "Anna", "Kurt", "Ashley", "Ben", moves=NOTED)
    with Store(here.log) as store:
        session = Session.resume(store)
        for _time in range(4):  # as far as the first note
            session.undo()
        session.redo()
        for move in NOTED[2:]:
            session.play(move)
        game = store.find_last_game()
        assert game is not None
        store.add_hands(game, [HandRow(0, 2, "add tavern")])
        session.close()
    path = home / "noted.citadels"
    here.json(capsys, "export", str(path))
    database = zlib.decompress(path.read_bytes().partition(b"\n")[2])
    assert b"choose" not in database
    assert b"add tavern" not in database
    there.json(capsys, "import", str(path))
    with Store(there.log) as store:
        last = store.find_last_game()
        assert last is not None
        assert store.load(last).moves == PUBLIC
    assert here.json(capsys, "import", str(path))["known"] == 7


def test_a_game_that_comes_back_is_continued_past_its_notes(
    here: Table, there: Table, home: Path, capsys: Capture
) -> None:
    begin(here.log, "Anna", "Kurt", "Ashley", "Ben", moves=NOTED)
    path, back = home / "noted.citadels", home / "back.citadels"
    here.json(capsys, "export", str(path))
    there.json(capsys, "import", str(path))
    with Store(there.log) as store:
        last = store.find_last_game()
        assert last is not None
        for _time in PUBLIC:
            store.append(last, "undo")
        store.append(last, "redo")
        store.append(last, "move", "call")
    there.json(capsys, "export", str(back))
    assert here.json(capsys, "import", str(back))["continued"] == 1
    assert here.json(capsys, "import", str(back))["known"] == 7
    with Store(here.log) as store:
        last = store.find_last_game()
        assert last is not None
        assert store.load(last).moves == PUBLIC[:2]


# -- files of earlier versions --------------------------------------------------------------------

OLD_GAME = GAME | {"kind": "game", "setup": SETUP}
FIRST = {key: value for key, value in OLD_GAME.items() if key not in ("moves", "times")} | {
    "events": [[5, "move", "call"], [9, "undo", ""], [11, "redo", ""]]
}
SECOND = OLD_GAME | {
    "times": "2026-11-22T19:00:05.000+00:00 2026-11-22T19:00:09.000+00:00",
    "figures": {"version": 2, "seats": "[]"},
}
HEAD = {"kind": "citadels-companion-games", "version": 2}
END = {"kind": "end", "games": 1}


def write_old(path: Path, lines: list[Any]) -> None:
    """Write a file as version 2 did if the lines begin with its head, else as version 1."""
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    if lines[0] != HEAD:
        _packed(path, zlib.compress(data))
        return
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as pack:
        pack.write(data)


@pytest.mark.looking_back
@pytest.mark.parametrize("lines", [[FIRST, END], [HEAD, SECOND, END]], ids=["1", "2"])
def test_a_file_of_an_earlier_version_is_read(
    lines: list[Any], there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "old.citadels"
    write_old(path, lines)
    assert there.json(capsys, "import", str(path))["added"] == 1
    assert there.json(capsys, "import", str(path))["known"] == 1
    (game,) = there.json(capsys, "history")
    assert (game["started"], game["players"]) == (GAME["started"], ["Anna", "Ben"])


@pytest.mark.looking_back
def test_what_an_earlier_companion_has_written_is_read(there: Table, capsys: Capture) -> None:
    old = Path(__file__).with_name("earlier") / "version2.citadels"
    answer = there.json(capsys, "import", str(old))
    assert answer == {"added": 11, "continued": 0, "known": 0, "names": 2, "chips": 2}
    assert there.json(capsys, "import", str(old))["known"] == 11
    (running,) = [game for game in there.json(capsys, "history") if game["winners"] is None]
    assert running["players"] == ["Anna", "Änne", "Ashley", "Ben"]
    assert there.run("record", running["game"]) == 0
    assert "choose" not in capsys.readouterr().out


OLD_WRONG: dict[str, list[Any]] = {
    "another version": [HEAD | {"version": 3}, SECOND, END],
    "no version": [HEAD | {"version": "2"}, SECOND, END],
    "what is unknown": [HEAD, {"kind": "sound"}, SECOND, END],
    "no object": [HEAD, [1, 2], SECOND, END],
    "no end": [HEAD, SECOND],
    "another number of games": [HEAD, SECOND, SECOND, END],
    "something behind the end": [HEAD, SECOND, END, SECOND],
    "a game without moves": [HEAD, {"kind": "game"}, END],
    "times that are none": [HEAD, SECOND | {"times": "19:00 20:00"}, END],
    "times without a zone": [HEAD, SECOND | {"times": "2026-11-22 2026-11-23"}, END],
    "names that are none": [HEAD, {"kind": "names", "names": ["a"]}, SECOND, END],
    "chips that are none": [{"kind": "chips", "chips": {"chips": {"zz": "tavern"}}}, FIRST, END],
    "cards that are none": [{"kind": "cards", "text": {}}, FIRST, END],
    "a kind of row that there is not": [FIRST | {"events": [[5, "finsih", ""], [6, "x"]]}, END],
    "a start in the middle": [FIRST | {"events": [[5, "start", "{}"], [6]]}, END],
    "a time that is none": [FIRST | {"events": [["five", "move", "call"]]}, END],
    "half a character": [FIRST | {"setup": SETUP | {"edition": "\ud800"}}, END],
}


@pytest.mark.parametrize("lines", OLD_WRONG.values(), ids=OLD_WRONG.keys())
def test_an_old_file_that_says_what_cannot_be_is_refused(
    lines: list[Any], there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "strange.citadels"
    write_old(path, lines)
    refused(there, path, capsys)


def test_an_old_file_with_a_bit_turned_is_refused(
    there: Table, home: Path, capsys: Capture
) -> None:
    path, chance = home / "old.citadels", random.Random(1)
    write_old(path, [HEAD, SECOND, END])
    whole = path.read_bytes()
    for place in chance.sample(range(len(whole) - 1), 40):
        result = bytes([whole[place] ^ (1 << chance.randrange(8))])
        path.write_bytes(whole[:place] + result + whole[place + 1 :])
        refused(there, path, capsys)
    path.write_bytes(whole + b"x")
    assert "damaged" in refused(there, path, capsys)


def _packed(path: Path, body: bytes) -> None:
    head = f"citadels-companion-games 1 {len(body)} {hashlib.sha256(body).hexdigest()}\n"
    path.write_bytes(head.encode() + body)


def test_lines_without_end_and_depths_without_bottom_are_refused_soon(
    there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "bomb.citadels"
    pack = zlib.compressobj(9)
    pieces = [pack.compress(bytes(1_000_000)) + pack.flush(zlib.Z_FULL_FLUSH) for _time in "12"]
    bomb = pieces[0] + 299 * pieces[1]
    _packed(path, bomb)
    refused(there, path, capsys)
    for line in (b"[" * 100_000, b'{"games": 1' + b"0" * 100_000 + b"}", b"NaN", b"\xff\xfe"):
        _packed(path, zlib.compress(line + b"\n"))
        refused(there, path, capsys)


def test_what_a_table_has_otherwise_is_not_overwritten(
    there: Table, file: Path, capsys: Capture
) -> None:
    mapping = Path(locations.chips_file(str(there.folder)))
    mapping.write_text("chips:\n  04A2B3C4D5E680: district temple 1\n", encoding="utf-8")
    assert "04A2B3C4D5E680 would be district tavern" in refused(there, file, capsys)


def test_own_cards_are_carried(here: Table, there: Table, home: Path, capsys: Capture) -> None:
    cards = "classic_2016:\n  tavern: {copies: 6}  # our box\n"
    Path(here.folder, locations.CARDS_NAME).write_text(cards, encoding="utf-8")
    path = home / "cards.citadels"
    here.json(capsys, "export", str(path))
    there.json(capsys, "import", str(path))
    new_path = Path(there.folder, locations.CARDS_NAME)
    assert new_path.read_text(encoding="utf-8") == cards
    there.json(capsys, "import", str(path))
    new_path.write_text("classic_2016:\n  tavern: {copies: 7}\n", encoding="utf-8")
    assert "own cards differ" in refused(there, path, capsys)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can fill")
def test_where_the_chips_cannot_be_saved_no_game_is_either(
    there: Table, file: Path, capsys: Capture
) -> None:
    begin(there.log, "Zoë", "Li", "Max", "Eva")
    settings = there.folder / locations.CONFIG_NAME
    settings.write_text("paths:\n  chips: /proc/self/tags.yaml\n", encoding="utf-8")
    before = there.state()
    assert there.run("import", str(file)) != 0
    assert "cannot be saved" in capsys.readouterr().err
    assert there.state() == before
    settings.unlink()
    assert there.json(capsys, "import", str(file))["added"] == 6


def test_a_pipe_and_a_folder_are_no_file(home: Path) -> None:
    for path, why in (
        (str(home), "it is a folder"),
        ("/dev/zero", "it is a pipe or a device"),
        (str(home / "missing"), "there is no such file"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(UnusableFile, match=why):
            parcel.read(path)


def test_export_never_overwrites(here: Table, file: Path, capsys: Capture) -> None:
    whole = file.read_bytes()
    assert here.run("export", str(file)) == 2
    assert "already exists" in capsys.readouterr().err
    assert file.read_bytes() == whole


@pytest.mark.looking_back
def test_a_set_up_of_other_rules_is_carried_too(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "other.citadels"
    other = SETUP | {"edition": "an_edition_of_tomorrow"}
    write(path, GAME | {"setup": json.dumps(other)})
    assert there.json(capsys, "import", str(path))["added"] == 1
    (game,) = there.json(capsys, "history")
    assert (game["winners"], game["rounds"]) == (None, 0)
    with pytest.raises(Exception, match="edition"):
        read_setup(other)
