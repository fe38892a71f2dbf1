"""Measure a hosted game with phones: one request on a new connection and on a kept one, the latency
from a move to the last phone notified, against the smallest event-stream server, and to a browser's
paint, and the idle cost of many open streams.

`companion host` runs as in real use; phones are connections that read `/api/events` like the page's
script. A move is made by a ninth connection and undone by the next.

    python tests/bench/bench_phones.py [--moves 60] [--requests 40] [--idle 10] [--streams 200]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.phones.serving.messages import name_cookie
from companion.phones.serving.site import SEAT
from tests.bench.measuring import (
    BIN,
    compile_ours,
    count_spent,
    figure,
    percentile,
    ratio,
    show_spread,
)
from tests.serving import browsing

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben", "Zoe", "Max", "Li", "Eva")
SPECTATORS = 20
MOST_OF_A_PROCESSOR = 3.0  # percent
SMALLEST = Path(__file__).with_name("smallest_stream.py")
ASKED_FOR = ("/api/seat", "/seat", "/static/pages.css")


class Server:
    """A server in its own process, which prints its address."""

    def __init__(self, words: list[str], folder: str) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "COMPANION_DATA": folder, "LC_ALL": "C.UTF-8"},
            text=True,
        )
        assert self.process.stdout is not None
        self.told = json.loads(self.process.stdout.readline())
        place = urlsplit(self.told["url"])
        self.longest = 0
        """Bytes of the longest line on a stream."""
        self.address, self.port = str(place.hostname), int(place.port or 80)

    def end(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(10)

    def processor_time(self) -> float:
        """Its CPU time in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def ask(self, method: str, path: str, key: str = "", **data: object) -> dict[str, object]:
        """Send one request on a new connection; returns its JSON."""
        reader, writer = await self._begin(method, path, key, data)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.read()
        writer.close()
        assert b" 200 " in head.split(b"\r\n")[0], head
        results: dict[str, object] = json.loads(body)
        return results

    async def listen(self, key: str, heard: list[float], place: str = "127.0.0.1") -> None:
        """Read a stream of events from that address, recording the time of each."""
        reader, writer = await self._begin("GET", "/api/events", key, {}, place)
        try:
            while line := await reader.readline():
                if line.startswith(b"id:"):
                    heard.append(time.perf_counter())
                self.longest = max(self.longest, len(line))
        finally:
            writer.close()

    async def _begin(
        self, method: str, path: str, key: str, data: dict[str, object], place: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            self.address, self.port, limit=1 << 20, local_addr=(place, 0)
        )
        body = json.dumps(data).encode() if data else b""
        head = [f"{method} {path} HTTP/1.1", f"Host: {self.address}:{self.port}"]
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        if path != "/api/events":
            head.append("Connection: close")
        if key:
            head.append(f"Authorization: Bearer {key}")
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await writer.drain()
        return reader, writer


def start_host(folder: str) -> Server:
    """Start `companion host` with a new game."""
    words = [str(BIN / "companion"), "host", "--host", "127.0.0.1", "--port", "0", "--json"]
    words += ["--new", "--edition", "deluxe_2016", "--players", ",".join(PLAYERS)]
    return Server([*words, "--crown", "Kurt", "--reader", "none"], folder)


async def wait_until(entries: list[list[float]], count: int) -> None:
    """Wait until every stream has received `count` events."""
    while any(len(items) < count for items in entries):
        await asyncio.sleep(0.0005)


async def join(host: Server) -> list[str]:
    """Join all seats; returns their keys."""
    keys = []
    for seat in range(1, len(PLAYERS) + 1):
        entries = await host.ask("POST", "/api/join", code=str(host.told["code"]), seat=seat)
        keys.append(str(entries["key"]))
    return keys


def compare_connections(host: Server, key: str, times: int) -> None:
    """Measure requests on new connections and on a kept one, which a browser uses."""
    headers = {"Cookie": f"{name_cookie(SEAT, host.port)}={key}"}
    for path in ASKED_FOR:
        medians = []
        for is_kept in (False, True):
            line, took = HTTPConnection(host.address, host.port), []
            for _time in range(times):
                duration = time.perf_counter()
                line.request("GET", path, headers=headers)
                answer = line.getresponse()
                assert answer.status == 200, (path, answer.status)
                answer.read()
                took.append(1000 * (time.perf_counter() - duration))
                if not is_kept:
                    line.close()
            line.close()
            how = "a kept" if is_kept else "a new"
            print(f"{path} on {how} connection: {show_spread(took)} ms")
            medians.append(statistics.median(took))
        figure(f"{path} on a kept connection, median", medians[1], "ms", f"{medians[0]:.2f}")


def choose(number: int) -> tuple[int, str]:
    """A move that is always allowed, and the seat that makes it."""
    seat = number % len(PLAYERS)
    return seat, f"choose {PLAYERS[seat]} {('king', 'bishop', 'merchant')[number % 3]}"


