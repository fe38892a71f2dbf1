"""Chaos around a running host: it is killed, its disk is full, clients are greedy, stall and lie.

    python tests/soak/chaos.py [--seconds 120] [--seed 1]

Four players go on playing. Every move that was answered with 200 must be in the log, in its order;
every key and the code must open after each kill, and errors must be sentences. The standard input
is a pipe, /dev/null and a terminal by turns. Prints the figures; exits with 1 at a loss. Only root
can fill a disk; without, that is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from companion.files import locations  # noqa: E402
from companion.log.store import Store  # noqa: E402
from tests.serving.hosting import STDIN, Hosting  # noqa: E402
from tests.soak.strangers import Greedy, Liar, Stalled  # noqa: E402
from tests.soak.visitor import Figures, Gone, Listener, Visitor  # noqa: E402

NAMES = ("Anna", "Kurt", "Ashley", "Ben")
LIAR = 3  # his seat
DISK = 8  # megabytes
FULL = 1.5  # seconds that the disk stays full
CALMLY = 2.0  # the least seconds between two faults
AGAIN = 60.0  # seconds in which a host must answer again, and everybody has left


class Chaos:
    """A host that is disturbed, and what it has acknowledged."""

    def __init__(self, folder: Path, seconds: float, seed: int) -> None:
        self.chance = random.Random(seed)
        self.data, self.seconds = folder / "data", seconds
        self.data.mkdir()
        self.env = {"COMPANION_DATA": str(self.data), "XDG_CONFIG_HOME": str(folder)}
        self.figures = Figures()
        self.complaints: list[str] = []  # by the hosts, on standard error
        self.over = threading.Event()
        self.can_fill = self._mount()

    def run(self) -> dict[str, float]:
        """Let everybody in for that many seconds; returns the figures. Raises AssertionError."""
        self._start("--players", ",".join(NAMES), "--crown", NAMES[1], "--new", "--port", "0")
        port, self.code = self.host.port, self.host.code
        self.keys = [self.host.join(seat) for seat in range(1, len(NAMES) + 1)]
        visitors = [Visitor(port, key, self.figures) for key in self.keys]
        honest = [key for seat, key in enumerate(self.keys) if seat != LIAR]
        listeners = [Listener(port, key, self.over) for key in honest]
        liar = Liar(port, self.code, self.keys[LIAR], NAMES[LIAR], self.figures)
        players = Players(visitors, listeners, self.figures, self.chance.random())
        parts: list[Callable[[], None]] = [players.play, liar.lie]
        parts += [Greedy(port, key).ask for key in ("", self.keys[LIAR])]
        parts += [Stalled(port, key).stall for key in ("", self.keys[LIAR])]
        threads = [
            threading.Thread(target=self._repeat, args=[part], daemon=True) for part in parts
        ]
        for thread in (*listeners, *threads):
            thread.start()
        try:
            self._disturb(port)
        finally:
            self.over.set()
            for thread in threads:
                thread.join(AGAIN)
        assert not any(thread.is_alive() for thread in threads), "somebody waits for ever"
        self._check_keys()
        self._stop(signal.SIGTERM)
        self._check_log([players.moves, liar.moves])
        return self.figures.sum_up(players.in_flight)

    def close(self) -> None:
        """End the host and give the disk back."""
        with contextlib.suppress(AttributeError, ProcessLookupError):
            self.host.end(signal.SIGKILL)
        if self.can_fill:
            subprocess.run(["umount", "--lazy", str(self.data)], check=True, timeout=AGAIN)

    def _repeat(self, part: Callable[[], None]) -> None:
        """Do the part again and again; a host that is being killed is no error."""
        while not self.over.is_set():
            try:
                part()
            except Gone:
                time.sleep(0.05)
            except Exception as error:
                self.figures.problems.append(repr(error))
                return

    # -- faults ---------------------------------------------------------------------------------

    def _disturb(self, port: int) -> None:
        """Kill the host and fill its disk by turns, until the time is over."""
        end = time.monotonic() + self.seconds
        number = 0
        while time.monotonic() < end and not self.figures.problems:
            time.sleep(self.chance.uniform(CALMLY, 2 * CALMLY))
            with self._full_disk() if self.can_fill and number % 2 else contextlib.nullcontext():
                if number % 4 != 1:  # else the disk is full, but nobody is killed
                    self._kill(port, while_full=bool(number % 2))
            number += 1
            self._check_keys()

    def _kill(self, port: int, *, while_full: bool) -> None:
        self.figures.note_memory(self.host.process.pid)
        self._stop(signal.SIGKILL)
        self.figures.kills += 1
        if while_full:
            self._empty()  # nobody can start then
        start = time.monotonic()
        self._start("--resume", "--port", str(port))
        self.figures.restarts.append(time.monotonic() - start)
        if self.host.code != self.code:
            self.figures.problems.append("another code after a restart")

    def _mount(self) -> bool:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", str(self.data)]
        with contextlib.suppress(OSError):
            return subprocess.run(mount, capture_output=True, timeout=AGAIN).returncode == 0
        return False

    @contextlib.contextmanager
    def _full_disk(self) -> Iterator[None]:
        with (self.data / "waste").open("wb", buffering=0) as waste:
            try:
                while True:
                    waste.write(bytes(4096))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
        self.figures.full += 1
        time.sleep(FULL)
        try:
            yield
        finally:
            self._empty()

    def _empty(self) -> None:
        (self.data / "waste").unlink(missing_ok=True)

    # -- the host -------------------------------------------------------------------------------

    def _start(self, *words: str) -> None:
        stdin = STDIN[self.figures.kills % len(STDIN)]
        self.host = Hosting(*words, new=False, env=self.env, stdin=stdin)
        out, err = self.host.process.stdout, self.host.process.stderr
        assert out is not None
        assert err is not None
        reads = (lambda: self.complaints.extend(err), lambda: [None for _line in out])
        self.readers = [threading.Thread(target=read, daemon=True) for read in reads]
        for reader in self.readers:
            reader.start()

    def _stop(self, number: int) -> None:
        self.host.process.send_signal(number)
        self.host.process.wait(AGAIN)
        for reader in self.readers:
            reader.join(AGAIN)
        self.host.end()

    # -- what must hold -------------------------------------------------------------------------

    def _check_keys(self) -> None:
        """Note a seat's key that does not open its seat any more."""
        for seat, key in enumerate(self.keys):
            visitor, end = Visitor(self.host.port, key, None), time.monotonic() + AGAIN
            status = 0
            while status not in (200, 401, 403) and time.monotonic() < end:
                with contextlib.suppress(Gone):
                    status = visitor.ask("GET", "/api/seat")[0]
            if status != 200:
                self.figures.problems.append(f"{NAMES[seat]}'s key is answered with {status}")

    def _check_log(self, everything: list[list[str]]) -> None:
        """Raise AssertionError unless each list of accepted moves is in the log, in its order, and
        errors were sentences."""
        with Store(locations.games_file(str(self.data))) as store:
            games = sorted(info.id for info in store.games())
            log = [text for game in games for _kind, text in store.load(game).events]
        self.figures.log = len(log)
        for moves in everything:
            rest = iter(log)
            losses = [move for move in moves if move not in rest]
            self.figures.problems += [f"lost: {move}" for move in losses]
        self.figures.problems += [line for line in self.complaints if "Traceback" in line]
        self.figures.problems += [str(path) for path in self.data.glob("crash-report*")]
        assert not self.figures.problems, "\n".join(self.figures.problems[:20])


