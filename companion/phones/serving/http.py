"""HTTP/1.1 over one connection: h11 parses and serializes, this module limits time and size."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from functools import partial

import h11

from companion.phones.serving import guard
from companion.phones.serving.guard import Connections
from companion.phones.serving.messages import LONGEST_BODY, HttpRequest, Rejected, Response

HEADER_SECONDS = 10.0  # for the head of a request, and then for its body
IDLE_SECONDS = 60.0  # between two requests on a connection
TAKE_SECONDS = 10.0  # for the client to read the response
LONGEST_HEAD = 8 * 1024  # bytes
UNREAD = 64 * 1024  # bytes buffered for a slow client
AT_ONCE = 4096  # bytes per read
LINGER_SECONDS = 1.0  # for a client still sending a body that is not read
LONGEST_LEFT = 64 * 1024  # bytes of that body

Handle = Callable[[HttpRequest], Awaitable[Response]]


async def serve(
    handle: Handle,
    connections: Connections,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    longest_body: int = LONGEST_BODY,
) -> None:
    """Answer the requests on one connection in turn until it closes."""
    transport = writer.transport
    address = _find_client(writer)
    if not connections.admit(transport, address):
        transport.abort()
        return
    transport.set_write_buffer_limits(UNREAD)
    try:
        await _HttpConnection(handle, connections, reader, writer, address, longest_body).serve()
        writer.close()
    except (TimeoutError, h11.ProtocolError):
        connections.rejections.add()
        transport.abort()
    except (ConnectionError, OSError):
        transport.abort()
    except BaseException:  # a bug, or the server is closing
        transport.abort()
        raise
    finally:
        connections.forget(transport)


class _HttpConnection:
    def __init__(
        self,
        handle: Handle,
        connections: Connections,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        address: str,
        longest_body: int,
    ) -> None:
        self._longest_body = longest_body
        self._handle = handle
        self._connections = connections
        self._reader = reader
        self._writer = writer
        self._address = address
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LONGEST_HEAD)

    async def serve(self) -> None:
        patience = HEADER_SECONDS
        while True:
            try:
                async with asyncio.timeout(patience):
                    event = await self._receive_event()
            except TimeoutError:
                if patience == IDLE_SECONDS:
                    return  # no request was begun
                raise
            except h11.RemoteProtocolError as error:
                self._connections.rejections.add()
                await self._refuse(error.error_status_hint)
                return
            if not isinstance(event, h11.Request):
                return
            if status := _find_fault(event):
                self._connections.rejections.add()
                await self._refuse(status)
                return
            await self._send(await self._answer(event), has_body=event.method != b"HEAD")
            if self._http.states != {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}:
                await self._linger()
                return  # the client asked to close, or a body was left unread
            self._http.start_next_cycle()
            patience = IDLE_SECONDS

    async def _answer(self, event: h11.Request) -> Response:
        headers: dict[str, str] = {}
        for name, value in event.headers:
            key = name.decode("ascii")
            headers[key] = f"{headers[key]}; {value.decode('latin-1')}" if key in headers else (
                value.decode("latin-1")
            )  # fmt: skip
        try:
            request = HttpRequest(
                event.method.decode("ascii"),
                event.target.decode("ascii"),
                headers,
                self._address,
                self._writer.get_extra_info("sslcontext") is not None,
                self._body,
                own=partial(self._connections.own, self._writer.transport),
            )
        except Rejected as error:
            return Response(error.status)
        return await self._handle(request)

    async def _receive_event(self) -> h11.Event | None:
        """The client's next event; None if it has sent more than it may yet."""
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Event):
                return event
            if event is h11.PAUSED:
                return None
            if self._http.they_are_waiting_for_100_continue:
                await self._write(
                    h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
                )
            self._http.receive_data(await self._reader.read(AT_ONCE))

    async def _body(self) -> bytes:
        """The body of the request. Raises Rejected."""
        body = b""
        try:
            async with asyncio.timeout(HEADER_SECONDS):
                while True:
                    event = await self._receive_event()
                    if not isinstance(event, h11.Data):
                        return body
                    body += event.data
                    if len(body) > self._longest_body:
                        raise Rejected(413)
        except h11.RemoteProtocolError:
            raise Rejected(400) from None
        except TimeoutError:
            raise Rejected(408) from None

    async def _refuse(self, status: int) -> None:
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            with suppress(h11.LocalProtocolError):
                await self._send(Response(status, f"{status}\n".encode()))
                await self._linger()

    async def _send(self, answer: Response, *, has_body: bool = True) -> None:
        if self._http.their_state is h11.SEND_BODY:
            with suppress(h11.RemoteProtocolError):
                self._http.next_event()  # the end of a request without a body
        headers = [("Content-Type", answer.kind), *answer.headers]
        if answer.parts is None:
            headers.append(("Content-Length", str(len(answer.body))))
        if self._http.their_state is not h11.DONE or answer.parts is not None:
            headers.append(("Connection", "close"))
        head = h11.Response(status_code=answer.status, headers=headers)
        if has_body and answer.parts is not None:
            await self._write(head)
            await self._send_until_left(answer.parts)
            await self._write(h11.EndOfMessage())
        else:
            body = [h11.Data(data=answer.body)] if has_body else []
            await self._write(head, *body, h11.EndOfMessage())

    async def _send_until_left(self, parts: AsyncGenerator[bytes, None]) -> None:
        """Send the parts as they come. Raises ConnectionError once the client has left, or sends
        what nobody reads: it is to be noticed before there is something to tell it."""

        async def send() -> None:
            async with aclosing(parts):
                async for part in parts:
                    await self._write(h11.Data(data=part))

        sending = asyncio.create_task(send())
        leaving = asyncio.create_task(self._reader.read(1))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                raise ConnectionError
            await sending
        finally:
            sending.cancel()
            leaving.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _linger(self) -> None:
        """Let a client that is still sending read the response: closing at once would lose it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                if self._writer.can_write_eof():
                    self._writer.write_eof()
                left = LONGEST_LEFT
                while left > 0 and (more := await self._reader.read(AT_ONCE)):
                    left -= len(more)

    async def _write(self, *events: h11.Event) -> None:
        """Send the events as one write: apart, the second waits for the client's receipt."""
        data = b"".join(self._http.send(event) or b"" for event in events)
        if data:
            self._writer.write(data)
            async with asyncio.timeout(TAKE_SECONDS):
                await self._writer.drain()


def _find_client(writer: asyncio.StreamWriter) -> str:
    """The address or network by which the client is counted."""
    peer, own = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
    return guard.find_network(peer[0] if peer else "", own[0] if own else "")


def _find_fault(event: h11.Request) -> int:
    """The status of what h11 accepts and we do not; 0 for nothing. A body with two lengths is read
    differently by different proxies (RFC 9112, 6.1)."""
    names = {name for name, _value in event.headers}
    if {b"content-length", b"transfer-encoding"} <= names:
        return 400
    # h11 limits only what is incomplete, and one read may exceed that
    line = len(event.method) + len(event.target)
    size = line + sum(len(name) + len(value) + 4 for name, value in event.headers)
    return 431 if size > LONGEST_HEAD else 0
