"""HTTP on one connection: limits, parsing, disconnects."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator

import pytest

from companion.phones.serving import http, where
from companion.phones.serving.guard import Connections, Owner, RejectionCounter, Trust
from companion.phones.serving.messages import LONGEST_BODY, HttpRequest, Rejected, Response
from tests.fuzz.doors import Wire

HOST = b"Host: 127.0.0.1\r\n"


async def echo(request: HttpRequest) -> Response:
    """Answer with the request, and the length of any body read."""
    request.own(Owner(Trust.SEAT, "seat 1"))
    if request.path == "/stream":
        return Response(kind="text/event-stream", parts=parts())
    if request.method == "POST" and request.path != "/unread":
        assert request.read is not None
        try:
            return Response(body=str(len(await request.read())).encode())
        except Rejected as error:
            return Response(error.status)
    return Response(body=request.path.encode())


async def parts() -> AsyncGenerator[bytes, None]:
    for number in range(3):
        yield f"part {number}\n".encode()


async def talk(*entries: bytes, ends: bool = True) -> Wire:
    """Serve these bytes, arriving in pieces; returns the connection."""
    wire, reader = Wire(), asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    writer = asyncio.StreamWriter(wire, protocol, reader, asyncio.get_running_loop())
    serving = asyncio.create_task(http.serve(echo, Connections(RejectionCounter()), reader, writer))
    for piece in entries:
        reader.feed_data(piece)
        for _turn in range(5):
            await asyncio.sleep(0)
    if ends:
        reader.feed_eof()
    await serving
    return wire


async def test_requests_of_a_connection_are_answered_one_after_the_other() -> None:
    one = b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n"
    two = b"POST /b HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello"
    wire = await talk(one[:10], one[10:] + two + one)
    assert wire.answer.count(b"HTTP/1.1 200") == 3
    assert b"\r\n\r\n/aHTTP" in wire.answer
    assert b"\r\n\r\n5HTTP" in wire.answer
    assert wire.over


async def test_an_answer_is_one_write() -> None:
    wire = await talk(b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n")
    assert b"\r\n\r\n/a" in wire.answer
    assert wire.writes == 1


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
        await reader.read()
        writer.close()
    assert at_once == [1]


async def test_a_body_in_chunks_is_read_and_one_that_is_too_long_is_not() -> None:
    head = b"POST /b HTTP/1.1\r\n" + HOST
    wire = await talk(head + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    assert wire.answer.endswith(b"\r\n\r\n3")
    length = LONGEST_BODY + 1
    wire = await talk(head + b"Content-Length: %d\r\n\r\n" % length + b"x" * length)
    assert b" 413 " in wire.answer


async def test_a_body_that_nobody_reads_ends_the_connection() -> None:
    head = b"POST /unread HTTP/1.1\r\n" + HOST + b"Content-Length: 50000\r\n\r\n"
    wire = await talk(head + b"x" * 1000)
    assert b"200" in wire.answer
    assert b"Connection: close" in wire.answer
    assert wire.over


async def test_a_head_answer_has_no_body() -> None:
    wire = await talk(b"HEAD /a HTTP/1.1\r\n" + HOST + b"\r\n")
    assert wire.answer.endswith(b"Content-Length: 2\r\n\r\n")


async def test_a_stream_is_sent_part_by_part() -> None:
    wire = await talk(b"GET /stream HTTP/1.1\r\n" + HOST + b"\r\n", ends=False)
    assert [f"part {number}".encode() in wire.answer for number in range(3)] == [True] * 3


@pytest.mark.parametrize("ends", [True, False])
async def test_a_stream_ends_as_soon_as_its_client_has_left(
    ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries: list[bool] = []

    async def endless() -> AsyncGenerator[bytes, None]:
        try:
            yield b"begun"
            await asyncio.Event().wait()
        finally:
            entries.append(True)

    monkeypatch.setattr("tests.serving.test_http.parts", endless)
    data = b"GET /stream HTTP/1.1\r\n" + HOST + b"\r\n"
    wire = await talk(data, *(() if ends else (b"GET /a HTTP/1.1\r\n",)), ends=ends)
    assert b"begun" in wire.answer
    assert wire.over
    assert entries == [True]


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
        b"GET http://[ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"POST /b HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"
        b"\r\n3\r\nabc\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * http.LONGEST_HEAD + b"\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_refused_and_hung_up_on(sent: bytes) -> None:
    wire = await talk(sent)
    status = wire.answer.split(b" ", 2)[1:2]
    assert status == [] or status[0][:1] == b"4"
    assert b"\x1b" not in wire.answer
    assert wire.over


async def test_whoever_takes_too_long_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "HEADER_SECONDS", 0.01)
    assert (await talk(b"GET / HT", ends=False)).over
    late = await talk(b"POST /b HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhe", ends=False)
    assert late.over
    monkeypatch.setattr(http, "IDLE_SECONDS", 0.01)
    assert (await talk(b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n", ends=False)).over
