"""The reader service: polls its readers and publishes their events to all clients.

One event loop serves all clients; each reader has its own watcher thread. A client costs the
service one buffer: a client too slow to keep up is dropped, and one that sends garbage gets an
error and is then dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from common.sentences import Sentence
from tags.access import ChipError
from tags.presence import DROPOUT, Clock
from tags.readers.base import Reader, ReaderGone, find_name
from tags.service.endpoint import Listening
from tags.service.hub import Hub
from tags.service.protocol import (
    LONGEST_REQUEST,
    Answer,
    Ask,
    Auth,
    ProtocolError,
    Request,
    Settled,
    Wish,
    encode_line,
    error_line,
    message_line,
    parse_request,
)
from tags.service.settling import SettlingReader
from tags.uids import is_random
from tags.watch import INTERVAL, Event, ReaderCame, ReaderLost, Said, Tap, Watcher

log = logging.getLogger(__name__)

MAX_ERRORS = 8
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
        self._errors = 0
        self.muted = False
        """Whether it gets no events, because it has a reader itself and need not listen."""

    def tell(self, line: bytes) -> None:
        """Send the line without waiting; a client that does not read is dropped."""
        if self.muted:
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
        while self._errors < MAX_ERRORS:
            try:
                line = await self._reader.readline()
            except ValueError:  # too long for a request: do not read the rest
                self._writer.write(error_line("The line is too long."))
                return
            if not line.endswith(b"\n"):
                return
            try:
                await self._answer(parse_request(line))
            except ProtocolError as error:
                self._errors += 1
                self._writer.write(error_line(str(error)))
            # Read no further requests from a client that does not read its answers.
            await self._writer.drain()
            await asyncio.sleep(0)

    async def _answer(self, request: Request) -> None:
        match request:
            case Wish():
                self._writer.write(message_line(await self._carry_out(self, request)))
            case Ask(what="ping", id=id_):
                self._writer.write(encode_line("pong", id=id_))
            case Ask(what="snapshot"):
                self._writer.write(self._hub.snapshot(self))
            case Ask(what="retry"):
                self._retry()
            case Auth():
                raise ProtocolError("No token is wanted.")


__all__ = ["Service"]


Lookup = Callable[[bytes], str | None]
"""Finds a chip's name, None if unknown; must be quick and thread-safe."""

Refresh = Callable[[], str | None]
"""Reloads the data of ``Lookup`` if it has changed; returns a notice about it, or None."""

Recognise = Callable[[Any, bytes], str | None]
"""Reads the name written on a chip through a ``ChipAccess``, in its reader's own thread; may raise
``ChipError`` and ``ReaderGone``."""

CLIENTS = 64
"""The most clients connected at once."""

RETRY_EVERY = 1.0
"""Seconds between attempts to open a reader on clients' requests."""

PATIENCE = 8.0
"""Seconds that a driver has to release a reader for which a client waits."""

_REFUSALS = {
    "held": Sentence("Another program is using this reader for its chips; close it first."),
    "unknown": Sentence("The service has no reader of that name."),
    "time": Sentence("The reader's driver does not let go of it; plug the reader in again."),
}


