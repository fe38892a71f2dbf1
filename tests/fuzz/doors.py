"""More fuzz targets: records, settings, the log of games, typed lines, HTTP requests, imported
files."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import io
import os
import shutil
import sqlite3
import sys
import tempfile
import zlib
from pathlib import Path

from common.problems import MAX_PROBLEMS, Problems
from companion.errors.output import flatten
from companion.history import games
from companion.history import parcel as share
from companion.history.parcel import ParcelError, format
from companion.history.parcel.unpack import unpack
from companion.log import records
from companion.log.store import Store
from companion.plain import caller
from companion.settings import config
from companion.setup import PlayOptions
from tests.companion.damage import Damaged, write_log

_FOLDER = tempfile.TemporaryDirectory(prefix="companion-doors-")
MOST_SAID = 200_000  # characters of output that a caller may give for one input
_NOTHING_OF_OURS = ("Traceback", "\x1b", "\x9b", "\x07")


def _clean(text: str) -> None:
    """Assert that the text contains no terminal control and no traceback."""
    signs = [sign for sign in _NOTHING_OF_OURS if sign in text]
    assert signs == [], signs


def record(data: bytes) -> None:
    """A record file is a game that plays up to a refused move, or problems with their lines."""
    path = Path(_FOLDER.name, "record.yaml")
    path.write_bytes(data)
    problems: tuple[object, ...] = ()
    replay = None
    try:
        replay = records.play(records.read(str(path)).record)
    except Problems as error:
        problems = error.problems
    assert len(problems) <= MAX_PROBLEMS
    assert (replay is None) == bool(problems)
    for problem in problems:
        _clean(flatten(str(problem)))
    if replay is not None and replay.refused is not None:
        _clean(flatten(str(replay.refused.refusal.reason)))


def parcel(data: bytes) -> None:
    """A file from another computer with a correct checksum is imported completely, or refused
    completely."""
    folder = Path(_FOLDER.name, "parcel")
    shutil.rmtree(folder, ignore_errors=True)
    path, log = Path(_FOLDER.name, "games.citadels"), str(folder / "games.sqlite3")
    if data.startswith(b"SQLite"):
        share.write(str(path), data)
    else:  # the lines of the first version
        body = zlib.compress(data)
        head = f"{share.NAME} 1 {len(body)} {hashlib.sha256(body).hexdigest()}\n"
        path.write_bytes(head.encode() + body)
    with Store(log) as store:
        try:
            imports = unpack(
                str(path), store, str(folder / "tags.yaml"), str(folder / "cards.yaml")
            )
        except ParcelError as error:
            assert store.count() == 0  # an empty log may be there
            assert not {*folder.glob("*.yaml")}
            for line in error.lines:
                _clean(flatten(line))
            return
        assert store.count() == imports.games.added
        for game in games.read_all(store):
            for seat in game.seats:
                _clean(flatten(seat.name))


def settings(data: bytes) -> None:
    """A settings file gives settings, or problems with their lines."""
    folder = Path(_FOLDER.name, "settings")
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_bytes(data)
    variables = {"COMPANION_DATA": str(folder), "XDG_CACHE_HOME": str(folder), "LANG": "C"}
    problems: tuple[str, ...] = ()
    with contextlib.suppress(config.ConfigError):
        try:
            config.load(variables)
        except config.ConfigError as error:
            problems = error.problems
            raise
    for problem in problems:
        _clean(flatten(problem))


@functools.cache
def _log() -> Path:
    folder = Path(_FOLDER.name, "log")
    folder.mkdir()
    return write_log(folder, 3)


def database(data: bytes) -> None:
    """A log of games overwritten in places with these bytes can be used without a crash."""
    whole = bytearray(_log().read_bytes())
    for place in range(0, len(data) - 4, 5):
        offset = int.from_bytes(data[place : place + 4], "big") % len(whole)
        whole[offset] = data[place + 4]
    path = Path(_FOLDER.name, "damaged.sqlite3")
    path.write_bytes(whole)
    for left in path.parent.glob("damaged.sqlite3-*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    Damaged(path, _log(), "bytes").hold()


NAMES = ("Anna", "Kurt", "Ashley", "Ben")


def words_typed(data: bytes) -> None:
    """Any input gets lines without terminal control, and the end of input ends the program."""
    folder = Path(_FOLDER.name, "typed")
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["COMPANION_DATA"] = str(folder)
    secrecy = "secret" if data[:1] > b"\x7f" else "announced"
    variables = {"COMPANION_DATA": str(folder), "COMPANION_SECRECY": secrecy, "LANG": "C"}
    new_config = config.load(variables, options={"reader": "simulated", "plain": True})
    string_io = io.StringIO()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data[1:]), "utf-8", "replace")
    try:
        with contextlib.redirect_stdout(string_io), contextlib.redirect_stderr(string_io):
            code = caller.play(PlayOptions(new=True, players=NAMES, crown="Kurt"), new_config)
    finally:
        sys.stdin = before
    assert code == 0
    assert len(string_io.getvalue()) < MOST_SAID
    _clean(string_io.getvalue())


# -- a browser ------------------------------------------------------------------------------


class Wire(asyncio.Transport):
    """A stranger's socket: records the answers."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = b""
        self.over = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.answer += bytes(data)

    def close(self) -> None:
        self.over = True

    def abort(self) -> None:
        self.over = True

    def is_closing(self) -> bool:
        return self.over

    def get_extra_info(self, name: str, default: object = None) -> object:
        return ("10.1.1.1", 1) if name == "peername" else default

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


