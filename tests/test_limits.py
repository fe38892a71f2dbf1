"""`docs/reference/limits.md` says what the program does, and input beyond a limit is refused."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.files import locations
from companion.history import parcel
from companion.history.parcel import format
from tests.companion.listening import NEW, Listener, companion
from tests.starting import ROOT

TABLE = ROOT / "docs" / "reference" / "limits.md"
SECONDS, MEGABYTES = 60, 100
"""What a file beyond the limits may cost: of the processor, before the kernel ends the program
(several times what the worst takes, since a busy core counts more of them for the same work); of
memory, more than a replay without problems."""
ROWS = re.findall(r"^\| (.*) \| (\d+)(?: \w+)? \| `([\w.]+)` \|$", TABLE.read_text(), re.MULTILINE)


@pytest.mark.documents
@pytest.mark.parametrize(("what", "number", "name"), ROWS, ids=[row[2] for row in ROWS])
def test_the_table_says_what_the_program_does(what: str, number: str, name: str) -> None:
    module, _dot, constant = name.rpartition(".")
    assert getattr(importlib.import_module(module), constant) == int(number), what


def test_every_row_of_the_table_is_read() -> None:
    rows = [line for line in TABLE.read_text().splitlines() if line.count("`") == 2 and "|" in line]
    assert len(rows) == len(ROWS) > 20


# -- files beyond them ----------------------------------------------------------------------

HEAD = "edition: classic_2016\nplayers: [Anna, Ben, Cid, Dora]\ncrown: Anna\n"
HOSTILE: dict[str, Callable[[], str]] = {  # made when needed: they are large
    "players": lambda: "edition: classic_2016\nplayers: ["
    + ", ".join(f"P{n:06}" for n in range(90_000)),
    "players that fit": lambda: "edition: classic_2016\nplayers: ["
    + ", ".join(f"P{n:06}" for n in range(4900))
    + "]\n",
    "keys given twice": lambda: "a: 1\n" * 200_000,
    "moves": lambda: HEAD + "moves:\n" + "- call\n" * 140_000,
    "options": lambda: HEAD + "options:\n" + "".join(f"  key{n}: 3\n" for n in range(60_000)),
    "options that fit": lambda: HEAD
    + "options:\n"
    + "".join(f"  key{n}: 3\n" for n in range(1600)),
    "lists in lists": lambda: "a: " + "[" * 100_000,
    "mappings in mappings": lambda: "{a: " * 100_000,
    "anchors": lambda: "".join(f"a{n}: &a{n} [*a{n}, *a{n}]\n" for n in range(20_000)),
    "one long line": lambda: "a: " + "x" * 1_000_000,
    "too long": lambda: "# \n" * 400_000,
    "nothing but quotes": lambda: '"' * 900_000,
    "escapes": lambda: "moves: [\x1b]0;x\x07" + "\x9b" * 10_000,
}  # fmt: skip


def _run(words: list[str], **given: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run a command, at most SECONDS of the processor's; returns the process and its peak MiB."""
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}));"
        "import sys; from companion.commands.cli import main; code = main(sys.argv[1:]);"
        "status = open('/proc/self/status').read();"  # not of what forked it
        "print('peak', int(status.partition('VmHWM:')[2].split()[0]) / 1024); sys.exit(code)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT, env={**os.environ, **given}, capture_output=True, text=True, timeout=250,
    )  # fmt: skip
    assert result.returncode >= 0, f"ended by the kernel (signal {-result.returncode})"
    return result, float(result.stdout.splitlines()[-1].split()[1])


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> float:
    """The megabytes of a replay without problems."""
    path = tmp_path_factory.mktemp("idle") / "record.yaml"
    path.write_text(HEAD + "moves: []\n")
    return _run(["replay", str(path)])[1]


def _bounded(words: list[str], idle: float) -> None:
    result, megabytes = _run(words)
    assert result.returncode in (1, 2)
    assert "Traceback" not in result.stderr
    assert 0 < len(result.stderr.splitlines()) <= 51
    assert not set(result.stderr) & {"\x1b", "\x9b", "\x07"}
    assert megabytes - idle < MEGABYTES


@pytest.mark.outer
@pytest.mark.parametrize("name", HOSTILE)
def test_a_record_beyond_the_limits_is_refused_soon(name: str, tmp_path: Path, idle: float) -> None:
    path = tmp_path / "record.yaml"
    path.write_text(HOSTILE[name](), encoding="utf-8")
    _bounded(["replay", str(path)], idle)


