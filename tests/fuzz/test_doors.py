"""The invariants of `doors.py`, checked with their own seeds, intact and damaged."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import doors
from tests.fuzz.targets import TOKENS

pytestmark = pytest.mark.outer

TIMES = 25


@pytest.mark.parametrize("name", doors.CHECKS)
def test_the_promises_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", "/nowhere")  # set back afterwards
    chance = random.Random(1)
    for seed in doors.SEEDS[name]:
        doors.CHECKS[name](seed)
    for _time in range(TIMES):
        data = bytearray(chance.choice(doors.SEEDS[name]))
        for _change in range(chance.randint(1, 4)):
            place = chance.randrange(len(data) + 1)
            new = chance.choice((chance.choice(TOKENS), chance.randbytes(3), b"\n", b""))
            data[place : place + chance.randint(0, 6)] = new
        doors.CHECKS[name](bytes(data))
