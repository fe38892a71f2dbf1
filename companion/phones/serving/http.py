"""HTTP for one table: uvicorn speaks it, this module limits the time and size of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from companion.phones.serving import guard, http_messages
from companion.phones.serving.guard import Connections
from companion.phones.serving.http_messages import HttpRequest

HEADER_SECONDS = 10.0  # for the head of a request
IDLE_SECONDS = 60  # between two requests on a connection
TAKE_SECONDS = 10.0  # for the client to read the response
LONGEST_HEAD = 8 * 1024  # bytes
UNREAD = 64 * 1024  # bytes buffered for a slow client

Handle = Callable[[HttpRequest], Awaitable[Response]]


def prepare(handle: Handle, connections: Connections) -> Callable[[], asyncio.Protocol]:
    """What makes the protocol of each new connection, whose requests `handle` answers."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        request = HttpRequest(scope, receive)
        status = _find_fault(request)
        if status:
            connections.rejections.add()
        answer = http_messages.text(status, str(status)) if status else await handle(request)
        if request.method == "POST":
            await request.drop_rest()
        if status or (request.method == "POST" and not request.is_read):
            answer.headers["Connection"] = "close"
        await answer(scope, receive, send)

    config = Config(
        serve,
        interface="asgi3",
        ws="none",
        lifespan="off",
        proxy_headers=False,
        log_config=None,
        log_level="critical",
        access_log=False,
        timeout_keep_alive=IDLE_SECONDS,
        h11_max_incomplete_event_size=LONGEST_HEAD,
    )
    config.load()
    state = ServerState()
    return lambda: _LimitedProtocol(config, state, connections)


class _LimitedProtocol(H11Protocol):
    def __init__(self, config: Config, state: ServerState, connections: Connections) -> None:
        super().__init__(config, state, {})
        self._guard = connections
        self._awaited: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(UNREAD)
        peer, own = (transport.get_extra_info(name) for name in ("peername", "sockname"))
        address = guard.find_network(peer[0] if peer else "", own[0] if own else "")
        self.app_state = {"address": address, "own": partial(self._guard.own, transport)}
        if self._guard.admit(transport, address):
            self._await("head", HEADER_SECONDS)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle and not self.cycle.response_complete:
            self._end_awaiting("head")
        else:
            self._await("head", HEADER_SECONDS)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await("taking", TAKE_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_awaiting("taking")

    def connection_lost(self, exc: Exception | None) -> None:
        for what in tuple(self._awaited):
            self._end_awaiting(what)
        self._guard.forget(self.transport)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        if self.cycle:  # there may be another answer already
            self._hang_up()
        else:
            self._guard.rejections.add()
            super().send_400_response(msg)

    def _await(self, what: str, seconds: float) -> None:
        """Hang up unless the client does that in time."""
        if what not in self._awaited:
            self._awaited[what] = self.loop.call_later(seconds, self._hang_up)

    def _end_awaiting(self, what: str) -> None:
        timer = self._awaited.pop(what, None)
        if timer is not None:
            timer.cancel()

    def _hang_up(self) -> None:
        self._guard.rejections.add()
        self.transport.abort()


def _find_fault(request: HttpRequest) -> int:
    """The status of what h11 accepts and we do not; 0 for nothing. A body with two lengths is read
    differently by different proxies (RFC 9112, 6.1)."""
    headers = request.scope["headers"]
    if {b"content-length", b"transfer-encoding"} <= {name for name, _value in headers}:
        return 400
    # h11 limits only what is incomplete, and one read may exceed that
    line = len(request.scope["raw_path"]) + len(request.scope["query_string"])
    size = line + sum(len(name) + len(value) + 4 for name, value in headers)
    return 431 if size > LONGEST_HEAD else 0