OTHERS: dict[str, tuple[str, str, list[str]]] = {
    "settings": (
        locations.CONFIG_NAME,
        "".join(f"key{n}: 3\n" for n in range(1600)),
        ["editions"],
    ),
    "chips": (
        locations.CHIPS_NAME,
        "chips:\n" + "".join(f"  04{n:012X}: district nonsense {n}\n" for n in range(1600)),
        ["tags", "list"],
    ),
    "own cards": (
        locations.CARDS_NAME,
        "classic_2016:\n" + "".join(f"  card{n}: {{name: N, cost: 3}}\n" for n in range(1000)),
        ["card", "temple"],
    ),
}  # fmt: skip


@pytest.mark.outer
@pytest.mark.parametrize("name", OTHERS)
def test_other_files_beyond_the_limits_are_refused_soon(name: str, idle: float) -> None:
    file, text, words = OTHERS[name]
    data = Path(locations.data_dir())
    data.mkdir()
    (data / file).write_text(text)
    _bounded(words, idle)


OLD_PARCELS: dict[str, Callable[[], bytes]] = {
    "a line that never ends": lambda: bytes(150_000_000),
    "lines that say nothing": lambda: b"0\n" * 20_000_000,
    "lists in a game": lambda: b'{"kind":"game","events":[' + b"[]," * 650_000 + b"[]]}\n",
    "names without end": lambda: b'{"kind":"names","names":{}}\n' * 2_800_000,
    "rows of a game": lambda: (
        b'{"kind":"game","events":[' + b'[1,"move","x"],' * 200_000 + b"[]]}\n"
    ),
}


@pytest.mark.outer
@pytest.mark.parametrize("name", OLD_PARCELS)
def test_an_old_file_of_another_computer_beyond_the_limits_is_refused_soon(
    name: str, tmp_path: Path, idle: float
) -> None:
    body = zlib.compress(OLD_PARCELS[name](), 1)
    head = f"citadels-companion-games 1 {len(body)} {hashlib.sha256(body).hexdigest()}\n"
    path = tmp_path / "games.citadels"
    path.write_bytes(head.encode() + body)
    _bounded(["import", str(path)], idle)


SETUP = '{"players":["A"]}'
SETUP_OF_MANY = json.dumps({"players": ["A"], "options": {str(n): 0 for n in range(4000)}})
LAST = ("", "", "", "", "")  # what is wrong comes last
STARTED = "2026-11-22T19:00:00.000+00:00"


def _fill(number: int, setup: str, moves: str, times: str) -> list[tuple[str, ...]]:
    return [("g", STARTED, setup, moves, times)] * number


PARCELS: dict[str, tuple[str, Callable[[], list[tuple[str, ...]]]]] = {
    "games": ("game", lambda: _fill(20_000, SETUP, "a", "0")),
    "more games than allowed": ("game", lambda: _fill(900_000, SETUP, "", "")),
    "long games": (
        "game",
        lambda: _fill(10_000, SETUP, "\n".join(["build tavern"] * 300), "1 " * 299 + "1"),
    ),
    "the shortest moves": (
        "game",
        lambda: _fill(66, SETUP, "\n".join(["a"] * 60_000), "0 " * 59_999 + "0"),
    ),
    "undone without end": (
        "game",
        lambda: _fill(66, SETUP, "\n".join(["a", "undo"] * 30_000), "0 " * 59_999 + "0"),
    ),
    "moves in letters that are looked at one by one": (
        "game",
        lambda: _fill(19, SETUP, "\n".join(["🏰\u200d🏰" * 80] * 2000), "0 " * 1999 + "0"),
    ),
    "set-ups": ("game", lambda: _fill(400, SETUP_OF_MANY, "", "")),
    "names": ("name", lambda: [(f"n{number}", "é\u0301") for number in range(100_000)]),
    "names beyond the limit": ("name", lambda: [(f"{n}", "b") for n in range(4_000_000)]),
    "chips": (
        "other",
        lambda: [("chips", json.dumps({"chips": {f"04{n:012X}": "crown" for n in range(90_000)}}))],
    ),
    "cards": ("other", lambda: [("cards", "a: " + "[a, " * 250_000)]),
}  # fmt: skip


