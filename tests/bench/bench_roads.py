"""Measure a tap to its event over the network's roads, beside the same reader on a local line.

A PN532 behind a bridge with a fixed round trip, and a scanner that publishes on a real broker
(mosquitto, on this computer). The goals are those of the local line plus what the road costs.

    python tests/bench/bench_roads.py [--taps 60]
"""

from __future__ import annotations

import argparse
import queue
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from measuring import figure, percentile

from tags.readers.auto_reader import reader_for
from tags.simulator.chips import Ntag
from tags.watch import Event, Lift, ReaderConnected, Tap, Watcher
from tests import needs
from tests.rigs.bridge import TcpBridge
from tests.rigs.pn532 import Pn532
from tests.rigs.simulator import EmulatedReader

UID = bytes.fromhex("04A2B3C4D5E680")
ROUND_TRIP = 0.02
"""Seconds to the bridge and back."""


def measure(path: str, lay: Callable[[], None], lift: Callable[[], None], taps: int) -> list[float]:
    """Milliseconds from laying a chip down to its event."""
    events: queue.Queue[Event] = queue.Queue()
    watcher = Watcher(reader_for(path), events.put)
    watcher.start()
    wait_for(events, ReaderConnected)
    samples = []
    for _ in range(taps):
        time.sleep(random.uniform(1.1, 1.3))  # the same chip counts again only then
        moment = time.perf_counter()
        lay()
        wait_for(events, Tap)
        samples.append((time.perf_counter() - moment) * 1000)
        lift()
        wait_for(events, Lift)
    watcher.stop()
    watcher.join(10)
    return samples


def wait_for(events: queue.Queue[Event], kind: type) -> None:
    """Wait for an event of that kind."""
    while not isinstance(events.get(timeout=60), kind):
        pass


def main() -> None:
    """Measure both roads."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=60)
    taps = options.parse_args().taps
    with EmulatedReader() as emulated_reader:
        chip = emulated_reader.chip
        local = measure(emulated_reader.path, lambda: chip.lay(Ntag(UID)), chip.lay, taps)
    figure("local, p95", percentile(local, 95), "ms", "none")
    with TcpBridge(Pn532(rf_delay=0.005, poll_time=0.01), (ROUND_TRIP, ROUND_TRIP)) as bridge:
        there = bridge.chip
        behind = measure(bridge.path, lambda: there.lay(Ntag(UID)), there.lay, taps)
    most = percentile(local, 95) + 2 * ROUND_TRIP * 1000
    figure("tcp, p95", percentile(behind, 95), "ms", f"<= {most:.0f}: local + 2 round trips")
    for part in (50, 95):
        trips = (percentile(behind, part) - percentile(local, part)) / (ROUND_TRIP * 1000)
        figure(f"tcp, round trips more than local, p{part}", trips, "", "<= 2")
    if needs.find_missing(["mosquitto", "mqtt"]):
        print("no mosquitto or no extra mqtt: that road is left out")
        return
    from tests.tags.test_network_readers import Publisher, run_broker, touch_crowd

    with tempfile.TemporaryDirectory() as folder, run_broker(Path(folder)) as port:
        publish = Publisher(port)
        path = f"mqtt://127.0.0.1:{port}/pn532/tag?interval=0.1"
        entries = measure(
            path,
            lambda: publish("pn532/tag", UID.hex("-")),
            lambda: publish("pn532/tag_removed", UID.hex("-")),
            taps,
        )
        crowd = [1000 * seconds for seconds in touch_crowd(port, publish, 200, 10 * taps)]
        publish.close()
    figure("one of 200 readers on a broker, p95", percentile(crowd, 95), "ms", "< 1000")
    figure("mqtt, p95", percentile(entries, 95), "ms", "< 100, without the device's interval")


if __name__ == "__main__":
    main()
