"""One client of the reader service: what it is sent, what it asks, and when it is dropped."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
from collections.abc import Callable

from tags.service.fields import Rubbish, line
from tags.service.journal import Journal
from tags.service.lending import Lending
from tags.service.protocol import Resumed, Why, error_line, message_line
from tags.service.requests import Ask, Auth, ChipWork, Request, Resume, parse_request

log = logging.getLogger(__name__)

RUBBISH_ALLOWED = 8
"""Lines that are no requests before a client is dropped."""

AUTH_PATIENCE = 5.0
"""Seconds in which a client on loopback TCP must have sent its token."""


class Connection:
    """A client between hello and goodbye; all methods are for the service's loop.

    Events are not queued for it: it has a place in the journal, from which it is sent as much as
    it takes.  When the journal forgets what it has not been sent yet, it is dropped.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        journal: Journal,
        lending: Lending,
        retry: Callable[[], None],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._journal = journal
        self._lending = lending
        self._retry = retry
        self._sent = journal.seq  # the number of the last event that was sent
        self._loans: set[int] = set()  # whose taps are this client's, also those that ended
        self._news = asyncio.Event()
        self._rubbish = 0

    def news(self) -> None:
        """Take in that the journal has grown."""
        if self._journal.after(self._sent, 1) is None:
            log.info("dropped a client that did not keep up")
            self._writer.transport.abort()
        self._news.set()

    async def knows(self, token: str) -> bool:
        """Whether the first line is the token."""
        with contextlib.suppress(Rubbish, ValueError, asyncio.TimeoutError):
            first = await asyncio.wait_for(self._reader.readline(), AUTH_PATIENCE)
            request = parse_request(first)
            if isinstance(request, Auth):
                return hmac.compare_digest(request.token.encode(errors="replace"), token.encode())
        return False

    async def serve(self) -> None:
        """Talk to the client until it leaves or is dropped.  Raises ``OSError``."""
        self._sent = self._journal.seq
        self._writer.write(self._journal.hello() + self._journal.snapshot("new"))
        sending = asyncio.create_task(self._send_events())
        try:
            await self._answer_requests()
        finally:
            self._lending.let_go(self)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sending

    async def _send_events(self) -> None:
        while True:
            lines = self._journal.after(self._sent, loans=self._loans)
            if lines is None:
                self._writer.transport.abort()
                return
            if not lines:
                self._news.clear()
                await self._news.wait()
                continue
            self._sent += len(lines)
            self._writer.write(b"".join(lines))
            await self._writer.drain()

    async def _answer_requests(self) -> None:
        while self._rubbish < RUBBISH_ALLOWED:
            try:
                asked = await self._reader.readline()
            except ValueError:  # longer than a request may be: the rest of it is not read
                self._writer.write(error_line("The line is too long."))
                return
            if not asked.endswith(b"\n"):
                return
            try:
                await self._answer(parse_request(asked))
            except Rubbish as error:
                self._rubbish += 1
                self._writer.write(error_line(str(error)))
            # Whoever does not read its answers is not asked for its next request.
            await self._writer.drain()
            await asyncio.sleep(0)

    async def _answer(self, request: Request) -> None:
        match request:
            case ChipWork():
                done = await self._lending.carry_out(self, request)
                if done.lease is not None:
                    self._loans.add(done.lease)
                self._writer.write(message_line(done))
            case Ask(what="ping", id=id_):
                self._writer.write(line("pong", id=id_))
            case Ask(what="snapshot"):
                self._send_snapshot("asked")
            case Ask(what="retry"):
                self._retry()
            case Resume(session=session) if session != self._journal.session:
                self._send_snapshot("other-session")
            case Resume(since=since) if self._journal.after(since) is None:
                self._send_snapshot("too-old")
            case Resume(since=since):
                self._writer.write(message_line(Resumed(since, self._journal.seq)))
                self._sent = since
                self._news.set()
            case Auth():
                raise Rubbish("No token is wanted.")

    def _send_snapshot(self, why: Why) -> None:
        """Send how things are now; events before it are left out."""
        self._writer.write(self._journal.snapshot(why, self._loans))
        self._sent = self._journal.seq
