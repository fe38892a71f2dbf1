"""One gate for every road: the same noisy touches, over each road, play the same chips.

Chips flicker, come back at once, lie in piles that a reader sees in turns. All of it runs in
simulated time: a real file, a real table of phones.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from companion import readers
from companion.chips.entries import ActionChip
from companion.game.conversation import Conversation
from companion.phones.serving import api, tapping
from tags.links import format_uid
from tags.presence import DROPOUT, Clock, Tap
from tags.readers import INTERVAL, Reader
from tags.readers.file_reader import FileReader
from tags.readers.pcsc_reader import PcscReader
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.service.server import Connection
from tags.watch import Event, Watcher
from tests.rigs.antenna import Antenna, DirectReader
from tests.rigs.chips import Ntag
from tests.serving.local_table import Table
from tests.sizes import pick_size
from tests.tags.serving import serve
from tests.tags.test_pcsc import Scard
from tests.waiting import PATIENCE, wait_until

CHIPS = [bytes((4, 1, 2, 3, 4, 5, number)) for number in range(40)]
LAST = bytes((4, 9, 9, 9, 9, 9, 9))
"""The chip after all touches."""
QUIET = 4.0
"""Seconds after which nothing of a touch can still come: the longest hold of a road."""


class Change(NamedTuple):
    """From then on, these chips lie on the reader."""

    at: float
    chips: tuple[bytes, ...]


def make_touches(count: int, seed: int) -> tuple[list[bytes], list[Change]]:
    """The chips that people meant, and what happens on the reader, in order."""
    chance, now = random.Random(seed), 2.0
    meant, changes = [], []
    for _ in range(count):
        chip, other = chance.sample(CHIPS, 2)
        meant.append(chip)
        match chance.choice(("plain", "flicker", "again", "pile")):
            case "plain":
                spans: list[tuple[bytes | None, float]] = [(chip, chance.uniform(0.2, 1))]
            case "flicker":
                spans = []
                for _ in range(chance.randint(1, 4)):
                    spans += [(chip, chance.uniform(0.1, 0.4)), (None, chance.uniform(0.03, 0.25))]
            case "again":
                gap = chance.uniform(0.35, 0.65)
                spans = [(chip, 0.3), (None, gap), (chip, 0.3)]
            case _:
                spans = [(one, 0.15) for _ in range(chance.randint(2, 4)) for one in (chip, other)]
        for lying, seconds in spans:
            changes.append(Change(now, () if lying is None else (lying,)))
            now += seconds
        changes.append(Change(now, ()))
        now += QUIET + chance.random()
    return meant, changes


class Time(Clock):
    """Simulated time, which passes while a reader is polled, and changes the reader."""

    def __init__(self, changes: list[Change], change: Callable[[Change], object]) -> None:
        self.now = 0.0
        self._left = iter([*changes, Change(changes[-1].at + 10, ())])
        self._next = next(self._left)
        self._change = change
        self.ended = threading.Event()
        self.stop: Callable[[], object] = lambda: None

    def seconds(self) -> float:
        return self.now

    def moment(self) -> float:
        return self.now

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self.now += max(seconds, 0)
        while self._next.at <= self.now:
            self._change(self._next)
            following = next(self._left, None)
            if following is None:
                self.stop()
                return True
            self._next = following
        return event.is_set()


def watch(reader: Reader, time: Time) -> list[bytes]:
    """The chips that pass the gate at that reader."""
    games = []

    def on_event(event: Event) -> None:
        if isinstance(event, Tap) and readers.reject_tap(event, time.now) is None:
            games.append(event.uid)

    watcher = Watcher(reader, on_event, clock=time)
    time.stop = watcher.stop
    watcher.start()
    assert watcher.join(60)
    return games


def poll(changes: list[Change], _folder: Path) -> list[bytes]:
    """A reader that is polled."""
    antenna = Antenna()
    tags = {uid: Ntag(uid) for uid in CHIPS}

    def lay(change: Change) -> None:
        antenna.lay(*(tags[uid] for uid in change.chips))

    return watch(DirectReader("polled", antenna), Time(changes, lay))


def append(changes: list[Change], folder: Path) -> list[bytes]:
    """A file to which a program adds what it sees: one chip, whenever that comes or comes back."""
    path = folder / "taps"
    path.touch()
    first, last = b"", -10.0

    def add(change: Change) -> None:
        nonlocal first, last
        for uid in change.chips:
            if change.at - last > 2:
                first = uid
            last = change.at
            if uid != first:
                continue  # lines of two chips are two taps: a pile is for the program to notice
            with path.open("a") as file:
                file.write(f"{format_uid(uid)}\n")

    return watch(FileReader(str(path)), Time(changes, add))


def ask_system(changes: list[Change], _folder: Path) -> list[bytes]:
    """A reader that the system's PC/SC service polls."""
    scard = Scard()
    reader = PcscReader(scard=scard)
    return watch(reader, Time(changes, lambda change: scard.lay(*change.chips or (None,))))


