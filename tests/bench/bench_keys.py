"""Measures the full screen with phones beside it: from a key to its painted effect, while nobody
asks and while 20 clients ask for the table as fast as they can, in turn.

The caller runs in a pseudo terminal. Two keys take a move back and play it again, so each is
judged, written to the log and painted. The clients are threads of a process of their own. The time
that passes is what a person feels; the CPU time of the thread that paints is the same on a busy
machine.

    python tests/bench/bench_keys.py [--keys 40] [--clients 20]
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import (
    BIN,
    Terminal,
    begin_game,
    compile_ours,
    figure,
    percentile,
    show_spread,
)

PAINTED = {"u": "Undone", "r": "Redone"}
PATIENCE = 20.0
ROUNDS = 4


class Entries:
    """Milliseconds from keys to what they paint: the time that passes, and the CPU time of the
    thread that paints."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.costs: list[float] = []

    def press(self, terminal: Terminal, pairs: int) -> None:
        """Press both keys that often."""
        for _ in range(pairs):
            for key, words in PAINTED.items():
                terminal.let_run(0.2)
                before = terminal.spent(str(terminal.pid))
                self.times.append(1000 * terminal.press(key, words))
                terminal.let_run(0.05)
                self.costs.append(terminal.spent(str(terminal.pid)) - before)


def ask(port: int, code: str, clients: int) -> None:
    """Ask as fast as that many clients can, or pause, with each line of input; at its end say how
    many were answered, and how many were told to wait."""
    counts = {200: 0, 429: 0}
    event, go_on = threading.Event(), threading.Event()

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        while go_on.wait() and not event.is_set():
            with suppress(OSError, http.client.HTTPException):
                connection.request("GET", "/api/table", headers={"Authorization": f"Bearer {code}"})
                answer = connection.getresponse()
                answer.read()
                counts[answer.status] = counts.get(answer.status, 0) + 1

    threads = [threading.Thread(target=client, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for line in sys.stdin:
        if line == "ask\n":
            go_on.set()
        else:
            go_on.clear()
        print(line, end="", flush=True)
    event.set()
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    print(json.dumps(counts), flush=True)


def find_code(folder: str) -> str:
    """The table's code, once phones can come."""
    record = Path(folder) / "games.sqlite3-settings.json"
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        with suppress(OSError, ValueError):
            if code := _find(json.loads(record.read_text()), "code"):
                return code
        time.sleep(0.1)
    raise TimeoutError("no phones were let in")


def _find(record: Any, key: str) -> str:
    if not isinstance(record, dict):
        return ""
    return str(record.get(key) or next(filter(None, (_find(v, key) for v in record.values())), ""))


def measure(folder: str, keys: int, clients: int) -> None:
    """Play in a terminal, and print the figures."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [str(BIN / "companion"), "play", "--resume", "--reader", "none"]
    words += ["--phones", "--host", "127.0.0.1", "--port", str(port)]
    with Terminal(words, {"COMPANION_DATA": folder}) as terminal:
        terminal.wait_for("Has everybody chosen?")
        code = find_code(folder)
        alone, beside = Entries(), Entries()
        with subprocess.Popen(
            [sys.executable, __file__, "--ask", str(port), code, "--clients", str(clients)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as asking:
            assert asking.stdin is not None
            assert asking.stdout is not None
            for _ in range(ROUNDS):
                for entries, word in ((alone, "pause"), (beside, "ask")):
                    print(word, file=asking.stdin, flush=True)
                    asking.stdout.readline()
                    terminal.let_run(1.0)  # what was asked before is answered
                    entries.press(terminal, max(1, keys // ROUNDS))
            asking.stdin.close()
            counts = json.loads(asking.stdout.readline())
    print(f"key to painted effect, nobody asking: {show_spread(alone.times)} ms")
    print(f"beside {clients} clients: {show_spread(beside.times)} ms; answers by status: {counts}")
    within = percentile(beside.times, 95)
    figure(f"key to painted effect beside {clients} clients, p95", within, "ms", "50")
    what = f"key beside {clients} clients, against nobody asking"
    value = statistics.median(beside.costs) / statistics.median(alone.costs)
    figure(f"{what}, CPU", value, "times", 1.05, floor=1.3)
    value = statistics.median(beside.times) / statistics.median(alone.times)
    figure(f"{what}, time passed", value, "times", 1.05, floor=1.6)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keys", type=int, default=40, help="pairs of keys")
    options.add_argument("--clients", type=int, default=20)
    options.add_argument("--ask", nargs=2, metavar=("PORT", "CODE"), help=argparse.SUPPRESS)
    args = options.parse_args()
    if args.ask:
        ask(int(args.ask[0]), args.ask[1], args.clients)
        return
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        begin_game(folder)
        measure(folder, args.keys, args.clients)


if __name__ == "__main__":
    main()
