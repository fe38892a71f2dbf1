"""Whole games by taps alone on a reader: a hand lays chips on the emulated PN532, with slips and
faults; nfcpy's real driver reads them over its line for the program, which is a child. Each ends
with the table and the scores of its record."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from itertools import count, cycle, takewhile

import pytest

from companion import chips
from companion.chips import SimulatedDeck
from companion.chips.entries import ActionChip, DistrictChip, Entry
from companion.chips.registry import Registry
from companion.files import locations
from companion.log.store import Store
from tags.presence import DROPOUT
from tags.readers import INTERVAL
from tests.companion.listening import Listener
from tests.companion.numbering import digits_of, find_picks
from tests.end_to_end.steps import (
    Step,
    assert_ended_as,
    chips_of,
    options_of,
    record_of,
    steps,
)
from tests.rigs.chips import Ntag, Phone
from tests.rigs.simulator import EmulatedReader
from tests.sizes import pick_first
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.timeout(1800)]

FAULTS = ("flicker", "double", "two chips", "a phone first", "cable out")
EVERY = 4
"""How many touches there are for each with a fault."""

AWAY = 2 + round(DROPOUT / INTERVAL)
"""How often the reader looks in vain between two touches: longer than it overlooks a chip, however
busy the computer."""

AGAIN = 1.2
"""Seconds after which the same chip may be meant again."""

REPEAT = ("tap again", "tap it again", "tap one at a time", "within a second")
"""What asks the hand to repeat its touch."""

PHONE = "changes its id every time"
"""What answers a phone, and not the touch that was meant."""


class Hand:
    """Lays the chips of a deck on the reader."""

    def __init__(self, reader: EmulatedReader, caller: Listener, deck: SimulatedDeck) -> None:
        self.faults = dict.fromkeys(FAULTS, 0)
        self._reader, self._caller, self._deck = reader, caller, deck
        self._fault_now = cycle(FAULTS)
        self._touches = count(1)
        self._copies: dict[str, Iterator[Entry]] = {}
        self._last_seen: dict[bytes, float] = {}

    def tap(self, entry: Entry) -> None:
        """Touch the reader with that piece's chip until the program has heard it."""
        uid = self._find(entry)
        fault = next(self._fault_now) if next(self._touches) % EVERY == 0 else ""
        if fault:
            self.faults[fault] += 1
        self._prepare(fault)
        while True:
            self._touch(uid, fault)
            answer = " ".join(self._hear())
            fault = ""
            if not any(words in answer for words in REPEAT):
                return

    def _find(self, entry: Entry) -> bytes:
        """The chip of that piece; of a district's copies one after the other."""
        if isinstance(entry, DistrictChip):
            copies = (DistrictChip(entry.card, number) for number in count(1))
            known = list(takewhile(lambda copy: self._deck.find_entry(copy) is not None, copies))
            entry = next(self._copies.setdefault(entry.card, cycle(known)))
        uid = self._deck.find_entry(entry)
        assert uid is not None, entry
        return uid

    def _hear(self) -> list[str]:
        """The answer, without what was said of a slip before it or after the last one."""
        while True:
            lines = self._caller.hear()
            assert lines, "the program has ended"
            if PHONE not in " ".join(lines[:-1]):
                return lines

    def _prepare(self, fault: str) -> None:
        if fault == "a phone first":
            self._stay_away()
            self._lay(Phone(bytes.fromhex("08112233")))
            self._reader.lift()
        elif fault == "cable out":
            self._reader.unplug()
            self._caller.hear_aside("was not found")
            self._reader.plug()
            self._caller.hear_aside("is ready")

    def _touch(self, uid: bytes, fault: str) -> None:
        self._stay_away()
        time.sleep(max(0.0, self._last_seen.get(uid, 0) + AGAIN - time.monotonic()))
        chip = Ntag(uid)
        if fault == "two chips":
            other = next(other for other in self._deck.chips if other != uid)
            self._lay(chip, Ntag(other))
            self._last_seen[other] = time.monotonic()
        else:
            self._lay(chip)
        if fault == "flicker":
            faults, clock = self._reader.faults, self._reader.chip.clock
            for _ in range(2):
                faults.unseen_until = clock.seconds() + 0.15
                self._see(2)
        if fault == "double":
            self._reader.lift()
            self._see_nothing(1)
            self._lay(chip)
        self._last_seen[uid] = time.monotonic()
        self._reader.lift()

    def _lay(self, *laid: Ntag | Phone) -> None:
        """Lay these chips on until the reader has seen them twice."""
        self._reader.chip.lay(*laid)
        self._see(2)

    def _stay_away(self) -> None:
        """Stay away until the reader must have noticed it, and what it said of a slip is over."""
        self._see_nothing(AWAY)
        self._caller.drop_heard()

    def _see(self, times: int) -> None:
        seen = self._reader.sightings + times
        wait_until(lambda: self._reader.sightings >= seen, every=0.005)

    def _see_nothing(self, times: int) -> None:
        missed = self._reader.misses + times
        wait_until(lambda: self._reader.misses >= missed, every=0.005)


def pieces_of(step: Step) -> list[Entry]:
    """The pieces to tap for the move: its cards, or the numbers of its rows."""
    if found := chips_of(step.before, step.move):
        return found
    picks = find_picks(step.before, step.move)
    return [ActionChip("moves"), *(ActionChip(d) for pick in picks for d in digits_of(pick))]


@pytest.mark.parametrize("name", pick_first("short_game", "three_players", "whole_game"))
def test_a_whole_game_by_taps_on_a_reader(name: str) -> None:
    record = record_of(name)
    deck = SimulatedDeck(record.setup.ruleset())
    chips.save(locations.chips_file(os.environ["COMPANION_DATA"]), Registry(deck.chips))
    with (
        EmulatedReader() as reader,
        Listener(*options_of(record), new=False, reader=reader.path) as caller,
    ):
        caller.hear()
        caller.hear_aside("is ready")
        hand = Hand(reader, caller, deck)
        for number, step in enumerate(steps(record), start=1):
            for entry in pieces_of(step):
                hand.tap(entry)
            wait_until(partial(has_moves, number))
        assert caller.leave() == 0
    assert all(hand.faults.values()), hand.faults
    assert_ended_as(name)


def has_moves(number: int) -> bool:
    with Store(locations.games_file(os.environ["COMPANION_DATA"])) as store:
        game = store.find_last_game()
        return game is not None and len(store.load(game).moves) == number
