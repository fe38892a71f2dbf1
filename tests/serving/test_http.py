"""HTTP on one connection: limits, parsing, disconnects."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from typing import NamedTuple

import pytest
from starlette.responses import Response

from companion.phones.serving import http, http_messages, where
from companion.phones.serving.door import Proof
from companion.phones.serving.guard import Connections, Owner, RejectionCounter
from companion.phones.serving.http_messages import LONGEST_BODY, EventStream, HttpRequest, Rejected
from tests.waiting import PATIENCE

HOST = b"Host: 127.0.0.1\r\n"
LAST = b"Connection: close\r\n"


async def echo(request: HttpRequest) -> Response:
    """Answer with the request, and the length of any body read."""
    request.own(Owner(Proof.SEAT, "seat 1"))
    if request.path == "/stream":
        return EventStream(parts())
    if request.method == "POST" and request.path != "/unread":
        try:
            return Response(str(len((await request.read_form())["code"])))
        except Rejected as error:
            return Response(status_code=error.status)
    return Response(request.path)


async def parts() -> AsyncGenerator[bytes, None]:
    for number in range(3):
        yield f"part {number}\n".encode()


class Line(NamedTuple):
    """A connection to `echo`."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    protocol: asyncio.Protocol


async def connect() -> Line:
    here, there = socket.socketpair()
    make = http.prepare(echo, Connections(RejectionCounter()))
    loop = asyncio.get_running_loop()
    _transport, protocol = await loop.connect_accepted_socket(make, there)
    return Line(*await asyncio.open_connection(sock=here), protocol)


async def talk(*pieces: bytes) -> bytes:
    """Send these pieces, one after the other; returns what is answered until it hangs up."""
    line = await connect()
    for piece in pieces:
        line.writer.write(piece)
        await asyncio.sleep(0.01)
    async with asyncio.timeout(PATIENCE):
        answer = await line.reader.read()
    line.writer.close()
    return answer


def post(path: bytes, body: bytes, *headers: bytes, last: bytes = LAST) -> bytes:
    """A form; `headers` stand in place of its length."""
    given = b"".join(headers) or b"Content-Length: %d\r\n" % len(body)
    kind = b"Content-Type: application/x-www-form-urlencoded\r\n"
    return b"POST %s HTTP/1.1\r\n" % path + HOST + kind + last + given + b"\r\n" + body


async def test_requests_of_a_connection_are_answered_one_after_the_other() -> None:
    one = b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n"
    last = b"GET /z HTTP/1.1\r\n" + HOST + LAST + b"\r\n"
    answer = await talk(one[:10], one[10:] + post(b"/b", b"code=hello", last=b"") + last)
    assert answer.count(b"HTTP/1.1 200") == 3
    assert b"\r\n\r\n/aHTTP" in answer
    assert b"\r\n\r\n5HTTP" in answer
    assert answer.endswith(b"/z")


