"""The watcher: reconnecting, reporting, never blocking the caller."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from tags.presence import Clock
from tags.readers import Reader, ReaderError
from tags.watch import Event, Lift, ReaderConnected, ReaderDisconnected, Tap, Watcher
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.serving import FakeReader
from tests.waiting import wait_until

pytestmark = pytest.mark.outer

Watch = Callable[..., Recorder]


class ScriptedReader(Reader):
    """A scripted reader; raises exceptions in the script."""

    name = "scripted"

    def __init__(self, *polls: bytes | Exception | None, opens: tuple[Exception, ...] = ()) -> None:
        self.polls, self.opens = list(polls), list(opens)
        self.closed = 0

    def open(self) -> None:
        if self.opens:
            raise self.opens.pop(0)

    def poll(self) -> tuple[bytes, ...]:
        step = self.polls.pop(0) if self.polls else None
        if isinstance(step, Exception):
            raise step
        return () if step is None else (step,)

    def close(self) -> None:
        self.closed += 1


def test_the_reason_is_told_once_and_again_when_it_changes_or_is_asked_for() -> None:
    missing, busy = ReaderError("It is not there.", "missing"), ReaderError("It is busy.", "busy")
    reader = ScriptedReader(opens=(missing, missing, missing, busy))
    events = Recorder()
    watcher = Watcher(reader, events, interval=0.001, backoff=(0.001, 0.002))
    watcher.start()
    assert [events.wait_for_next() for _ in range(3)] == [
        ReaderDisconnected("scripted", "It is not there.", "missing"),
        ReaderDisconnected("scripted", "It is busy.", "busy"),
        ReaderConnected("scripted"),
    ]
    watcher.stop()
    assert watcher.join(60)
    assert reader.closed == 5


def test_retry_now_does_not_wait_and_always_answers() -> None:
    missing = ReaderError("It is not there.", "missing")
    reader = ScriptedReader(opens=(missing, missing))
    events = Recorder()
    watcher = Watcher(reader, events, backoff=(3600, 3600))
    watcher.start()
    for _ in range(2):
        assert isinstance(events.wait_for_next(), ReaderDisconnected)
        watcher.retry_now()
    assert events.wait_for_next() == ReaderConnected("scripted")
    watcher.stop()
    assert watcher.join(60)


def test_a_driver_at_fault_is_a_lost_reader(watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    events = watch(ScriptedReader(TEMPLE, ZeroDivisionError("oops"), opens=(KeyError("x"),)))
    assert isinstance(events.wait_for_next(), ReaderDisconnected)
    assert [events.wait_for_next(), events.wait_for_next()] == [
        ReaderConnected("scripted"),
        Tap(TEMPLE),
    ]
    event = events.wait_for_next()
    assert isinstance(event, ReaderDisconnected)
    assert "oops" not in event.reason, "what a driver says is for programmers"
    assert "oops" in caplog.text


def test_an_error_in_the_listener_is_logged_and_the_watch_goes_on(
    emulator: EmulatedReader, caplog: pytest.LogCaptureFixture
) -> None:
    lift_event = threading.Event()

    def listen(event: Event) -> None:
        if isinstance(event, Lift):
            lift_event.set()
        raise RuntimeError("the screen is gone")

    watcher = Watcher(emulator.reader(), listen, interval=0.002)
    watcher.start()
    emulator.hold(TEMPLE)
    wait_until(lambda: emulator.sightings >= 2, 0.001)
    emulator.lift()
    assert lift_event.wait(60)
    watcher.stop()
    assert watcher.join(60)
    assert "the screen is gone" in caplog.text


def test_a_doubtful_chip_is_read_twice(watch: Watch) -> None:
    events = watch(ScriptedReader(CASTLE, None, TEMPLE, TEMPLE), confirm=lambda _uid: True)
    assert events.wait_for(Tap) == Tap(TEMPLE)


def test_stopping_before_starting_and_twice_is_harmless() -> None:
    watcher = Watcher(ScriptedReader(), Recorder())
    watcher.stop()
    assert watcher.join(0)
    watcher.start()
    watcher.stop()
    assert watcher.join(60)


def test_a_driver_that_hangs_does_not_keep_the_program_from_ending() -> None:
    program = """
import threading
import time
from tags.readers import Reader
from tags.watch import Watcher
class Hanging(Reader):
    name = "hanging"
    def open(self): opened.set(); threading.Event().wait()
    def poll(self): return ()
    def close(self): pass
opened = threading.Event()
watcher = Watcher(Hanging(), print)
watcher.start()
opened.wait()
watcher.stop()
print("done")
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert (result.stdout, result.stderr) == ("done\n", "")


def test_requests_without_end_do_not_keep_chips_from_being_seen() -> None:
    reader, events = FakeReader(), Recorder()
    watcher = Watcher(reader, events, interval=0.001)

    def ask_again(_reader: object) -> None:
        watcher.request(ask_again)

    watcher.start()
    try:
        for _ in range(2):
            watcher.request(ask_again)
        reader.uid = TEMPLE
        assert events.wait_for(Tap) == Tap(TEMPLE)
    finally:
        watcher.stop()
        assert watcher.join(10)
    with pytest.raises(ReaderError, match="no longer"):
        watcher.request(ask_again).result(0)


class Still(Clock):
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def seconds(self) -> float:
        return self.now

    def moment(self) -> float:
        return self.now

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self.now += max(seconds, 0)
        return event.is_set() or self.now > 102


def test_a_chip_that_lies_there_is_reported_before_the_reader_counts_as_ready() -> None:
    events, clock = Recorder(), Still()
    reader = ScriptedReader(*[TEMPLE] * 60)
    watcher = Watcher(reader, events, settles=True, clock=clock)
    watcher.start()
    tap = events.wait_for_next()
    assert tap == Tap(TEMPLE)
    assert isinstance(tap, Tap)
    assert tap.found
    assert events.wait_for_next() == ReaderConnected("scripted")
    watcher.stop()
    assert watcher.join(10)
