"""Taps by the thousand on the emulated reader, with faults at random: none lost, none invented.

A tap counts as lost only while reader and chip are sound, so a chip lies there until it is seen.
Prints the taps, the faults, the seconds and how much the memory grew; ends with 1 on a mistake.

    python tests/bench/soak_reader.py [--taps 20000] [--seed 1]
"""

from __future__ import annotations

import argparse
import queue
import random
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tags.simulator import SimulatedReader
from tags.watch import Event, Lift, Tap, Watcher

PATIENCE = 60.0
"""Seconds until a tap or a lift counts as lost."""


def disturb(reader: SimulatedReader, chance: random.Random) -> str:
    """Let something go wrong, or nothing; its name."""
    what = chance.choices(
        ("nothing", "checksum", "garbled", "stalled", "unplugged"), (80, 8, 8, 2, 2)
    )[0]
    if what == "checksum":
        reader.faults.corrupt = chance.randint(1, 2)
    elif what == "garbled":
        reader.faults.garble = chance.randint(1, 3)
    elif what == "stalled":
        reader.faults.stall = True
        time.sleep(0.02)
        reader.faults.stall = False
    elif what == "unplugged":
        reader.faults.unplug_after = chance.randint(0, 60)
    return what


def wait_for(
    expected: Tap | Lift, events: queue.SimpleQueue[Tap | Lift], reader: SimulatedReader
) -> str:
    """What is wrong with the next touch; plugs the reader in again when its cable was pulled."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not reader.plugged:
            reader.plug()
        try:
            found = events.get(timeout=0.05)
        except queue.Empty:
            continue
        return "" if found == expected else f"expected {expected}, and {found} came"
    return f"{expected} was lost"


def main() -> int:
    """Tap on; the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    chance = random.Random(given.seed)
    events: queue.SimpleQueue[Tap | Lift] = queue.SimpleQueue()

    def listen(event: Event) -> None:
        if isinstance(event, Tap | Lift):
            events.put(event)

    faults: dict[str, int] = {}
    mistakes = []
    begun = time.monotonic()
    warm = 0
    with SimulatedReader(rf_delay=0, poll_time=0) as reader:
        uids = [bytes((4, 1, 2, 3, 4, 5, number)) for number in range(80)]
        watcher = Watcher(reader.reader(), listen, interval=0.001, backoff=(0.01, 0.05))
        watcher.start()
        for number in range(given.taps):
            uid = chance.choice(uids)
            for touch in (Tap(uid), Lift(uid)):
                what = disturb(reader, chance)
                faults[what] = faults.get(what, 0) + 1
                if isinstance(touch, Tap):
                    reader.hold(uid)
                else:
                    reader.lift()
                wrong = wait_for(touch, events, reader)
                if wrong:
                    mistakes.append(f"tap {number + 1}, {what}: {wrong}")
            if number == min(1000, given.taps // 2):
                warm = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            if len(mistakes) > 10:
                break
        watcher.stop()
        watcher.join()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - warm
    print(f"{given.taps} taps in {time.monotonic() - begun:.0f} s, faults {faults}")
    print(f"{len(mistakes)} mistakes, memory {grown} KiB more than after the first thousand")
    for mistake in mistakes:
        print(mistake)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
