"""The reader service: opens its readers, publishes their events, and carries out requests.

One event loop serves all clients; each reader has its own watcher thread. A client costs the
service one buffer: a client too slow to keep up is dropped, and one that sends garbage gets an
error and is then dropped.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from common.sentences import Sentence
from tags.access import LATE, ChipError
from tags.presence import DROPOUT, Clock
from tags.readers import INTERVAL, Reader, ReaderError
from tags.service import (
    LONGEST_REQUEST,
    Answer,
    Ask,
    ChipRequest,
    Own,
    ProtocolError,
    Request,
    encode_line,
    error_line,
    message_line,
    parse_request,
)
from tags.service.switchboard import Switchboard
from tags.watch import (
    Event,
    ReaderConnected,
    ReaderDisconnected,
    ReaderNotice,
    Watcher,
)

log = logging.getLogger(__name__)

MAX_ERRORS = 8
"""Invalid lines before a client is dropped."""

MAX_WAITING = 8
"""Requests of a client that are not answered yet; with more, no line of it is read meanwhile."""

BACKLOG = 65536
"""Bytes that a client may leave unread, beyond the system's buffer."""


class Connection:
    """A connected client; call all methods in the service's event loop.

    ``carry_out`` fulfils a request about a reader and returns its answer; ``retry`` has lost
    readers tried.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        switchboard: Switchboard,
        carry_out: Callable[[Connection, ChipRequest], Awaitable[Answer]],
        retry: Callable[[], None],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._switchboard = switchboard
        self._carry_out = carry_out
        self._retry = retry
        self._errors = 0
        self._work: set[asyncio.Task[None]] = set()  # the requests not answered yet
        self._turn = asyncio.Lock()  # fair: they are carried out in order

    def send(self, line: bytes) -> None:
        """Send the line; a client that leaves too much unread is dropped."""
        self._writer.write(line)
        if self._writer.transport.get_write_buffer_size() > BACKLOG:
            log.info("dropped a client that did not keep up")
            self._writer.transport.abort()

    async def serve(self) -> None:
        """Serve the client until it leaves or is dropped. Raises ``OSError``."""
        try:
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
        finally:
            for task in self._work:
                task.cancel()  # what has not begun is not done for a client that left

    async def _answer(self, request: Request) -> None:
        match request:
            case Own():
                self._switchboard.own(self, request)
            case ChipRequest():
                if len(self._work) == MAX_WAITING:
                    await asyncio.wait(self._work, return_when=asyncio.FIRST_COMPLETED)
                task = asyncio.create_task(self._do(request))
                self._work.add(task)
                task.add_done_callback(self._work.discard)
            case Ask(what="ping", id=id_):
                self._writer.write(encode_line("pong", id=id_))
            case Ask(what="snapshot"):
                self._writer.write(self._switchboard.snapshot(self))
            case Ask(what="retry"):
                self._retry()

    async def _do(self, request: ChipRequest) -> None:
        async with self._turn:
            self.send(message_line(await self._carry_out(self, request)))


CLIENTS = 64
"""The most clients connected at once."""

RETRY_EVERY = 1.0
"""Seconds between attempts to open a reader on clients' requests."""

PATIENCE = 8.0
"""Seconds for an operation on a chip, which the reader's driver may delay."""

UNKNOWN = Sentence("The service has no reader of that name.")
FAILED = Sentence("The reader service could not do that; its log says why.")


