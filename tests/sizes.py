"""The sizes of sweeps in each ring: `RING=soak pytest -m "soak or sweep"` runs the largest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

RINGS = ("test", "short", "soak")
RING = os.environ.get("RING", "test")
assert RING in RINGS, f"RING={RING}: use one of {', '.join(RINGS)}"


def pick_size(*numbers: int) -> int:
    """The number for the current ring: `make test` and `make check`, the short soak of `.ci/run`,
    or `make soak`."""
    return dict(zip(RINGS, numbers, strict=True))[RING]


def pick_in_turn(number: int, items: Sequence[str]) -> list[str]:
    """In `make check` and `make test` one item per case number, in turn; in the short soak two, in
    the soak all items for every case."""
    size = pick_size(1, min(2, len(items)), len(items))
    return [items[(number + more) % len(items)] for more in range(size)]


def pick_first(first: str, *others: str) -> list[Any]:
    """Parameters of a test: the first in every ring that the test belongs to, in the short soak one
    more, in the soak all."""
    more = others[: pick_size(len(others), 1, len(others))]
    return [
        pytest.param(first),
        *(pytest.param(other, marks=pytest.mark.soak) for other in more),
    ]