def follow_service(changes: list[Change], folder: Path) -> list[bytes]:
    """A reader of the reader service, in a client of that."""
    antenna, connected = Antenna(), threading.Event()
    games: list[bytes] = []
    tags = {uid: Ntag(uid) for uid in (*CHIPS, LAST)}

    class Waiting(DirectReader):
        def open(self) -> None:
            assert connected.wait(PATIENCE)
            super().open()

    def lay(change: Change) -> None:
        while running.do(measure_backlog):  # the client reads as fast as simulated time passes
            pass
        antenna.lay(*(tags[uid] for uid in change.chips))

    def measure_backlog() -> int:
        return sum(
            cast(Connection, client)._writer.transport.get_write_buffer_size()
            for client in running.service.switchboard.clients
        )

    def on_event(event: Event) -> None:
        if isinstance(event, Tap) and event.uid == LAST:
            time.ended.set()
        elif isinstance(event, Tap) and readers.reject_tap(event, event.at) is None:
            games.append(event.uid)

    time = Time([*changes, Change(changes[-1].at + QUIET, (LAST,))], lay)
    time.stop = lambda: time.ended.wait(PATIENCE)
    endpoint = Endpoint(str(folder / "service"))
    with serve(
        endpoint, Waiting("shared", antenna), clock=time, interval=INTERVAL, dropout=DROPOUT
    ) as running:
        client = ServiceClient(endpoint, on_event, name="shared")
        client.start()
        wait_until(lambda: running.do(lambda: len(running.service.switchboard.clients)), 0)
        connected.set()
        assert time.ended.wait(PATIENCE)
        client.stop()
        assert client.join(PATIENCE)
    return games


ROADS = [
    poll,
    append,
    ask_system,
    pytest.param(follow_service, marks=pytest.mark.outer),
]
TOUCHES = pick_size(150, 300, 2000)


@pytest.mark.sweep
@pytest.mark.parametrize("road", ROADS)
def test_noisy_touches_play_the_same_over_each_road(
    road: Callable[[list[Change], Path], list[bytes]], tmp_path: Path
) -> None:
    meant, changes = make_touches(TOUCHES, seed=34)
    assert road(changes, tmp_path) == meant


@pytest.mark.sweep
@pytest.mark.parametrize("way", ["posts", "links"])
async def test_noisy_touches_of_a_phone_play_the_same(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Web NFC reports a chip whenever it finds it; a link is opened, and sends one touch."""
    meant, changes = make_touches(TOUCHES, seed=34)
    time = Time(changes, lambda _change: None)
    for module in (api, tapping, readers):
        monkeypatch.setattr(module, "moment", time.seconds)
    tapped: list[bytes] = []
    monkeypatch.setattr(Conversation, "tap", lambda _self, _entry, uid, _seat: tapped.append(uid))
    table = Table(tmp_path, clock=time.seconds)
    table.phones.lookup = lambda _uid: ActionChip("status")
    key = await table.join(1)
    cookie = f"companion_seat_8420={key}"
    for change in changes:
        time.now = change.at
        for uid in change.chips:
            if way == "posts":
                assert (await table.send("/api/taps", key, chip=format_uid(uid)))[0] == 200
                continue
            target = f"/t/{format_uid(uid)}"
            page = (await table.get(target, cookie)).body.decode()
            fields = dict(re.findall(r'name="(\w+)" value="([^"]*)">', page))
            assert (await table.post(target, cookie, **fields)).status == 303
    table.close()
    assert tapped == meant