class Service:
    """Watches ``readers``, which have distinct names, for the clients of one socket.

    ``paths`` gives the paths of readers whose names differ from them. ``confirm``, ``interval``,
    ``backoff``, ``dropout`` and ``clock`` are those of the watchers. Raises ``ValueError`` for a
    duplicate name.
    """

    def __init__(
        self,
        readers: Sequence[Reader],
        *,
        paths: Mapping[str, str] | None = None,
        confirm: Callable[[bytes], bool] | None = None,
        interval: float = INTERVAL,
        backoff: tuple[float, float] = (1.0, 10.0),
        dropout: float = DROPOUT,
        clients: int = CLIENTS,
        clock: Clock | None = None,
    ) -> None:
        names = [reader.name for reader in readers]
        if len(set(names)) < len(names):
            raise ValueError(f"Two readers have one name: {', '.join(names)}.")
        self.switchboard = Switchboard({name: (paths or {}).get(name, name) for name in names})
        self._most_clients = clients
        self._tasks: set[asyncio.Task[None]] = set()
        self._retried = float("-inf")
        self._next_retry: asyncio.TimerHandle | None = None
        self._watchers = {
            reader.name: Watcher(
                reader,
                partial(self._handle_event, reader.name),
                interval=interval,
                backoff=backoff,
                settles=True,
                dropout=dropout,
                clock=clock,
                confirm=confirm,
            )
            for reader in readers
        }

    async def run(self, listening: socket.socket, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set; then closes readers and connections."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._meet, sock=listening, limit=LONGEST_REQUEST)
        watchers = self._watchers.values()
        for watcher in watchers:
            watcher.start()
        try:
            await stop.wait()
        finally:
            server.close()
            for client in list(self.switchboard.clients):
                client.send(encode_line("stopped"))
            for watcher in watchers:
                watcher.stop()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await asyncio.gather(*(asyncio.to_thread(w.join, 2.0) for w in watchers))

    def retry(self) -> None:
        """Retry lost readers at once, or ``RETRY_EVERY`` seconds after the last time."""
        wait = self._retried + RETRY_EVERY - self._loop.time()
        if wait > 0:
            if self._next_retry is None:
                self._next_retry = self._loop.call_later(wait, self._retry_all)
        elif self._next_retry is None:
            self._retry_all()

    def _retry_all(self) -> None:
        self._next_retry, self._retried = None, self._loop.time()
        for watcher in self._watchers.values():
            watcher.retry_now()

    # -- events ------------------------------------------------------------------------------

    def _handle_event(self, name: str, event: Event) -> None:
        """Handle a watcher's event, in the reader's thread between two polls."""
        owner = self.switchboard.owner  # a tap stays its owner's, even if another comes meanwhile
        if isinstance(event, ReaderConnected):
            log.info("reader %s is ready", name)
        elif isinstance(event, ReaderDisconnected):
            log.warning("%s", event.reason)
        elif isinstance(event, ReaderNotice):
            log.warning("%s", event.text)
        try:
            self._loop.call_soon_threadsafe(partial(self.switchboard.take, owner=owner), event)
        except RuntimeError:  # the loop has ended
            log.debug("too late for %r", event)

    # -- requests ----------------------------------------------------------------------------

    async def _carry_out(self, client: Connection, request: ChipRequest) -> Answer:
        """Fulfil the client's request about a chip, unless another program has the readers."""
        watcher = self._watchers.get(request.reader)
        if watcher is None:
            return Answer(request.id, "missing", UNKNOWN)
        if not self.switchboard.may_use(request.reader, client):
            return Answer(request.id, "busy", self.switchboard.explain_busy())
        return await _perform(watcher, request)

    # -- clients -----------------------------------------------------------------------------

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until it leaves; its errors do not propagate."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        client = Connection(reader, writer, self.switchboard, self._carry_out, self.retry)
        try:
            if len(self.switchboard.clients) >= self._most_clients:
                writer.write(error_line("The reader service has too many clients."))
                return
            self.switchboard.join(client)
            await client.serve()
        except OSError as error:
            log.debug("a client broke off: %s", error)
        except asyncio.CancelledError:
            log.debug("hung up on a client")  # the service ends; nothing waits for this task
        except Exception:
            log.exception("a client could not be served")
        finally:
            self.switchboard.leave(client)
            self._tasks.discard(task)
            writer.close()


async def _perform(watcher: Watcher, request: ChipRequest) -> Answer:
    """Perform the operation; one that cannot begin in time is not done."""
    future = watcher.perform(request.operation, request.uid, request.message)
    try:
        message = await asyncio.wait_for(asyncio.wrap_future(future), PATIENCE)
        return Answer(request.id, message=message)
    except TimeoutError:
        return Answer(request.id, "silent", LATE)
    except (ChipError, ReaderError) as error:
        return Answer(request.id, error.fault, str(error))
    except Exception:
        log.exception("a request could not be carried out")
        return Answer(request.id, "failed", FAILED)
