"""Shared by tests of the reader service: a service in a thread, and a client of raw lines."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tags.presence import Traits
from tags.readers import Reader, ReaderError
from tags.service.endpoint import Endpoint
from tags.service.server import Service
from tests.waiting import PATIENCE


class FakeReader(Reader):
    """A fake reader for a test's chips; it fails while ``gone`` is set."""

    traits = Traits(by_hand=False)

    def __init__(self, name: str = "usb") -> None:
        self.name = name
        self.uid: bytes | None = None
        self.gone: ReaderError | None = None
        self.polls = 0

    def open(self) -> None:
        if self.gone is not None:
            raise self.gone

    def poll(self) -> tuple[bytes, ...]:
        self.open()
        self.polls += 1
        return () if self.uid is None else (self.uid,)

    def close(self) -> None:
        pass


class Running:
    """A service with its own event loop; `do` calls a function there and waits for it."""

    def __init__(self, endpoint: Endpoint, readers: list[Reader], **options: Any) -> None:
        self.endpoint = endpoint
        self._ready = threading.Event()
        self._options = {"interval": 0.002, "backoff": (0.01, 0.05), **options}
        self._readers = readers
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.service = Service(self._readers, **self._options)
        with self.endpoint.listen() as listening:
            self._ready.set()
            await self.service.run(listening, self._stop)

    def do(self, action: Callable[[], Any]) -> Any:
        async def call() -> Any:
            return action()

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(PATIENCE)

    def call_in_loop(self, action: Callable[[], Any]) -> None:
        """Call it in the event loop, without waiting."""
        self._loop.call_soon_threadsafe(action)

    def end(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@contextmanager
def serve(endpoint: Endpoint, *readers: Reader, **options: Any) -> Iterator[Running]:
    """Run a service within the block."""
    running = Running(endpoint, list(readers), **options)
    try:
        yield running
    finally:
        running.end()


class Raw:
    """A client that sends and reads lines itself."""

    def __init__(self, endpoint: Endpoint, *, greeted: bool = True) -> None:
        self.socket: socket.socket = endpoint.connect(PATIENCE)
        self._file = self.socket.makefile("rb")
        if greeted:
            self.snapshot = self.read()

    def read(self) -> dict[str, Any]:
        """The next line; fails the test if there is none."""
        line = self._file.readline()
        assert line.endswith(b"\n"), line
        data: dict[str, Any] = json.loads(line)
        return data

    def read_until(self, kind: str) -> dict[str, Any]:
        """The next line of that type; those before it are dropped."""
        while (results := self.read())["type"] != kind:
            pass
        return results

    def wait_until_ready(self) -> None:
        """Wait until the first reader has been polled often enough."""
        state = self.snapshot["readers"][0]
        while state["state"] != "ready":
            state = self.read_until("reader")

    def wait_for_end(self) -> bool:
        """Whether the service hangs up, after its remaining lines."""
        try:
            while self._file.readline():
                pass
        except ConnectionError:
            pass
        return True

    def ask(self, what: str, reader: str, **fields: Any) -> dict[str, Any]:
        """Send a request about a reader; returns its answer, skipping events."""
        self.send({"type": what, "id": what, "reader": reader, **fields})
        while (answer := self.read()).get("id") != what:
            pass
        return answer

    def own(self, owner: str, **fields: Any) -> dict[str, Any]:
        """Ask for the readers; returns the next snapshot."""
        self.send({"type": "own", "owner": owner, **fields})
        return self.read_until("snapshot")

    def send(self, line: bytes | dict[str, Any]) -> None:
        self.socket.sendall(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
