"""One client connection of the reader service: sending, requests, and when it is dropped."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
from collections.abc import Awaitable, Callable

from tags.service.fields import ProtocolError, line
from tags.service.hub import Hub
from tags.service.protocol import Answer, error_line, message_line
from tags.service.requests import Ask, Auth, Request, Wish, parse_request

log = logging.getLogger(__name__)

RUBBISH_ALLOWED = 8
"""Invalid lines before a client is dropped."""

AUTH_PATIENCE = 5.0
"""Seconds that a client on loopback TCP has to send its token."""

BACKLOG = 65536
"""Bytes that a client may leave unread, beyond the system's buffer."""


class Connection:
    """A connected client; call all methods in the service's event loop."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        hub: Hub,
        carry_out: Callable[[Connection, Wish], Awaitable[Answer]],
        retry: Callable[[], None],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._hub = hub
        self._carry_out = carry_out
        self._retry = retry
        self._rubbish = 0
        self.deaf = False
        """Whether it gets no events, because it has a reader itself and need not listen."""

    def tell(self, line: bytes) -> None:
        """Send the line without waiting; a client that does not read is dropped."""
        if self.deaf:
            return
        self._writer.write(line)
        if self._writer.transport.get_write_buffer_size() > BACKLOG:
            log.info("dropped a client that did not keep up")
            self._writer.transport.abort()

    async def authenticate(self, token: str) -> bool:
        """Whether the first line is the token."""
        with contextlib.suppress(ProtocolError, ValueError, asyncio.TimeoutError):
            first = await asyncio.wait_for(self._reader.readline(), AUTH_PATIENCE)
            request = parse_request(first)
            if isinstance(request, Auth):
                return hmac.compare_digest(request.token.encode(errors="replace"), token.encode())
        return False

    async def serve(self) -> None:
        """Serve the client until it leaves or is dropped. Raises ``OSError``."""
        while self._rubbish < RUBBISH_ALLOWED:
            try:
                asked = await self._reader.readline()
            except ValueError:  # too long for a request: do not read the rest
                self._writer.write(error_line("The line is too long."))
                return
            if not asked.endswith(b"\n"):
                return
            try:
                await self._answer(parse_request(asked))
            except ProtocolError as error:
                self._rubbish += 1
                self._writer.write(error_line(str(error)))
            # Read no further requests from a client that does not read its answers.
            await self._writer.drain()
            await asyncio.sleep(0)

    async def _answer(self, request: Request) -> None:
        match request:
            case Wish():
                self._writer.write(message_line(await self._carry_out(self, request)))
            case Ask(what="ping", id=id_):
                self._writer.write(line("pong", id=id_))
            case Ask(what="snapshot"):
                self._writer.write(self._hub.snapshot(self))
            case Ask(what="retry"):
                self._retry()
            case Auth():
                raise ProtocolError("No token is wanted.")