@pytest.mark.outer
@pytest.mark.parametrize("name", PARCELS)
def test_a_file_of_another_computer_beyond_the_limits_is_refused_soon(
    name: str, tmp_path: Path, idle: float
) -> None:
    table, make = PARCELS[name]
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for statement in format.TABLES:
            connection.execute(statement)
        made = make()
        marks = ", ".join("?" * len(made[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", made)  # noqa: S608 - of those
        connection.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?)", LAST)
        connection.commit()
        parcel.write(str(tmp_path / "games.citadels"), connection.serialize())
    _bounded(["import", str(tmp_path / "games.citadels")], idle)


@pytest.mark.outer
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("record.yaml", ["replay", "FILE"]),
        ("record.yaml", ["score", "FILE"]),
        (locations.CONFIG_NAME, ["editions"]),
        (locations.CARDS_NAME, ["editions"]),
        (locations.CHIPS_NAME, ["tags", "list"]),
        (locations.GAMES_NAME, ["record"]),
        (f"{locations.GAMES_NAME}-settings.json", ["editions"]),
    ],
)
def test_a_pipe_where_a_file_is_expected_keeps_nobody_waiting(file: str, words: list[str]) -> None:
    data = Path(locations.data_dir())
    data.mkdir()
    os.mkfifo(data / file)
    result = companion(*(str(data / file) if word == "FILE" else word for word in words))
    assert "Traceback" not in result.stderr
    if not file.endswith(".json"):
        assert result.returncode in (1, 2)
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.outer
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null", "/dev/tty", "/dev/ptmx"])
def test_a_device_is_no_file(device: str) -> None:
    if not Path(device).is_char_device():
        pytest.skip(f"no {device} here")
    for command in ("replay", "score"):
        result = companion(command, device)
        assert result.returncode == 2
        assert "it is a pipe or a device, not a file" in result.stderr
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.outer
@pytest.mark.parametrize("path", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_what_somebody_has_just_opened_is_read(path: str) -> None:
    if not os.path.exists(path):
        pytest.skip(f"no {path} here")
    result = companion("replay", path, stdin=HEAD + "moves: []\n")
    assert result.returncode == 0, result.stderr


# -- lines ----------------------------------------------------------------------------------


@pytest.mark.outer
def test_lines_without_end_take_no_room() -> None:
    with Listener() as caller:
        caller.hear()
        assert caller.process.stdin is not None
        pipe = caller.process.stdin.fileno()
        os.set_blocking(pipe, False)
        ahead = 0
        try:
            while ahead < 2_000_000:
                ahead += os.write(pipe, b"moves\n" * 1000)
        except BlockingIOError:
            pass  # the program stops reading until it has answered
        assert ahead < 2_000_000
        caller.kill()


LAST_LINES: list[list[str]] = [
    ["new"],
    ["new", "Anna,Kurt,Ashley"],
    ["new", "Anna,Kurt,Ashley,Ben", ""],
    ["language"],
    ["faceup bishop merchant", "call", "reveal Anna"],
    ["learn temple"],
    ["moves"],
    ["choose"],
    ["help"],
]


@pytest.mark.outer
@pytest.mark.parametrize("lines", LAST_LINES, ids=" ".join)
def test_the_end_of_the_input_ends_it_in_every_state(lines: list[str]) -> None:
    words = ["play", "--plain", "--reader", "simulated", "--secrecy", "secret"]
    result = companion(*words, *NEW, stdin="".join(f"{line}\n" for line in lines))
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr


def test_a_command_is_not_kept_by_its_own_log_of_games() -> None:
    """Many games do not slow down a start: only the last ones are read."""
    from companion.log.store import Store

    with Store(locations.games_file(locations.data_dir())) as store:
        for number in range(40):
            store.append(store.begin_game({"players": [str(number)]}), "move", "call")
        rows = store.database.read()
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return 0

        def cost(most: int) -> int:
            nonlocal steps
            steps = 0
            rows.set_progress_handler(count, 1)
            store.games(most)
            rows.set_progress_handler(None, 1)
            return steps

        few = cost(1)
        for number in range(400):
            store.append(store.begin_game({"players": [str(number)]}), "move", "call")
        assert cost(1) <= few + 5
        assert cost(9) < cost(-1) / 10
