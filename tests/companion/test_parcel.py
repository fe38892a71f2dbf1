"""Export a table's games, names and chips to another computer: the same there, without duplicates;
a damaged, foreign or hostile file is refused completely."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from companion import chips
from companion.commands.cli import main
from companion.files import locations
from companion.game.session import Session
from companion.history import counting, parcel
from companion.history.parcel import Parcel, UnusableFile, unpack
from companion.log import ledger
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import fill
from tests.companion.past_games import MOVES, begin, json_of, make_result_line, random_games
from tests.sizes import pick_size

Capture = pytest.CaptureFixture[str]

Patch = pytest.MonkeyPatch
REPLAY = counting.replay

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
        with Store(self.log) as store, store.database.errors("read"):
            rows = store.database.read()
            if rows is not None:
                tables = ("games", "events", "name_steps")
                there = {name for (name,) in rows.execute("SELECT name FROM sqlite_schema")}
                for table in there & set(tables):
                    matches = rows.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()  # noqa: S608 - of those above
                    files[table] = json.dumps(matches).encode()
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
            records.append(capsys.readouterr().out)
        assert records[0] == records[1]
    registries = [chips.load(locations.chips_file(str(table.folder))) for table in (here, there)]
    assert registries[0] == registries[1]
    with Store(here.log) as one, Store(there.log) as other:
        assert [info.started for info in one.games()] == [info.started for info in other.games()]
        assert len({tuple(info.update_time for info in log.games()) for log in (one, other)}) == 1


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
    assert there.json(capsys, "import", str(later))["continued"] == 1
    assert there.json(capsys, "import", str(file))["known"] == 6  # the older file undoes nothing
    with Store(there.log) as store:
        last = store.find_last_game()
        assert last is not None
        assert store.load(last).moves == [*MOVES, "reveal Ben"]


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


def refused(table: Table, path: Path, capsys: Capture) -> str:
    """Import a file that must be refused completely; returns the reason."""
    before = table.state()
    assert table.run("import", str(path)) == 1
    output = capsys.readouterr()
    assert table.state() == before
    assert not output.out
    assert "Nothing was imported." in output.err
    return output.err


@pytest.mark.sweep
def test_a_file_with_a_turned_bit_or_an_end_missing_is_refused(
    there: Table, file: Path, capsys: Capture
) -> None:
    whole, chance = file.read_bytes(), random.Random(1)
    places = [*range(130), *chance.sample(range(130, len(whole)), pick_size(20, 50, 400))]
    for place in places:
        result = whole[place] ^ (1 << chance.randrange(8))
        file.write_bytes(whole[:place] + bytes([result]) + whole[place + 1 :])
        refused(there, file, capsys)
    for length in (0, 1, 40, 120, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        refused(there, file, capsys)
    file.write_bytes(whole + b"\n")
    assert "damaged" in refused(there, file, capsys)


def test_a_file_of_a_newer_version_is_refused(there: Table, file: Path, capsys: Capture) -> None:
    parcel.write(str(file), [], version=parcel.VERSION + 1)
    assert "update the companion" in refused(there, file, capsys)


GAME: dict[str, Any] = {  # as the first version has it
    "kind": "game",
    "name": "2026-11-22-1",
    "started": "2026-11-22T19:00:00.000+00:00",
    "setup": {"edition": "classic_2016", "players": ["Anna", "Ben"], "crown": "Anna"},
    "events": [[5, "move", "call"], [9, "undo", ""]],
}
END = {"kind": "end", "games": 1}
SETUP = GAME["setup"]

NEW = {key: value for key, value in GAME.items() if key != "events"} | {
    "moves": "call\nundo",
    "times": "2026-11-22T19:00:05.000+00:00 2026-11-22T19:00:09.000+00:00",
    "figures": None,
}
WRONG: dict[str, list[Any]] = {
    "a result that lasted for ever": [make_result_line(NEW, minutes=10**400), END],
    "a result with too many rounds": [make_result_line(NEW, rounds=10**30), END],
    "a result with points no table holds": [make_result_line(NEW, totals=[10**30, 9, 9, 9]), END],
    "a result of a box without a name": [make_result_line(NEW, edition="\ud800"), END],
    "a result whose id is a list": [make_result_line(NEW, id=[1]), END],
    "fewer times than moves": [NEW | {"times": NEW["started"]}, END],
    "times that are none": [NEW | {"times": "19:00 20:00"}, END],
    "moves that drive a terminal": [NEW | {"moves": "call\x1b[2J\nundo"}, END],
    "a row that is empty": [NEW | {"moves": "call\n"}, END],
    "moves that are no text": [NEW | {"moves": ["call"]}, END],
    "undone before it was played": [NEW | {"moves": "undo\ncall"}, END],
    "figures that are none": [NEW | {"figures": {"version": ledger.VERSION}}, END],
    "figures of nobody": [NEW | {"figures": []}, END],
    "what this version does not know": [{"kind": "sound"}, GAME, END],
    "no object": [[1, 2], GAME, END],
    "no end": [GAME],
    "another number of games": [GAME, GAME, END],
    "something behind the end": [GAME, END, GAME],
    "a name that is a path": [GAME | {"name": "../../etc/passwd"}, END],
    "a name that drives a terminal": [GAME | {"name": "\x1b[2J"}, END],
    "no time": [GAME | {"started": "yesterday"}, END],
    "a time without a zone": [GAME | {"started": "2026-11-22T19:00:00"}, END],
    "a player who drives a terminal": [GAME | {"setup": SETUP | {"players": ["\x1b[2J"]}}, END],
    "no players": [GAME | {"setup": {"edition": "classic_2016"}}, END],
    "a set-up with moves": [GAME | {"setup": SETUP | {"moves": []}}, END],
    "a set-up that is too long": [GAME | {"setup": SETUP | {"options": {"x": "y" * 60_000}}}, END],
    "a kind of row that there is not": [GAME | {"events": [[5, "finsih", ""]]}, END],
    "a start in the middle": [GAME | {"events": [[5, "start", "{}"]]}, END],
    "a time beyond all times": [GAME | {"events": [[10**30, "move", "call"]]}, END],
    "a time that is none": [GAME | {"events": [["5", "move", "call"]]}, END],
    "a move that is too long": [GAME | {"events": [[5, "move", "x" * 2000]]}, END],
    "a move that drives a terminal": [GAME | {"events": [[5, "move", "call\x1b[2J"]]}, END],
    "more taken back than played": [GAME | {"events": [[5, "undo", ""]]}, END],
    "a chip that is none": [{"kind": "chips", "chips": {"chips": {"zz": "tavern"}}}, GAME, END],
    "names that are none": [{"kind": "names", "names": {"a\n": "b"}}, GAME, END],
    "cards that are none": [{"kind": "cards", "text": "classic_2016: [1]"}, GAME, END],
}  # fmt: skip


@pytest.mark.parametrize("lines", WRONG.values(), ids=WRONG.keys())
def test_a_file_that_says_what_cannot_be_is_refused(
    lines: list[Any], there: Table, home: Path, capsys: Capture
) -> None:
    path = home / "strange.citadels"
    parcel.write(str(path), map(json.dumps, lines))
    text = refused(there, path, capsys)
    assert "\x1b" not in text


def test_every_reason_is_said_at_once(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "strange.citadels"
    wrong = GAME | {"name": "a/b", "started": "", "events": [[5, "undo", "x"]]}
    parcel.write(str(path), map(json.dumps, [GAME, wrong, wrong]))
    text = refused(there, path, capsys)
    assert text.count("line 2: ") == text.count("line 3: ") == 3
    assert "all of its games" in text


def test_a_result_without_moves_is_read(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "result.citadels"
    parcel.write(str(path), map(json.dumps, [make_result_line(NEW), END]))
    assert there.json(capsys, "import", str(path))["added"] == 1
    assert there.json(capsys, "history")[0]["rounds"] == 7


def test_a_file_of_the_first_version_is_read(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "old.citadels"
    entries = GAME | {"events": [[5, "move", "call"], [9, "undo", ""], [11, "redo", ""]]}
    lines = "".join(f"{json.dumps(line)}\n" for line in (entries, END))
    _packed(path, zlib.compress(lines.encode()))
    assert there.json(capsys, "import", str(path))["added"] == 1
    (game,) = there.json(capsys, "history")
    assert (game["started"], game["players"]) == (GAME["started"], ["Anna", "Ben"])
    path.write_bytes(path.read_bytes().replace(b"games 1 ", b"games 3 ", 1))
    assert "update the companion" in refused(there, path, capsys)


def test_figures_travel_and_forged_ones_are_refused(
    here: Table, there: Table, file: Path, home: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    lines = [line for _number, line in Parcel(str(file)).lines()]
    game = next(line for line in lines if line.get("figures"))
    seats = json.loads(game["figures"]["seats"])
    seats[0][1] += 1
    game["figures"]["seats"] = json.dumps(seats)
    path = home / "forged.citadels"
    parcel.write(str(path), map(json.dumps, lines))
    assert "result of game" in refused(there, path, capsys)
    game["figures"]["version"] = 0  # as another version has counted: it is counted here
    parcel.write(str(path), map(json.dumps, lines))
    there.json(capsys, "import", str(path))
    assert there.json(capsys, "stats") == here.json(capsys, "stats")
    game["figures"]["seats"] = "none"
    game["figures"]["version"] = ledger.VERSION
    parcel.write(str(path), map(json.dumps, lines))
    assert "damaged" in refused(there, path, capsys)


def test_imported_figures_are_not_counted_again(
    here: Table, there: Table, file: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(unpack, "_SAMPLE", 0)
    monkeypatch.setattr(
        counting, "replay", lambda log: pytest.fail("counted") if log.finished else REPLAY(log)
    )
    there.json(capsys, "import", str(file))
    assert there.json(capsys, "stats") == here.json(capsys, "stats")


def _packed(path: Path, body: bytes) -> None:
    import hashlib

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
    assert "too l" in refused(there, path, capsys)  # the line, or all of it
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
    Path(locations.cards_file(str(here.folder))).write_text(cards, encoding="utf-8")
    path = home / "cards.citadels"
    here.json(capsys, "export", str(path))
    there.json(capsys, "import", str(path))
    new_path = Path(locations.cards_file(str(there.folder)))
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
            Parcel(path)


def test_export_never_overwrites(here: Table, file: Path, capsys: Capture) -> None:
    whole = file.read_bytes()
    assert here.run("export", str(file)) == 2
    assert "already exists" in capsys.readouterr().err
    assert file.read_bytes() == whole


def test_a_set_up_of_other_rules_is_carried_too(there: Table, home: Path, capsys: Capture) -> None:
    path = home / "other.citadels"
    other = GAME | {"setup": SETUP | {"edition": "an_edition_of_tomorrow"}}
    parcel.write(str(path), map(json.dumps, [other, END]))
    assert there.json(capsys, "import", str(path))["added"] == 1
    (game,) = there.json(capsys, "history")
    assert (game["winners"], game["rounds"]) == (None, 0)
    with pytest.raises(Exception, match="edition"):
        read_setup(other["setup"])
