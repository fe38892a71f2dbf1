"""The server: a daemon thread with its own event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from companion import errors
from companion.phones.serving import http
from companion.phones.serving.messages import LONGEST_BODY

if TYPE_CHECKING:
    from companion.phones.serving.connections import Connections
    from companion.phones.serving.http import Handle
    from companion.phones.serving.where import Where

HANDSHAKE_SECONDS = 10.0
STOPPING = 2.0  # seconds


class Server:
    """Serves HTTP with the handler `handle`; `call` is safe in any thread."""

    def __init__(
        self,
        handle: Handle,
        connections: Connections,
        where: Where,
        *,
        longest_body: int = LONGEST_BODY,
    ) -> None:
        self._handle = handle
        self._longest_body = longest_body
        self._connections = connections
        self._where = where
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="phones", daemon=True)

    def start(self) -> None:
        """Begin to answer; connections made earlier have been queued."""
        self._loop = asyncio.new_event_loop()
        self._thread.start()

    def call(self, work: Callable[[], object]) -> None:
        """Run `work` in the server's thread without waiting for it."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it was stopped
                self._loop.call_soon_threadsafe(work)

    def stop(self) -> None:
        """Disconnect everybody."""
        self.call(self._stop.set)
        if self._thread.is_alive():
            self._thread.join(STOPPING)
        self._where.socket.close()

    def _serve(self) -> None:
        loop = self._loop
        assert loop is not None
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._serve_until_stopped())

    async def _serve_until_stopped(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._handle_error)
        secure: dict[str, Any] = {}
        if self._where.tls is not None:
            secure = {"ssl": self._where.tls, "ssl_handshake_timeout": HANDSHAKE_SECONDS}
        server = await asyncio.start_server(
            partial(http.serve, self._handle, self._connections, longest_body=self._longest_body),
            sock=self._where.socket,
            limit=2 * http.AT_ONCE,
            **secure,
        )
        await self._stop.wait()
        server.close()
        self._connections.close()

    def _handle_error(self, _loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        """Handle what asyncio would log: network errors are counted, bugs reported."""
        error = about.get("exception")
        if isinstance(error, Exception) and not isinstance(error, OSError | TimeoutError):
            errors.tell(error)
        else:  # a failed TLS handshake is an OSError too
            self._connections.rejections.add()