@pytest.mark.outer
async def test_an_accepted_connection_sends_small_answers_at_once() -> None:
    listening = where.find("127.0.0.1", 0).socket
    at_once: list[int] = []

    async def note(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        extra_info = writer.get_extra_info("socket")
        at_once.append(extra_info.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async with await asyncio.start_server(note, sock=listening):
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        async with asyncio.timeout(PATIENCE):
            await reader.read()
        writer.close()
    assert at_once == [1]


async def test_a_body_in_chunks_is_read_and_one_that_is_too_long_is_not() -> None:
    chunks = b"8\r\ncode=abc\r\n0\r\n\r\n"
    answer = await talk(post(b"/b", chunks, b"Transfer-Encoding: chunked\r\n"))
    assert answer.endswith(b"\r\n\r\n3")
    assert b" 413 " in await talk(post(b"/b", b"code=" + b"x" * LONGEST_BODY))


async def test_a_body_that_nobody_reads_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"200" in await talk(post(b"/unread", b"x" * 50_000))
    monkeypatch.setattr(http_messages, "LINGER_SECONDS", 0.01)
    head = b"Content-Length: 50000\r\n"
    answer = await talk(post(b"/unread", b"x" * 1000, head, last=b""))
    assert b"200" in answer
    assert b"connection: close" in answer


async def test_a_head_answer_has_no_body() -> None:
    answer = await talk(b"HEAD /a HTTP/1.1\r\n" + HOST + LAST + b"\r\n")
    assert answer.endswith(b"\r\n\r\n")
    assert b"content-length: 2" in answer


async def test_a_stream_is_sent_part_by_part() -> None:
    answer = await talk(b"GET /stream HTTP/1.1\r\n" + HOST + LAST + b"\r\n")
    assert [f"part {number}".encode() in answer for number in range(3)] == [True] * 3


async def test_a_stream_ends_as_soon_as_its_client_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = asyncio.Event()

    async def endless() -> AsyncGenerator[bytes, None]:
        try:
            yield b"begun"
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr("tests.serving.test_http.parts", endless)
    line = await connect()
    line.writer.write(b"GET /stream HTTP/1.1\r\n" + HOST + b"\r\n")
    async with asyncio.timeout(PATIENCE):
        await line.reader.readuntil(b"begun")
        line.writer.close()
        await ended.wait()


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 5000 + b"\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\x00\xff\x1b]0;x\x07\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nxxxxxx",
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -5\r\n\r\n",
        b"POST /b HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"
        b"\r\n3\r\nabc\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * http.LONGEST_HEAD + b"\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_refused_and_hung_up_on(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "HEADER_SECONDS", 0.1)
    answer = await talk(sent)
    status = answer.split(b" ", 2)[1:2]
    assert status == [] or status[0][:1] == b"4"
    assert b"\x1b" not in answer


@pytest.mark.parametrize("path", [b"/a", b"/stream"])
async def test_garbage_after_an_answer_has_begun_is_hung_up_on(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless() -> AsyncGenerator[bytes, None]:
        yield b"/a"
        await asyncio.Event().wait()

    monkeypatch.setattr("tests.serving.test_http.parts", endless)
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, about: told.append(about))
    line = await connect()
    head = b"GET %s HTTP/1.1\r\n" % path + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    line.writer.write(head + b"3\r\nabc\r\n")
    async with asyncio.timeout(PATIENCE):
        await line.reader.readuntil(b"/a")
        line.writer.write(b"no chunk\r\n")
        await line.reader.read()
    line.writer.close()
    assert told == []


async def test_whoever_takes_too_long_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as short:
        short.setattr(http, "HEADER_SECONDS", 0.01)
        assert await talk() == b""
        assert await talk(b"GET / HT") == b""
    with monkeypatch.context() as short:
        short.setattr(http_messages, "BODY_SECONDS", 0.01)
        short.setattr(http_messages, "LINGER_SECONDS", 0.01)
        late = post(b"/b", b"he", b"Content-Length: 5\r\n", last=b"")
        assert b" 408 " in await talk(late)
    monkeypatch.setattr(http, "IDLE_SECONDS", 0.01)
    assert b" 200 " in await talk(b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n")


async def test_who_reads_nothing_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = asyncio.Event()

    async def endless() -> AsyncGenerator[bytes, None]:
        try:
            while True:
                await asyncio.sleep(0)
                yield bytes(1 << 16)
        finally:
            ended.set()

    monkeypatch.setattr("tests.serving.test_http.parts", endless)
    monkeypatch.setattr(http, "TAKE_SECONDS", 0.01)
    line = await connect()
    line.writer.transport.pause_reading()  # type: ignore[attr-defined]
    line.writer.write(b"GET /stream HTTP/1.1\r\n" + HOST + b"\r\n")
    async with asyncio.timeout(PATIENCE):
        await ended.wait()
    line.writer.close()
