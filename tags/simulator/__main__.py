"""The emulated reader as a separate program: ``python -m tags.simulator``.

Prints the path of the reader, then obeys lines on standard input, each answered with ``ok`` and
the time in seconds on this computer's performance counter at which it took effect, or with
``error`` and a sentence:

``hold UID [TEXT]``  lay the chip on the reader, with TEXT on it when it is new
``tap UID [TEXT]``   the same, lifted automatically once the reader has seen it and is done
``add UID``          lay another chip beside the one that lies there
``away``             lift what lies there; answered once the reader must have noticed
``lift``, ``unplug``, ``plug``, ``stall`` (on and off), ``quit``
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from tags.simulator import SimulatedReader
from tags.uids import parse_uid

TAP_SIGHTINGS = 5
"""Consecutive sightings without other commands to the chip: a driver reads an unknown chip twice to
confirm it, and may then read its content."""

AWAY = 1.0
"""Seconds that a lifted chip stays away: longer than any dropout time."""

PATIENCE = 60.0
"""Seconds after which an unread tap or an unnoticed lift ends anyway."""


def text_message(text: str) -> bytes:
    """An NDEF message with ``text`` (at most 250 bytes) as its one English text record."""
    payload = b"\x02en" + text.encode()
    return b"\xd1\x01" + bytes((len(payload),)) + b"T" + payload


def main() -> int:
    """Run until ``quit`` or the end of input; the exit code."""
    options = argparse.ArgumentParser(prog="python -m tags.simulator", description=__doc__)
    options.add_argument(
        "--rf", type=float, default=0.005, help="how many seconds one radio exchange takes"
    )
    options.add_argument(
        "--poll",
        type=float,
        default=0.01,
        help="how many seconds a search takes that finds nothing",
    )
    options.add_argument(
        "--adapter",
        type=float,
        help="be as slow as a real line with a USB converter that has this latency timer, in ms",
    )
    given = options.parse_args()
    with SimulatedReader(
        rf_delay=given.rf,
        poll_time=given.poll,
        wired=given.adapter is not None,
        adapter=(given.adapter or 0) / 1000,
    ) as reader:
        if reader.path is None:
            print("error: this system has no pseudo terminals", file=sys.stderr)
            return 2
        print(reader.path, flush=True)
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            if line.strip():
                print(obey(reader, line), flush=True)
    return 0


def obey(reader: SimulatedReader, line: str) -> str:
    """Execute the command in ``line``; returns the answer to print."""
    word, _, rest = line.strip().partition(" ")
    commands: dict[str, Callable[[str], None]] = {
        "hold": lambda rest: hold(reader, rest),
        "tap": lambda rest: tap(reader, rest),
        "add": lambda rest: reader.add(parse_uid(rest)),
        "away": lambda _: take_away(reader),
        "lift": lambda _: reader.lift(),
        "unplug": lambda _: reader.unplug(),
        "plug": lambda _: reader.plug(),
        "stall": lambda _: stall(reader),
    }
    if word not in commands:
        return f"error: {word!r} is none of {', '.join(commands)}, quit"
    try:
        commands[word](rest)
    except ValueError as error:
        return f"error: {error}"
    return f"ok {time.perf_counter():.6f}"


def hold(reader: SimulatedReader, rest: str) -> None:
    """Lay the chip named in ``rest`` on the reader. Raises ``ValueError``."""
    uid, _, text = rest.partition(" ")
    reader.hold(parse_uid(uid), text_message(text) if text else b"")


def tap(reader: SimulatedReader, rest: str) -> None:
    """Lay the chip named in ``rest`` on the reader until it has been seen. Raises
    ``ValueError``."""
    begun, end, asked = reader.sightings, time.monotonic() + PATIENCE, reader.chip.exchanges
    hold(reader, rest)
    while reader.sightings < begun + TAP_SIGHTINGS and time.monotonic() < end:
        time.sleep(0.005)
        if reader.chip.exchanges != asked:
            begun, asked = reader.sightings, reader.chip.exchanges
    reader.lift()


def take_away(reader: SimulatedReader) -> None:
    """Lift the chip for longer than any dropout time."""
    reader.lift()
    end = time.monotonic() + PATIENCE
    time.sleep(AWAY)
    missed = reader.misses
    while reader.misses < missed + 2 and time.monotonic() < end:
        time.sleep(0.005)


def stall(reader: SimulatedReader) -> None:
    """Toggle whether the reader answers."""
    reader.faults.stall = not reader.faults.stall


if __name__ == "__main__":
    sys.exit(main())