class Service:
    """Watches ``readers``, which have distinct names, for the clients of one socket.

    ``paths`` gives the paths of readers whose names differ from them. ``recognise`` is called for
    chips unknown to ``lookup``, before their taps are published. ``interval``, ``backoff``,
    ``dropout`` and ``clock`` are those of the watchers, ``refresh_every`` the seconds between two
    calls of ``refresh``. Raises ``ValueError`` for a duplicate name.
    """

    def __init__(
        self,
        readers: Sequence[Reader],
        *,
        paths: Mapping[str, str] | None = None,
        lookup: Lookup = lambda uid: None,
        recognise: Recognise = lambda reader, uid: None,
        refresh: Refresh = lambda: None,
        interval: float = INTERVAL,
        backoff: tuple[float, float] = (1.0, 10.0),
        dropout: float = DROPOUT,
        clients: int = CLIENTS,
        refresh_every: float = 1.0,
        clock: Clock | None = None,
    ) -> None:
        names = [reader.name for reader in readers]
        if len(set(names)) < len(names):
            raise ValueError(f"Two readers have one name: {', '.join(names)}.")
        self.hub = Hub({name: (paths or {}).get(name, name) for name in names})
        self._lookup = lookup
        self._recognise = recognise
        self._refresh = refresh
        self._refresh_every = refresh_every
        self._most_clients = clients
        self._tasks: set[asyncio.Task[None]] = set()
        self._retried = float("-inf")
        self._token: str | None = None
        self._interval = interval
        self._backoff = backoff
        self._dropout = dropout
        self._clock = clock
        self._readers = {reader.name: reader for reader in readers}
        self._watchers: dict[str, Watcher] = {}
        self._released: set[str] = set()  # readers released to clients, who open them themselves
        self._ending = False

    async def run(self, listening: Listening, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set; then closes readers and connections."""
        self._loop = asyncio.get_running_loop()
        self._token = listening.token
        server = await asyncio.start_server(
            self._meet, sock=listening.socket, limit=LONGEST_REQUEST
        )
        self._look_again()
        for name in self._readers:
            self._watch(name)
        refreshing = asyncio.create_task(self._keep_fresh())
        try:
            await stop.wait()
        finally:
            self._ending = True
            refreshing.cancel()
            server.close()
            for watcher in self._watchers.values():
                watcher.stop()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, refreshing, return_exceptions=True)
            await asyncio.gather(*(asyncio.to_thread(w.join, 2.0) for w in self._watchers.values()))

    def retry(self) -> None:
        """Retry lost readers at once, unless that was just done."""
        now = self._loop.time()
        if now - self._retried >= RETRY_EVERY:
            self._retried = now
            for watcher in self._watchers.values():
                watcher.retry_now()

    # -- events ------------------------------------------------------------------------------

    def _watch(self, name: str) -> None:
        """Start polling that reader."""
        reader = self._readers[name]
        watcher = Watcher(
            SettlingReader(
                reader, partial(self._post, self.hub.take, Settled(name)), self._dropout
            ),
            partial(self._handle_event, reader),
            interval=self._interval,
            backoff=self._backoff,
            dropout=self._dropout,
            clock=self._clock,
            confirm=lambda uid: self._lookup(uid) is None,
        )
        self._watchers[name] = watcher
        watcher.start()

    def _post(self, take: Callable[..., None], about: object) -> None:
        """Call ``take`` with ``about`` in the event loop; thread-safe."""
        try:
            self._loop.call_soon_threadsafe(take, about)
        except RuntimeError:  # the loop has ended
            log.debug("too late for %r", about)

    def _handle_event(self, reader: Reader, event: Event) -> None:
        """Handle a watcher's event, in the reader's thread between two polls."""
        if isinstance(event, Tap):
            self._look_again()
            name = self._name(reader, event.uid) or find_name(reader, event.uid)
            event = replace(event, chip=name)
        elif isinstance(event, ReaderCame):
            log.info("reader %s is ready", reader.name)
        elif isinstance(event, ReaderLost):
            log.warning("%s", event.reason)
        if not isinstance(event, Said):
            self._post(self.hub.take, event)

    def _name(self, reader: Reader, uid: bytes) -> str | None:
        """The chip's name, from the mapping or as written on it."""
        name = self._lookup(uid)
        if name is not None or is_random(uid):
            return name
        try:
            return self._recognise(reader, uid)
        except (ChipError, ReaderGone) as error:  # a lost reader also fails its next poll
            log.debug("a chip did not say what it is: %s", error)
        except Exception:  # no tap is lost because of a chip's content
            log.exception("what is on a chip could not be understood")
        return None

    # -- readers held by one client ----------------------------------------------------------

    async def _carry_out(self, client: Connection, wish: Wish) -> Answer:
        """Grant the client's wish, unless another client has the reader."""
        if not self.hub.knows(wish.reader):
            return _refuse(wish, "unknown")
        if self.hub.holder(wish.reader) not in (None, client):
            return _refuse(wish, "held")
        if wish.use == "return":
            self._take_back(wish.reader)
            return Answer(wish.id)
        self.hub.hold(wish.reader, client)
        if wish.use == "release":
            self._released.add(wish.reader)
            try:
                await asyncio.wait_for(self._let_go(wish.reader), PATIENCE)
            except TimeoutError:
                self._take_back(wish.reader)
                return _refuse(wish, "time")
            client.muted = True
        return Answer(wish.id)

    async def _let_go(self, name: str) -> None:
        """Stop polling that reader, and wait until its driver has closed it."""
        watcher = self._watchers[name]
        watcher.stop()
        while not await asyncio.to_thread(watcher.join, 1.0):
            log.debug("reader %s is still being closed", name)
        self.hub.forget(name)

    def _take_back(self, name: str) -> None:
        """Return that reader to all clients; no-op if no client had it."""
        if self.hub.holder(name) is not None:
            self.hub.free(name)
        if name in self._released:
            self._released.remove(name)
            self._begin(self._watch_again(name))

    async def _watch_again(self, name: str) -> None:
        await self._let_go(name)
        if name not in self._released and not self._ending:  # possibly to another client by now
            self._watch(name)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- chips' names ------------------------------------------------------------------------

    async def _keep_fresh(self) -> None:
        while True:
            await asyncio.sleep(self._refresh_every)
            self._look_again()

    def _look_again(self) -> None:
        """Check whether chips' names have changed; thread-safe."""
        try:
            text = self._refresh()
        except Exception:
            log.exception("what the chips are called could not be looked at")
            return
        if text is not None:
            self._post(self._note, text)

    def _note(self, text: str) -> None:
        if text != self.hub.notice:
            log.info("%s", text or "The chips are in order again.")
            self.hub.say(text)

    # -- clients -----------------------------------------------------------------------------

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until it leaves; its errors do not propagate."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        client = Connection(reader, writer, self.hub, self._carry_out, self.retry)
        try:
            if len(self.hub.clients) >= self._most_clients:
                writer.write(error_line("The reader service has too many clients."))
                return
            if self._token is None or await client.authenticate(self._token):
                self.hub.join(client)
                await client.serve()
        except OSError as error:
            log.debug("a client broke off: %s", error)
        except asyncio.CancelledError:
            log.debug("hung up on a client")  # the service ends; nothing waits for this task
        except Exception:
            log.exception("a client could not be served")
        finally:
            self.hub.clients.discard(client)
            for name in self.hub.list_held(client):
                self._take_back(name)
            self._tasks.discard(task)
            writer.close()


def _refuse(wish: Wish, fault: str) -> Answer:
    return Answer(wish.id, fault, _REFUSALS[fault])
