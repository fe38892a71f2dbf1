"""Tap the emulated reader thousands of times, with random faults: no tap lost, none invented.

A tap can be lost only while reader and chip work, so a chip lies there until it is seen. Runs once
directly on the reader, once through a reader service in its own process (both poll every
millisecond, to save time). Prints what happened and each process's memory, threads and
files; exits with 1 if a tap was lost or invented, or if usage grew.

    python tests/bench/soak_reader.py [--taps 20000] [--seed 1] [--through reader|service]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import queue
import random
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tags.readers.nfcpy_reader import NfcpyReader
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.service.server import Service
from tags.watch import Event, Lift, Tap, Watcher
from tests.bench.footprint import Footprint, footprint, growth
from tests.rigs.simulator import EmulatedReader

PATIENCE = 60.0
"""Seconds until a tap or a lift counts as lost."""

PACE = {"interval": 0.001, "backoff": (0.01, 0.05), "dropout": 0.004}
SERVE = "--serve"
MOST_MISTAKES = 10
LOOKS = 40
"""The number of memory samples; the first quarter is the warm-up."""

ENOUGH = 8000
"""The fewest taps for judging memory: fewer are all warm-up."""

FAULTS = {"nothing": 80, "checksum": 8, "garbled": 8, "stalled": 2, "unplugged": 2}
"""The faults that may happen at a tap, with their percentages."""

Looks = dict[str, Footprint]
"""The usage of each process, by name."""


class Soak:
    """One reader under test, and its reported touches."""

    def __init__(self, emulator: EmulatedReader, seed: int) -> None:
        self.faults: Counter[str] = Counter()
        self.mistakes: list[str] = []
        self.told: queue.SimpleQueue[Tap | Lift] = queue.SimpleQueue()
        self._reader = emulator
        self._chance = random.Random(seed)
        self._uids = [bytes((4, 1, 2, 3, 4, 5, number)) for number in range(80)]

    def listen(self, event: Event) -> None:
        """Receive an event from the watcher or client."""
        if isinstance(event, Tap | Lift):
            self.told.put(event)

    def run(self, taps: int, look: Callable[[], Looks]) -> list[tuple[int, Looks]]:
        """Tap `taps` times; returns the samples of `look`, each with the number of taps before
        it."""
        sightings = []
        for number in range(1, taps + 1):
            uid = self._chance.choice(self._uids)
            for touch in (Tap(uid), Lift(uid)):
                self._touch(touch, self._disturb(), number)
            if number % max(taps // LOOKS, 1) == 0:
                self._calm(number)
                sightings.append((number, look()))
            if len(self.mistakes) >= MOST_MISTAKES:
                break
        if not self.told.empty():
            self.mistakes.append(f"{self.told.get()} was invented at the end")
        return sightings

    def _touch(self, touch: Tap | Lift, fault: str, number: int) -> None:
        if isinstance(touch, Tap):
            self._reader.hold(touch.uid)
        else:
            self._reader.lift()
        wrong = self._wait_for(touch)
        if wrong:
            self.mistakes.append(f"tap {number}, {fault}: {wrong}")

    def _disturb(self) -> str:
        """Inject a random fault, or none; returns its name."""
        (what,) = self._chance.choices(list(FAULTS), list(FAULTS.values()))
        faults = self._reader.faults
        if what == "checksum":
            faults.corrupt = self._chance.randint(1, 2)
        elif what == "garbled":
            faults.garble = self._chance.randint(1, 3)
        elif what == "stalled":
            faults.stall = True
            time.sleep(0.02)
            faults.stall = False
        elif what == "unplugged":
            faults.unplug_after = self._chance.randint(0, 60)
        self.faults[what] += 1
        return what

    def _calm(self, number: int) -> None:
        """Make one tap without faults, so that the reader is open and idle."""
        faults = self._reader.faults
        faults.corrupt, faults.garble, faults.unplug_after = 0, 0, None
        for touch in (Tap(self._uids[0]), Lift(self._uids[0])):
            self._touch(touch, "nothing", number)

    def _wait_for(self, reference: Tap | Lift) -> str:
        """Check the next touch; returns what is wrong. Plugs the reader in again if it was
        unplugged."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not self._reader.plugged:
                self._reader.plug()
            try:
                match = self.told.get(timeout=0.05)
            except queue.Empty:
                continue
            return "" if match == reference else f"expected {reference}, and {match} came"
        return f"{reference} was lost"