class Latency:
    """Milliseconds from a move to the last of a server's streams, and its CPU time for each."""

    def __init__(self, server: Server, entries: list[list[float]]) -> None:
        """`entries` are the times at which each stream had events."""
        self.server, self.entries = server, entries
        self.times: list[float] = []
        self.costs: list[float] = []

    async def measure(self, number: int, path: str, key: str, **data: object) -> None:
        """Send a request that causes the event of that number after the first."""
        cost, moment = count_spent(self.server.process.pid), time.perf_counter()
        await self.server.ask("POST", path, key, **data)
        await wait_until(self.entries, number + 2)
        self.times.append(1000 * (max(own[-1] for own in self.entries) - moment))
        self.costs.append(count_spent(self.server.process.pid) - cost)


async def measure(host: Server, keys: list[str], moves: int, idle: float, streams: int) -> None:
    """Listen, make moves, then idle."""
    code = str(host.told["code"])
    entries: list[list[float]] = [[] for _ in range(len(PLAYERS) + SPECTATORS)]
    listening = [
        asyncio.create_task(host.listen(key, own))
        for key, own in zip([*keys, *[code] * SPECTATORS], entries, strict=True)
    ]
    await wait_until(entries, 1)  # the initial state
    smallest = Server([sys.executable, str(SMALLEST), str(host.longest)], "")
    others: list[list[float]] = [[] for _own in entries]
    listening += [asyncio.create_task(smallest.listen("", own)) for own in others]
    await wait_until(others, 1)
    ours, theirs = Latency(host, entries), Latency(smallest, others)
    for number in range(moves):
        seat, move = choose(number)
        await ours.measure(number, "/api/moves", keys[seat], move=move)
        await theirs.measure(number, "/", "")
        await asyncio.sleep(0.3)  # within the rate limit of programs
    smallest.end()
    what = f"move to the last of {len(entries)} streams"
    print(
        f"{what}: {show_spread(ours.times)} ms, the smallest server {show_spread(theirs.times)} ms"
    )
    print(f"CPU time: {show_spread(ours.costs)} ms, {show_spread(theirs.costs)} ms")
    figure("move to the last phone's event, p95", percentile(ours.times, 95), "ms", "50")
    what = "move to the last phone's event, against the smallest server"
    figure(f"{what}, CPU", ratio(ours.costs, theirs.costs), "times", 5, floor=12)
    figure(f"{what}, time", ratio(ours.times, theirs.times), "times", 5)
    more: list[list[float]] = [[] for _ in range(streams - len(entries))]
    for number, own in enumerate(more):  # an address may have only so many without a seat
        place = f"127.0.1.{1 + number // SPECTATORS}"
        listening.append(asyncio.create_task(host.listen(code, own, place)))
    await wait_until(more, 1)
    seconds, duration = host.processor_time(), time.perf_counter()
    await asyncio.sleep(idle)
    share = 100 * (host.processor_time() - seconds) / (time.perf_counter() - duration)
    figure(f"{streams} idle streams", share, "%", f"{MOST_OF_A_PROCESSOR:.0f}")
    for task in listening:
        task.cancel()


PAINTED = """
window.painted = new Promise((done) => {
  const main = document.querySelector("#main");
  const version = main.dataset.version;
  new MutationObserver((_changes, watching) => {
    if (main.dataset.version === version) return;
    watching.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(Date.now()), 0));
  }).observe(main, { attributes: true });
}); undefined
"""


def post(host: Server, key: str, move: str) -> None:
    """Make a move without asyncio, as playwright occupies this thread's event loop."""
    request = Request(
        f"{host.told['url']}api/moves",
        json.dumps({"move": move}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
    )
    urlopen(request).close()


def paint(host: Server, keys: list[str], moves: int) -> None:
    """Measure the milliseconds from a move to the frame of another seat's page that shows it."""
    took = []
    with browsing.chromium() as browser:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        url = str(host.told["url"])
        context.add_cookies([{"name": name_cookie(SEAT, host.port), "value": keys[-1], "url": url}])
        page = context.new_page()
        page.goto(f"{url}seat")
        for number in range(moves):
            seat, move = choose(number)
            page.evaluate(PAINTED)
            duration = 1000 * time.time()
            post(host, keys[seat], move)
            took.append(page.evaluate("window.painted") - duration)
            page.wait_for_timeout(300)
    print(f"move to painted in a browser: {show_spread(took)} ms")
    figure("move to painted in a browser, p95", percentile(took, 95), "ms", "150")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moves", type=int, default=60)
    options.add_argument("--requests", type=int, default=40)
    options.add_argument("--idle", type=float, default=10.0)
    options.add_argument("--streams", type=int, default=200)
    args = options.parse_args()
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        host = start_host(folder)
        try:
            keys = asyncio.run(join(host))
            compare_connections(host, keys[0], args.requests)
            asyncio.run(measure(host, keys, args.moves, args.idle, args.streams))
            paint(host, keys, args.moves)
        finally:
            host.end()


if __name__ == "__main__":
    main()
