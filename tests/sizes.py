"""How much the sweeps try in each ring: `RING=soak pytest -m "soak or sweep"` tries most."""

from __future__ import annotations

import os

RINGS = ("check", "test", "short", "soak")
RING = os.environ.get("RING", "test")
assert RING in RINGS, f"RING={RING}: use one of {', '.join(RINGS)}"


def pick_size(*numbers: int) -> int:
    """The one of these four numbers that is for the ring that runs: `make check`, `make test`,
    the soak in short, as `.ci/run` has it, or `make soak`."""
    return dict(zip(RINGS, numbers, strict=True))[RING]
