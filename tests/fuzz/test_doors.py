"""The invariants of `doors.py`, checked with their own seeds, damaged."""

from __future__ import annotations

import random
import re

import pytest

from tests.fuzz import doors
from tests.fuzz.targets import TOKENS

pytestmark = pytest.mark.outer

TIMES = 25
HALVES = (rb"\ud800", b"\xed\xa0\x80")
"""Half of a pair of UTF-16, escaped and as bytes: a text that no file can hold."""


@pytest.mark.parametrize("name", doors.CHECKS)
def test_the_promises_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", "/nowhere")  # set back afterwards
    chance = random.Random(1)
    for _time in range(TIMES):
        data = bytearray(chance.choice(doors.SEEDS[name]))
        for _change in range(chance.randint(1, 4)):
            place = chance.randrange(len(data) + 1)
            new = chance.choice((chance.choice(TOKENS), chance.randbytes(3), b"\n", b""))
            data[place : place + chance.randint(0, 6)] = new
        doors.CHECKS[name](bytes(data))


@pytest.mark.parametrize("half", HALVES, ids=["escaped", "raw"])
def test_half_a_character_in_any_text_of_a_share_file_is_survived(half: bytes) -> None:
    for seed in doors.SEEDS["parcel"][1:]:  # the lines of the first version
        for place in re.finditer(rb'"', seed):
            doors.parcel(seed[: place.end()] + half + seed[place.end() :])
