"""HTTP clients of a host that may be killed at any moment, and what they measure."""

from __future__ import annotations

import http.client
import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SILENCE = 30.0  # seconds without an answer, which is a problem


class Gone(Exception):
    """The host closed the connection or cannot be reached: it may have been killed."""


class Figures:
    """What a run has measured, and the problems seen."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.moves: list[float] = []  # seconds until each accepted move was answered
        self.events: list[float] = []  # seconds until the last phone had its event
        self.restarts: list[float] = []  # seconds until a killed host answered again
        self.statuses: Counter[int] = Counter()
        self.kills = self.full = self.log = self.memory = 0

    def note_memory(self, process: int) -> None:
        """Note the most memory that the process has used, where the system tells."""
        with suppress(FileNotFoundError):
            for line in Path(f"/proc/{process}/status").read_text().splitlines():
                if line.startswith("VmHWM"):
                    self.memory = max(self.memory, int(line.split()[1]))

    def sum_up(self, in_flight: int) -> dict[str, float]:
        """The figures by name; times in milliseconds."""
        return {
            "moves accepted": len(self.moves),
            "moves lost": 0,
            "moves in flight at a kill": in_flight,
            "moves in the log": self.log,
            "kills": self.kills,
            "times the disk was full": self.full,
            "refused, as nothing could be saved": self.statuses[503],
            "refused, as too many": self.statuses[429],
            "restart, median ms": _pick(self.restarts, 50),
            "move, median ms": _pick(self.moves, 50),
            "move, p95 ms": _pick(self.moves, 95),
            "move to last event, median ms": _pick(self.events, 50),
            "move to last event, p95 ms": _pick(self.events, 95),
            "most memory of the host, MB": round(self.memory / 1024),
        }


def _pick(seconds: list[float], percent: int) -> float:
    """That percentile, in milliseconds."""
    if len(seconds) < 2:
        return round(1000 * sum(seconds), 1)
    return round(1000 * statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1], 1)


class Visitor:
    """A client that keeps its connection; `key` is a seat's key, the code or nothing."""

    def __init__(self, port: int, key: str, figures: Figures | None) -> None:
        self._port, self._figures = port, figures
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._connection = self._connect()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=SILENCE)

    def ask(self, method: str, path: str, **fields: Any) -> tuple[int, Any]:
        """The status and the decoded answer. Raises Gone."""
        headers, body = dict(self._headers), None
        if fields:
            headers["Content-Type"], body = "application/json", json.dumps(fields)
        with self._losing():
            self._connection.request(method, path, body, headers)
            with self._connection.getresponse() as answer:
                status, text = answer.status, answer.read()
        if self._figures is not None:
            self._figures.statuses[status] += 1
            if status == 500:
                self._figures.problems.append(f"{method} {path} {fields}: {text!r}")
        try:
            return status, json.loads(text)
        except ValueError:
            return status, None

    def listen(self, after: int | None) -> Iterator[int]:
        """The versions of the events after that one, as they arrive. Raises Gone."""
        last = {} if after is None else {"Last-Event-ID": str(after)}
        with self._losing():
            self._connection.request("GET", "/api/events", None, {**self._headers, **last})
            with self._connection.getresponse() as answer:
                if answer.status == 200:
                    for line in answer:
                        if line.startswith(b"id: "):
                            yield int(line[4:])
        raise Gone

    @contextmanager
    def _losing(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError as error:
            self._connection = self._connect()
            if self._figures is not None:
                self._figures.problems.append(f"no answer in {SILENCE:.0f} s")
            raise Gone from error
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            self._connection = self._connect()
            raise Gone from error


class Listener(threading.Thread):
    """A phone that shows every event; it connects again as a browser does."""

    def __init__(self, port: int, key: str, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self._visitor, self._over = Visitor(port, key, None), over
        self._arrival = threading.Condition()
        self._at = 0.0  # when the last event arrived
        self._is_connected = False

    def run(self) -> None:
        last: int | None = None
        while not self._over.is_set():
            try:
                for version in self._visitor.listen(last):
                    last = version
                    self._note(True, time.monotonic())
            except Gone:
                self._note(False, self._at)
                time.sleep(0.1)

    def _note(self, is_connected: bool, at: float) -> None:
        with self._arrival:
            self._is_connected, self._at = is_connected, at
            self._arrival.notify_all()

    def wait(self, since: float, seconds: float) -> float | None:
        """When the first event after that time arrived; None if it is not connected."""
        with self._arrival:
            self._arrival.wait_for(lambda: self._at > since or not self._is_connected, seconds)
            return self._at if self._at > since else None