# -- the ways ------------------------------------------------------------------------------


@contextlib.contextmanager
def watch_reader(path: str, listen: Callable[[Event], None]) -> Iterator[Callable[[], Looks]]:
    """Watch the reader in this process."""
    watcher = Watcher(NfcpyReader(path), listen, **PACE)  # type: ignore[arg-type]
    watcher.start()
    yield lambda: {"this program": footprint()}
    watcher.stop()
    watcher.join()


@contextlib.contextmanager
def watch_service(path: str, listen: Callable[[Event], None]) -> Iterator[Callable[[], Looks]]:
    """Watch the reader through a service in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, __file__, SERVE, path, folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        io, answers = process.stdin, process.stdout
        answers.readline()
        client = ServiceClient(Endpoint(f"{folder}/service"), listen, name=path)
        client.start()

        def look() -> Looks:
            io.write("look\n")
            io.flush()
            theirs = Footprint(*json.loads(answers.readline()))
            return {"this program": footprint(), "the service": theirs}

        yield look
        client.stop()
        client.join()
        process.communicate()


async def serve(path: str, folder: str) -> None:
    """Run the service until the end of input; answer each line of input with a footprint."""
    tracemalloc.start()
    logging.disable()  # hundreds of pulled cables are expected here
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    service = Service([NfcpyReader(path)], **PACE)  # type: ignore[arg-type]

    def answer() -> None:
        if sys.stdin.readline():
            print(json.dumps(footprint()), flush=True)
        else:
            stop.set()

    with Endpoint(f"{folder}/service").listen() as listening:
        loop.add_reader(sys.stdin, answer)
        print("ready", flush=True)
        await service.run(listening, stop)


WAYS = {"reader": watch_reader, "service": watch_service}


def soak(way: str, taps: int, seed: int) -> list[str]:
    """Run in that way, print a report, and return all problems."""
    duration = time.monotonic()
    with EmulatedReader(rf_delay=0, poll_time=0) as event:
        one = Soak(event, seed)
        with WAYS[way](event.path, one.listen) as look:
            sightings = one.run(taps, look)
    faults = ", ".join(f"{count} {what}" for what, count in sorted(one.faults.items()))
    print(f"through the {way}: {taps} taps in {time.monotonic() - duration:.0f} s, seed {seed}")
    print(f"  at a touch: {faults}")
    print(f"  lost, invented or in the wrong order: {len(one.mistakes)}", flush=True)
    return one.mistakes + [wrong for name in sightings[-1][1] for wrong in judge(name, sightings)]


def judge(name: str, seen: list[tuple[int, Looks]]) -> list[str]:
    """Print one process's usage; returns what is not flat, given enough taps."""
    warm = seen[len(seen) // 4 :]
    first, last = warm[0][1][name], warm[-1][1][name]
    rates = growth([taps for taps, _ in warm], [looks[name] for _, looks in warm])
    print(
        f"  {name}: memory {last.resident:.0f} KiB, {rates.resident:+.2f} KiB in 1,000 taps; "
        f"Python's objects {last.traced:.0f} KiB, {rates.traced:+.2f} KiB in 1,000 taps; "
        f"threads {first.threads} and {last.threads}, files {first.files} and {last.files}",
        flush=True,
    )
    if warm[-1][0] < ENOUGH:
        rates = rates._replace(traced=0.0, resident=0.0)
    return [f"{name}: {wrong}" for wrong in rates.complaints()]


def main() -> int:
    """Soak in the chosen ways; returns the exit code."""
    if sys.argv[1:2] == [SERVE]:
        asyncio.run(serve(*sys.argv[2:]))
        return 0
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--through", choices=[*WAYS, "all"], default="all")
    args = options.parse_args()
    tracemalloc.start()
    wrong = []
    for way in WAYS if args.through == "all" else [args.through]:
        wrong += soak(way, args.taps, args.seed)
    for mistake in wrong:
        print(f"wrong: {mistake}")
    print("soak: " + ("failed" if wrong else "no tap lost, none invented, nothing grew"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
