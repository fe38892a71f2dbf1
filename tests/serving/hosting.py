"""`companion host` as a process, and HTTP clients."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import urllib.error
import urllib.request
from typing import Any

from tests import starting
from tests.companion.listening import NEW
from tests.starting import ROOT
from tests.waiting import PATIENCE, kill_late, read_line


def ask(url: str, key: str = "", **fields: Any) -> tuple[int, Any]:
    """Send a GET, or a POST of these fields; returns the status and the decoded body."""
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = json.dumps(fields).encode() if fields else None
    request = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


STDIN = ("a pipe", "/dev/null", "a terminal")
"""What a host may have as its standard input; `Hosting.type` writes to the pipe."""


class Served:
    """A program behind pipes whose table phones can reach."""

    process: subprocess.Popen[str]
    url: str

    def type(self, line: str) -> None:
        """Send a line to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self, target: str) -> str:
        """The next line of output that contains `target`."""
        lines = [""]
        while target not in lines[-1]:
            lines.append(read_line(self.process))
            assert lines[-1], f"{target!r} is not in {lines}"
        return lines[-1]

    def ask(self, path: str, key: str = "", **fields: Any) -> tuple[int, Any]:
        """Send an API request; returns the status and the decoded body."""
        return ask(self.url + path, key, **fields)


class Hosting(Served):
    """A host of a new game of four (with `new`, else of the unfinished one), on a free local port;
    ended when the block ends."""

    def __init__(
        self,
        *words: str,
        new: bool = True,
        env: dict[str, str] | None = None,
        stdin: str = STDIN[0],
    ) -> None:
        options = [*(NEW if new else ()), "--host", "127.0.0.1", "--reader", "none", *words]
        if "--port" not in words:
            options += ["--port", "0"]
        self._terminal = os.openpty() if stdin == "a terminal" else ()
        pipe = subprocess.PIPE if stdin == "a pipe" else subprocess.DEVNULL
        self.process = starting.start(
            *("host", "--json", *options),
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdin=self._terminal[1] if self._terminal else pipe,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        line = read_line(self.process)
        assert line, self.process.stderr and self.process.stderr.read()
        answer = json.loads(line)
        self.told: dict[str, Any] = answer
        self.url = answer["url"]
        self.code: str = answer["code"]
        self.seats: dict[str, str] = answer["seats"]
        self.game: str | None = answer["game"]
        self.complaints = ""
        """What it had said on standard error when it ended."""

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def __enter__(self) -> Hosting:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self, number: int = signal.SIGTERM) -> int:
        """End it with that signal; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        if not self.process.stderr.closed:
            with kill_late(self.process):
                self.complaints = self.process.stderr.read()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        for end in self._terminal:
            os.close(end)
        self._terminal = ()
        return code

    def hear_json(self) -> dict[str, Any]:
        """The next line of output that is a JSON object."""
        answer: dict[str, Any] = json.loads(self.hear("{"))
        return answer

    def join(self, seat: int) -> str:
        """Join that seat, from 1; returns its key."""
        status, answer = self.ask("api/join", code=self.code, seat=seat)
        assert status == 200, answer
        key: str = answer["key"]
        return key
