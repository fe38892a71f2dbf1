"""Whatever a stranger sends to the browser view is answered or hung up on, and never shown."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("textual_serve", reason="the extra “serve” is not installed")
aiohttp = pytest.importorskip("aiohttp")

from companion.serving import caller, connections, guard, server  # noqa: E402
from tests.companion.listening import PATIENCE  # noqa: E402
from tests.end_to_end.test_serve import Served, served, status, ticket  # noqa: E402

HOST = b"Host: 127.0.0.1:%d\r\n"
POST = b"POST /enter HTTP/1.1\r\n" + HOST + b"Origin: http://127.0.0.1:%d\r\n"
FORM = b"application/x-www-form-urlencoded"
FORGED = b"charset*=utf-8''%%1B%%5D0;Access%%20code:%%20AAAA-AAAA%%07"

REQUESTS = {
    "a forged charset": POST + b"Content-Type: text/plain; " + FORGED
    + b"\r\nContent-Length: 9\r\n\r\ncode=ABCD",
    "a forged charset of a form": POST + b"Content-Type: " + FORM + b"; " + FORGED
    + b"\r\nContent-Length: 9\r\n\r\ncode=ABCD",
    "a forged part": POST + b"Content-Type: multipart/form-data; boundary=x\r\n"
    b"Content-Length: 120\r\n\r\n--x\r\nContent-Disposition: form-data; name=code\r\n"
    b"Content-Transfer-Encoding: \x1b]0;x\x07\r\n\r\nABCD\r\n--x--\r\n".ljust(120),
    "a broken gzip": POST + b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n\x1f\x8b\x08rubbish",
    "a broken chunk": POST + b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\nrubbish\r\n",
    "a body where none belongs": b"GET / HTTP/1.1\r\n" + HOST + b"Content-Encoding: gzip\r\n"
    b"Content-Length: 9\r\n\r\n\x1f\x8b\x08rubbish",
    "a strange cookie": b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: companion=\xff\xfe\r\n\r\n",
    "a long name": b"GET /static/" + b"x" * 300 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a name with a NUL": b"GET /static/%%00 HTTP/1.1\r\n" + HOST + b"\r\n",
    "another folder": b"GET /static/..%%2f..%%2fserver.py HTTP/1.1\r\n" + HOST + b"\r\n",
    "an endless line": b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "endless headers": b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 5000 + b"\r\n",
    "an escape in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X: \x1b]0;x\x07\r\n\r\n",
    "a strange size": b"GET /?fontsize=%%ff\x1b[2J HTTP/1.1\r\n" + HOST + b"\r\n",
    "no request": b"\x00\xff\x1b]0;x\x07\r\n\r\n",
    "another method": b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n",
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nxxxxxx",
    "a huge length": POST + b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 99999999999\r\n\r\n",
    "a strange host": b"GET / HTTP/1.1\r\nHost: [\x1b]0;\r\n\r\n",
}  # fmt: skip


def _sent(here: Served, request: bytes) -> bytes:
    """What comes back before the server hangs up, which it has to do."""
    if b"%d" in request:
        request = request % ((here.port,) * request.count(b"%d"))
    heard = b""
    with socket.create_connection(("127.0.0.1", here.port), timeout=PATIENCE) as stranger:
        try:
            stranger.sendall(request)
            while more := stranger.recv(65536):
                heard += more
        except ConnectionError:
            pass
    return heard


async def test_nothing_that_is_sent_is_shown_and_lines_are_few(home: Path) -> None:
    with served("--host", "0.0.0.0") as here:
        for _time in range(2):
            answers = await asyncio.gather(
                *(asyncio.to_thread(_sent, here, request) for request in REQUESTS.values())
            )
            for what, heard in zip(REQUESTS, answers, strict=True):
                assert b" 500 " not in heard.split(b"\r\n", 1)[0], what
                assert b"\x1b" not in heard, what
        assert await status(here.address, "/") == 200
    told = here.said_aside.splitlines()
    assert len(told) <= 2, told
    assert all(line.startswith("Requests that were turned away so far: ") for line in told)


async def test_half_a_request_and_many_of_them_leave_room_for_others(home: Path) -> None:
    with served(files=256) as here:
        address = ("127.0.0.1", here.port)
        half = [
            socket.create_connection(address, timeout=PATIENCE)
            for _ in range(connections.MOST + 20)
        ]
        ended = 0
        for stranger in half:
            try:
                stranger.sendall(b"POST /enter HTTP/1.1\r\nHost: ")
            except ConnectionError:
                ended += 1
        for stranger in half[connections.MOST :]:
            try:
                assert stranger.recv(1) == b""  # hung up on at once
            except ConnectionError:
                ended += 1
        for stranger in half:
            stranger.close()
        for _try in range(200):
            try:
                assert await status(here.address, "/") == 200
                break
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)
        else:
            raise AssertionError("nobody can come any more")
    assert len(here.said_aside.splitlines()) <= 1


async def test_a_connection_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.02)
    away = connections.TurnedAway(lambda: 0.0)
    all_of_them = connections.Connections(asyncio.Protocol, away)
    there = await asyncio.get_running_loop().create_server(all_of_them, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*there.sockets[0].getsockname())
    writer.write(b"GET / HT")
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await asyncio.wait_for(reader.readexactly(1), PATIENCE)
    writer.close()
    there.close()
    assert away.count == 1


# -- tabs -----------------------------------------------------------------------------------

PAINTS = """
import sys, time
out = sys.stdout.buffer
out.write(b"__GANGLION__\\n" + b"D\\0\\0\\0\\x05hello")
out.flush()
{then}
"""
FLOODS = "while True: out.write(b'D\\0\\1\\0\\0' + bytes(65536))"


@asynccontextmanager
async def table(then: str, code: str = "ABCD2345") -> AsyncIterator[tuple[str, dict[str, str]]]:
    """A server in this process whose callers do that after they have painted: its address, and the
    headers of somebody who may enter."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ready = asyncio.Event()
    command = [sys.executable, "-c", PAINTS.format(then=then)]
    here = server.TableServer(command, "127.0.0.1", port, guard.Guard(code))
    running = asyncio.create_task(here.run(ready.set))
    await asyncio.wait_for(ready.wait(), PATIENCE)
    address = f"http://127.0.0.1:{port}"
    known = await ticket(Served(port, [f"Access code: {code}"]))
    try:
        yield address, {**known, "Origin": address}
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(running, PATIENCE)
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller, "PATIENCE", 0.05)  # these callers leave for nobody


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, float], None]:
    return lambda name, value: monkeypatch.setattr(server, name, value)


