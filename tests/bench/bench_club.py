"""How fast a club is: 200 tables, each with a real game and publisher, a broker, a hub and a viewer
of the wall, against an echo through the same broker in the same run.

    python tests/bench/bench_club.py [--tables 200] [--seconds 40] [--pause 6]

Needs mosquitto and the extra `club`. Ends with 1 if a floor of the goals is missed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.club import demo, folder
from companion.club.publisher import Publisher
from companion.game.session import Session
from companion.log.store import Store
from companion.settings import config
from tests.bench.measuring import BIN, figure, percentile
from tests.club.programs import Broker, count_cpu

PAIRS = 20
"""Games with a hanging broker and without one, whose order alternates."""


class Viewer:
    """A browser's stream of the wall: when which state of which table came."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
        self._connection.request("GET", "/api/events")
        self._answer = self._connection.getresponse()
        self.came: dict[tuple[str, int], float] = {}
        self.latest: dict[str, int] = {}
        self.fresh: dict[str, float] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._answer:
            if line.startswith(b"data: {") and b'"html"' in line:
                now, answer = time.perf_counter(), json.loads(line[6:])
                seq = int(re.search(r'data-seq="(\d+)"', answer["html"])[1])  # type: ignore[index]
                self.came[answer["table"], seq] = now
                self.latest[answer["table"]] = seq
                if 'class="tile away' not in answer["html"]:
                    self.fresh[answer["table"]] = now
                else:
                    self.fresh.pop(answer["table"], None)


class Echo:
    """A client that hears what it publishes itself."""

    def __init__(self, broker: Broker) -> None:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        self.samples: list[float] = []
        self._sent: dict[int, float] = {}
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        self._client.username_pw_set(
            folder.HUB, (broker.path / folder.HUB_PASSWORD).read_text().strip()
        )
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", broker.club.port)
        self._client.loop_start()
        self._topic = "citadels/v1/pub/hub/echo"
        self._client.subscribe(self._topic, 1)

    def send(self) -> None:
        number = len(self._sent)
        self._sent[number] = time.perf_counter()
        self._client.publish(self._topic, f"{number}".ljust(1060), 1)

    def _hear(self, _client: Any, _data: object, message: Any) -> None:
        self.samples.append(1000 * (time.perf_counter() - self._sent[int(message.payload)]))


def measure_wall(tables: int, seconds: float, pause: float) -> bool:
    """Measure a club of so many tables; returns whether every floor was reached."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-club-", ignore_cleanup_errors=True) as path,
        ExitStack() as stack,
    ):
        broker = Broker(Path(path) / "club", demo.name_tables(tables))
        broker.start()
        stack.callback(broker.kill)
        hub = subprocess.Popen(
            [BIN / "companion", "club", "hub", broker.path, "--json", "--port", "0",
             "--host", "127.0.0.1"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        stack.callback(hub.wait)
        stack.callback(hub.terminate)
        assert hub.stdout is not None
        viewer = Viewer(json.loads(hub.stdout.readline())["url"])
        people = demo._name_people()
        entries = []
        for name in demo.name_tables(tables):
            data = os.path.join(path, "tables", name)
            os.makedirs(data)
            players = [next(people) for _seat in range(5)]
            entries.append((name, demo.DemoTable(name, players, data, broker.url(name))))
        wait_until(lambda: len(viewer.fresh) == tables, 60)
        echo = Echo(broker)
        own, cpu = time.process_time(), count_cpu(broker.process.pid)
        fields: dict[tuple[str, int], float] = {}
        duration = time.perf_counter()
        gap = pause / tables
        for number in range(int(seconds / gap)):
            name, table = entries[number % tables]
            table.step()
            seq = len(table.session.open_game.log.events)
            fields[name, seq] = time.perf_counter()
            if number % 10 == 0:
                echo.send()
            time.sleep(max(duration + (number + 1) * gap - time.perf_counter(), 0))
        total = time.perf_counter() - duration
        time.sleep(2)
        share, own = (count_cpu(broker.process.pid) - cpu) / total, time.process_time() - own
        late = [1000 * (viewer.came[key] - at) for key, at in fields.items() if key in viewer.came]
        stale = [n for n, t in entries if viewer.latest[n] != len(t.session.open_game.log.events)]
        p95, yardstick = percentile(late, 95), percentile(echo.samples, 95)
        figure(f"{tables} tables, move to wall, median", statistics.median(late), "ms", "-")
        figure(f"{tables} tables, move to wall, p95", p95, "ms", "< 250")
        figure("an echo through the same broker, p95", yardstick, "ms", "-")
        figure("ratio of the two", p95 / yardstick, "x", "<= 3")
        figure("the broker's share of a core", 100 * share, "%", "< 3")
        figure("the broker's memory", broker.count_memory(), "MB", "< 16")
        figure("states of tables not shown in the end", len(stale), "", "0")
        goes_back = measure_restart(broker, viewer, tables)
        for _name, table in entries:
            table.publisher.stop_soon()
        for _name, table in entries:
            table.close()
        return p95 < 250 and not stale and goes_back < 5


def measure_restart(broker: Broker, viewer: Viewer, tables: int) -> float:
    """Kill the broker, start it again, and wait until every table is fresh."""
    broker.kill()
    wait_until(lambda: not viewer.fresh, 30)
    time.sleep(3)
    broker.start()
    duration = time.perf_counter()
    wait_until(lambda: len(viewer.fresh) == tables, 60)
    seconds = time.perf_counter() - duration
    figure("all tables fresh after the broker's restart", seconds, "s", "< 5")
    return seconds


def measure_moves() -> bool:
    """What a hanging broker costs a move: games alternate with and without one."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        samples: dict[bool, list[float]] = {True: [], False: []}
        for number in range(PAIRS + 1):
            for in_club in (True, False) if number % 2 else (False, True):
                duration = _play(port if in_club else 0)
                if number:  # the first pair loads what both need
                    samples[in_club].append(duration)
    ratio = statistics.median(samples[True]) / statistics.median(samples[False])
    figure("a game's moves with a hanging broker", ratio, "x", "<= 1.05")
    return ratio <= 1.05


def _play(port: int) -> float:
    from companion.game.demo import record

    game = record()
    with tempfile.TemporaryDirectory() as path:
        options = {"club": f"mqtt://t1@127.0.0.1:{port}/pub"} if port else {}
        settings = config.load({"COMPANION_DATA": path}, options=options)
        with Store(settings.games) as store:
            session = Session.begin(store, game.setup)
            publisher = Publisher(settings, lambda _line: None) if port else None
            if publisher is not None:
                publisher.follow(session)
                time.sleep(0.5)
            duration = time.perf_counter()
            for text in game.moves:
                session.play(text)
            seconds = time.perf_counter() - duration
            if publisher is not None:
                publisher._ended = True
            session.close()
            return seconds


def wait_until(is_so: Any, seconds: float) -> None:
    """Wait for that, at most so long. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


def main() -> int:
    """Measure, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--pause", type=float, default=6)
    args = parser.parse_args()
    is_well = measure_moves()
    is_well &= measure_wall(args.tables, args.seconds, args.pause)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
