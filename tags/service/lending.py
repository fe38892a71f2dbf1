"""The readers of the service as clients use them for chips: one at a time, one chip at a time.

Whoever changes chips borrows the reader first: until it is given back, its taps belong to that
client, and nobody else may touch what lies there.  A loan ends with its client's connection, or
after ``LOAN`` seconds in which neither the client nor a chip came.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tags import access
from tags.access import ChipError
from tags.readers.base import ReaderGone
from tags.sentences import Sentence
from tags.service.protocol import Answer
from tags.service.requests import ChipWork
from tags.watch import Watcher

log = logging.getLogger(__name__)

LOAN = 300.0
"""Seconds after which a reader that lies idle is taken back."""

PATIENCE = 15.0
"""Seconds that one request may take, waiting for its turn included; the longest write takes 3."""

_REFUSALS = {
    "lent": Sentence("Another program is at work with the chips on this reader; end that first."),
    "unlent": Sentence("Borrow the reader before you change a chip."),
    "unknown": Sentence("The service has no reader of that name."),
    "time": Sentence(
        "The reader did not answer in time; look what is on the chip before you use it."
    ),
}

_DRIVER_FAILED = Sentence("The reader's driver failed; plug the reader in again.")

_DEEDS: dict[str, Callable[[Any, ChipWork], bytes | None]] = {
    "read": lambda reader, work: access.read(reader, work.uid or b""),
    "write": lambda reader, work: access.write(reader, work.uid or b"", work.message),
    "erase": lambda reader, work: access.erase(reader, work.uid or b""),
    "lock": lambda reader, work: access.lock(reader, work.uid or b""),
}


class Loan(NamedTuple):
    """Who has a reader, and since when on the loop's clock that lies idle."""

    number: int
    client: object
    used: float


class Lending:
    """Who has which of ``watchers``' readers; for the service's loop.

    ``on_change`` is told of each reader that is lent (and under which number) or returned (None).
    ``undress`` gives the driver inside what a watcher's work is given.
    """

    def __init__(
        self,
        watchers: Mapping[str, Watcher],
        on_change: Callable[[str, int | None], None],
        *,
        undress: Callable[[Any], Any] = lambda reader: reader,
        loan: float = LOAN,
        patience: float = PATIENCE,
    ) -> None:
        self._watchers = watchers
        self._on_change = on_change
        self._undress = undress
        self._loan = loan
        self._patience = patience
        self._numbers = itertools.count(1)
        self._loans: dict[str, Loan] = {}

    async def carry_out(self, client: object, work: ChipWork) -> Answer:
        """Do what ``client`` asks; everything that may go wrong is an answer as well."""
        if work.reader not in self._watchers:
            return _refused(work, "unknown")
        loan = self._loans.get(work.reader)
        if loan is not None and loan.client is not client:
            return _refused(work, "lent")
        if work.deed == "borrow":
            return Answer(work.id, lease=self._lend(client, work.reader))
        if work.deed == "return":
            self._take_back(work.reader)
            return Answer(work.id)
        if loan is None and work.deed != "read":
            return _refused(work, "unlent")
        self.used(work.reader)
        return await self._on_chip(work)

    def let_go(self, client: object) -> None:
        """Take back whatever that client has: it is gone."""
        for reader in [name for name, loan in self._loans.items() if loan.client is client]:
            self._take_back(reader)

    def used(self, reader: str) -> None:
        """Take in that a chip came to the reader, or that its borrower asked for something."""
        if reader in self._loans:
            now = asyncio.get_running_loop().time()
            self._loans[reader] = self._loans[reader]._replace(used=now)

    def expire(self) -> None:
        """Take back what has lain idle for too long."""
        now = asyncio.get_running_loop().time()
        for reader in [name for name, one in self._loans.items() if now - one.used >= self._loan]:
            log.info("took reader %s back from a client that did not use it", reader)
            self._take_back(reader)

    async def _on_chip(self, work: ChipWork) -> Answer:
        """Work on the chip in its reader's own thread, between two polls."""
        future = self._watchers[work.reader].request(
            lambda reader: _DEEDS[work.deed](self._undress(reader), work)
        )
        try:
            found = await asyncio.wait_for(asyncio.wrap_future(future), self._patience)
        except TimeoutError:
            return _refused(work, "time")
        except (ChipError, ReaderGone) as error:
            return Answer(work.id, error.fault, str(error))
        except Exception:
            log.exception("%s failed", work.deed)
            return Answer(work.id, "failed", _DRIVER_FAILED)
        return Answer(work.id, message=found or b"")

    def _lend(self, client: object, reader: str) -> int:
        if reader not in self._loans:
            self._loans[reader] = Loan(next(self._numbers), client, 0.0)
            self._on_change(reader, self._loans[reader].number)
        self.used(reader)
        return self._loans[reader].number

    def _take_back(self, reader: str) -> None:
        if self._loans.pop(reader, None) is not None:
            self._on_change(reader, None)


def _refused(work: ChipWork, fault: str) -> Answer:
    return Answer(work.id, fault, _REFUSALS[fault])
