"""The reader service: polls its readers, numbers what happens, tells everybody who listens.

One event loop serves all clients; each reader lives in a watcher's thread of its own.  A client
costs the service a place in the ring of events and one buffer of the system, never more: whoever
is too slow to keep up is dropped, and whoever talks rubbish is told so and then dropped.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tags.access import ChipError
from tags.readers.base import Reader, ReaderGone
from tags.service.connection import Connection
from tags.service.endpoint import Listening
from tags.service.fields import LONGEST_REQUEST
from tags.service.journal import Journal
from tags.service.lending import LOAN, Lending
from tags.service.protocol import error_line
from tags.service.settling import SettlingReader
from tags.uids import is_random
from tags.watch import Event, Lift, ReaderCame, ReaderLost, Tap, Watcher

__all__ = ["Service"]

log = logging.getLogger(__name__)

Lookup = Callable[[bytes], str | None]
"""What a chip is called, or None for one that nobody knows; must be quick and for any thread."""

Refresh = Callable[[], str | None]
"""Looks whether what ``Lookup`` knows has changed; what is to be said about it, or None."""

Recognise = Callable[[Any, bytes], str | None]
"""What a chip says itself that it is, read through a ``ChipAccess`` in its reader's own thread; may
raise ``ChipError`` and ``ReaderGone``."""

CLIENTS = 64
"""How many may be connected at once."""

RETRY_EVERY = 1.0
"""Seconds between two attempts to open a reader that clients may ask for."""


class Service:
    """Watches ``readers``, which have different names, for the clients of one socket.

    ``paths`` says where readers are that are not called by their path.
    ``recognise`` is asked about chips that ``lookup`` does not know, before their taps are told.
    ``interval`` and ``backoff`` are those of the watchers, ``ring`` how many events a client may
    have missed and still resume, ``refresh_every`` the seconds between two calls of ``refresh``,
    ``loan`` those after which a borrowed reader that lies idle is taken back.
    Raises ``ValueError`` for two readers of one name.
    """

    def __init__(
        self,
        readers: Sequence[Reader],
        *,
        paths: Mapping[str, str] | None = None,
        lookup: Lookup = lambda uid: None,
        recognise: Recognise = lambda reader, uid: None,
        refresh: Refresh = lambda: None,
        interval: float = 0.05,
        backoff: tuple[float, float] = (1.0, 10.0),
        ring: int = 1024,
        clients: int = CLIENTS,
        refresh_every: float = 1.0,
        loan: float = LOAN,
    ) -> None:
        names = [reader.name for reader in readers]
        if len(set(names)) < len(names):
            raise ValueError(f"Two readers have one name: {', '.join(names)}.")
        self.journal = Journal(
            secrets.token_hex(8), {name: (paths or {}).get(name, name) for name in names}, ring=ring
        )
        self._lookup = lookup
        self._recognise = recognise
        self._refresh = refresh
        self._refresh_every = refresh_every
        self._most_clients = clients
        self._clients: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._retried = float("-inf")
        self._token: str | None = None
        watchers = {
            reader.name: Watcher(
                SettlingReader(reader, partial(self._post, self.journal.settled, reader.name)),
                partial(self._seen, reader),
                interval=interval,
                backoff=backoff,
                confirm=lambda uid: lookup(uid) is None,
            )
            for reader in readers
        }
        self._watchers = list(watchers.values())
        self._lending = Lending(
            watchers, self._lent, undress=lambda settling: settling.reader, loan=loan
        )

    async def run(self, listening: Listening, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set; readers are let go and clients hung up on by then."""
        self._loop = asyncio.get_running_loop()
        self._token = listening.token
        server = await asyncio.start_server(
            self._meet, sock=listening.socket, limit=LONGEST_REQUEST
        )
        self._look_again()
        for watcher in self._watchers:
            watcher.start()
        refreshing = asyncio.create_task(self._keep_fresh())
        try:
            await stop.wait()
        finally:
            refreshing.cancel()
            server.close()
            for watcher in self._watchers:
                watcher.stop()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, refreshing, return_exceptions=True)
            await asyncio.gather(*(asyncio.to_thread(w.join, 2.0) for w in self._watchers))

    def retry(self) -> None:
        """Try at once to open the readers that are lost, if that was not done just now."""
        now = self._loop.time()
        if now - self._retried >= RETRY_EVERY:
            self._retried = now
            for watcher in self._watchers:
                watcher.retry_now()

    # -- what happens ------------------------------------------------------------------------

    def _post(self, take: Callable[..., None], *about: object) -> None:
        """Have ``take`` called with ``about`` in the loop, and everybody told; for any thread."""
        try:
            self._loop.call_soon_threadsafe(self._publish, take, *about)
        except RuntimeError:  # the loop has ended
            log.debug("too late for %r", about)

    def _publish(self, take: Callable[..., None], *about: object) -> None:
        take(*about)
        for client in list(self._clients):
            client.news()

    def _seen(self, reader: Reader, event: Event) -> None:
        """Take in what the reader's watcher tells, in the reader's thread between two polls."""
        if isinstance(event, Tap):
            self._look_again()
            event = replace(event, chip=self._name(reader, event.uid))
        self._post(self._take, reader.name, event)

    def _name(self, reader: Reader, uid: bytes) -> str | None:
        """What the chip is called, by the mapping or by what is written on it."""
        name = self._lookup(uid)
        if name is not None or is_random(uid):
            return name
        try:
            return self._recognise(reader, uid)
        except (ChipError, ReaderGone) as error:  # a reader that is gone fails its next poll too
            log.debug("a chip did not say what it is: %s", error)
        except Exception:  # a tap is never lost for what is on the chip
            log.exception("what is on a chip could not be understood")
        return None

    def _take(self, reader: str, event: Event) -> None:
        match event:
            case Tap() as tap:
                self._lending.used(reader)
                self.journal.tap(reader, tap.uid, tap.chip, swapped=tap.swapped, found=tap.found)
            case Lift(uid=uid):
                self.journal.lift(reader, uid)
            case ReaderCame():
                log.info("reader %s is ready", reader)
                self.journal.came(reader)
            case ReaderLost(reason=reason, fault=fault):
                log.warning("%s", reason)
                self.journal.lost(reader, reason, fault)

    def _lent(self, reader: str, lease: int | None) -> None:
        """Take in that a client borrowed the reader, or that it is everybody's again."""
        if lease is None:
            self._publish(self.journal.returned, reader)
        else:
            self._publish(self.journal.lent, reader, lease)

    async def _keep_fresh(self) -> None:
        while True:
            await asyncio.sleep(self._refresh_every)
            self._look_again()
            self._lending.expire()

    def _look_again(self) -> None:
        """See whether what the chips are called has changed; for any thread."""
        try:
            said = self._refresh()
        except Exception:
            log.exception("what the chips are called could not be looked at")
            return
        if said is not None:
            self._post(self._note, said)

    def _note(self, said: str) -> None:
        if said != self.journal.notice:
            log.info("%s", said or "The chips are in order again.")
            self.journal.say(said)

    # -- who listens -------------------------------------------------------------------------

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client to its end; nothing that goes wrong with it gets out of here."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        client = Connection(reader, writer, self.journal, self._lending, self.retry)
        try:
            if len(self._clients) >= self._most_clients:
                writer.write(error_line("The reader service has too many clients."))
                return
            if self._token is None or await client.knows(self._token):
                self._clients.add(client)
                await client.serve()
        except OSError as error:
            log.debug("a client broke off: %s", error)
        except asyncio.CancelledError:
            log.debug("hung up on a client")  # the service ends; nobody waits for this task's end
        except Exception:
            log.exception("a client could not be served")
        finally:
            self._clients.discard(client)
            self._tasks.discard(task)
            writer.close()
