"""A chip that carries our record is a card at a table that never learned it."""

from __future__ import annotations

import queue

import pytest

from companion.chips.entries import DistrictChip
from companion.chips.ndef import encode
from companion.readers.table_reader import TableReader
from companion.settings import config
from engine.ruleset import make_ordinary
from tags.watch import Event, Tap
from tests.rigs.simulator import EmulatedReader

pytestmark = pytest.mark.outer

RULES = make_ordinary("classic_2016", ["Anna", "Kurt", "Ashley", "Ben"])
OURS, UNKNOWN = bytes.fromhex("04A2B3C4D5E680"), bytes.fromhex("04A2B3C4D5E681")
FOREIGN = bytes.fromhex("04A2B3C4D5E682")


def test_a_chip_says_itself_what_it_is_and_only_of_the_catalogue() -> None:
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    with EmulatedReader(rf_delay=0, poll_time=0) as emulator:
        settings = config.load({}, options={"reader": emulator.path})
        reader = TableReader.open(settings, RULES, on_event=events.put)
        assert reader is not None
        reader.start()
        try:
            for uid, message, entry in (
                (OURS, encode(DistrictChip("temple", 2), "Temple"), DistrictChip("temple", 2)),
                (UNKNOWN, b"", None),
                (FOREIGN, encode(DistrictChip("casino", 1), "Casino"), None),
            ):
                emulator.hold(uid, message)
                while not (isinstance(event := events.get(timeout=60), Tap) and event.uid == uid):
                    pass
                assert reader.lookup(uid) == entry
        finally:
            reader.stop()
