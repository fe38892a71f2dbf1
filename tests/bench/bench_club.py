"""How fast a club is: 200 tables, each with a real game and publisher, a broker, a hub and a viewer
of the wall, against an echo through the same broker in the same run.

    python tests/bench/bench_club.py [--tables 200] [--seconds 40] [--pause 6]

Needs mosquitto and the extra `club`, and for what a browser paints Chromium. Ends with 1 if a floor
of the goals is missed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.club import demo, folder
from companion.club.publisher import Publisher
from companion.game.playing import record
from companion.game.session import Session
from companion.log.store import Store
from companion.settings import config
from tests.bench.measuring import BIN, figure, percentile
from tests.club.programs import Broker, count_cpu, count_memory

EACH = 50
"""Tables in a program."""

PROGRAM = Path(__file__).with_name("club_tables.py")

PAINTED = """() => {
  window.painted = {};
  new MutationObserver((changes) => {
    const tiles = changes.map(({ target }) => [target.dataset.table, target.dataset.seq]);
    requestAnimationFrame(() => setTimeout(() => {
      const now = (performance.timeOrigin + performance.now()) / 1000;
      for (const [table, seq] of tiles) painted[`${table} ${seq}`] ??= now;
    }));
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-seq"] });
}"""

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
                now, answer = time.time(), json.loads(line[6:])
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


class Tables:
    """A program with some of the tables."""

    def __init__(self, path: str, addresses: dict[str, str]) -> None:
        self.names = list(addresses)
        self.moves: dict[tuple[str, int], float] = {}
        self.latest: dict[str, int] = {}
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        self._write(json.dumps(addresses))
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def step(self, name: str) -> None:
        """Let that table make a move."""
        self._write(name)

    def close(self) -> None:
        """End the games."""
        assert self.process.stdin is not None
        if self.process.poll() is None:
            self.process.stdin.close()
        self.process.wait()

    def _write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            name, seq, moment = json.loads(line)
            self.moves[name, seq], self.latest[name] = moment, seq


@contextmanager
def open_browser(url: str) -> Iterator[Any]:
    """The wall in a browser, which notes when it has painted which state; None without one."""
    from tests.needs import BROWSERS, find_program

    program = find_program(*BROWSERS)
    if program is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(url)
        page.evaluate(PAINTED)
        yield page
        browser.close()


def measure_wall(tables: int, seconds: float, pause: float) -> bool:
    """Measure a club of so many tables; returns whether every floor was reached."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-club-", ignore_cleanup_errors=True) as path,
        ExitStack() as stack,
    ):
        names = demo.name_tables(tables)
        broker = Broker(Path(path) / "club", names)
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
        url = json.loads(hub.stdout.readline())["url"]
        viewer = Viewer(url)
        programs = []
        for first in range(0, tables, EACH):
            addresses = {name: broker.url(name) for name in names[first : first + EACH]}
            programs.append(Tables(os.path.join(path, f"tables-{first}"), addresses))
            stack.callback(programs[-1].close)
        wait_until(lambda: len(viewer.fresh) == tables, 60)
        page = stack.enter_context(open_browser(url))
        echo = Echo(broker)
        cpu, hub_cpu = count_cpu(broker.process.pid), count_cpu(hub.pid)
        begin, gap = time.perf_counter(), pause / tables
        for number in range(int(seconds / gap)):
            programs[number % tables // EACH].step(names[number % tables])
            if number % 10 == 0:
                echo.send()
            time.sleep(max(begin + (number + 1) * gap - time.perf_counter(), 0))
        total = time.perf_counter() - begin
        time.sleep(2)
        share = (count_cpu(broker.process.pid) - cpu) / total
        hub_share = (count_cpu(hub.pid) - hub_cpu) / total
        moves = {key: moment for one in programs for key, moment in one.moves.items()}
        latest = {name: seq for one in programs for name, seq in one.latest.items()}
        late = [1000 * (viewer.came[key] - moves[key]) for key in moves if key in viewer.came]
        stale = [name for name, seq in latest.items() if viewer.latest[name] != seq]
        p95, yardstick = percentile(late, 95), percentile(echo.samples, 95)
        figure(f"{tables} tables, move to wall, median", statistics.median(late), "ms", "-")
        figure(f"{tables} tables, move to wall, p95", p95, "ms", 250, floor=250)
        figure("an echo through the same broker, p95", yardstick, "ms", "-")
        figure("move to wall against the echo, p95", p95 / yardstick, "times", 3)
        if page is not None:
            painted = page.evaluate("() => painted")
            shown = [1000 * (painted[f"{n} {s}"] - moves[n, s]) for n, s in moves
                     if f"{n} {s}" in painted]  # fmt: skip
            figure("move to painted in a browser, p95", percentile(shown, 95), "ms", 500)
        figure("the broker's share of a core", 100 * share, "%", 3)
        figure("the broker's memory", broker.count_memory(), "MB", 16)
        figure("the hub's share of a core", 100 * hub_share, "%", "-")
        figure("the hub's memory", count_memory(hub.pid), "MB", "-")
        figure("states of tables not shown in the end", len(stale), "tables", 0, floor=0)
        goes_back = measure_restart(broker, viewer, tables)
        is_shown = measure_lost(programs, viewer)
        return p95 < 250 and not stale and goes_back < 5 and is_shown


def measure_lost(programs: list[Tables], viewer: Viewer) -> bool:
    """Kill a program of tables, and stop another, as if its network were gone; returns whether the
    wall shows both in time."""
    slowest = 0.0
    for what, signal_, one in (
        ("killed", signal.SIGKILL, programs[0]),
        ("silent", signal.SIGSTOP, programs[-1]),
    ):
        if what == "silent" and one is programs[0]:
            break
        begin = time.perf_counter()
        one.process.send_signal(signal_)
        names = {*one.names}
        wait_until(lambda names=names: not names & viewer.fresh.keys(), 60)
        slowest = max(slowest, time.perf_counter() - begin)
        figure(f"{what} tables shown as lost", time.perf_counter() - begin, "s", 30)
        one.process.kill()
    return slowest < 30


def measure_restart(broker: Broker, viewer: Viewer, tables: int) -> float:
    """Kill the broker, start it again, and wait until every table is fresh."""
    broker.kill()
    wait_until(lambda: not viewer.fresh, 30)
    time.sleep(3)
    broker.start()
    duration = time.perf_counter()
    wait_until(lambda: len(viewer.fresh) == tables, 60)
    seconds = time.perf_counter() - duration
    figure("all tables fresh after the broker's restart", seconds, "s", 5, floor=5)
    return seconds


def measure_table() -> None:
    """What a club costs a table's companion: memory, and processor time at a move in six seconds.
    The same game is typed into a companion in a club and into one in none."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as path:
        broker = Broker(Path(path) / "club", ["t1"])
        broker.start()
        try:
            alone = _type_game(os.path.join(path, "alone"))
            in_club = _type_game(os.path.join(path, "in-club"), "--club", broker.url("t1"))
        finally:
            broker.kill()
    memory, busy, idle = (there - without for there, without in zip(in_club, alone, strict=True))
    figure("a table in a club, more memory", memory, "MB", 3)
    figure("a table in a club, more processor time", 100 * (busy / 6 + idle), "%", 0.1)


def _type_game(data: str, *words: str) -> tuple[float, float, float]:
    """The private memory in MB of a companion, its seconds of processor time a move, and its share
    of a processor between them."""
    game = record()
    names = ["--players", ",".join(game.setup.players), "--crown", str(game.setup.crown)]
    companion = subprocess.Popen(
        [BIN / "companion", "play", "--plain", "--new", *names, "--reader", "none", *words],
        env={**os.environ, "COMPANION_DATA": data},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        text=True, bufsize=1,
    )  # fmt: skip
    assert companion.stdin is not None
    time.sleep(4)
    begin, moves = _count_cpu(companion.pid), game.moves[:100]
    for move in moves:
        companion.stdin.write(f"{move}\n")
        time.sleep(0.1)
    time.sleep(1)
    middle = _count_cpu(companion.pid)
    time.sleep(15)
    idle = (_count_cpu(companion.pid) - middle) / 15
    text = Path(f"/proc/{companion.pid}/smaps_rollup").read_text()
    memory = sum(map(int, re.findall(r"Private_\w+:\s+(\d+)", text))) / 1024
    companion.communicate()
    return memory, (middle - begin) / len(moves), idle


def _count_cpu(pid: int) -> float:
    """The seconds of processor time of all threads, finer than `count_cpu`."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def measure_moves() -> bool:
    """What a hanging broker costs a move: games alternate with and without one. Of each move the
    fastest time counts, which the machine's other work has not disturbed."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        samples: dict[bool, list[list[float]]] = {True: [], False: []}
        for number in range(PAIRS + 1):
            for in_club in (True, False) if number % 2 else (False, True):
                durations = _play(port if in_club else 0)
                if number:  # the first pair loads what both need
                    samples[in_club].append(durations)
    fastest = {key: sum(map(min, zip(*games, strict=True))) for key, games in samples.items()}
    ratio = fastest[True] / fastest[False]
    figure("a game's moves with a hanging broker", ratio, "times", 1.05)
    return ratio <= 1.05


def _play(port: int) -> list[float]:
    """The seconds of each move of a game."""
    game, durations = record(), []
    with tempfile.TemporaryDirectory() as path:
        options = {"club": f"mqtt://t1@127.0.0.1:{port}/pub"} if port else {}
        settings = config.load({"COMPANION_DATA": path}, options=options)
        with Store(settings.games) as store:
            session = Session.begin(store, game.setup)
            publisher = Publisher(settings, lambda _line: None) if port else None
            if publisher is not None:
                publisher.follow(session)
            time.sleep(0.5)  # also without a publisher: a processor at rest begins slowly
            for text in game.moves:
                begin = time.perf_counter()
                session.play(text)
                durations.append(time.perf_counter() - begin)
            if publisher is not None:
                publisher._ended = True
            session.close()
            return durations


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
    measure_table()
    is_well &= measure_wall(args.tables, args.seconds, args.pause)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