_TURNS = 50
"""Of the event loop, in which whatever has arrived is answered."""


async def _knock(data: bytes) -> bytes:
    from companion.phones.serving import http
    from companion.phones.serving.guard import Connections
    from tests.serving.local_table import Table

    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), code="ABCD2345", port=8000)
        wire = Wire()
        protocol = http.prepare(table.web.answer, Connections(table.rejections))()
        protocol.connection_made(wire)
        for place in range(0, len(data), 512):
            if not wire.over:
                protocol.data_received(data[place : place + 512])
            await asyncio.sleep(0)
        for _turn in range(_TURNS):
            await asyncio.sleep(0)
        protocol.connection_lost(None)
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        table.close()
    return wire.answer


def door(data: bytes) -> None:
    """Any request of a stranger gets one of our answers, or none; none of it is shown."""
    string_io = io.StringIO()
    with contextlib.redirect_stdout(string_io), contextlib.redirect_stderr(string_io):
        answer = asyncio.run(_knock(data))
    assert b" 500 " not in answer.split(b"\r\n", 1)[0]
    assert b"\x1b" not in answer
    assert b"ABCD" not in answer
    assert len(string_io.getvalue().splitlines()) <= 1
    _clean(string_io.getvalue())


_HEAD = b"edition: classic_2016\nplayers: [Anna, Ben, Cid, Dora]\ncrown: Anna\n"
_HOST = b"Host: 127.0.0.1:8000\r\n"
_GAME = (
    b'{"kind":"game","name":"2026-11-22-1","started":"2026-11-22T19:00:00.000+00:00","setup":'
    b'{"edition":"classic_2016","players":["Anna","Ben"],"crown":"Anna","secrecy":"announced"},'
    b'"events":[[5,"move","call"],[9,"undo",""],[11,"redo",""]]}\n'
)


def _write_tables() -> bytes:
    """The smallest file with a game and a name, before it is packed."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA page_size = 512")
        for table in format.TABLES:
            connection.execute(table)
        setup = '{"edition":"classic_2016","players":["Anna","Ben"],"crown":"Anna"}'
        game = "2026-11-22-1", "2026-11-22T19:00:00.000+00:00", setup, "call\nundo", "5 9"
        connection.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?)", game)
        connection.execute("INSERT INTO name VALUES ('anna', 'Anne')")
        connection.commit()
        return connection.serialize()


SEEDS: dict[str, tuple[bytes, ...]] = {
    "parcel": (
        _write_tables(),
        b'{"kind":"names","names":{"anna":"Anne"}}\n' + _GAME + b'{"kind":"end","games":1}\n',
        b'{"kind":"chips","chips":{"chips":{"04A2B3C4D5E680":"player 1"}}}\n'
        b'{"kind":"cards","text":"classic_2016:\\n  tavern: {copies: 6}\\n"}\n'
        b'{"kind":"end","games":0}\n',
    ),
    "record": (
        _HEAD + b"moves: [faceup bishop merchant, call, reveal Anna, kill king, gold]\n",
        _HEAD + b"options: {city_size: 8}\ncharacters: ordinary\nsecrecy: secret\nmoves: []\n",
        _HEAD + b"position: {round: 3, cities: {Anna: [temple]}, gold: {Ben: 4}}\nmoves: []\n",
    ),
    "settings": (
        b"language: fr\nreader: none\nvoice:\n  table: auto\n  ear: [piper]\n",
        b"readers:\n  left: {path: usb, seat: 1}\nkeys: {undo: u}\nsymbols: NTUSR\n",
    ),
    "database": (bytes(25), b"\x00\x00\x10\x08\xff" * 8),
    "typed": (
        b"\x00faceup bishop merchant\ncall\nreveal Anna\nkill king\ngold\nbuild temple\nundo\n",
        b"\xfffaceup bishop merchant\ncall\nreveal Anna\nkill king\nking\nwhy\nback\n",
        b"\x00new\nAnna,Ben,Cid,Dora\n1\nhelp\nlanguage fr\nmoves\n0\n-\n+\n9\n",
        b"\x00tap temple\nlearn tavern\nhold king\nlift\nunplug\nplug\ncard king\nopen x\n",
    ),
    "door": (
        b"GET / HTTP/1.1\r\n" + _HOST + b"Cookie: companion_seat_8000=x\r\n\r\n",
        b"POST /enter HTTP/1.1\r\n" + _HOST + b"Origin: http://127.0.0.1:8000\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\ncode=WXYZ",
        b"POST /api/join HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\n"
        b'Content-Length: 28\r\n\r\n{"code": "WXYZ", "seat": 12}',
        b"GET /static/pages.js HTTP/1.1\r\n" + _HOST + b"Range: bytes=0-9\r\n\r\n"
        b"GET /t/04A2B3C4D5E680 HTTP/1.1\r\n" + _HOST + b"Accept-Language: fr\r\n\r\n",
        b"GET /api/table HTTP/1.1\r\n" + _HOST + b"Transfer-Encoding: chunked\r\n\r\n"
        b"3\r\nabc\r\n0\r\n\r\nGET /api/table HTTP/1.1\r\n" + _HOST + b"\r\n",
    ),
}
CHECKS = {"record": record, "settings": settings, "database": database, "typed": words_typed,
          "door": door, "parcel": parcel}  # fmt: skip