class Players:
    """Four players, each with a program: whoever is awaited makes a legal move."""

    def __init__(
        self, visitors: list[Visitor], listeners: list[Listener], figures: Figures, seed: float
    ) -> None:
        self._visitors, self._figures = visitors, figures
        self._listeners = listeners
        self._chance = random.Random(seed)
        self.moves: list[str] = []
        self.in_flight = 0

    def play(self) -> None:
        """Make one move. Raises Gone."""
        status, table = self._visitors[0].ask("GET", "/api/table")
        if status != 200:
            time.sleep(0.1)
            return
        is_over = table["phase"] == "over"
        player = table["crown"] if is_over else table["awaiting"]["player"]
        visitor = self._visitors[NAMES.index(player)]
        status, view = visitor.ask("GET", "/api/seat")
        if status == 200 and (is_over or view["legal"]):
            self._make(visitor, "rematch" if is_over else self._pick(view["legal"]))

    def _pick(self, legal: list[str]) -> str:
        verb = self._chance.choice(sorted({move.split()[0] for move in legal}))
        return self._chance.choice([move for move in legal if move.split()[0] == verb])

    def _make(self, visitor: Visitor, move: str) -> None:
        start = time.monotonic()
        try:
            status, _answer = visitor.ask("POST", "/api/moves", move=move)
        except Gone:
            self.in_flight += 1
            raise
        if status == 200:
            self._figures.moves.append(time.monotonic() - start)
            if move != "rematch":
                self.moves.append(move)
            arrivals = [listener.wait(start, 2.0) for listener in self._listeners]
            delays = [at - start for at in arrivals if at is not None]
            if len(delays) == len(arrivals):
                self._figures.events.append(max(delays))
        elif status in (429, 503):
            time.sleep(0.1)
        elif status not in (403, 409):  # the liar, with the crown, may have been first
            self._figures.problems.append(f"{move}: {status}")


def run(seconds: float, seed: int) -> dict[str, float]:
    """Disturb a host for that long; returns the figures. Raises AssertionError for a loss."""
    with tempfile.TemporaryDirectory(prefix="companion-chaos-") as folder:
        chaos = Chaos(Path(folder), seconds, seed)
        try:
            return chaos.run()
        finally:
            chaos.close()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--seed", type=int, default=int(time.time()))
    arguments = options.parse_args()
    try:
        figures = run(arguments.seconds, arguments.seed)
    except AssertionError as error:
        print(f"seed {arguments.seed}: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.seconds:.0f} seconds of chaos around a host:")
    for name, value in figures.items():
        print(f"{value:>8}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
