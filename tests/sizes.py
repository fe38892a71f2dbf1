"""How much the sweeps try in each ring: `RING=soak pytest -m "soak or sweep"` tries most."""

from __future__ import annotations

import os
from collections.abc import Sequence

RINGS = ("check", "test", "short", "soak")
RING = os.environ.get("RING", "test")
assert RING in RINGS, f"RING={RING}: use one of {', '.join(RINGS)}"


def pick_size(*numbers: int) -> int:
    """The one of these four numbers that is for the ring that runs: `make check`, `make test`,
    the soak in short, as `.ci/run` has it, or `make soak`."""
    return dict(zip(RINGS, numbers, strict=True))[RING]


def pick_in_turn(number: int, items: Sequence[str]) -> list[str]:
    """One after the other of these for the cases with numbers, in `make check` and in the short
    soak, which follows `make test`; else every one for every case."""
    size = pick_size(1, len(items), 1, len(items))
    return [items[(number + more) % len(items)] for more in range(size)]