async def test_a_tab_whose_caller_dies_is_told() -> None:
    async with (
        table("import os, signal; os.kill(os.getpid(), signal.SIGKILL)") as (address, known),
        aiohttp.ClientSession(headers=known) as http,
    ):
        tab = await http.ws_connect(f"{address}/ws")
        assert (await tab.receive(PATIENCE)).data == b"hello"
        assert (await tab.receive(PATIENCE)).type == aiohttp.WSMsgType.CLOSE


async def test_there_are_only_so_many_tabs(ending: Callable[[str, float], None]) -> None:
    ending("MOST_TABS", 2)
    async with (
        table("time.sleep(600)") as (address, known),
        aiohttp.ClientSession(headers=known) as http,
    ):
        tabs = [await http.ws_connect(f"{address}/ws") for _ in range(2)]
        for tab in tabs:
            assert (await tab.receive(PATIENCE)).data == b"hello"
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await http.ws_connect(f"{address}/ws")


async def test_a_tab_that_takes_nothing_is_dropped(ending: Callable[[str, float], None]) -> None:
    ending("TAKE_SECONDS", 0.1)
    ending("MOST_TABS", 1)
    async with table(FLOODS) as (address, known), aiohttp.ClientSession(headers=known) as http:
        await http.ws_connect(f"{address}/ws", max_msg_size=0)  # and nobody reads
        for _try in range(400):
            try:
                again = await http.ws_connect(f"{address}/ws")
                break
            except aiohttp.WSServerHandshakeError:
                await asyncio.sleep(0.05)
        assert (await again.receive(PATIENCE)).data == b"hello"


async def test_a_tab_that_floods_its_caller_is_dropped() -> None:
    async with (
        table("time.sleep(600)") as (address, known),
        aiohttp.ClientSession(headers=known) as http,
    ):
        tab = await http.ws_connect(f"{address}/ws")
        assert (await tab.receive(PATIENCE)).data == b"hello"
        try:
            for _time in range(5 * server.MOST_A_SECOND):
                await tab.send_str('["stdin", "x"]')
        except ConnectionError:
            pass
        assert (await tab.receive(PATIENCE)).type in (
            aiohttp.WSMsgType.CLOSE,
            aiohttp.WSMsgType.CLOSED,
        )
