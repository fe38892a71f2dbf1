"""A caller of a tab's own: a process whose screen travels through packets on its standard output.

The packets are Textual's (`textual.drivers.web_driver`): a letter, the length in four bytes, and so
many bytes: D what is shown or typed, M a JSON object about the two.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from companion.commands.output import complain

PRELUDE = b"__GANGLION__\n"
PRELUDE_LINES = 10
LONGEST_PACKET = 8 * 1024 * 1024  # bytes; a screen of 500 by 300 takes under one
LONGEST_COMPLAINT = 4096
PATIENCE = 5.0  # seconds to leave when asked to


class Caller:
    """The process that `command` starts. `show` gets what is to be painted."""

    def __init__(self, command: Sequence[str], show: Callable[[bytes], Awaitable[None]]) -> None:
        self._command = command
        self._show = show
        self._process: asyncio.subprocess.Process | None = None
        self._ended = asyncio.Event()

    async def start(self, width: int, height: int) -> None:
        """Start it for a screen of that size. Raises OSError."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **os.environ,
                "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver",
                "TEXTUAL_FPS": "60",
                "TEXTUAL_COLOR_SYSTEM": "truecolor",
                "TERM_PROGRAM": "textual",
                "COLUMNS": str(width),
                "ROWS": str(height),
            },
            start_new_session=True,  # a Ctrl+C at the server's terminal is not meant for it
        )

    async def run(self) -> None:
        """Show what it paints until it ends; what it complains of is told as lines of ours."""
        process = self._started
        assert process.stdout is not None
        assert process.stderr is not None
        complaints = asyncio.create_task(_beginning(process.stderr))
        try:
            with suppress(asyncio.IncompleteReadError, ValueError, ConnectionError):
                if await _is_ready(process.stdout):
                    await self._pass_on(process.stdout)
            await self._leave(process.stdout)
            complain((await complaints).decode(errors="replace").splitlines()[-3:])
        finally:
            self._ended.set()

    async def typed(self, text: str) -> None:
        """Hand on what was typed."""
        await self._send(b"D", text.encode(errors="replace"))

    async def tell(self, **about: object) -> None:
        """Hand on something about the screen."""
        await self._send(b"M", json.dumps(about).encode())

    async def stop(self) -> None:
        """Have it leave, and end it if it does not; `run` has ended then."""
        await self.tell(type="quit")
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._ended.wait()
        self._kill()
        await self._ended.wait()

    async def _leave(self, stdout: asyncio.StreamReader) -> None:
        """Take what it still paints until it is gone: a pipe that is full would keep it."""
        await self.tell(type="quit")
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await _to_its_end(stdout)
        self._kill()
        await _to_its_end(stdout)
        await self._started.wait()

    def _kill(self) -> None:
        if self._started.returncode is None:
            with suppress(ProcessLookupError):
                self._started.kill()

    @property
    def _started(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    async def _send(self, kind: bytes, payload: bytes) -> None:
        stdin = self._started.stdin
        assert stdin is not None
        with suppress(ConnectionError, RuntimeError):  # it has ended, as `run` finds out as well
            stdin.write(kind + len(payload).to_bytes(4, "big") + payload)
            await stdin.drain()

    async def _pass_on(self, stdout: asyncio.StreamReader) -> None:
        while True:
            kind = await stdout.readexactly(1)
            length = int.from_bytes(await stdout.readexactly(4), "big")
            if length > LONGEST_PACKET:
                return
            payload = await stdout.readexactly(length)
            if kind == b"D":
                await self._show(payload)
            elif kind == b"M" and b'"exit"' in payload:
                return


async def _is_ready(stdout: asyncio.StreamReader) -> bool:
    """Whether it begins to paint; a program that does not says something else, and ends."""
    for _line in range(PRELUDE_LINES):
        line = await stdout.readline()
        if not line or line == PRELUDE:
            return line == PRELUDE
    return False


async def _beginning(stream: asyncio.StreamReader) -> bytes:
    """The beginning of a stream that is read to its end."""
    kept = b""
    while more := await stream.read(LONGEST_COMPLAINT):
        kept = (kept + more)[:LONGEST_COMPLAINT]
    return kept


async def _to_its_end(stream: asyncio.StreamReader) -> None:
    while await stream.read(64 * 1024):
        pass
