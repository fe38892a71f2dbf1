"""More doors that are fuzzed: records, settings, the log of games, typed lines, a browser."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

from companion import config, records
from companion.commands.output import one_line
from companion.options import PlayOptions
from companion.plain import caller
from companion.strict_yaml import MAX_PROBLEMS, YamlProblems
from tests.companion.damage import Damaged, written_log

_FOLDER = tempfile.TemporaryDirectory(prefix="companion-doors-")
MOST_SAID = 200_000  # characters that a caller may answer to one input
_NOTHING_OF_OURS = ("Traceback", "\x1b", "\x9b", "\x07")


def _clean(text: str) -> None:
    """Hold that nothing in the text drives a terminal or is a traceback."""
    found = [sign for sign in _NOTHING_OF_OURS if sign in text]
    assert found == [], found


def record(data: bytes) -> None:
    """A record file is a game that plays, up to a refused move, or problems with their lines."""
    path = Path(_FOLDER.name, "record.yaml")
    path.write_bytes(data)
    problems: tuple[object, ...] = ()
    played = None
    try:
        played = records.play(records.read(str(path)).record)
    except YamlProblems as error:
        problems = error.problems
    assert len(problems) <= MAX_PROBLEMS
    assert (played is None) == bool(problems)
    for problem in problems:
        _clean(one_line(str(problem)))
    if played is not None and played.refused is not None:
        _clean(one_line(str(played.refused.refusal.reason)))


def settings(data: bytes) -> None:
    """A settings file is settings, or problems with their lines."""
    folder = Path(_FOLDER.name, "settings")
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_bytes(data)
    given = {"COMPANION_DATA": str(folder), "XDG_CACHE_HOME": str(folder), "LANG": "C"}
    problems: tuple[str, ...] = ()
    with contextlib.suppress(config.ConfigError):
        try:
            config.load(given)
        except config.ConfigError as error:
            problems = error.problems
            raise
    for problem in problems:
        _clean(one_line(problem))


@functools.cache
def _log() -> Path:
    folder = Path(_FOLDER.name, "log")
    folder.mkdir()
    return written_log(folder, 3)


def database(data: bytes) -> None:
    """A log of games with these bytes in some places can be used to an end, and salvaged."""
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


def typed(data: bytes) -> None:
    """Whatever is typed is answered in lines that drive no terminal, and the end of it leaves."""
    folder = Path(_FOLDER.name, "typed")
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["COMPANION_DATA"] = str(folder)
    secrecy = "secret" if data[:1] > b"\x7f" else "announced"
    given = {"COMPANION_DATA": str(folder), "COMPANION_SECRECY": secrecy, "LANG": "C"}
    loaded = config.load(given, options={"reader": "simulated", "plain": True})
    said = io.StringIO()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data[1:]), "utf-8", "replace")
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = caller.play(PlayOptions(new=True, players=NAMES, crown="Kurt"), loaded)
    finally:
        sys.stdin = before
    assert code == 0
    assert len(said.getvalue()) < MOST_SAID
    _clean(said.getvalue())


# -- a browser ------------------------------------------------------------------------------


class Wire(asyncio.Transport):
    """The socket of a stranger: keeps what is answered."""

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

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def _knock(data: bytes) -> bytes:
    from aiohttp import web

    from companion.serving import connections, guard, server

    table = server.TableServer(["false"], "127.0.0.1", 8000, guard.Guard("ABCD2345"))
    runner = web.AppRunner(table.application(), access_log=None, logger=table._log())
    await runner.setup()
    assert runner.server is not None
    made = connections.Connections(runner.server, table._turned_away)
    wire = Wire()
    protocol = made()
    protocol.connection_made(wire)
    for place in range(0, len(data), 512):
        if not wire.over:
            protocol.data_received(data[place : place + 512])
            await asyncio.sleep(0)
    for _turn in range(30):
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    await runner.cleanup()
    return wire.answer


def door(data: bytes) -> None:
    """Whatever a stranger sends gets an answer of ours, or none; nothing of it is shown."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        answer = asyncio.run(_knock(data))
    assert b" 500 " not in answer.split(b"\r\n", 1)[0]
    assert b"\x1b" not in answer
    assert b"ABCD" not in answer
    assert len(said.getvalue().splitlines()) <= 1
    _clean(said.getvalue())


_HEAD = b"edition: classic_2016\nplayers: [Anna, Ben, Cid, Dora]\ncrown: Anna\n"
_HOST = b"Host: 127.0.0.1:8000\r\n"
SEEDS: dict[str, tuple[bytes, ...]] = {
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
        b"GET / HTTP/1.1\r\n" + _HOST + b"Cookie: companion=x\r\n\r\n",
        b"POST /enter HTTP/1.1\r\n" + _HOST + b"Origin: http://127.0.0.1:8000\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\ncode=WXYZ",
        b"GET /ws?width=80 HTTP/1.1\r\n" + _HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Origin: http://127.0.0.1:8000\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        b"GET /static/js/textual.js HTTP/1.1\r\n" + _HOST + b"Range: bytes=0-9\r\n\r\n",
    ),
}
CHECKS = {"record": record, "settings": settings, "database": database, "typed": typed,
          "door": door}  # fmt: skip
